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
	N        int     `json:"n"` // questions with evidence
	// of each question, coverage and NDCG; what intervals are made of
	Scores [][2]float64 `json:"-"`
	Behind *Behind      `json:"behind,omitempty"` // where the best were taken by one score: how far this one is behind the first
	Front  bool         `json:"front"`            // no other has more coverage, a better order and smaller contexts
	Kept   bool         `json:"kept"`
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

// Behind is how far a way lies behind the best one, over the same questions.
type Behind struct {
	Mean float64    `json:"mean"`
	CI95 [2]float64 `json:"ci95"` // Student's t over paired differences
	Tied bool       `json:"tied"` // the interval holds 0: these questions do not tell it from the best
}

// TopScreened keeps the n ways with the best mean coverage, or NDCG; of equals the smaller contexts first. Beside each stands how far it
// is behind the first, with the interval, so that one that is left out and not told from it can be seen.
func TopScreened(ways []Screened, n int, byNDCG bool) ([]Screened, error) {
	out := slices.Clone(ways)
	at := 0
	mean := func(w Screened) float64 { return w.Coverage }
	if byNDCG {
		at, mean = 1, func(w Screened) float64 { return w.NDCG }
	}
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(mean(out[b]), mean(out[a])), cmp.Compare(out[a].Tokens, out[b].Tokens))
	})
	column := func(w Screened) []float64 {
		values := make([]float64, len(w.Scores))
		for i, s := range w.Scores {
			values[i] = s[at]
		}
		return values
	}
	for place, i := range order {
		out[i].Front, out[i].Kept = false, place < n
		if place == 0 || len(out[i].Scores) < 2 {
			continue
		}
		test, err := stats.PairedT(column(out[order[0]]), column(out[i]))
		if err != nil {
			return nil, err
		}
		out[i].Behind = &Behind{Mean: -test.MeanDiff, CI95: [2]float64{-test.CIHigh, -test.CILow}, Tied: test.CIHigh >= 0}
	}
	return out, nil
}
