package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/stats"
)

// TestGatesNameWhatNeedsACheck: every question whose verdict is open is named with its reason in every form and language, and every score
// that lacks where that keeps the gate from passing. The count is made here from the questions themselves.
func TestGatesNameWhatNeedsACheck(t *testing.T) {
	t.Parallel()
	seen := map[CheckReason]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 31))
		want := map[string]CheckReason{}
		arms := gateArms(missing(around(30+r.IntN(60), 0), r.IntN(4)), func(i int, item *judgedItem) {
			if math.IsNaN(item.After) {
				return
			}
			item.Critical = r.IntN(20) == 0
			if r.IntN(8) > 0 {
				return
			}
			item.Label = NeedsCheck
			item.After = 4 + []float64{-1, -.5, 0, 1}[r.IntN(4)]
			want[item.ID] = map[bool]CheckReason{true: ScoredLower, false: VotesUnclear}[item.After < 4]
			if item.After > 4 {
				want[item.ID] = ScoredHigher
			}
		})
		got := gated(t, arms, DefaultGateRules())
		blocked := slices.ContainsFunc(got.Checks, func(c GateCheck) bool { return c.Missing && c.Decision != stats.Pass })
		for _, item := range arms.Metrics[0].Items {
			if blocked && math.IsNaN(item.After) {
				want[item.ID] = NotScored
			}
		}
		named := map[string]CheckReason{}
		for _, d := range got.NeedsCheck {
			named[d.ID] = d.Reason
			seen[d.Reason]++
		}
		if fmt.Sprint(named) != fmt.Sprint(want) || len(named) != len(got.NeedsCheck) {
			t.Fatalf("seed %d: named %v, want %v", seed, named, want)
		}
		toldDoubts(t, got)
	}
	for _, reason := range []CheckReason{ScoredLower, VotesUnclear, NotScored, ScoredHigher} {
		if seen[reason] == 0 {
			t.Errorf("no question of this test is %s", reason)
		}
	}
}

// toldDoubts holds what the forms say against the list.
func toldDoubts(t *testing.T, r GateResult) {
	t.Helper()
	by := map[CheckReason]int{}
	for _, d := range r.NeedsCheck {
		by[d.Reason]++
	}
	next := 0 // what to do next is said once, after them
	if strings.HasPrefix(r.Said[max(0, len(r.Said)-1)], "Next: ") {
		next = 1
	}
	if len(r.Said) != len(by)+next || len(r.SaidJA) != len(by)+next {
		t.Fatalf("%d reasons are said as %q and %q", len(by), r.Said, r.SaidJA)
	}
	for reason, n := range by {
		first := r.NeedsCheck[slices.IndexFunc(r.NeedsCheck, func(d GateDoubt) bool { return d.Reason == reason })]
		if !slices.ContainsFunc(r.Said, func(s string) bool {
			return strings.HasPrefix(s, fmt.Sprint(n, " ")) && strings.Contains(s, first.ID) && strings.Contains(s, " more") == (n > 5)
		}) {
			t.Errorf("%d by %s, the first %s, are not said: %q", n, reason, first.ID, r.Said)
		}
	}
	for _, lang := range []string{"en", "ja"} {
		var page, suite strings.Builder
		if err := r.WriteMarkdown(&page, lang); err != nil {
			t.Fatal(err)
		}
		if err := r.WriteJUnit(&suite, lang, false); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(suite.String(), `classname="workbench.needs_check"`); got != len(r.NeedsCheck) {
			t.Errorf("JUnit has %d of %d:\n%s", got, len(r.NeedsCheck), suite.String())
		}
		for i, d := range r.NeedsCheck {
			if lang == "ja" {
				inJapanese(t, d.WhyJA)
			}
			if i < mostInMarkdown && !strings.Contains(page.String(), "| "+d.ID+" | "+escapeMarkdown(d.WhyIn(lang))+" |") {
				t.Errorf("%s: the comment lacks %+v:\n%s", lang, d, page.String())
			}
		}
	}
}

// TestGatesSayStatementsInDoubt: where the grades tie, what the statements say is in doubt and not the grade.
func TestGatesSayStatementsInDoubt(t *testing.T) {
	t.Parallel()
	remark := newNote("remark.key_facts", "before", 3, "after", 2, "key", 4)
	arms := gateArms(repeat(40, 0), nil)
	arms.Questions[4] = GateQuestion{GateChange: GateChange{ID: "q4", Metric: "correctness", Baseline: 4, Candidate: 4, ByTie: ByKeyFacts,
		Remark: &remark}, Verdict: NeedsCheck}
	r := gated(t, arms, DefaultGateRules())
	if len(r.NeedsCheck) != 1 || r.NeedsCheck[0].Reason != ByStatements || !strings.Contains(r.NeedsCheck[0].Why, "key facts 3 → 2 of 4") {
		t.Errorf("%+v", r.NeedsCheck)
	}
	toldDoubts(t, r)
}

// TestTheCommentCountsAnswers and not rows: an answer that lacks two scores was counted twice.
func TestTheCommentCountsAnswers(t *testing.T) {
	t.Parallel()
	r := GateResult{Baseline: "old", Candidate: "new", NeedsCheck: []GateDoubt{
		{ID: "q1", Reason: ScoredLower, Metric: "a"}, {ID: "q2", Reason: NotScored, Metric: "a"},
		{ID: "q2", Reason: NotScored, Metric: "b"},
	}}
	for lang, want := range map[string]string{"en": "need a check or lack a score: 2<", "ja": "採点のない回答：2件<"} {
		var page strings.Builder
		if err := r.WriteMarkdown(&page, lang); err != nil || !strings.Contains(page.String(), want) {
			t.Errorf("%v: %s", err, page.String())
		}
		said := r.Between(lang)
		if !strings.Contains(page.String(), said) || !strings.Contains(said, "old") || !strings.Contains(said, "new") {
			t.Errorf("the comment does not say %q", said)
		}
	}
}
