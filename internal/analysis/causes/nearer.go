package causes

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/pgvector"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Details of evidence that an exact search finds and an approximate one missed.
const (
	missedBySearch = "missed_by_search"          // the answer was tried with a search that misses less
	missedUntested = "missed_by_search_untested" // it was not
)

// Parameters that say how much an approximate search misses.
const (
	paramIndex    = "retrieve.pgvector.index"
	paramEFSearch = "retrieve.pgvector.ef_search"
)

// nearer are the changes under which an approximate search misses less: as many candidates as pgvector keeps, which leaves the graph in
// its place, and none missed.
func nearer(c rag.Config) []intervention {
	if !c.Retrieve.Approximates() {
		return nil
	}
	out := []intervention{{component: Retriever, param: paramIndex, from: rag.IndexHNSW,
		changes: []Change{{Param: paramIndex, Value: "none"}}}}
	if ef := c.Candidates(); ef < pgvector.MostEF {
		most := []Change{{Param: paramEFSearch, Value: pgvector.MostEF}}
		out = append([]intervention{{component: Retriever, param: paramEFSearch, from: ef, changes: most}}, out...)
	}
	return out
}

// nears reports whether a repair lets an approximate search miss less.
func (r Repair) nears() bool { return r.Param == paramIndex || r.Param == paramEFSearch }

// missed reports whether all evidence that the contexts lack stands in chunks that the approximate search of the run missed, be it in
// part.
func (x widening) missed() bool {
	if x.c.Result.Answer == nil || x.c.Result.Answer.Approximate == nil {
		return false
	}
	var chunks []rag.Hit
	for _, span := range x.c.Result.Answer.Approximate.Missed {
		chunks = append(chunks, rag.Hit{Span: span})
	}
	lacking := false
	for _, c := range x.claims {
		whole, split := c.held(x.c.Hits())
		if !c.found() || whole || split {
			continue
		}
		lacking = true
		there := func(s QuotedSpan) bool { _, _, rank := heldBy(s, chunks); return rank > 0 }
		if !slices.ContainsFunc(c.spans, there) {
			return false
		}
	}
	return lacking
}
