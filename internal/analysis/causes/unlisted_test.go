package causes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestAListAndItsFactsTellARecommendationOnce: whatever came of the first recommendation, no sentence about it stands above the list too,
// every other fact does, and its doubt is kept.
func TestAListAndItsFactsTellARecommendationOnce(t *testing.T) {
	t.Parallel()
	change := Repair{Component: Retriever, Param: "retrieve.k", From: 4, To: 6}
	outcomes := map[string]*RepairOutcome{
		"not tried": nil,
		"tried":     {TriedLow: 9, LowBefore: 9, Repaired: make([]string, 5), TriedGood: 9, Good: 9, LowAfter: 4, LowLeast: 4, LowMost: 4},
		"doubted":   {TriedLow: 5, LowBefore: 9, Repaired: make([]string, 1), LowAfter: 8, LowLeast: 5, LowMost: 12},
		"by chance": {RunID: "other", TriedLow: 9, LowBefore: 9, Repaired: make([]string, 3), Broken: make([]string, 2), TriedGood: 9,
			Good: 9, LowAfter: 8, LowLeast: 8, LowMost: 8},
	}
	for name, o := range outcomes {
		for n := range 3 {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				t.Parallel()
				r := CauseReport{LowScores: 9, Diagnosed: 9, Threshold: 2, Method: Tested}
				for i := range n {
					x := Recommendation{Repair: change, Heals: []string{"a", "b"}, LowScores: 9}
					if i == 0 {
						x.Outcome = o
					}
					x.Rationale = recommendationWords(x)
					r.Recommendations = append(r.Recommendations, x)
				}
				r.Facts = factsOf(r)
				r.Unlisted, r.Doubt = r.unlisted(), r.doubtBelow()
				for _, f := range r.Facts {
					about := strings.Contains(f.EN, "model (k) 4 → 6") || strings.Contains(f.EN, "not certain yet") ||
						n > 0 && strings.Contains(r.Recommendations[0].Rationale.EN, f.EN)
					if above := slices.Contains(r.Unlisted, f); above == about {
						t.Errorf("above the list %v: %q", above, f.EN)
					}
				}
				if want := n > 0 && o != nil && o.doubted(); (r.Doubt != experiments.Rationale{}) != want {
					t.Errorf("doubt %+v", r.Doubt)
				}
			})
		}
	}
}
