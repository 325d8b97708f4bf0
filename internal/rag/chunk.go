package rag

import (
	"github.com/rag-workbench/workbench/internal/text"
)

// units are the pieces that size and overlap count: characters, tokens, sentences or paragraphs.
func (c Chunking) units(x *text.Index) unitList {
	switch c.By {
	case "tokens":
		return spanUnits(text.Tokens(c.Encoding, x.String()))
	case "sentences":
		return spanUnits(text.Sentences(x.String()))
	case "paragraphs":
		return spanUnits(text.Paragraphs(x.String()))
	default:
		return charUnits(x.Len())
	}
}

// unitList is a sequence of consecutive pieces of a text.
type unitList interface {
	count() int
	span(first, last int) text.Span // from the start of the first piece to the end of the last
}

type charUnits int

func (n charUnits) count() int                     { return int(n) }
func (n charUnits) span(first, last int) text.Span { return text.Span{Start: first, End: last + 1} }

type spanUnits []text.Span

func (u spanUnits) count() int { return len(u) }
func (u spanUnits) span(first, last int) text.Span {
	return text.Span{Start: u[first].Start, End: u[last].End}
}

// window slides over the units by size-overlap and stops with the first window that reaches the end, so that no chunk is
// contained in the one before it.
func window(units unitList, size, overlap int) []text.Span {
	var spans []text.Span
	for first := 0; first < units.count(); first += size - overlap {
		last := min(first+size, units.count()) - 1
		spans = append(spans, units.span(first, last))
		if last == units.count()-1 {
			break
		}
	}
	return spans
}
