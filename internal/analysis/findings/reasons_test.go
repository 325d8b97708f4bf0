package findings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Whatever checks fail, the reason names each of them and none that did not fail.
func TestAGateThatFailsNamesAllThatFail(t *testing.T) {
	t.Parallel()
	share, bound := 0.125, 0.02
	all := []compare.GateCheck{
		{Name: "share_worse", N: 40, Value: &share, Bound: &bound},
		{Name: "critical", N: 2, Critical: []string{"q7"}},
		{Name: "slice", Metric: "correctness", Tags: []string{"theme:leave"}},
	}
	en := []string{"5 of 40 answers", "1 of 2 critical questions", "theme leave (Correctness)"}
	ja := []string{"40件中5件", "重要な質問2問のうち1問が悪化しています：q7", "テーマ「leave」（正確性）の質問"}
	for set := 1; set < 1<<len(all); set++ {
		t.Run(fmt.Sprintf("%03b", set), func(t *testing.T) {
			t.Parallel()
			var g compare.GateResult
			for i, c := range all {
				c.Decision = stats.Pass
				if set>>i&1 == 1 {
					c.Decision = stats.Fail
				}
				g.Checks = append(g.Checks, c)
			}
			said := GateReason(g)
			for i := range all {
				if failed := set>>i&1 == 1; strings.Contains(said.EN, en[i]) != failed || strings.Contains(said.JA, ja[i]) != failed {
					t.Errorf("check %d: %q, %q", i, said.EN, said.JA)
				}
			}
		})
	}
}

// TestCriticalQuestionsInDoubtAreToldOfWhateverDecides: a failed check or a missed target does not hide critical questions that may be
// worse, nor a group of questions that fell: each is named once, with all metrics by which it fell, however many other checks are open.
func TestCriticalQuestionsInDoubtAreToldOfWhateverDecides(t *testing.T) {
	t.Parallel()
	value, bound := 1.0, 2.0
	failed := compare.GateCheck{Name: "threshold", Metric: "correctness", Decision: stats.Fail, Value: &value, Bound: &bound}
	doubt := compare.GateCheck{Name: "critical", N: 3, Decision: stats.Inconclusive, Critical: []string{"q7", "q8"}}
	fell := compare.GateCheck{Name: "slice", Metric: "trust", Decision: stats.Inconclusive, Tags: []string{"theme:leave"}}
	too := fell
	too.Metric = "correctness"
	open := failed
	open.Decision = stats.Inconclusive
	for n := range 5 {
		var g compare.GateResult
		for i := range 2 * n {
			g.Checks = append(g.Checks, []compare.GateCheck{failed, open}[i%2])
		}
		g.Checks = append(g.Checks, fell, doubt, too)
		missed := Text{EN: "1 of 2 agreed targets is missed", JA: "目標2件のうち1件が未達です", Code: "reason.missed"}
		for name, said := range map[string]Text{"gate": GateReason(g), "targets": besides(missed, &g)} {
			for _, text := range []string{said.EN, said.JA} {
				if strings.Count(text, "q7") != 1 || !strings.Contains(text, "q8") {
					t.Errorf("%s, %d failed: %q", name, n, text)
				}
				if strings.Count(text, "leave") != 1 {
					t.Errorf("%s, %d failed, a group that fell is not told of: %q", name, n, text)
				}
			}
			if !strings.Contains(said.EN, "theme leave (Trust, Correctness)") || !strings.Contains(said.JA, "テーマ「leave」（信頼性、正確性）") ||
				!strings.Contains(said.EN, "2 of 3 critical questions") || !strings.Contains(said.JA, "重要な質問3問のうち2問が要確認です：q7、q8") {
				t.Errorf("%s, %d failed: %q, %q", name, n, said.EN, said.JA)
			}
			if name == "targets" && (!strings.HasPrefix(said.EN, missed.EN) || !strings.HasPrefix(said.JA, missed.JA)) {
				t.Errorf("the missed target is not told first: %q", said.EN)
			}
		}
	}
	if said := besides(Text{EN: "missed", JA: "未達です"}, nil); said.EN != "missed" || said.JA != "未達です" {
		t.Errorf("%+v", said)
	}
}

