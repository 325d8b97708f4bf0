package votes

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestVerifyFindsPlantedRegressions and nothing else: the drops that noise made are cleared by asking again.
func TestVerifyFindsPlantedRegressions(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	d := apptest.NewDoubt(t, 60, 0.1, 3, 14, 27, 41)
	d.Evaluate(t, "old", "writer-1")
	d.Evaluate(t, "new", "writer-2")
	_, before := d.Worse(t, "old", "new")
	if len(before) < 6 {
		t.Fatalf("only %d questions need a check: the judge makes no noise to see through", len(before))
	}
	calls := len(d.Provider.Ledger())
	plan, err := PlanVerify(t.Context(), d.World.Workbench, "old", "new", VerifyRules{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Provider.Ledger()) != calls {
		t.Errorf("the plan made %d calls", len(d.Provider.Ledger())-calls)
	}
	if plan.Answers == 0 || plan.Price.Calls == 0 || len(plan.Next.Votes) == 0 {
		t.Errorf("plan %+v", plan)
	}
	got, err := VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if bought := len(d.Provider.Ledger()) - calls; bought != got.Calls || got.Bought == 0 || bought > 2*got.Next.Budget {
		t.Errorf("%d calls arrived, %d are counted, for %d votes", bought, got.Calls, got.Bought)
	}
	worse, check := d.Worse(t, "old", "new")
	t.Logf("before: %d need a check; after %d votes (%d calls, stop %s): worse %v, need a check %v", len(before), got.Bought, got.Calls,
		got.Next.Stop, worse, check)
	apptest.Found(t, worse, 3, "m003", "m014", "m027", "m041")
	if len(check) >= len(before)/2 {
		t.Errorf("%d of %d still need a check", len(check), len(before))
	}
	again, err := VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{}, nil)
	if err != nil || again.Bought != 0 {
		t.Errorf("a second verification bought %d votes (%s), %v", again.Bought, again.Next.Stop, err)
	}
}

// TestVerifyOfEqualSystems calls nothing worse.
func TestVerifyOfEqualSystems(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 60, 0.1)
	d.Evaluate(t, "old", "writer-1")
	d.Evaluate(t, "new", "writer-2")
	_, before := d.Worse(t, "old", "new")
	got, err := VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	worse, check := d.Worse(t, "old", "new")
	t.Logf("before: %d need a check; after %d votes (stop %s): worse %v, need a check %d", len(before), got.Bought, got.Next.Stop,
		worse, len(check))
	if len(worse) > 0 || len(before) == 0 {
		t.Errorf("equal systems: worse %v, %d needed a check before", worse, len(before))
	}
}

// TestVerifyBuysNothingWhereOneVoteSettles says so instead.
func TestVerifyBuysNothingWhereOneVoteSettles(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, "name: a\nbase: {retrieve: {mode: bm25, k: 1}}\n")
	w.Worked(t, "name: b\nbase: {retrieve: {mode: bm25, k: 3}}\n")
	got, err := VerifyComparison(t.Context(), w.Workbench, "a", "b", VerifyRules{}, nil)
	if err != nil || got.Next.Stop != compare.StopSettled || got.Bought != 0 || len(got.Runs) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestVerifyAsksNothingOfAnotherTool: its scores cannot be had again, and votes without a score were counted and said to be bought.
func TestVerifyAsksNothingOfAnotherTool(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for name, score := range map[string]float64{"april": 0.9, "may": 0.1} {
		rows := "user_input,response,reference,faithfulness\n"
		for i := range 12 {
			rows += fmt.Sprintf("Question %d?,%s says %d,Answer %d,%g\n", i, name, i, i, score)
		}
		if _, err := w.ImportResults(t.Context(), w.Write(t, name+".csv", rows), app.ResultsOptions{Name: name}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.RunOfResults(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := PlanVerify(t.Context(), w.Workbench, "april", "may", VerifyRules{})
	if err != nil || !plan.AsksNothing() || plan.Next.Stop != compare.StopTheirs {
		t.Errorf("planned %d votes, %q, %v", len(plan.Next.Votes), plan.Next.Stop, err)
	}
	got, err := VerifyComparison(t.Context(), w.Workbench, "april", "may", VerifyRules{}, nil)
	if err != nil || got.Bought != 0 || len(got.Runs) != 0 {
		t.Errorf("%d votes in runs %v, %v", got.Bought, got.Runs, err)
	}
}

// TestVerifyKeepsToItsBudget and goes on where it stopped.
func TestVerifyKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 40, 0.1, 5, 6)
	d.Evaluate(t, "old", "writer-1")
	d.Evaluate(t, "new", "writer-2")
	calls := len(d.Provider.Ledger())
	got, err := VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{Budget: experiments.Budget{Calls: 12}}, nil)
	if err != nil || got.Next.Stop != compare.StopBudget || !got.Bounded {
		t.Errorf("stop %q, %v", got.Next.Stop, err)
	}
	if spent := len(d.Provider.Ledger()) - calls; spent > 12 || spent == 0 {
		t.Errorf("%d calls under a budget of 12", spent)
	}
	if got, err = VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{Votes: 5}, nil); err != nil ||
		got.Bought != 5 || got.Next.Stop != compare.StopBudget || got.Bounded { // nobody's money ran out
		t.Errorf("%d votes under a bound of 5, stop %q, %v", got.Bought, got.Next.Stop, err)
	}
	if _, err = VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{Budget: experiments.Budget{Micros: 1000}},
		nil); problem.CodeOf(err) != "price_unknown" {
		t.Errorf("a budget in money without prices: %v", err)
	}
	if _, err = VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{}, nil); err != nil {
		t.Fatal(err)
	}
	worse, _ := d.Worse(t, "old", "new")
	apptest.Found(t, worse, 1, "m005", "m006")
}

