package compare

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Cut is a chunk border inside evidence: the chunk was retrieved, its neighbour with the rest was not.
type Cut struct {
	Evidence rag.Span `json:"evidence"`
	Chunk    rag.Span `json:"chunk"`
	Border   int      `json:"border"` // code point of the document at which the chunk begins or ends
}

// Coverage is how much of a question's evidence the contexts of one run hold, by evidence, in code points.
type Coverage struct {
	Held, Length []int
	Gaps         [][]rag.Span // parts in no context
	Cuts         [][]Cut
}

// total is how much of all evidence is held, in code points.
func (c Coverage) total() int {
	held := 0
	for _, n := range c.Held {
		held += n
	}
	return held
}

// share is the held share of all evidence.
func (c Coverage) share() float64 {
	length := 0
	for _, n := range c.Length {
		length += n
	}
	return float64(c.total()) / float64(max(1, length))
}

// cover measures the evidence in some contexts. Offsets count in the documents that the evidence was labelled in; where they
// do not hold, because the corpus is another version, the quoted words decide.
func cover(evidence []experiments.Evidence, hits []rag.Hit, offsets bool) Coverage {
	n := len(evidence)
	c := Coverage{Held: make([]int, n), Length: make([]int, n), Gaps: make([][]rag.Span, n), Cuts: make([][]Cut, n)}
	for i, e := range evidence {
		c.Length[i] = e.Range().Len()
		if c.Length[i] <= 0 {
			c.Length[i] = utf8.RuneCountInString(e.Quote)
		}
		switch {
		case e.Quote != "" && slices.ContainsFunc(hits, func(h rag.Hit) bool { return strings.Contains(h.Text, e.Quote) }):
			c.Held[i] = c.Length[i]
		case offsets || e.Quote == "":
			c.ByOffsets(i, e.Span, hits)
		default:
			c.byWords(i, e, hits)
		}
	}
	return c
}

// ByOffsets finds the code points of a span that no chunk holds, and the chunk borders inside it.
func (c *Coverage) ByOffsets(i int, span rag.Span, hits []rag.Hit) {
	var chunks []rag.Span
	for _, h := range hits {
		if h.Overlap(span) > 0 {
			chunks = append(chunks, h.Span)
		}
	}
	slices.SortFunc(chunks, func(a, b rag.Span) int { return cmp.Compare(a.Start, b.Start) })
	at, gaps := span.Start, 0
	gap := func(until int) {
		if until > at {
			c.Gaps[i] = append(c.Gaps[i], rag.Span{DocID: span.DocID, Start: at, End: until})
			gaps += until - at
		}
	}
	for _, chunk := range chunks {
		if chunk.Start > at {
			gap(chunk.Start)
			c.Cuts[i] = append(c.Cuts[i], Cut{Evidence: span, Chunk: chunk, Border: chunk.Start})
		}
		if at = max(at, chunk.End); at >= span.End {
			break
		}
	}
	if at < span.End {
		if len(chunks) > 0 {
			last := slices.MaxFunc(chunks, func(a, b rag.Span) int { return cmp.Compare(a.End, b.End) })
			c.Cuts[i] = append(c.Cuts[i], Cut{Evidence: span, Chunk: last, Border: last.End})
		}
		gap(span.End)
	}
	c.Held[i] = max(0, span.Range().Len()-gaps)
}

// leastWords is the share of a quote that must stand at a chunk's border to say that the border cuts it: less may be chance.
const leastWords = 0.2

// byWords looks for a quote that a chunk's border cuts: its beginning at the end of a chunk, or its end at the beginning.
func (c *Coverage) byWords(i int, e experiments.Evidence, hits []rag.Hit) {
	quote := []rune(e.Quote)
	best, cut := 0, Cut{}
	for _, h := range hits {
		chunk := []rune(h.Text)
		for n := min(len(quote)-1, len(chunk)); n > best && float64(n) >= leastWords*float64(len(quote)); n-- {
			if slices.Equal(chunk[len(chunk)-n:], quote[:n]) {
				best, cut = n, Cut{Evidence: e.Span, Chunk: h.Span, Border: h.End}
			} else if slices.Equal(chunk[:n], quote[len(quote)-n:]) {
				best, cut = n, Cut{Evidence: e.Span, Chunk: h.Span, Border: h.Start}
			}
		}
	}
	if best > 0 {
		c.Cuts[i] = []Cut{cut}
	}
	c.Gaps[i] = []rag.Span{e.Span}
	c.Held[i] = best
}
