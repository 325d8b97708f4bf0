package compare

import (
	"fmt"
	"math"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
)

// TestAThresholdIsOfAllThatTheCandidateHas: where a metric applies to answers of the candidate alone, its mean is that of the candidate by
// itself, as `run` and `runs show` tell it, whatever the baseline has; what is compared stays what both have.
func TestAThresholdIsOfAllThatTheCandidateHas(t *testing.T) {
	t.Parallel()
	was, is := evaltest.Table{}, evaltest.Table{}
	sum, n := 0.0, 0
	for i := range 40 {
		id := fmt.Sprint("q", i+1)
		was[id], is[id] = map[string]float64{"correctness": 4}, map[string]float64{"correctness": 4}
		if i%4 != 0 { // a refusal has no claims
			was[id]["faithfulness"] = 1
		}
		if i%5 != 0 {
			is[id]["faithfulness"] = float64(i%3) / 2
			sum, n = sum+float64(i%3)/2, n+1
		}
	}
	before, after := evaltest.Evaluation(t, "b", was), evaltest.Evaluation(t, "c", is)
	c, err := CompareWith(before, after, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rules := DefaultGateRules()
	rules.Thresholds = []Threshold{{"faithfulness", ">=", 0.4}}
	paired, alone := gated(t, RunGate(c, before, after, rules), rules), gated(t, EvaluationGate(after, rules), rules)
	for name, r := range map[string]GateResult{"paired": paired, "alone": alone} {
		if got := checkOf(t, r, "threshold"); got.N != n || math.Abs(*got.Value-sum/float64(n)) > 1e-12 {
			t.Errorf("%s: %v of %d, want %v of %d", name, *got.Value, got.N, sum/float64(n), n)
		}
	}
	if paired.Questions != paired.Scored || paired.Questions != 40*len(c.Method.Gates) {
		t.Errorf("%d of %d scores", paired.Scored, paired.Questions)
	}
}
