package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/stats"
)

// TestWhatDoesNotPassSaysWhatToDoNext: one step for each outcome, about a check that has it, and none where all pass or the words of
// scores that are missing tell it already.
func TestWhatDoesNotPassSaysWhatToDoNext(t *testing.T) {
	t.Parallel()
	worse := func(n int) func(int, *judgedItem) {
		return func(i int, item *judgedItem) {
			if i < n {
				item.Label = Worse
			}
		}
	}
	level := DefaultGateRules()
	level.Thresholds = []Threshold{{"correctness", ">=", 4.5}}
	once, votes := gateArms(repeat(100, 0), nil), gateArms(repeat(100, 0), nil)
	for _, arms := range []*GateArms{&once, &votes} {
		for i := range 30 {
			arms.Questions[i].Verdict, arms.Questions[i].gain, arms.Questions[i].open = NeedsCheck, -1, 1
		}
	}
	once.OneScore = true
	for name, c := range map[string]struct {
		arms  GateArms
		rules GateRules
		want  string
		of    stats.Decision
	}{
		"all pass":              {gateArms(repeat(100, 0), nil), DefaultGateRules(), "", stats.Pass},
		"many are worse":        {gateArms(repeat(100, 0), worse(30)), DefaultGateRules(), "worse", stats.Fail},
		"all fell a little":     {gateArms(around(200, -1), nil), DefaultGateRules(), "all", stats.Fail},
		"both":                  {gateArms(around(200, -1), worse(30)), DefaultGateRules(), "worse", stats.Fail},
		"the level is too low":  {gateArms(repeat(100, 0), nil), level, "level", stats.Fail},
		"scores are missing":    {gateArms(missing(repeat(200, 0), 60), nil), DefaultGateRules(), "", stats.Fail},
		"chance leaves it open": {gateArms(around(30, -.1), nil), DefaultGateRules(), "questions", stats.Inconclusive},
		"few votes":             {votes, DefaultGateRules(), "votes", stats.Inconclusive},
		"one score":             {once, DefaultGateRules(), "", stats.Inconclusive},
	} {
		r := gated(t, c.arms, c.rules)
		for _, lang := range []string{"en", "ja"} {
			said := r.SaidIn(lang)
			steps := slices.DeleteFunc(slices.Clone(said), func(s string) bool {
				return !strings.HasPrefix(s, "Next: ") && !strings.HasPrefix(s, "次は、")
			})
			want := []string{}
			if c.want != "" {
				want = append(want, newNote("gate.next."+c.want, "which", toRead(c.arms.Metrics[0].Items, c.want)).Text(lang))
			}
			if r.Decision != c.of || !slices.Equal(steps, want) || len(want) > 0 && said[len(said)-1] != want[0] {
				t.Errorf("%s: %s: %q, want %q", name, r.Decision, said, want)
			}
		}
	}
}

// toRead are the answers that a step names: those that fell most, or the worst ones.
func toRead(items []GateItem, step string) listed {
	items = slices.DeleteFunc(slices.Clone(items), func(i GateItem) bool {
		return step == "all" && i.After >= i.Before || math.IsNaN(i.After)
	})
	slices.SortStableFunc(items, func(x, y GateItem) int {
		if step == "all" {
			return cmp.Compare(x.After-x.Before, y.After-y.Before)
		}
		return cmp.Compare(x.After, y.After)
	})
	var which listed
	for _, i := range items {
		en, ja := fmt.Sprintf("%s (correctness %s", i.ID, trimmed(i.After, 2)), fmt.Sprintf("%s（正確性 %s", i.ID, trimmed(i.After, 2))
		if step == "all" {
			was, is := stats.Pair(i.Before, i.After, 2)
			en, ja = fmt.Sprintf("%s (correctness %s → %s", i.ID, was, is), fmt.Sprintf("%s（正確性 %s → %s", i.ID, was, is)
		}
		which = append(which, newNote("title", "en", en+")", "ja", ja+"）"))
	}
	return which
}

// TestWhatToReadIsNamedWhicheverWayIsBetter: of a metric of which less is better the answers that rose most are named.
func TestWhatToReadIsNamedWhicheverWayIsBetter(t *testing.T) {
	t.Parallel()
	arms := GateArms{Metrics: []GateMetric{{ID: "noise", Max: 1, LowerIsBetter: true, Items: []GateItem{
		{ID: "fell", Compared: true, Before: .9, After: .1}, {ID: "rose", Compared: true, Before: .1, After: .3},
		{ID: "most", Compared: true, Before: .2, After: .7}, {ID: "missing", Before: .2, After: math.NaN()},
	}}}}
	for lang, want := range map[string][2]string{
		"en": {"most (noise 0.2 → 0.7), rose (noise 0.1 → 0.3)", "most (noise 0.7), rose (noise 0.3)"},
		"ja": {"most（noise 0.2 → 0.7）、rose（noise 0.1 → 0.3）", "most（noise 0.7）、rose（noise 0.3）"},
	} {
		if fallen, worst := arms.fallen("noise").Text(lang), arms.worst("noise", .2).Text(lang); fallen != want[0] || worst != want[1] {
			t.Errorf("%q, %q", fallen, worst)
		}
	}
	if arms.fallen("another") != nil {
		t.Error("answers of a metric that is not there")
	}
}

