package compare

import (
	"fmt"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
)

// TestComparisonsSayOfHowManyAnswersLowCanBeTold: of answers without correctness and trust it cannot, and none of them is counted as good.
func TestComparisonsSayOfHowManyAnswersLowCanBeTold(t *testing.T) {
	t.Parallel()
	other := map[string]float64{"faithfulness": .1}
	before := evaltest.Table{"q1": {"correctness": 1, "faithfulness": .5}, "q2": {"trust": 5, "faithfulness": .5}, "q3": other, "q4": other}
	after := evaltest.Table{"q1": other, "q2": other, "q3": other, "q4": other}
	c := compared(t, evaltest.Evaluation(t, "b", before), evaltest.Evaluation(t, "c", after))
	if got := [5]int{c.Matched, c.RatedBefore, c.LowBefore, c.RatedAfter, c.LowAfter}; got != [5]int{4, 0, 0, 0, 0} {
		t.Errorf("matched, rated and low before, rated and low after: %v", got)
	}
}

// TestLowAnswersAreCountedWhereBothRunsTell: a low answer whose question failed in the other run neither came nor went, whichever of the
// two failed.
func TestLowAnswersAreCountedWhereBothRunsTell(t *testing.T) {
	t.Parallel()
	failed := map[string]float64{"faithfulness": .1}
	low, good := map[string]float64{"correctness": 1, "faithfulness": .1}, map[string]float64{"correctness": 5, "faithfulness": .1}
	states := []map[string]float64{low, good, failed}
	before, after := evaltest.Table{}, evaltest.Table{}
	for i, b := range states {
		for j, a := range states {
			id := fmt.Sprintf("q%d", 3*i+j+1)
			before[id], after[id] = b, a
		}
	}
	c := compared(t, evaltest.Evaluation(t, "b", before), evaltest.Evaluation(t, "c", after))
	if got := [5]int{c.Matched, c.RatedBefore, c.LowBefore, c.RatedAfter, c.LowAfter}; got != [5]int{9, 4, 2, 4, 2} {
		t.Errorf("matched, rated and low before, rated and low after: %v", got)
	}
}
