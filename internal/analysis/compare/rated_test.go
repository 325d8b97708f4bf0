package compare

import (
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
	if got := [5]int{c.Matched, c.RatedBefore, c.LowBefore, c.RatedAfter, c.LowAfter}; got != [5]int{4, 2, 1, 0, 0} {
		t.Errorf("matched, rated and low before, rated and low after: %v", got)
	}
}
