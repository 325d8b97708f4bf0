package rag

import (
	"github.com/rag-workbench/workbench/internal/rag/search"
	"slices"
)

// larger puts larger pieces in the place of the chunks that were found, as the chunking says. Several chunks of one piece give one
// candidate, in the place of the best and with its score.
func (x *Index) larger(found []search.Ranked) []candidate {
	list := make([]candidate, 0, len(found))
	type piece struct {
		Span
		chunk int // of a row whose place is not known: two of them are never one
	}
	at := map[piece]int{}
	replaced := x.replaced(found)
	for _, f := range found {
		c := candidate{span: x.chunks[f.Chunk].Span, chunk: f.Chunk, score: f.Score, matched: []int{f.Chunk}}
		chunk := x.chunks[f.Chunk]
		if parent := chunk.within(chunk.Parent); parent.Placed() && replaced(parent) {
			c.span = parent
		}
		which := piece{Span: c.span}
		if c.span.Range().Len() == 0 {
			which.chunk = f.Chunk
		}
		if i, known := at[which]; known {
			list[i].matched = append(list[i].matched, f.Chunk)
			continue
		}
		at[which] = len(list)
		list = append(list, c)
	}
	return list
}

// replaced says whether a piece takes the place of its chunks: always, or for merge when more than a share of them were found.
func (x *Index) replaced(found []search.Ranked) func(Span) bool {
	parent := x.chunking.Parent
	if parent.Mode != ParentMerge {
		return func(Span) bool { return true }
	}
	seen := map[Span]int{}
	for _, f := range found {
		chunk := x.chunks[f.Chunk]
		seen[chunk.within(chunk.Parent)]++
	}
	return func(s Span) bool { return float64(seen[s]) > parent.Ratio*float64(x.children[s]) }
}

// joinedWindows joins windows that overlap, in the place of the better.
func joinedWindows(list []candidate) []candidate {
	for i := 0; i < len(list); i++ {
		for j := i + 1; j < len(list); j++ {
			a, b := list[i].span, list[j].span
			if a.Overlap(b) == 0 {
				continue
			}
			list[i].span = Span{DocID: a.DocID, Start: min(a.Start, b.Start), End: max(a.End, b.End)}
			list[i].matched = append(slices.Clone(list[i].matched), list[j].matched...)
			list = slices.Delete(list, j, j+1)
			j = i // the joined one may reach those that were passed
		}
	}
	return list
}
