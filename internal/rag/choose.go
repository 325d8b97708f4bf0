package rag

import (
	"context"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"slices"
)

// candidate is a hit before its text is read.
type candidate struct {
	span    Span
	chunk   int // the best of the chunks that were found for it
	score   float64
	matched []int // chunks that were found, where the span is larger than one
}

// search returns the n best hits, without their texts, in a fixed order of steps: the ranking of what passes the filter, the least
// score, larger pieces in the place of small ones, the most of one document, the choice by variety. It reads on in the ranking until n
// are full or the ranking ends.
func (x *Index) search(ctx context.Context, query string, n int) ([]Hit, error) {
	if len(x.chunks) == 0 {
		return nil, nil
	}
	rank := func(depth int) ([]search.Ranked, error) { return x.ranking(ctx, query, depth) }
	return x.choose(ctx, n, rank, x.queried(ctx, query))
}

// choose takes the steps of a search. rank returns the best chunks, vector what candidates are compared with.
func (x *Index) choose(ctx context.Context, n int, rank func(depth int) ([]search.Ranked, error),
	vector func() ([]float32, error)) ([]Hit, error) {
	want := max(n, x.retrieve.MMR.FetchK)
	var list []candidate
	for depth := want; ; depth *= 4 {
		found, err := rank(depth)
		if err != nil {
			return nil, err
		}
		list = x.candidates(found)
		if len(list) >= want || len(found) < depth {
			break
		}
	}
	list = list[:min(want, len(list))]
	if x.chunking.Parent.Mode == ParentWindow {
		list = joinedWindows(list)
	}
	if x.retrieve.MMR != (search.MMR{}) {
		var err error
		if list, err = x.varied(ctx, vector, list, n); err != nil {
			return nil, err
		}
	}
	hits := make([]Hit, len(list))
	for i, c := range list {
		hits[i] = x.hit(c)
	}
	return hits, nil
}

func (x *Index) candidates(found []search.Ranked) []candidate {
	r := x.retrieve
	if r.MinScore != nil {
		found = slices.DeleteFunc(slices.Clone(found), func(f search.Ranked) bool { return f.Score < *r.MinScore })
	}
	list := x.larger(found)
	if r.PerDocument > 0 {
		seen := map[string]int{}
		list = slices.DeleteFunc(list, func(c candidate) bool {
			seen[c.span.DocID]++
			return seen[c.span.DocID] > r.PerDocument
		})
	}
	return list
}

// varied chooses n of the candidates by [MMR].
func (x *Index) varied(ctx context.Context, vector func() ([]float32, error), list []candidate, n int) ([]candidate, error) {
	query, err := vector()
	if err != nil {
		return nil, err
	}
	chunks := make([]int, len(list))
	for i, c := range list {
		chunks[i] = c.chunk
	}
	rows, err := x.vectors.dense.Rows(ctx, chunks)
	if err != nil {
		return nil, err
	}
	out := make([]candidate, 0, n)
	for _, i := range x.retrieve.MMR.Choose(query, rows, n) {
		out = append(out, list[i])
	}
	return out, nil
}

// hit is a candidate as it is stored. A chunk that is handed on itself shows the head of its table again.
func (x *Index) hit(c candidate) Hit {
	h, chunk := Hit{Span: c.span, Score: c.score}, x.chunks[c.chunk]
	if x.existing != nil {
		h.Text = x.existing.text(c.chunk)
		return h
	}
	if x.chunking.showsHeader() {
		h.Lead = chunk.header(x.chunking.Header)
	}
	if c.span == chunk.Span {
		h.Lead += chunk.lead(x.corpus)
		return h
	}
	for _, m := range c.matched {
		h.Matched = append(h.Matched, x.chunks[m].Span)
	}
	return h
}

// widen adds the neighbours of each hit: as many chunks before and after it, in the same document. Hits that then touch or overlap
// become one, in the place of the better.
func (x *Index) widen(hits []Hit, n int) []Hit {
	if n == 0 {
		return hits
	}
	wide := make([]Hit, len(hits))
	for i, h := range hits {
		if wide[i] = h; x.existing != nil && h.Range().Len() == 0 {
			continue // where its neighbours stand is not known
		}
		first, last := x.around(h.Span, n)
		wide[i].Text = ""
		wide[i].Span = Span{DocID: h.DocID, Start: min(h.Start, x.chunks[first].Start), End: max(h.End, x.chunks[last].End)}
	}
	return merged(wide)
}

// around are the first and last chunk of those up to n before and after the chunks that lie in the span, within its document.
func (x *Index) around(s Span, n int) (first, last int) {
	same := func(i int) bool { return i >= 0 && i < len(x.chunks) && x.chunks[i].DocID == s.DocID }
	first = x.first[s.DocID]
	for same(first+1) && x.chunks[first].Start < s.Start {
		first++
	}
	last = first
	for same(last+1) && x.chunks[last+1].End <= s.End {
		last++
	}
	for range n {
		if same(first - 1) {
			first--
		}
		if same(last + 1) {
			last++
		}
	}
	return first, last
}

// merged joins hits of one document that overlap, in the place of the better.
func merged(hits []Hit) []Hit {
	for i := 0; i < len(hits); i++ {
		for j := i + 1; j < len(hits); j++ {
			if hits[i].Overlap(hits[j].Span) == 0 {
				continue
			}
			h := hits[i]
			h.Span = Span{DocID: h.DocID, Start: min(h.Start, hits[j].Start), End: max(h.End, hits[j].End)}
			h.Matched = append(slices.Clone(h.Matched), hits[j].Matched...)
			hits[i] = h
			hits = slices.Delete(hits, j, j+1)
			j = i // the joined one may reach those that were passed
		}
	}
	return hits
}
