package validations

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// strict is a world of n questions with a judge that rejects every second answer. People accept them; shown an example that says so, the
// judge does too, if it learns.
func strict(t *testing.T, n int, learns bool) (*apptest.Doubt, experiments.Run) {
	t.Helper()
	d := apptest.NewDoubt(t, n, 0)
	d.Provider = fakeprovider.New(fakeprovider.Options{Key: d.Env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		var data struct {
			Question string `json:"question"`
			Examples []struct {
				Accepted bool `json:"accepted"`
			} `json:"examples"`
		}
		if err := json.Unmarshal(r.Data(), &data); err != nil {
			return "", err
		}
		if len(r.Schema) == 0 {
			return "Rule: " + data.Question, nil
		}
		score, last := 5, data.Question[len(data.Question)-2]
		if (last-'0')%2 == 1 && !(learns && len(data.Examples) > 0 && data.Examples[0].Accepted) {
			score = 1
		}
		return fmt.Sprintf(`{"reason":"as seen","score":%d}`, score), nil
	}})
	run := d.Evaluate(t, "strict", "writer-1")
	e, err := d.Evaluation(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	var said []experiments.Review
	for i, q := range e.Questions {
		said = append(said, experiments.Review{RunID: run.ID, QuestionID: q.ID, Reviewer: "Ann", Verdict: experiments.CorrectAnswer,
			Shown: experiments.ShownDigest(q, e.Results[i])})
	}
	if _, err := d.Whole.PutReviews(t.Context(), said); err != nil {
		t.Fatal(err)
	}
	return d, run
}

// TestAlign tests examples on kept-back reviews, applies them, runs with them, and takes them back.
func TestAlign(t *testing.T) {
	t.Parallel()
	d, run := strict(t, 44, true)
	ctx, o := t.Context(), AlignOrder{Run: "strict", Seed: 1}
	if _, err := ApplyAlignment(ctx, d.Workbench, run.ID); problem.CodeOf(err) != "align_untested" {
		t.Errorf("applied without a test: %v", err)
	}
	before := len(d.Provider.Ledger())
	plan, err := PlanAlignment(ctx, d.Workbench, o)
	state, err2 := AlignmentOf(ctx, d.Workbench, o)
	if err != nil || err2 != nil || len(d.Provider.Ledger()) != before {
		t.Fatalf("a plan buys %d calls, %v %v", len(d.Provider.Ledger())-before, err, err2)
	}
	kept := state.Proposal.Kept
	if plan.Buy != kept || kept < 14 || state.Tested != nil || state.Says.EN != "" {
		t.Fatalf("plan %+v of %+v", plan, state)
	}
	o.Budget = experiments.Budget{Calls: 5}
	if _, err = TestAlignment(ctx, d.Workbench, o); problem.CodeOf(err) != "budget_spent" {
		t.Errorf("beyond its budget: %v", err)
	}
	o.Budget = experiments.Budget{}
	a, err := TestAlignment(ctx, d.Workbench, o)
	if err != nil {
		t.Fatal(err)
	}
	if a.Decision != validation.AlignmentOffered || a.Kept != kept || a.After.Right != kept || a.Before.FalseRed != a.Fixed ||
		a.Calls != kept-5 {
		t.Errorf("tested: %+v", a)
	}
	if bought := len(d.Provider.Ledger()) - before; bought != kept {
		t.Errorf("%d calls for %d kept-back answers, of which the judge had graded all without examples", bought, kept)
	}
	for _, x := range a.Examples {
		if progress.KeptBack(x.QuestionID) {
			t.Errorf("example %s is of the half that is kept back", x.QuestionID)
		}
	}
	e, err := ApplyAlignment(ctx, d.Workbench, run.ID)
	if err != nil || e.Revision != 2 || len(e.Definition.Judge.Examples) != len(a.Examples) {
		t.Fatalf("applied: %+v, %v", e, err)
	}
	if state, err = AlignmentOf(ctx, d.Workbench, o); err != nil || !state.Applied || !state.Offered || state.Says.EN != a.Says("en") {
		t.Errorf("%+v, %v", state, err)
	}
	again := worked(t, d, "strict")
	if again.Totals.LowScoreCount != 0 || run.Totals.LowScoreCount == 0 || again.Setup.Judge.PromptVersion() != a.With {
		t.Errorf("low scores %d, before %d", again.Totals.LowScoreCount, run.Totals.LowScoreCount)
	}
	c, _, err := d.Compare(ctx, run.ID, again.ID)
	if !problem.Is(err, problem.NotComparable) || len(c.Metrics) != 0 || len(c.Excluded) != 1 || !strings.Contains(c.Excluded[0].Why, "+") {
		t.Errorf("scores with and without examples are compared: %+v, excluded %+v, %v", c.Metrics, c.Excluded, err)
	}
	back, err := TakeBackAlignment(ctx, d.Workbench, run.ID)
	if err != nil || back.Revision != 3 || len(back.Definition.Judge.Examples) != 0 {
		t.Errorf("taken back: %+v, %v", back, err)
	}
	if _, err := TakeBackAlignment(ctx, d.Workbench, run.ID); problem.CodeOf(err) != "align_not_applied" {
		t.Errorf("taken back twice: %v", err)
	}
	if found, err := d.Whole.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("doctor: %v %v", found, err)
	}
}

func worked(t *testing.T, d *apptest.Doubt, name string) experiments.Run {
	t.Helper()
	e, err := d.Store.Experiment(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	j, err := d.Job(t.Context(), e, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := d.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestAlignIsNotOffered where examples change nothing: there is nothing to apply.
func TestAlignIsNotOffered(t *testing.T) {
	t.Parallel()
	d, run := strict(t, 44, false)
	a, err := TestAlignment(t.Context(), d.Workbench, AlignOrder{Run: run.ID, Examples: 2})
	if err != nil || a.Decision != validation.AlignmentNotOffered || a.Difference != 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	if _, err := ApplyAlignment(t.Context(), d.Workbench, run.ID); problem.CodeOf(err) != "align_not_offered" {
		t.Errorf("applied: %v", err)
	}
	if b, err := TestAlignment(t.Context(), d.Workbench, AlignOrder{Run: run.ID, Examples: 3}); err != nil || b.Tries != 2 {
		t.Errorf("the second try counts %d, %v", b.Tries, err)
	}
}

// TestAlignTheOfflineJudge says plainly that it reads no examples, and buys nothing.
func TestAlignTheOfflineJudge(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, "name: flat")
	if _, err := TestAlignment(t.Context(), w.Workbench, AlignOrder{Run: run.ID}); problem.CodeOf(err) != "align_unreviewed" {
		t.Errorf("without reviews: %v", err)
	}
	e, err := w.Evaluation(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range e.Questions {
		if _, err := w.Whole.PutReviews(t.Context(), []experiments.Review{{RunID: run.ID, QuestionID: q.ID, Reviewer: "Ann",
			Verdict: experiments.IncorrectAnswer, Shown: experiments.ShownDigest(q, e.Results[i])}}); err != nil {
			t.Fatal(err)
		}
	}
	state, err := AlignmentOf(t.Context(), w.Workbench, AlignOrder{Run: run.ID})
	if err != nil || state.Reads || state.Judge != "offline/lexical" {
		t.Fatalf("%+v, %v", state, err)
	}
	a, err := TestAlignment(t.Context(), w.Workbench, AlignOrder{Run: run.ID})
	if err != nil || a.Decision != validation.AlignmentUnread || a.Calls != 0 || !strings.Contains(a.Says("en"), "does not read examples") {
		t.Errorf("%+v, %v", a, err)
	}
}
