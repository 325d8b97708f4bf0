package app

import (
	"context"
	"strconv"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// CheckBaseline refuses a run that cannot be the baseline of a dataset, and returns what the baseline would be.
func (v *Views) CheckBaseline(ctx context.Context, dataset, name string) (experiments.Baseline, error) {
	run, err := v.finished(ctx, name)
	if err != nil {
		return experiments.Baseline{}, err
	}
	if run.Setup.Dataset.Name != dataset {
		return experiments.Baseline{}, problem.New(problem.Invalid, "baseline_dataset", "run %s asked the questions of %s, not of %s", run.ID, run.Setup.Dataset.Name, dataset).
			With("field", "run").With("dataset", run.Setup.Dataset.Name)
	}
	return experiments.Baseline{Dataset: dataset, RunID: run.ID, SetAt: v.w.options.Now()}, nil
}

// PlanBaseline says what scoring a run until every question has n votes would buy.
func (b *Background) PlanBaseline(ctx context.Context, run string, n int) (VotePrice, error) {
	plan, err := b.w.MissingVotes(ctx, run, n)
	return plan, blame(err, map[string]string{"replicates": "replicates"})
}

// ScoreBaseline scores a run in the background until every question has n votes, and then makes it the baseline of its dataset. The same
// again buys only what is missing.
func (b *Background) ScoreBaseline(baseline experiments.Baseline, n int, plan VotePrice) (Work, error) {
	id := workID("baseline", baseline.RunID, strconv.Itoa(n))
	return b.begin("baseline", id, map[string]any{"run": baseline.RunID, "replicates": n}, func(ctx context.Context, change func(func(*Work))) error {
		change(func(w *Work) { w.Total = plan.Votes })
		_, runs, err := b.w.ScoreBaseline(ctx, baseline.RunID, n)
		change(func(w *Work) {
			for _, r := range runs {
				w.Runs = append(w.Runs, r.ID)
			}
			if err == nil {
				w.Done = w.Total
			}
		})
		return err
	})
}
