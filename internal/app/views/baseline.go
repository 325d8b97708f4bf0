package views

import (
	"context"
	"strconv"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Pinned is a baseline, and over how much of its dataset the run is.
type Pinned struct {
	experiments.Baseline
	Part int `json:"part,omitempty" doc:"how many questions, of a run over a part of its dataset: a release check counts the others as missing"`
}

// CheckBaseline refuses a run that cannot be the baseline of a dataset, and returns what the baseline would be.
func (v *compareViews) CheckBaseline(ctx context.Context, dataset, name string) (Pinned, error) {
	run, err := v.finished(ctx, name)
	if err != nil {
		return Pinned{}, err
	}
	if run.Setup.Dataset.Name != dataset {
		return Pinned{}, problem.New(problem.Invalid, "baseline_dataset", "run %s asked the questions of %s, not of %s",
			run.ID, run.Setup.Dataset.Name, dataset).
			With("field", "run").With("dataset", run.Setup.Dataset.Name)
	}
	if err := app.Pinnable(run); err != nil {
		return Pinned{}, err
	}
	return Pinned{experiments.Baseline{Dataset: dataset, RunID: run.ID, SetAt: v.w.Options.Now()}, len(run.Setup.Questions)}, nil
}

// PlanBaseline says what scoring a run until every question has n votes would buy.
func PlanBaseline(ctx context.Context, b *jobs.Background, run string, n int) (votes.VotePrice, error) {
	plan, err := votes.MissingVotes(ctx, b.W, run, n)
	return plan, blame(err, map[string]string{"replicates": "replicates"})
}

// ScoreBaseline scores a run in the background until every question has n votes, and then makes it the baseline of its dataset. The same
// again buys only what is missing.
func ScoreBaseline(b *jobs.Background, baseline experiments.Baseline, n int, plan votes.VotePrice) (jobs.Work, error) {
	id := jobs.WorkID("baseline", baseline.RunID, strconv.Itoa(n))
	return b.Begin("baseline", id, map[string]any{"run": baseline.RunID, "replicates": n},
		func(ctx context.Context, change func(func(*jobs.Work))) error {
			change(func(w *jobs.Work) { w.Total = plan.Votes })
			_, runs, err := votes.ScoreBaseline(ctx, b.W, baseline.RunID, n)
			change(func(w *jobs.Work) {
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