// TestManyReasonsAreCounted: of any number of checks that failed or are open, a sentence tells three at most and accounts for every one.
func TestManyReasonsAreCounted(t *testing.T) {
	t.Parallel()
	for _, decision := range []stats.Decision{stats.Fail, stats.Inconclusive} {
		for n := 1; n <= 12; n++ {
			var g compare.GateResult
			for i := range n {
				value, bound := 1.0, float64(10+i)
				g.Checks = append(g.Checks, compare.GateCheck{Name: "threshold", Metric: "correctness", Decision: decision, Value: &value,
					Bound: &bound}, compare.GateCheck{Name: "coverage", Decision: stats.Pass})
			}
			g.Checks = append(g.Checks, compare.GateCheck{Name: "critical", Decision: decision, Critical: []string{"q7"}})
			said, told := GateReason(g), 0
			if !strings.Contains(said.EN, "q7") || !strings.Contains(said.JA, "q7") {
				t.Errorf("the critical question is not told of %d: %q, %q", n, said.EN, said.JA)
			}
			for i := range n {
				en, ja := fmt.Sprintf("%d is required", 10+i), fmt.Sprintf("目標値の%dを", 10+i)
				if strings.Contains(said.EN, en) != strings.Contains(said.JA, ja) {
					t.Errorf("the languages differ: %q, %q", said.EN, said.JA)
				}
				if strings.Contains(said.EN, en) {
					told++
				}
			}
			if rest := n - told; told > 3 || (rest > 0) != strings.Contains(said.EN, fmt.Sprintf("; and %d more checks", rest)) ||
				(rest > 0) != strings.Contains(said.JA, fmt.Sprintf("ほかの%d項目", rest)) {
				t.Errorf("%d checks: %q, %q", n, said.EN, said.JA)
			}
		}
	}
}

// An answer "not yet" below a headline that calls the run better says how both hold.
func TestNotYetIsJoinedWithABetterMean(t *testing.T) {
	t.Parallel()
	before, after := scored("old", false, map[string][]float64{"correctness": repeated(2, 2, 2, 5)}),
		scored("new", false, map[string][]float64{"correctness": repeated(5, 5, 5, 2)})
	c, err := compare.CompareWith(before, after, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	share, bound := 0.25, 0.02
	gate := compare.GateResult{Decision: stats.Fail,
		Checks: []compare.GateCheck{{Name: "share_worse", Decision: stats.Fail, N: 40, Value: &share, Bound: &bound}}}
	f := Of(Input{Comparison: &c, Baseline: &before, Candidate: after, Gate: &gate})
	if !strings.HasPrefix(f.Headline.EN, "Better on average, but") {
		t.Fatal(f.Headline.EN)
	}
	if !strings.HasPrefix(f.Release.Text.EN, "Not yet, although the answers are better on average: 10 of 40") ||
		!strings.HasPrefix(f.Release.Text.JA, "平均では改善していますが、まだ公開できません：40件中10件") {
		t.Errorf("%q, %q", f.Release.Text.EN, f.Release.Text.JA)
	}
}

// What is said of recorded replies denies no call that the bill of the run counts: other models may have been asked, for vectors or
// answers.
func TestRecordedRepliesDenyNoOtherCalls(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"judge.recorded", "judge.recorded_whole"} {
		if en, ja := Word("en", code), Word("ja", code); strings.Contains(en, "for this run") || strings.Contains(ja, "この実行では") ||
			!strings.Contains(en, "to score") || !strings.Contains(ja, "採点のためにモデルは呼び出していません") {
			t.Errorf("%s: %q, %q", code, en, ja)
		}
	}
}
