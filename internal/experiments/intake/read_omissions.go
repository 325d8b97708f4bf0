package intake

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

const (
	maxOmissions = 20 // of one quote
	manyPlaces   = 50 // of one part of a quote in a document
)

// omission stands in a quote for what was left out of it.
var omission = text.Lazy(`(?i)[（(\[［【〔<＜〈]\s*(?:[前中後以下]*略|(?:text )?(?:snip(?:ped)?|omitted)|` +
	`…+|‥+|\.{2,}|・{2,})\s*[）)\]］】〕>＞〉]` +
	`|[…‥・.〜～~ー―–—-]*\s*中略\s*[…‥・.〜～~ー―–—-]*|(?:\.{2,}|…+|-{2,})\s*snip\s*(?:\.{2,}|…+|-{2,})` +
	`|…+|‥+|\.{3,}|(?:\. ){2,}\.|・{3,}`)

// partsOf are the parts of a quote from which something was left out; nil where nothing was, or what is left says too little.
func partsOf(quote string) (parts []string) {
	cut := omission.Split(quote, maxOmissions+2)
	if len(cut) == 1 || len(cut) > maxOmissions+1 {
		return nil
	}
	longest := 0
	for _, part := range cut {
		if part = unmarked(part); strings.ContainsFunc(part, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			parts = append(parts, part)
			longest = max(longest, len([]rune(loosen(part))))
		}
	}
	if longest < shortestQuote {
		return nil
	}
	return parts
}

// pieces are the places of a quote: one, or those of its parts where something was left out between them. The parts stand in one document,
// one after the other, the longest in exactly one place from which the others can be reached, and the others as near to it as they can.
func (f *quoteFinder) pieces(quote, doc string) (pieces []rag.Span, exact bool) {
	if pieces, exact = f.find(quote, doc); len(pieces) > 0 {
		if len(pieces) > 1 {
			return nil, exact
		}
		return pieces, exact
	}
	parts := partsOf(quote)
	if parts == nil {
		return nil, true
	}
	longest := 0
	for i, part := range parts {
		if len(part) > len(parts[longest]) {
			longest = i
		}
	}
	anchors, _ := f.upTo(parts[longest], doc, manyPlaces)
	for _, anchor := range anchors {
		chain, same := f.chain(parts, longest, anchor)
		if chain == nil {
			continue
		}
		if pieces != nil {
			return nil, true
		}
		pieces, exact = chain, same
	}
	return pieces, exact
}

// chain are the places of parts around the one whose place is known; nil where one does not stand before or behind it.
func (f *quoteFinder) chain(parts []string, known int, anchor rag.Span) (chain []rag.Span, exact bool) {
	chain, exact = make([]rag.Span, len(parts)), true
	chain[known] = anchor
	for i := known + 1; i < len(parts); i++ {
		places, same := f.upTo(parts[i], anchor.DocID, manyPlaces)
		at := slices.IndexFunc(places, func(s rag.Span) bool { return s.Start >= chain[i-1].End })
		if at < 0 {
			return nil, false
		}
		chain[i], exact = places[at], exact && same
	}
	for i := known - 1; i >= 0; i-- {
		places, same := f.upTo(parts[i], anchor.DocID, manyPlaces)
		slices.Reverse(places)
		at := slices.IndexFunc(places, func(s rag.Span) bool { return s.End <= chain[i+1].Start })
		if at < 0 {
			return nil, false
		}
		chain[i], exact = places[at], exact && same
	}
	return chain, exact
}
