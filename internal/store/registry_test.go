package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestExperimentRevisions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		put := func(name, notes string, second, revision int) experiments.Experiment {
			t.Helper()
			e, err := s.PutExperiment(ctx, experiments.Definition{Name: name, Notes: notes,
				Sweep: []experiments.Axis{{Name: "chunk.size", Values: []any{400, 0.5, "a"}}}}, at(second))
			ok(t, err)
			if e.Revision != revision || e.Definition.Notes != notes {
				t.Errorf("registered revision %d with notes %q; want revision %d, %q", e.Revision, e.Definition.Notes, revision, notes)
			}
			return e
		}
		put("faq", "one", 0, 1)
		put("faq", "one", 1, 1)
		put("faq", "two", 2, 2)
		e := put("faq", "two", 3, 2)
		if !e.CreatedAt.Equal(at(2)) {
			t.Errorf("revision 2 is of %v; want the time it was first registered, %v", e.CreatedAt, at(2))
		}
		diff(t, []any{400, 0.5, "a"}, e.Definition.Sweep[0].Values)
		put("alpha", "", 4, 1)

		ok(t, s.SetArchived(ctx, "faq", true))
		names := func(archived bool) (out []string) {
			for _, e := range must[[]experiments.Experiment](t)(s.Experiments(ctx, archived)) {
				out = append(out, e.Name)
			}
			return out
		}
		diff(t, []string{"alpha"}, names(false))
		diff(t, []string{"alpha", "faq"}, names(true))
		ok(t, s.SetArchived(ctx, "faq", false))
		diff(t, []string{"alpha", "faq"}, names(false))

		_, err := s.Experiment(ctx, "nobody")
		wantProblem(t, err, problem.NotFound, "experiment_unknown")
		wantProblem(t, s.SetArchived(ctx, "nobody", true), problem.NotFound, "experiment_unknown")
		_, err = s.PutExperiment(ctx, experiments.Definition{}, at(0))
		wantProblem(t, err, problem.Invalid, "name_invalid")
	})
}

func TestBaselines(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		first, second := queued(t, s, "a"), queued(t, s, "b")
		_, err := s.Baseline(ctx, "faq")
		wantProblem(t, err, problem.NotFound, "baseline_unknown")
		wantProblem(t, s.SetBaseline(ctx, experiments.Baseline{Dataset: "faq", RunID: "ffffffffffff", SetAt: at(0)}), problem.NotFound,
			"run_unknown")
		ok(t, s.SetBaseline(ctx, experiments.Baseline{Dataset: "faq", RunID: first.ID, SetAt: at(1)}))
		ok(t, s.SetBaseline(ctx, experiments.Baseline{Dataset: "faq", RunID: second.ID, SetAt: at(2)}))
		ok(t, s.SetBaseline(ctx, experiments.Baseline{Dataset: "alpha", RunID: first.ID, SetAt: at(3)}))
		diff(t, []experiments.Baseline{{Dataset: "alpha", RunID: first.ID, SetAt: at(3)}, {Dataset: "faq", RunID: second.ID, SetAt: at(2)}},
			must[[]experiments.Baseline](t)(s.Baselines(ctx)))
		ok(t, s.ClearBaseline(ctx, "faq"))
		wantProblem(t, s.ClearBaseline(ctx, "faq"), problem.NotFound, "baseline_unknown")
	})
}