// TestVerifyGoesOnAfterAnOutage works the votes that were asked for and not given.
func TestVerifyGoesOnAfterAnOutage(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 40, 0.1, 5, 6)
	d.Evaluate(t, "old", "writer-1")
	d.Evaluate(t, "new", "writer-2")
	honest := d.Provider
	d.Provider = fakeprovider.New(fakeprovider.Options{Key: "another key"})
	stopped, err := VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{}, nil)
	if err == nil || len(stopped.Runs) != 1 {
		t.Fatalf("without a provider: %+v, %v", stopped, err)
	}
	d.Provider = honest
	got, err := VerifyComparison(t.Context(), d.World.Workbench, "old", "new", VerifyRules{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	child, err := d.Store.Run(t.Context(), stopped.Runs[0])
	if err != nil || child.State != experiments.Finished {
		t.Errorf("the interrupted votes are %s, %v", child.State, err)
	}
	worse, _ := d.Worse(t, "old", "new")
	t.Logf("after %d votes: %s", got.Bought, got.Next.Stop)
	apptest.Found(t, worse, 1, "m005", "m006")
}

// TestBaselineIsScoredThreeTimesOnce and comparisons then need less.
func TestBaselineIsScoredThreeTimesOnce(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 20, 0.1)
	old := d.Evaluate(t, "old", "writer-1")
	missing, err := MissingVotes(t.Context(), d.World.Workbench, "old", 3)
	if err != nil || missing.Votes != 40 || missing.Calls == 0 {
		t.Errorf("missing %+v, %v", missing, err)
	}
	b, runs, err := ScoreBaseline(t.Context(), d.World.Workbench, "old", 3)
	if err != nil || b.RunID != old.ID || len(runs) != 2 {
		t.Fatalf("%+v, %d runs, %v", b, len(runs), err)
	}
	e, err := d.Evaluation(t.Context(), "old")
	if err != nil || e.Run.ID != old.ID || len(e.Results) != 60 {
		t.Errorf("run %s with %d results, %v", e.Run.ID, len(e.Results), err)
	}
	if _, runs, err = ScoreBaseline(t.Context(), d.World.Workbench, "old", 3); err != nil || len(runs) != 0 {
		t.Errorf("pinning again bought %d runs, %v", len(runs), err)
	}
	if _, err := MissingVotes(t.Context(), d.World.Workbench, "old", 9); !problem.Is(err, problem.Invalid) {
		t.Errorf("nine votes: %v", err)
	}
}

// TestAnOldAnswerOfALiveSystemIsNotAskedAgain: a system elsewhere is another one by now. What it answered in the baseline is judged
// again, what it answers now is asked again.
func TestAnOldAnswerOfALiveSystemIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	run, err := w.Run(t.Context(), w.JobOf(t, w.Endpoint(t, p, nil, "")))
	if err != nil {
		t.Fatal(err)
	}
	p.Instead(func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(rw, `{"answer": "Nobody knows.", "sources": [], "version": "8"}`)
	})
	for _, old := range []bool{true, false} {
		asked := p.Calls.Load()
		child, err := vote(t.Context(), w.Workbench, run, nil, experiments.Budget{}, old)
		if err != nil {
			t.Fatal(err)
		}
		results, err := w.Store.Results(t.Context(), child.ID)
		if err != nil || len(results) == 0 {
			t.Fatalf("%d results, %v", len(results), err)
		}
		if kept := results[0].Answer.Text != "Nobody knows."; kept != old || (p.Calls.Load() == asked) != old {
			t.Errorf("old %t: %q after %d calls", old, results[0].Answer.Text, p.Calls.Load()-asked)
		}
	}
}
