package findings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// A mean can rise while hardly a question is called better: which way the questions in doubt lean is said, with the right numbers.
func TestQuestionsInDoubtSayWhichWayTheyLean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ better, worse int }{{6, 0}, {0, 5}, {4, 3}, {1, 1}, {0, 0}} {
		before, after := repeated(3, 3), repeated(3, 3)
		for i := range c.better {
			after[i] = 4
		}
		for i := range c.worse {
			after[c.better+i] = 2
		}
		old := scored("a", false, map[string][]float64{"correctness": before})
		changed := scored("b", false, map[string][]float64{"correctness": after})
		old.Run.Setup.Settled, changed.Run.Setup.Settled = false, false // one vote settles nothing
		f := of(t, old, changed)
		if f.Verdicts.NeedsCheck != c.better+c.worse {
			t.Fatalf("%+v: %d need a check", c, f.Verdicts.NeedsCheck)
		}
		i := slices.IndexFunc(f.Sentences, func(s Text) bool { return strings.HasPrefix(s.Code, "say.check_") })
		if c.better+c.worse == 0 {
			if i >= 0 {
				t.Errorf("nothing is in doubt: %q", f.Sentences[i].EN)
			}
			continue
		}
		if i < 0 {
			t.Fatalf("%+v: not said which way: %q", c, Texts(f.Sentences, "en"))
		}
		parts := map[string][]string{"en": {fmt.Sprint(c.worse, " score"), fmt.Sprint(c.better, " better")},
			"ja": {fmt.Sprint(c.worse, "問が悪化"), fmt.Sprint(c.better, "問が改善")}}
		switch { // no zero is counted
		case c.worse == 0:
			parts = map[string][]string{"en": {fmt.Sprint(c.better, " of the"), "score better", "none worse"},
				"ja": {fmt.Sprint(c.better, "問は"), "改善の方向です"}}
		case c.better == 0:
			parts = map[string][]string{"en": {fmt.Sprint(c.worse, " of the"), "score worse", "none better"},
				"ja": {fmt.Sprint(c.worse, "問は"), "悪化の方向です"}}
		}
		for lang, want := range parts {
			for _, part := range want {
				if said := f.Sentences[i].In(lang); !strings.Contains(said, strings.ReplaceAll(part, " 問", "問")) {
					t.Errorf("%+v: %q lacks %q", c, said, part)
				}
			}
		}
	}
}

// What is expected is said no more exactly than it is known: never a tenth of a question, and never none.
func TestExpectedQuestionsAreWhole(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64][2]string{0: {"fewer than 1 false alarm", "1問未満"}, 0.1: {"fewer than 1 false alarm", "1問未満"},
		0.99: {"fewer than 1 false alarm", "1問未満"}, 1.2: {"about 1 false alarm", "約1問"}, 2.6: {"about 3 false alarms", "約3問"}} {
		if said := expected("belief.alarms", n); said.EN != want[0] || said.JA != want[1] {
			t.Errorf("%g: %q %q", n, said.EN, said.JA)
		}
	}
	if said := expected("belief.missed", 0.2).EN; said != "fewer than 1 worse question missed" {
		t.Error(said)
	}
}

// TestNoFalseAlarmIsExpectedWhereNothingIsWorse: among no worse questions there can be none.
func TestNoFalseAlarmIsExpectedWhereNothingIsWorse(t *testing.T) {
	t.Parallel()
	c := compare.Comparison{Metrics: map[string]compare.MetricChange{"correctness": {Guard: &compare.GuardFigures{Decided: true}}}}
	c.Method.Gates = []string{"correctness"}
	for worse, want := range map[int][2]string{
		0: {"Question by question, expect fewer than 1 worse question missed; a small fall of all of them shows in the mean alone.",
			"質問ごとに見ると、見逃した悪化は1問未満と見込まれます。全体のわずかな低下は、平均にだけ表れます。"},
		3: {"Expect fewer than 1 false alarm among the worse questions, and fewer than 1 worse question missed.",
			"悪化と判定した質問のうち誤検出は1問未満、見逃した悪化は1問未満と見込まれます。"},
	} {
		b := &builder{in: Input{Comparison: &c}}
		b.Verdicts.Worse = worse
		if said, ok := b.belief(); !ok || said.EN != want[0] || said.JA != want[1] {
			t.Errorf("%d worse: %+v", worse, said)
		}
	}
}

