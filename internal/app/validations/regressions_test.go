package validations

import (
	"fmt"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// noisy is an experiment over a world of doubt.
func noisy(d *apptest.Doubt, t *testing.T) experiments.Experiment {
	t.Helper()
	path := d.Write(t, "noisy.yaml", fmt.Sprintf(`name: noisy
corpus: rules
dataset: many
suite: [correctness]
judge: {provider: openai, model: judge-1}
base:
  retrieve: {mode: bm25, k: 1}
  generate: {provider: openai, model: %s}
`, "writer-1"))
	e, _, err := d.Experiment(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestCompareSelf measures a judge that turns one vote in ten round: every fifth answer looks different, none is called worse.
func TestCompareSelf(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	d := apptest.NewDoubt(t, 40, 0.1)
	e := noisy(d, t)
	plan, err := PlanSelf(t.Context(), d.World.Workbench, e, app.Select{}, SelfRules{})
	if err != nil || plan.Votes != 240 || len(d.Provider.Ledger()) != 0 {
		t.Fatalf("%+v after %d calls, %v", plan, len(d.Provider.Ledger()), err)
	}
	got, err := CompareSelf(t.Context(), d.World.Workbench, e, app.Select{}, SelfRules{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	calls := len(d.Provider.Ledger())
	if got.Settled || got.Bought != 240 || got.Calls != calls || calls != plan.Calls || len(got.Children) != 5 {
		t.Errorf("%d votes in %d children with %d calls of %d; planned %d", got.Bought, len(got.Children), got.Calls, calls, plan.Calls)
	}
	m := got.Result.Metrics[0]
	t.Logf("%+v", m)
	if m.Metric != "correctness" || m.AnyDrop < 1.5 || m.AnyDrop > 6.5 || m.Noise < 0.5 {
		t.Errorf("a judge that turns one vote in ten round: %+v", m)
	}
	if m.Worse > 0.3 {
		t.Errorf("%.2f of 40 are called worse although nothing changed", m.Worse)
	}
	again, err := CompareSelf(t.Context(), d.World.Workbench, e, app.Select{}, SelfRules{Seed: 1})
	if err != nil || again.Bought != 0 || len(d.Provider.Ledger()) != calls || again.RunID != got.RunID {
		t.Errorf("again: %d votes, %d calls, %v", again.Bought, len(d.Provider.Ledger())-calls, err)
	}
	if again.Result.Metrics[0] != m {
		t.Errorf("equal votes gave %+v, then %+v", m, again.Result.Metrics[0])
	}
}

// TestCompareSelfKeepsToItsBudget and goes on where it stopped.
func TestCompareSelfKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 20, 0.1)
	e := noisy(d, t)
	_, err := CompareSelf(t.Context(), d.World.Workbench, e, app.Select{}, SelfRules{Votes: 2, Budget: experiments.Budget{Calls: 50}})
	if problem.CodeOf(err) != "budget_spent" {
		t.Errorf("%v", err)
	}
	if n := len(d.Provider.Ledger()); n > 50 {
		t.Errorf("%d calls for a budget of 50", n)
	}
	got, err := CompareSelf(t.Context(), d.World.Workbench, e, app.Select{}, SelfRules{Votes: 2})
	if err != nil || got.Result == nil || got.Result.Votes != 2 || len(d.Provider.Ledger()) != 80 {
		t.Errorf("resumed: %d calls, %+v, %v", len(d.Provider.Ledger()), got.Result, err)
	}
}

// TestCompareSelfOfDeterministicParts buys nothing and says why.
func TestCompareSelfOfDeterministicParts(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	e := w.Registered(t, "name: same\nbase: {retrieve: {mode: bm25, k: 1}}\n")
	got, err := CompareSelf(t.Context(), w.Workbench, e, app.Select{}, SelfRules{})
	if err != nil || !got.Settled || got.Bought != 0 || got.RunID != "" || got.Result != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := CompareSelf(t.Context(), w.Workbench, e, app.Select{}, SelfRules{Votes: 1}); problem.CodeOf(err) != "replicates" {
		t.Errorf("one vote: %v", err)
	}
}
