package app

import (
	"context"
	"errors"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Sweep starts every job as a run of one sweep and works them. Runs that share an index are worked one after the other,
// whatever the order of the axes; the result is in the order of the jobs.
func (w *Workbench) Sweep(ctx context.Context, e experiments.Experiment, jobs []Job) (experiments.Run, []experiments.Run, error) {
	runner := w.runner(jobs[0].Setup)
	parent := experiments.Run{Kind: experiments.KindSweep, Setup: jobs[0].Setup}
	for _, axis := range e.Definition.Sweep {
		parent.Params = append(parent.Params, experiments.Param{Name: axis.Name, Value: axis.Values})
	}
	parent, err := runner.Create(ctx, parent, nil)
	if err != nil {
		return parent, nil, err
	}
	for _, j := range jobs {
		run := experiments.Run{Kind: experiments.KindEvaluate, SweepID: parent.ID, Params: j.Params, Setup: j.Setup}
		if _, err := runner.Create(ctx, run, j.Questions); err != nil {
			return parent, nil, err
		}
	}
	runs, err := w.workSweep(ctx, parent)
	return parent, runs, err
}

func (w *Workbench) workSweep(ctx context.Context, parent experiments.Run) ([]experiments.Run, error) {
	runs, err := w.SweepRuns(ctx, parent.ID)
	if err != nil {
		return nil, err
	}
	now := w.options.Now()
	if parent, err = w.Store.ClaimRun(ctx, parent.ID, w.owner, now, now.Add(-experiments.StaleAfter)); err != nil {
		return runs, err
	}
	for _, i := range byIndex(runs) {
		state, err := w.Store.Heartbeat(ctx, parent.ID, w.owner, w.options.Now())
		if err == nil && state != experiments.Running {
			return runs, w.stopSweep(ctx, parent, state, problem.New(problem.Incomplete, "run_"+string(state), "sweep %s is %s; everything done so far is stored", parent.ID, state))
		}
		if err == nil && runs[i].State != experiments.Finished {
			runs[i], err = w.runner(runs[i].Setup).Work(ctx, runs[i].ID)
		}
		if err != nil {
			return runs, w.stopSweep(ctx, parent, experiments.Paused, err)
		}
	}
	return runs, w.Store.FinishRun(ctx, parent.ID, w.owner, sumTotals(runs), chainOf(runs), w.options.Now())
}

// stopSweep puts the sweep down and returns why, with the command that goes on.
func (w *Workbench) stopSweep(ctx context.Context, parent experiments.Run, to experiments.RunState, why error) error {
	if err := w.Store.StopRun(context.WithoutCancel(ctx), parent.ID, w.owner, to, "stopped", w.options.Now()); err != nil {
		return errors.Join(why, err)
	}
	return problem.From(why).WithHint("workbench runs resume %s", parent.ID)
}

// sumTotals adds up the counts of a sweep's runs. Means of different configurations are not averaged.
func sumTotals(runs []experiments.Run) experiments.Totals {
	sum := experiments.Totals{Scores: map[string]experiments.Mean{}}
	for _, run := range runs {
		sum.Coverage.Scored += run.Totals.Coverage.Scored
		sum.Coverage.Applicable += run.Totals.Coverage.Applicable
		sum.Questions += run.Totals.Questions
		sum.LowScoreCount += run.Totals.LowScoreCount
	}
	return sum
}

// chainOf closes a sweep over the chains of its runs.
func chainOf(runs []experiments.Run) string {
	chains := make([]string, len(runs))
	for i, run := range runs {
		chains[i] = run.Chain
	}
	return rag.StageKey("sweep", "1", chains)
}

// SweepRuns returns the runs of a sweep in the order they were created, which is the order of the axes.
func (w *Workbench) SweepRuns(ctx context.Context, sweepID string) ([]experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{SweepID: sweepID})
	slices.Reverse(runs) // the store lists the newest first
	return runs, err
}

// byIndex orders runs so that those over the same corpus, chunking and embedder follow each other.
func byIndex(runs []experiments.Run) []int {
	groups := map[string][]int{}
	var keys []string
	for i, r := range runs {
		c := r.Setup.Config
		key := rag.StageKey("group", "1", r.Setup.Corpus, c.Chunk, c.Retrieve.Mode, c.Embedding)
		if _, ok := groups[key]; !ok {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], i)
	}
	var order []int
	for _, key := range keys {
		order = append(order, groups[key]...)
	}
	return order
}