// TestATrialIsToldInOneWording: the manager's sheet says of a trial what the page says, and no net, which a sample does not have.
func TestATrialIsToldInOneWording(t *testing.T) {
	t.Parallel()
	repair := causes.Repair{Component: causes.Retriever, Param: "retrieve.k", From: 3, To: 6}
	for _, o := range []causes.RepairOutcome{
		{Promised: 8, TriedLow: 100, LowBefore: 144, TriedGood: 41, Good: 54, LowAfter: 139, LowMost: 152}, // a part was tried
		{Promised: 8, TriedLow: 144, LowBefore: 144, TriedGood: 54, Good: 54, LowAfter: 141},
	} {
		b := &builder{in: Input{Causes: &causes.CauseReport{Recommendations: []causes.Recommendation{{Repair: repair, Outcome: &o}}}}}
		said, told := b.recommendations()[0].Text, b.in.Causes.Recommendations[0].Told()
		want := ChangeText(repair)
		if said.EN != want.EN+". "+told.EN || said.JA != want.JA+"。"+told.JA || strings.Contains(said.EN, "net") {
			t.Errorf("%+v\n%+v", said, told)
		}
	}
}

// TestOneDoubtForAllChanges: what a page says of several changes doubts their gain in one sentence, and the text of none repeats it.
func TestOneDoubtForAllChanges(t *testing.T) {
	t.Parallel()
	o := causes.RepairOutcome{Promised: 8, TriedLow: 100, LowBefore: 144, TriedGood: 41, Good: 54, LowAfter: 139, LowMost: 152}
	change := func(k int) causes.Recommendation {
		return causes.Recommendation{Repair: causes.Repair{Component: causes.Retriever, Param: "retrieve.k", From: 3, To: k}, Outcome: &o}
	}
	for n := 1; n < 4; n++ {
		report := &causes.CauseReport{}
		for k := range n {
			report.Recommendations = append(report.Recommendations, change(4+k))
		}
		b := &builder{in: Input{Causes: report}}
		said, saidJA := b.alternatives().EN, b.alternatives().JA
		for _, r := range b.recommendations() {
			said, saidJA = said+r.Text.EN, saidJA+r.Text.JA
		}
		if strings.Count(said, "not certain") != 1 || strings.Count(saidJA, "言い切れません") != 1 {
			t.Errorf("%d changes: %s\n%s", n, said, saidJA)
		}
	}
}

// TestAGateSaysWhatItIsWorth: beside a decision on scores of the built-in checker it stands that it is no answer to "may we release this?",
// which is not answered; of a real judge nothing of the kind is said.
func TestAGateSaysWhatItIsWorth(t *testing.T) {
	t.Parallel()
	before, after := scored("a", false, map[string][]float64{"correctness": repeated(5, 5)}),
		scored("b", false, map[string][]float64{"correctness": repeated(1, 1)})
	for _, offline := range []bool{true, false} {
		after.Run.Setup.Offline = offline
		f := of(t, before, after)
		for lang, want := range map[string]string{"en": "have a real model score the answers",
			"ja": "公開の判断には、評価モデルで採点した結果を使ってください"} {
			said := f.Gate(lang)
			if len(said) < 2 || strings.Contains(said[1], want) != offline || strings.Contains(said[1], OfflineJudge(lang)) != offline {
				t.Errorf("offline %v: %q", offline, said)
			}
		}
		if (f.Release.Answer == CannotSay) != offline {
			t.Errorf("offline %v: release %s", offline, f.Release.Answer)
		}
	}
}

