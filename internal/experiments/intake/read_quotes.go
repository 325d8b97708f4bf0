package intake

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// maxPlaces is how many places of a quote are looked for: enough to say that it is ambiguous and where.
const maxPlaces = 6

// quoteFinder finds quotes in a corpus.
type quoteFinder struct {
	corpus *rag.Corpus
	loose  []string // by document; made when a quote is first not found as it is
}

func newQuoteFinder(c *rag.Corpus) *quoteFinder { return &quoteFinder{corpus: c} }

// find returns up to maxPlaces places of a quote, in one document or (doc is "") in all. The quote as it is comes first;
// only when it stands nowhere are its loose places looked for, and exact is false.
func (f *quoteFinder) find(quote, doc string) (places []rag.Span, exact bool) {
	return f.upTo(quote, doc, maxPlaces)
}

// upTo is find with another number of places.
func (f *quoteFinder) upTo(quote, doc string, most int) (places []rag.Span, exact bool) {
	quote = tableRules.ReplaceAllString(norm.NFC.String(quote), "")
	if strings.TrimSpace(quote) == "" {
		return nil, true
	}
	for _, d := range f.corpus.Documents {
		if doc != "" && d.ID != doc {
			continue
		}
		for _, at := range occurrences(d.Text, quote, most-len(places)) {
			start := utf8.RuneCountInString(d.Text[:at])
			places = append(places, rag.Span{DocID: d.ID, Start: start, End: start + utf8.RuneCountInString(quote)})
		}
	}
	if len(places) > 0 {
		return places, true
	}
	places = f.findLoose(loosen(quote), doc, most)
	if strings.ContainsFunc(quote, partsCells) { // cells stay apart: 1 | 2 is no 12
		places = slices.DeleteFunc(places, func(s rag.Span) bool {
			return !strings.ContainsFunc(f.corpus.Text(s), func(r rune) bool { return partsCells(r) || unicode.IsSpace(r) })
		})
	}
	return places, false
}

// tableRules are the lines under the head of a Markdown table, which documents do not keep: their rows have tabs.
var tableRules = text.Lazy(`(?m)^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+(?:[ \t]*:?-{2,}:?[ \t]*)?$`)

// partsCells reports whether a character stands between the cells of a row.
func partsCells(r rune) bool { return r == '|' || r == '｜' || r == '\t' }

func (f *quoteFinder) findLoose(quote, doc string, most int) (places []rag.Span) {
	if quote == "" {
		return nil
	}
	if f.loose == nil {
		f.loose = make([]string, len(f.corpus.Documents))
		for i, d := range f.corpus.Documents {
			f.loose[i] = loosen(d.Text)
		}
	}
	for i, d := range f.corpus.Documents {
		if doc != "" && d.ID != doc {
			continue
		}
		for _, at := range occurrences(f.loose[i], quote, most-len(places)) {
			span := original(d.Text, at, at+len(quote))
			places = append(places, rag.Span{DocID: d.ID, Start: span[0], End: span[1]})
		}
	}
	return places
}

// nearest is where a quote that was not found begins, if its first words stand anywhere.
func (f *quoteFinder) nearest(quote string) (rag.Span, bool) {
	const opening = 12 // characters that make a coincidence unlikely
	loose := []rune(loosen(quote))
	if len(loose) <= opening {
		return rag.Span{}, false
	}
	found := f.findLoose(string(loose[:opening]), "", 1)
	if len(found) == 0 {
		return rag.Span{}, false
	}
	return found[0], true
}

// occurrences are the byte offsets of the first n occurrences, which may overlap.
func occurrences(s, part string, n int) (offsets []int) {
	for from := 0; len(offsets) < n; {
		i := strings.Index(s[from:], part)
		if i < 0 {
			break
		}
		offsets = append(offsets, from+i)
		_, size := utf8.DecodeRuneInString(s[from+i:])
		from += i + size
	}
	return offsets
}

// loosen is s in NFKC without white space, pipes and invisible characters.
func loosen(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	segments(s, func(_, _ int, loose string) bool {
		b.WriteString(loose)
		return true
	})
	return b.String()
}

// original maps the byte range [from, to) of loosen(s) to the range of code points of s that it came from.
func original(s string, from, to int) (span [2]int) {
	at := 0
	started := false
	segments(s, func(start, end int, loose string) bool {
		next := at + len(loose)
		if !started && next > from {
			span[0], started = start, true
		}
		if started && loose != "" {
			span[1] = end
		}
		at = next
		return at < to
	})
	return span
}

// segments calls visit with the code point range of every normalisation segment of s and its loose form, until visit
// returns false.
func segments(s string, visit func(start, end int, loose string) bool) {
	start := 0
	for len(s) > 0 {
		size := norm.NFKC.NextBoundaryInString(s, true)
		if size <= 0 {
			size = len(s)
		}
		end := start + utf8.RuneCountInString(s[:size])
		loose := strings.Map(visible, norm.NFKC.String(s[:size]))
		if !visit(start, end, loose) {
			return
		}
		start, s = end, s[size:]
	}
}

// visible drops white space, what stands between the cells of a table's row, and characters that have no width.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r), r == '|', r == 0x00ad, r == 0xfeff, 0x200b <= r && r <= 0x200d, r == 0x2060:
		return -1
	}
	return r
}
