package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// TestVitals counts what was put in.
func TestVitals(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		if v := must[records.Vitals](t)(s.Vitals(ctx)); v.Waiting != 0 || v.Calls != 0 || len(v.Runs) != 0 || len(v.Errors) != 0 {
			t.Errorf("an empty database: %+v", v)
		}
		queued(t, s, "a")
		run := running(t, s, "b")
		bought(t, s, call("c1", run.ID, 10), 8)
		res, stages := result("q1", "said", 0.5)
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{res}, stages, at(2)))
		v := must[records.Vitals](t)(s.Vitals(ctx))
		diff(t, records.Vitals{
			Runs: map[experiments.Kind]map[experiments.RunState]int{experiments.KindEvaluate: {experiments.Queued: 1,
				experiments.Running: 1}},
			Waiting: 3 + 2, Calls: 1, Spent: 8, Errors: map[string]int{}, Fires: map[experiments.FireState]int{},
		}, v)
		for _, q := range []string{"q2", "q3"} {
			res, stages := result(q, "said", 0.5)
			ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{res}, stages, at(3)))
		}
		diff(t, []string{run.ID}, must[[]string](t)(s.OwnedRuns(ctx, "me")))
		ok(t, s.FinishRun(ctx, run.ID, "me", experiments.Totals{Errors: map[string]int{"provider_auth": 3}}, "chain", at(4)))
		v = must[records.Vitals](t)(s.Vitals(ctx))
		diff(t, map[string]int{"provider_auth": 3}, v.Errors)
		if v.Waiting != 3 {
			t.Errorf("%d questions wait", v.Waiting)
		}
	})
}
