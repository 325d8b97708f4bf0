package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Whoever reads of a limit knows whether somebody chose it: only the program's own is called its default.
func TestADefaultLimitSaysThatItIsOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bound float64
		own   bool
	}{{compare.DefaultGateRules().Allowance, true}, {0.05, false}, {0, false}} {
		share := 0.125
		said := GateReason(compare.GateResult{Checks: []compare.GateCheck{{Name: "share_worse", Decision: stats.Fail, N: 40, Value: &share,
			Bound: &c.bound}}})
		if en := strings.Contains(said.EN, "(preset by RAG Workbench)"); en != c.own {
			t.Errorf("a limit of %g: %q", c.bound, said.EN)
		}
		if ja := strings.Contains(said.JA, "RAG Workbenchの既定値"); ja != c.own {
			t.Errorf("a limit of %g: %q", c.bound, said.JA)
		}
	}
}

// A mean that surely got worse is not said to have too few questions, and a rise is told as a rise where less is better.
func TestWhatSurelyGotWorseIsNotCalledTooFew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		less         bool
		upper        float64
		en, ja, none string
	}{
		{false, -0.131, "imported helpfulness fell by 0.333 on average, and 0.301 or more for the worse cannot be ruled out",
			"ファイルのhelpfulnessの平均は0.333下がりました。許容幅0.301以上の悪化", "too few"},
		{true, -0.131, "rose by 0.333 on average, and 0.301 or more for the worse", "平均は0.333上がりました。許容幅0.301以上の悪化", "too few"},
		{false, 0.02, "57 questions are too few to rule out that imported helpfulness got worse by 0.301 or more",
			"57問では、", "for the worse"},
	} {
		value, bound := -0.333, -0.301
		said := GateReason(compare.GateResult{Checks: []compare.GateCheck{{Name: "not_worse", Metric: "table.helpfulness", N: 57,
			Decision: stats.Inconclusive, Value: &value, Bound: &bound, Upper: &c.upper, LowerIsBetter: c.less}}})
		if !strings.Contains(said.EN, c.en) || !strings.Contains(said.JA, c.ja) || strings.Contains(said.EN, c.none) {
			t.Errorf("%q, %q", said.EN, said.JA)
		}
	}
}

// The headline and the gate's list tell one share with the same digits, and a part is neither nothing nor the whole.
func TestAShareHasTheDigitsOfItsCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		share float64
		en    string
	}{{0.0321, "(3.21%)"}, {5.0 / 40, "(12.5%)"}, {0.02, "(2%)"}, {0.99994, "(99.9%)"}, {0.00001, "(< 0.01%)"}, {1, "(100%)"}} {
		bound := 0.0025
		said := GateReason(compare.GateResult{Checks: []compare.GateCheck{{Name: "share_worse", Decision: stats.Fail, N: 100000,
			Value: &c.share, Bound: &bound}}})
		if !strings.Contains(said.EN, c.en) || !strings.Contains(said.EN, "the limit of 0.25%") ||
			!strings.Contains(said.EN, compare.Percent(c.share)) {
			t.Errorf("%g: %q", c.share, said.EN)
		}
		if !strings.Contains(said.JA, strings.Trim(c.en, "()")) || !strings.Contains(said.JA, "0.25%") {
			t.Errorf("%g: %q", c.share, said.JA)
		}
	}
}

// What could be worse is counted as other answers than those that are confirmed, as the check's own line counts it.
func TestWhatCouldBeWorseIsOtherAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		worse, open int
		want        [2]string
	}{
		{1, 1, [2]string{"but 1 other answer could be worse and has too few scores to confirm that", "ほかに1件は悪化の可能性があり"}},
		{1, 21, [2]string{"but 21 other answers could be worse and have too few scores to confirm that", "ほかに21件は悪化の可能性があり"}},
		{0, 1, [2]string{"but 1 answer could be worse and has too few scores to confirm that", "ですが、1件は悪化の可能性があり"}},
		{0, 21, [2]string{"but 21 answers could be worse and have too few scores to confirm that", "ですが、21件は悪化の可能性があり"}},
	} {
		open, want := c.open, c.want
		for _, bound := range []float64{compare.DefaultGateRules().Allowance, 0.05} {
			share := float64(c.worse) / 60
			said := GateReason(compare.GateResult{Decision: stats.Inconclusive, Checks: []compare.GateCheck{{Name: "share_worse",
				Decision: stats.Inconclusive, N: 60, Value: &share, Bound: &bound, Open: open}}})
			if !strings.Contains(said.EN, want[0]) || !strings.Contains(said.JA, want[1]) {
				t.Errorf("%d of a limit of %g: %q %q", open, bound, said.EN, said.JA)
			}
		}
	}
}

// TestAnOpeningNamesWhatItsListTells: above the list of its checks a gate names those that did not pass, each once, and no other; what they
// found stands in the list alone.
func TestAnOpeningNamesWhatItsListTells(t *testing.T) {
	t.Parallel()
	decisions := []stats.Decision{stats.Pass, stats.Inconclusive, stats.Fail}
	for mix := range 27 {
		checks := []compare.GateCheck{{Name: "not_worse", Metric: "trust"}, {Name: "share_worse"}, {Name: "coverage"}}
		g := compare.GateResult{}
		worst := 0
		for i, at := range []int{mix % 3, mix / 3 % 3, mix / 9} {
			checks[i].Decision, checks[i].Message, checks[i].MessageJA = decisions[at], "it found 12.5%", "12.5%でした"
			worst = max(worst, at)
		}
		g.Checks, g.Decision = checks, decisions[worst]
		opening := GateOpening(g)
		for _, lang := range []string{"en", "ja"} {
			for _, c := range checks {
				want := 0
				if c.Decision != stats.Pass {
					want = 1
				}
				if strings.Count(opening.In(lang), c.Title(lang)) != want || strings.Contains(opening.In(lang), "12.5") {
					t.Errorf("%v: %q", checks, opening.In(lang))
				}
			}
		}
	}
}
