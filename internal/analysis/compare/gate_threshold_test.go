package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
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

// TestALevelOutsideOfTheScaleIsRefused: of every metric with a scale that is defined, whichever way the bound goes and whoever sets it;
// only a schedule that was saved with one goes on, and says so. A level at an end of the scale is one on it, and scales that were read off
// scores refuse nothing.
func TestALevelOutsideOfTheScaleIsRefused(t *testing.T) {
	t.Parallel()
	for _, defined := range []bool{true, false} {
		for _, where := range []string{"", SetByCommand, SetByPage, SetByCell, SetBySchedule} {
			for value := -1.0; value <= 7; value++ {
				for _, op := range []string{">=", ">", "<=", "<"} {
					arms := gateArms(repeat(40, 0), nil)
					arms.Metrics[0].Defined = defined
					rules := DefaultGateRules()
					rules.Thresholds, rules.By = []Threshold{{"correctness", op, value}}, Setter{Where: where}
					beyond := value < 1 || value > 5
					r, err := Gate(arms, rules)
					if refused := problem.CodeOf(err) == "threshold_scale"; refused != (defined && beyond && where != SetBySchedule) {
						t.Fatalf("correctness %s %g by %q, defined %t: %v", op, value, where, defined, err)
					}
					if catalogued := problem.CodeOf(rules.OnScale()) == "threshold_scale"; catalogued != beyond {
						t.Fatalf("correctness %s %g by the catalogue: %t", op, value, catalogued)
					}
					if err != nil {
						continue
					}
					c, says := checkOf(t, r, "threshold"), defined && beyond
					if strings.Contains(c.Message, "outside of its scale from 1 to 5") != says ||
						strings.Contains(c.MessageJA, "尺度1〜5の範囲外です") != says {
						t.Errorf("correctness %s %g: %s, %s", op, value, c.Message, c.MessageJA)
					}
				}
			}
		}
	}
}
