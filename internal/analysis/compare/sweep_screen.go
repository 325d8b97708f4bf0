package compare

import (
	"cmp"
	"slices"

	"github.com/rag-workbench/workbench/internal/stats"
)

// MostScreened is the largest number of retrieval configurations that screening keeps.
const MostScreened = 8

// Screened is one way to retrieve, scored by where the labelled evidence lies in what it finds. No model takes part.
type Screened struct {
	Jobs     []int   `json:"-"`             // configurations of the sweep that retrieve this way
	Name     string  `json:"name"`          // its parameters
	Coverage float64 `json:"span_coverage"` // mean share of the evidence that was retrieved
	NDCG     float64 `json:"ndcg"`          // mean
	Tokens   float64 `json:"context_tokens"`
	N        int     `json:"n"`     // questions with evidence
	Front    bool    `json:"front"` // no other has more coverage, a better order and smaller contexts
	Kept     bool    `json:"kept"`
}

// Screen marks the ways that are worth answers and judgements: those that no other beats in coverage, order and size of the
// contexts at once, and of them the most, by coverage, then order, then size. It keeps at most [MostScreened].
func Screen(ways []Screened, most int) ([]Screened, error) {
	out := slices.Clone(ways)
	points := make([][]float64, len(out))
	for i, w := range out {
		points[i] = []float64{w.Coverage, w.NDCG, w.Tokens}
		out[i].Front, out[i].Kept = false, false
	}
	front, err := stats.ParetoFront(points, []float64{1, 1, -1})
	if err != nil {
		return nil, err
	}
	for _, i := range front {
		out[i].Front = true
	}
	slices.SortStableFunc(front, func(a, b int) int {
		return cmp.Or(cmp.Compare(out[b].Coverage, out[a].Coverage), cmp.Compare(out[b].NDCG, out[a].NDCG),
			cmp.Compare(out[a].Tokens, out[b].Tokens))
	})
	for _, i := range front[:min(len(front), max(1, min(most, MostScreened)))] {
		out[i].Kept = true
	}
	return out, nil
}