// TestConfirmedIsDefinedOnceWhereItIsUsed: where repeated scores confirmed an answer or left one in doubt, and nowhere else; scores that
// were said to be exact confirm nothing.
func TestConfirmedIsDefinedOnceWhereItIsUsed(t *testing.T) {
	t.Parallel()
	exact := newNote("files.exact", "metric", metricNote("correctness"), "delta", "0.2")
	for _, repeated := range []bool{true, false} {
		for label, named := range map[Label]bool{Worse: true, NeedsCheck: true, NoChange: false, Better: false} {
			arms := gateArms(around(60, 0), nil)
			arms.Questions[3].Verdict, arms.Questions[3].gain = label, -1
			if arms.Repeated = repeated; !repeated {
				arms.Exact = &exact
			}
			r := gated(t, arms, DefaultGateRules())
			for lang, words := range map[string]string{"en": "chance is an unlikely reason for its fall", "ja": "偶然とは考えにくい場合だけ"} {
				want := 0
				if named && repeated {
					want = 1
				}
				if all := strings.Join(r.SaidIn(lang), " "); strings.Count(all, words) != want {
					t.Errorf("repeated %t, %s: %q", repeated, label, all)
				}
			}
			c := checkOf(t, r, "share_worse")
			if strings.Contains(c.Message, " confirmed as worse, ") != repeated ||
				strings.Contains(c.MessageJA, "悪化と確定した回答は") != repeated {
				t.Errorf("repeated %t: %s\n%s", repeated, c.Message, c.MessageJA)
			}
		}
	}
}

// TestCoverageExplainsItsNumbers: where nothing is missing it says so and asks for no share; of several metrics it tells the number of
// each, which add up to the whole, and why they differ where they do.
func TestCoverageExplainsItsNumbers(t *testing.T) {
	t.Parallel()
	for n := 3; n < 260; n += 7 {
		for _, lacking := range []int{0, 1} {
			for _, others := range []int{0, n, n - 1} { // of a second metric
				arms := gateArms(missing(repeat(n, 0), lacking), nil)
				if others > 0 {
					second := gateArms(repeat(others, 0), nil).Metrics[0]
					second.ID = "trust"
					arms.Metrics, arms.Gates = append(arms.Metrics, second), append(arms.Gates, "trust")
				}
				c := checkOf(t, gated(t, arms, DefaultGateRules()), "coverage")
				each := map[bool]string{true: fmt.Sprintf("correctness for %d questions, trust for %d question", n, others),
					false: fmt.Sprintf("correctness %d of %d, trust %d of %d", n-lacking, n, others, others)}[lacking == 0]
				for part, is := range map[string]bool{
					each: others > 0, "No score is missing": lacking == 0, "At least 98% are needed": lacking > 0, "%": lacking > 0,
					fmt.Sprintf("%d of %d", n+others-lacking, n+others): lacking > 0,
					"the questions that it applies to":                  lacking == 0 && others == n-1,
				} {
					if strings.Contains(c.Message, part) != is {
						t.Errorf("%d and %d questions, %d missing: %q: %t is not so: %s", n, others, lacking, part, is, c.Message)
					}
				}
				for part, is := range map[string]bool{"採点の不足はありません": lacking == 0, "98%以上": lacking > 0,
					"対象となる質問だけ": lacking == 0 && others == n-1, fmt.Sprintf("信頼性は%d問", others): others > 0} {
					if strings.Contains(c.MessageJA, part) != is {
						t.Errorf("%d and %d questions, %d missing: %q: %t is not so: %s", n, others, lacking, part, is, c.MessageJA)
					}
				}
			}
		}
	}
}

// TestAQuestionThatIsANumberIsCalledOne: "1 (correctness 1)" says nothing to who does not know that ids are numbers here.
func TestAQuestionThatIsANumberIsCalledOne(t *testing.T) {
	t.Parallel()
	for id, want := range map[string][2]string{"1": {"question 1 (correctness 1)", "質問1（正確性 1）"},
		"q1":  {"q1 (correctness 1)", "q1（正確性 1）"},
		"2.5": {"question 2.5 (correctness 1)", "質問2.5（正確性 1）"}, "Infinite": {"Infinite (correctness 1)", "Infinite（正確性 1）"}} {
		arms := GateArms{Metrics: []GateMetric{{ID: "correctness", Min: 1, Max: 5, Items: []GateItem{{ID: id, After: 1}}}}}
		if got := arms.worst("correctness", 3); got.Text("en") != want[0] || got.Text("ja") != want[1] {
			t.Errorf("%s: %q, %q", id, got.Text("en"), got.Text("ja"))
		}
	}
}
