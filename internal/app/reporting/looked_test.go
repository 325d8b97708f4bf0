package reporting

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
)

// TestScoringAgainChangesNothingSettled: where both runs are deterministic, equal votes on some questions of one or both of them, which
// somebody bought for a comparison of theirs, change nothing that a gate says; where they are not, the test of the mean is stricter and
// says so.
func TestScoringAgainChangesNothingSettled(t *testing.T) {
	t.Parallel()
	before, after := evaltest.Table{}, evaltest.Table{}
	for i := range 40 {
		before[fmt.Sprintf("q%d", i+1)] = map[string]float64{"correctness": 4, "trust": 5}
		after[fmt.Sprintf("q%d", i+1)] = map[string]float64{"correctness": float64(4 - i%5/4), "trust": 5}
	}
	for _, settled := range []bool{true, false} {
		for again := range 4 {
			decide := func(arms int) GateView {
				var g Gated
				g.Both[0], g.Both[1] = evaltest.Evaluation(t, "b", before), evaltest.Evaluation(t, "c", after)
				for arm := range g.Both {
					e := &g.Both[arm]
					e.Run.Setup.Settled = settled
					if arms>>arm&1 == 0 {
						continue
					}
					for i := range 7 {
						r := e.Results[i]
						r.Replicate++
						e.Results, e.Questions = append(slices.Clip(e.Results), r), append(slices.Clip(e.Questions), e.Questions[i])
					}
				}
				c, err := compare.CompareWith(g.Both[0], g.Both[1], compare.Options{})
				if err != nil {
					t.Fatal(err)
				}
				g.Comparison = c
				view, err := g.Decide(compare.DefaultGateRules())
				if err != nil {
					t.Fatal(err)
				}
				return view
			}
			one, other := decide(0), decide(again)
			if same := reflect.DeepEqual(one.Checks, other.Checks); same != (settled || again == 0) {
				t.Errorf("settled %t, scored again %b: the same is %t\n%+v\n%+v", settled, again, same, one.Checks, other.Checks)
			}
		}
	}
}
