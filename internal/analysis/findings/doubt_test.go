package findings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
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
		i := slices.IndexFunc(f.Sentences, func(s Text) bool { return s.Code == "say.check_lean" })
		if c.better+c.worse == 0 {
			if i >= 0 {
				t.Errorf("nothing is in doubt: %q", f.Sentences[i].EN)
			}
			continue
		}
		if i < 0 {
			t.Fatalf("%+v: not said which way: %q", c, Texts(f.Sentences, "en"))
		}
		for lang, want := range map[string][]string{"en": {fmt.Sprint(c.better, " score"), fmt.Sprint(c.worse, " worse")},
			"ja": {fmt.Sprint(c.better, "問が改善"), fmt.Sprint(c.worse, "問が悪化")}} {
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

// TestATrialIsToldInOneWording: the manager's sheet says of a trial what the page says, and no net, which a sample does not have.
func TestATrialIsToldInOneWording(t *testing.T) {
	t.Parallel()
	repair := causes.Repair{Component: causes.Retriever, Param: "retrieve.k", From: 3, To: 6}
	for _, o := range []causes.RepairOutcome{
		{Promised: 8, TriedLow: 100, LowBefore: 144, TriedGood: 41, Good: 54, LowAfter: 139, LowMost: 152}, // a part was tried
		{Promised: 8, TriedLow: 144, LowBefore: 144, TriedGood: 54, Good: 54, LowAfter: 141},
	} {
		b := &builder{in: Input{Causes: &causes.CauseReport{Recommendations: []causes.Recommendation{{Repair: repair, Outcome: &o}}}}}
		said, told := b.recommendations()[0].Text, o.Told()
		want := ChangeText(repair)
		if said.EN != want.EN+". "+told.EN || said.JA != want.JA+"。"+told.JA || strings.Contains(said.EN, "net") {
			t.Errorf("%+v\n%+v", said, told)
		}
	}
}
