package analyses

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// mostBeside is among how many of the newest runs of a dataset one with a recommended configuration is looked for.
const mostBeside = 500

// runsBeside are the finished evaluations that a run can be set beside as a whole, the newest first: the same questions, documents of any
// corpus, and the same judge.
func runsBeside(ctx context.Context, w *app.Workbench, run experiments.Run) ([]experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{Dataset: run.Setup.Dataset.Name, Kind: experiments.KindEvaluate,
		State: experiments.Finished, Roots: true, Limit: mostBeside})
	return slices.DeleteFunc(runs, func(r experiments.Run) bool { return !causes.SameBut(run, r) }), err
}

// madeIn is what a recommendation did where it was made since: in the newest run with exactly its configuration.
func madeIn(ctx context.Context, w *app.Workbench, e experiments.Evaluation, others []experiments.Run,
	r causes.Recommendation) (o causes.RepairOutcome, ok bool, err error) {
	for _, other := range others {
		if !causes.Makes(e.Run, other, r, langOf(e)) {
			continue
		}
		made, err := w.Evaluation(ctx, other.ID)
		if err != nil {
			return o, false, err
		}
		if o, ok = causes.MadeIn(e, app.FirstVotes(made), r.Heals); ok {
			return o, true, nil
		}
	}
	return o, false, nil
}

// langOf is the language of the questions of an evaluation.
func langOf(e experiments.Evaluation) string {
	if len(e.Questions) > 0 {
		return e.Questions[0].Lang
	}
	return "en"
}

// measuredIn is the best run of the diagnosed run's sweep, where it has fewer low-score answers: what was measured is told before what is
// expected.
func measuredIn(ctx context.Context, w *app.Workbench, e experiments.Evaluation,
	others []experiments.Run) ([]causes.Recommendation, error) {
	if e.Run.SweepID == "" {
		return nil, nil
	}
	others = slices.DeleteFunc(slices.Clone(others), func(r experiments.Run) bool { return r.SweepID != e.Run.SweepID })
	best, err := app.Winner(others)
	if problem.CodeOf(err) == "no_finished_run" {
		return nil, nil
	}
	if err != nil || e.Run.Totals == nil || best.Totals.LowScoreCount >= e.Run.Totals.LowScoreCount {
		return nil, err
	}
	other, err := w.Evaluation(ctx, best.ID)
	if err != nil {
		return nil, err
	}
	r, ok := causes.Measured(e, app.FirstVotes(other), langOf(e))
	if !ok || r.Outcome.Harms() {
		return nil, nil
	}
	r.Outcome.Among = len(others)
	return []causes.Recommendation{r}, nil
}