// TestALowScoreIsDefinedWhereItIsFirstSaid: in the headline, with the line of the run.
func TestALowScoreIsDefinedWhereItIsFirstSaid(t *testing.T) {
	t.Parallel()
	for _, low := range []int{0, 1, 3, 10, 90} {
		grades := make([]float64, 100)
		for i := range grades {
			grades[i] = 5
			if i < low {
				grades[i] = 1
			}
		}
		e := scored("a", true, map[string][]float64{"correctness": grades})
		e.Run.Setup.LowScore = 2.5
		for lang, want := range map[string]string{"en": "(correctness or trust of 2.5 or less)", "ja": "正確性または信頼性が2.5以下"} {
			if head := Of(Input{Candidate: e}).Headline.In(lang); !strings.Contains(head, want) {
				t.Errorf("%d low: %q lacks %q", low, head, want)
			}
		}
	}
}

// TestNoManagersSentenceNamesAFile: no text of the findings points at a path of the repository.
func TestNoManagersSentenceNamesAFile(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		for code, text := range catalogues()[lang] {
			if strings.Contains(text, "docs/") || strings.Contains(text, ".md") {
				t.Errorf("%s: %q", code, text)
			}
		}
	}
}

// TestCriticalQuestionsAreNamedAndDefined where it is said that they got worse: by the comparison and by the gate, five by their names.
func TestCriticalQuestionsAreNamedAndDefined(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 5, 7} {
		before, after := scored("a", true, map[string][]float64{"correctness": repeated(5, 5)}),
			scored("b", true, map[string][]float64{"correctness": repeated(1, 1)})
		for i := range n {
			before.Questions[i].Critical, after.Questions[i].Critical = true, true
		}
		f := of(t, before, after)
		i := slices.IndexFunc(f.Sentences, func(s Text) bool { return s.Code == "say.critical" })
		if i < 0 {
			t.Fatalf("%d critical: %q", n, Texts(f.Sentences, "en"))
		}
		for lang, want := range map[string][2]string{"en": {"must never get worse", "and 2 more"}, "ja": {"決して悪化してはならない", "ほか2問"}} {
			said := f.Sentences[i].In(lang)
			if !strings.Contains(said, want[0]) || strings.Contains(said, want[1]) != (n == 7) ||
				strings.Count(said, after.Questions[0].ID) < 1 {
				t.Errorf("%d critical: %q", n, said)
			}
		}
	}
	check := compare.GateCheck{Name: "critical", Decision: stats.Fail, Critical: []string{"q7"}}
	for lang, want := range map[string]string{"en": "got worse: q7", "ja": "悪化しています：q7"} {
		if said := checkText(check).In(lang); !strings.Contains(said, want) {
			t.Errorf("%q", said)
		}
	}
}

// TestRecordedAnswersAreNotCalledRepeatable: where answers of either run were recorded elsewhere, nobody is told that the same question
// gets the same answer each time.
func TestRecordedAnswersAreNotCalledRepeatable(t *testing.T) {
	t.Parallel()
	for set := range 4 {
		before, after := scored("old", false, map[string][]float64{"correctness": repeated(5, 4)}),
			scored("new", false, map[string][]float64{"correctness": repeated(5, 2)})
		for i, e := range []*experiments.Evaluation{&before, &after} {
			e.Run.Setup.Settled = true
			if set>>i&1 == 1 {
				e.Run.Setup.Config.Log = &rag.LogRef{Name: "log"}
			}
		}
		c, err := compare.CompareWith(before, after, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := Of(Input{Comparison: &c, Baseline: &before, Candidate: after})
		repeats := slices.ContainsFunc(f.Sentences, func(s Text) bool { return s.Code == "belief.settled" })
		recorded := slices.ContainsFunc(f.Sentences, func(s Text) bool { return s.Code == "belief.settled_log" })
		method := slices.ContainsFunc(c.Method.Explanation, func(n compare.Note) bool { return n.Code == "method.settled" })
		if repeats != (set == 0) || recorded == repeats || method != repeats {
			t.Errorf("recorded %02b: said to repeat %t, to be recorded %t, by the method %t", set, repeats, recorded, method)
		}
	}
}
