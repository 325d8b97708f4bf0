package experiments

import (
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/rag"
)

// EvidenceIn returns where a question's evidence lies in this corpus. The dataset was labelled on one corpus version; in
// another the same words may stand elsewhere: in the joined file, after an inserted paragraph, or nowhere. Evidence whose
// words are not there keeps its length but lies in no document, so that no chunk can cover it.
func (q Question) EvidenceIn(corpus *rag.Corpus) []rag.Span {
	spans := make([]rag.Span, len(q.Evidence))
	for i, e := range q.Evidence {
		spans[i] = e.locate(corpus)
	}
	return spans
}

func (e Evidence) locate(corpus *rag.Corpus) rag.Span {
	span := corpus.Locate(e.Span)
	if e.Quote == "" || corpus.Text(span) == e.Quote {
		return span
	}
	if x := corpus.Index(span.DocID); x != nil {
		if at := nearest(x.String(), e.Quote, span.Start); at >= 0 {
			return rag.Span{DocID: span.DocID, Start: at, End: at + utf8.RuneCountInString(e.Quote)}
		}
	}
	return rag.Span{Start: span.Start, End: span.End}
}

// nearest returns the code point where the occurrence of quote begins that is closest to the place it was labelled at, or
// -1 when there is none.
func nearest(text, quote string, want int) int {
	best, distance := -1, 0
	runes, from := 0, 0
	for {
		i := strings.Index(text[from:], quote)
		if i < 0 {
			return best
		}
		runes += utf8.RuneCountInString(text[from : from+i])
		if d := max(runes-want, want-runes); best < 0 || d < distance {
			best, distance = runes, d
		}
		_, size := utf8.DecodeRuneInString(text[from+i:])
		from += i + size
		runes++
	}
}
