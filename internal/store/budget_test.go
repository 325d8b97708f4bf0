package store

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// created is a run that waits to be started, with a seed that makes its setup differ.
func created(t testing.TB, s *Store, r experiments.Run, seed string) string {
	t.Helper()
	if r.Kind == "" {
		r.Kind = experiments.KindEvaluate
	}
	r.Setup = setup(seed)
	r.Setup.Questions = []string{"q1", "q2"}
	if r.CreatedAt.IsZero() {
		r.CreatedAt = at(0)
	}
	run, err := s.CreateRun(t.Context(), r, []string{"q1", "q2"})
	ok(t, err)
	return run.ID
}

// bought takes a call through its life.
func bought(t testing.TB, s *Store, c llm.Call, cost int64) {
	t.Helper()
	ok(t, s.Begin(t.Context(), c))
	ok(t, s.Bank(t.Context(), c.ID, llm.Raw{Status: 200, Body: []byte("reply to " + c.ID), At: c.SentAt.Add(1)}))
	ok(t, s.Settle(t.Context(), c.ID, llm.Outcome{State: llm.CallUsable, CostMicros: cost, CostKind: "reported", PromptTokens: 3,
		CompletionTokens: 2}))
}

func TestCallBudget(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := created(t, s, experiments.Run{Budget: experiments.Budget{Calls: 3}}, "calls")
		for i := range 3 {
			c := call(fmt.Sprint("c", i), run, 0)
			c.CostKind = "unknown" // a budget of calls is for models without a price
			ok(t, s.Begin(ctx, c))
		}
		ok(t, s.Settle(ctx, "c0", llm.Outcome{State: llm.CallFailed})) // an attempt all the same
		err := s.Begin(ctx, call("c3", run, 0))
		wantProblem(t, err, problem.Incomplete, "budget_spent")
		if !strings.Contains(err.Error(), "of 3 calls 3 were made") {
			t.Errorf("the problem does not say what was made: %v", err)
		}
		ok(t, s.SetBudget(ctx, run, experiments.Budget{Calls: 4}))
		ok(t, s.Begin(ctx, call("c3", run, 0)))
		wantProblem(t, s.Begin(ctx, call("c4", run, 0)), problem.Incomplete, "budget_spent")
		wantGuard(t, s, run, 0, 0)
	})
}

func TestPriceUnknown(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := created(t, s, experiments.Run{Budget: experiments.Budget{Micros: 1000, Calls: 5}}, "price")
		for _, kind := range []string{"unknown", ""} {
			c := call("dear", run, 0)
			c.CostKind, c.Model = kind, "gpt-next"
			err := s.Begin(ctx, c)
			wantProblem(t, err, problem.Incomplete, "price_unknown")
			if !strings.Contains(err.Error(), "gpt-next") || problem.From(err).Hint == "" {
				t.Errorf("the problem does not say which model, or what to do: %v", err)
			}
		}
		ok(t, s.SetBudget(ctx, run, experiments.Budget{Calls: 5}))
		c := call("dear", run, 0)
		c.CostKind = "unknown"
		ok(t, s.Begin(ctx, c))
		wantGuard(t, s, run, 0, 0)
	})
}

func TestBudgetSpentSaysAll(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		run := created(t, s, experiments.Run{Budget: experiments.Budget{Micros: 1_000_000}}, "says")
		bought(t, s, call("a", run, 300_000), 250_000)
		ok(t, s.Begin(t.Context(), call("b", run, 600_000)))
		err := s.Begin(t.Context(), call("c", run, 200_000))
		wantProblem(t, err, problem.Incomplete, "budget_spent")
		want := "of 1.000000, 0.250000 are spent and 0.600000 reserved for calls under way, so 0.150000 are left, and the next call may cost 0.200000"
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the problem is %q; want it to say %q", err, want)
		}
		for name, micros := range map[string]int64{"spent_micros": 250_000, "reserved_micros": 600_000, "left_micros": 150_000,
			"estimate_micros": 200_000} {
			if got := problem.From(err).Params[name]; got != micros {
				t.Errorf("%s is %v; want %d", name, got, micros)
			}
		}
	})
}

func TestSetBudgetRefusals(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := created(t, s, experiments.Run{}, "set")
		wantProblem(t, s.SetBudget(ctx, run, experiments.Budget{Micros: -1}), problem.Invalid, "budget_negative")
		wantProblem(t, s.SetBudget(ctx, "nobody", experiments.Budget{}), problem.NotFound, "run_unknown")
		b := experiments.Budget{Micros: 5, Calls: 6}
		ok(t, s.SetBudget(ctx, run, b))
		diff(t, b, must[experiments.Run](t)(s.Run(ctx, run)).Budget)
		ok(t, s.RequestState(ctx, run, experiments.Cancelled, at(1)))
		wantProblem(t, s.SetBudget(ctx, run, b), problem.Conflict, "run_state")
	})
}

