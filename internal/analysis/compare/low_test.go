package compare

import (
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
)

// TestRunsAreCountedByTheirOwnRule: with one rule in both runs low scores are counted and an answer that became low is told; with two
// rules, or one, nothing is counted against the other, no answer is told to have become low, and it is said.
func TestRunsAreCountedByTheirOwnRule(t *testing.T) {
	t.Parallel()
	at := func(line float64) []experiments.LowLine {
		return []experiments.LowLine{{Metric: "faithfulness", At: line}}
	}
	for _, c := range []struct {
		name          string
		before, after []experiments.LowLine
		counts        [4]int // low and rated before, low and rated after
		apart, became bool
	}{
		{"one rule", at(.5), at(.5), [4]int{1, 3, 3, 3}, false, true},
		{"another line", at(.2), at(.2), [4]int{0, 3, 0, 3}, false, false},
		{"two rules", at(.5), at(.4), [4]int{}, true, false},
		{"only the candidate", nil, at(.5), [4]int{}, true, false},
		{"only the baseline", at(.5), nil, [4]int{}, true, false},
		{"nobody", nil, nil, [4]int{}, false, false},
	} {
		scored := func(id string, fell float64) experiments.Evaluation {
			return evaltest.Evaluation(t, id, evaltest.Table{"q1": {"faithfulness": fell}, "q2": {"faithfulness": .3},
				"q3": {"faithfulness": fell}})
		}
		before, after := scored("b", .9), scored("c", .4)
		before.Run.Setup.Low, after.Run.Setup.Low = c.before, c.after
		got := compared(t, before, after)
		if counts := [4]int{got.LowBefore, got.RatedBefore, got.LowAfter, got.RatedAfter}; counts != c.counts || got.LowApart != c.apart {
			t.Errorf("%s: low and rated before and after %v, apart %t", c.name, counts, got.LowApart)
		}
		if said := slices.ContainsFunc(got.Warnings, func(n Note) bool { return n.Code == "warn.low_apart" }); said != c.apart {
			t.Errorf("%s: warned %t", c.name, said)
		}
		for _, id := range []string{"q1", "q3"} {
			v, _ := got.Verdict(id)
			if v.Verdict != Worse || v.BecameLow != c.became {
				t.Errorf("%s: %s is %s, became low %t", c.name, id, v.Verdict, v.BecameLow)
			}
		}
	}
}

// TestAgreedThresholdsOfImportsDifferForNothing: no threshold counts in runs with a rule of their own, so nothing is said of one.
func TestAgreedThresholdsOfImportsDifferForNothing(t *testing.T) {
	t.Parallel()
	before, after := evaltest.Evaluation(t, "b", evaltest.Table{"q1": {"faithfulness": .9}}), evaltest.Evaluation(t, "c",
		evaltest.Table{"q1": {"faithfulness": .4}})
	line := []experiments.LowLine{{Metric: "faithfulness", At: .5}}
	before.Run.Setup.Low, after.Run.Setup.Low = line, line
	before.Run.Setup.LowScore, after.Run.Setup.LowScore = 2, 4
	for _, n := range compared(t, before, after).Warnings {
		if n.Code == "warn.low_score" || n.Code == "warn.low_apart" {
			t.Errorf("%s: %s", n.Code, n.Text("en"))
		}
	}
}
