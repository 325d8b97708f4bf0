package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
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

// TestAShareOfLowScoresIsALimitLikeAnyOther: written in per cent or not, held against the share of the candidate's first votes, told as a
// share, and with the low-score answers as what to read next. It needs no metric of that name in the suite.
func TestAShareOfLowScoresIsALimitLikeAnyOther(t *testing.T) {
	t.Parallel()
	for low := range 12 {
		rows, ids := evaltest.Table{}, []string{}
		for i := range 20 {
			value := 5.0
			if i < low {
				value = 1 + float64(i%2)
			}
			ids = append(ids, fmt.Sprint(i+1))
			rows[ids[i]] = map[string]float64{"correctness": value}
		}
		e := evaltest.Evaluation(t, "c", rows, ids...)
		for _, limit := range []string{"low_score_share <= 20%", "low_score_share <= 0.2", "Low_Score_Share<=20 %"} {
			threshold, err := ParseThreshold(limit)
			if err != nil {
				t.Fatal(err)
			}
			rules := DefaultGateRules()
			rules.Thresholds = []Threshold{threshold}
			r := gated(t, EvaluationGate(e, rules), rules)
			c, said := checkOf(t, r, "threshold"), strings.Join(r.Said, " ")
			share := Percent(float64(low) / 20)
			want := "The share of low-score answers in the candidate is " + share + " (20 answers). It must be at most 20%"
			if (c.Decision == stats.Fail) != (low > 4) || c.Message != want || !strings.Contains(c.MessageJA, "低スコア回答の割合は"+share) {
				t.Errorf("%d of 20, %s: %s %s, %s", low, limit, c.Decision, c.Message, c.MessageJA)
			}
			if strings.Contains(said, "low-score answers: question 1, ") != (low > 4) {
				t.Errorf("%d of 20: %s", low, said)
			}
			limits := rules.named(EvaluationGate(e, rules)).Limits()
			if limits[0].Text("en") != "a share of low-score answers of at most 20%" {
				t.Errorf("%v", limits)
			}
		}
	}
	if _, err := Gate(EvaluationGate(evaltest.One(t, "c", "correctness", 4), GateRules{}), GateRules{
		Thresholds: []Threshold{{"low_score_shares", "<=", .2}}}); problem.CodeOf(err) != "metric_unknown" {
		t.Errorf("a name that is none: %v", err)
	}
}