// TestSweepBudget has a sweep of two runs with a budget of their own each.
func TestSweepBudget(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		sweep := created(t, s, experiments.Run{Kind: experiments.KindSweep, Budget: experiments.Budget{Micros: 100, Calls: 4}}, "sweep")
		a := created(t, s, experiments.Run{SweepID: sweep, Budget: experiments.Budget{Micros: 80}}, "a")
		b := created(t, s, experiments.Run{SweepID: sweep}, "b")
		bought(t, s, call("a1", a, 60), 50)
		wantGuard(t, s, sweep, 50, 0)
		wantProblem(t, s.Begin(ctx, call("a2", a, 31)), problem.Incomplete, "budget_spent") // the run's own
		wantGuard(t, s, sweep, 50, 0)                                                       // nothing of a refused call stays
		err := s.Begin(ctx, call("b1", b, 51))
		wantProblem(t, err, problem.Incomplete, "budget_spent") // the sweep's
		if !strings.Contains(err.Error(), "sweep "+sweep) {
			t.Errorf("the problem does not name the sweep: %v", err)
		}
		ok(t, s.Begin(ctx, call("b1", b, 40)))
		ok(t, s.Settle(ctx, "b1", llm.Outcome{State: llm.CallUnknown, CostMicros: 9})) // possibly spent: its estimate
		wantGuard(t, s, b, 40, 0)
		wantGuard(t, s, sweep, 90, 0)
		ok(t, s.Begin(ctx, call("s1", sweep, 10))) // the sweep's own call
		ok(t, s.Begin(ctx, call("a2", a, 0)))
		wantProblem(t, s.Begin(ctx, call("a3", a, 0)), problem.Incomplete, "budget_spent") // four calls were made
		wantGuard(t, s, sweep, 90, 10)

		// A deleted run stays on the sweep's bill and budget.
		ok(t, s.DeleteRun(ctx, b))
		ok(t, s.Read(ctx).Exec("UPDATE runs SET guard_spent = 1, guard_reserved = 2, guard_calls = 3").Error)
		_, err = s.ClaimRun(ctx, a, "me", at(3), at(0))
		ok(t, err)
		wantGuard(t, s, a, 50, 0)
		wantGuard(t, s, sweep, 90, 10)
		diff(t, experiments.Spending{Calls: 4, ConfirmedMicros: 50, PossibleMicros: 50, PossibleCalls: 3, Replies: 1,
			PromptTokens: 3, OutputTokens: 2},
			must[experiments.Spending](t)(s.Spent(ctx, sweep)))

		ok(t, s.RequestState(ctx, sweep, experiments.Cancelled, at(4)))
		wantProblem(t, s.Begin(ctx, call("a4", a, 0)), problem.Conflict, "run_cancelled")
	})
}

// TestSweepBudgetRace lets the runs of a sweep compete for the sweep's budget, some against budgets of their own, while
// others are recovered.
func TestSweepBudgetRace(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		stores := []*Store{d.open(t), d.open(t)}
		sweep := created(t, stores[0], experiments.Run{Kind: experiments.KindSweep, Budget: experiments.Budget{Micros: 100}}, "sweep")
		var runs []string
		for i := range 3 {
			b := experiments.Budget{Calls: 20 * i} // 0 does not bound
			runs = append(runs, created(t, stores[0], experiments.Run{SweepID: sweep, Budget: b}, fmt.Sprint("member ", i)))
		}
		var spent atomic.Int64
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				s, id := stores[i%2], fmt.Sprint("c", i)
				c := call(id, runs[i%3], 10)
				c.Owner = "dead"
				paid10(t, s, c, func() error {
					spent.Add(10)
					_, err := s.RecoverCalls(t.Context(), func(string) bool { return i%5 > 0 })
					return err
				})
			})
		}
		wg.Wait()
		if spent.Load() != 100 {
			t.Errorf("%d were spent; the budget is 100", spent.Load())
		}
		wantGuard(t, stores[0], sweep, 100, 0)
		for _, run := range runs {
			row := must[records.RunRow](t)(records.FindRun(stores[0].Read(t.Context()), run))
			wantGuard(t, stores[0], run, row.Spent, 0)
		}
	})
}
