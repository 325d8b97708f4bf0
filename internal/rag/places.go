package rag

import (
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// places finds where the contexts of a system outside stand in a corpus, so that evidence can be compared with them.
type places struct {
	corpus *Corpus // nil: nothing can be found

	once     sync.Once
	squeezed []string // the documents without white space
}

func newPlaces(c *Corpus) *places { return &places{corpus: c} }

// digest tells corpora apart.
func (p *places) digest() string {
	if p.corpus == nil {
		return ""
	}
	return p.corpus.Digest
}

// retrieval is what a mapped reply shows of the system's retrieval.
func (p *places) retrieval(question string, m remote.Reply) Retrieval {
	r := Retrieval{Query: question, Hits: make([]Hit, 0, len(m.Contexts)), Notes: m.Notes}
	if m.Contexts == nil {
		r.Hidden = NoContexts
		return r
	}
	for i, c := range m.Contexts {
		h := Hit{Text: c.Text, Score: 1 / float64(i+1)}
		span, found := p.find(c.Text, c.ID)
		if found {
			h.Span = span
		} else if strings.TrimSpace(c.Text) != "" { // a blank context holds no evidence, wherever it stands
			r.Hidden = NoPlaces
		}
		r.Hits = append(r.Hits, h)
	}
	return r
}

// find returns the one place of a text: in the document with this id where there is one, else in the whole corpus; as it is,
// else without regard to white space. A text that stands in several places has none: which of them the system meant is not
// known.
func (p *places) find(text, id string) (Span, bool) {
	text = strings.TrimSpace(text)
	if p.corpus == nil || text == "" {
		return Span{}, false
	}
	if _, known := p.corpus.Document(id); !known {
		id = ""
	}
	spans := p.exact(text, id, 2)
	if len(spans) == 0 {
		spans = p.loose(text, id, 2)
	}
	if len(spans) != 1 {
		return Span{}, false
	}
	return spans[0], true
}

// exact returns the first places of the text as it is, at most so many.
func (p *places) exact(text, id string, most int) []Span {
	var found []Span
	length := utf8.RuneCountInString(text)
	for _, d := range p.corpus.Documents {
		if id != "" && d.ID != id {
			continue
		}
		for from := 0; len(found) < most; {
			i := strings.Index(d.Text[from:], text)
			if i < 0 {
				break
			}
			start := utf8.RuneCountInString(d.Text[:from+i])
			found = append(found, Span{DocID: d.ID, Start: start, End: start + length})
			from += i + len(text)
		}
		if len(found) == most {
			break
		}
	}
	return found
}

// loose is exact without regard to white space, which chunkers and HTTP servers change freely.
func (p *places) loose(text, id string, most int) []Span {
	p.once.Do(func() {
		p.squeezed = make([]string, len(p.corpus.Documents))
		for i, d := range p.corpus.Documents {
			p.squeezed[i] = squeeze(d.Text)
		}
	})
	text = squeeze(text)
	var found []Span
	for i, d := range p.corpus.Documents {
		if id != "" && d.ID != id {
			continue
		}
		for from := 0; len(found) < most; {
			at := strings.Index(p.squeezed[i][from:], text)
			if at < 0 {
				break
			}
			found = append(found, unsqueeze(d, from+at, from+at+len(text)))
			from += at + len(text)
		}
		if len(found) == most {
			break
		}
	}
	return found
}

func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// unsqueeze maps a byte range of the squeezed text of a document to its code points.
func unsqueeze(d Document, from, to int) Span {
	span := Span{DocID: d.ID}
	at, point := 0, 0
	for _, r := range d.Text {
		if at >= to {
			break
		}
		if !unicode.IsSpace(r) {
			if at <= from {
				span.Start = point
			}
			at += len(string(r)) // an invalid byte counts as U+FFFD, as in the squeezed text
			span.End = point + 1
		}
		point++
	}
	return span
}
