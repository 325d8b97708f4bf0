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
	if err := w.Preflight(ctx, jobs[0].Setup.Config, jobs[0].Questions); err != nil {
		return experiments.Run{}, nil, err
	}
	runner := w.Runner(jobs[0].Setup)
	parent := experiments.Run{Kind: experiments.KindSweep, Setup: jobs[0].Setup, Budget: jobs[0].Budget}
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
	runs, err := w.WorkSweep(ctx, parent)
	return parent, runs, err
}

// WorkSweep works the runs of a sweep that are not over. One that somebody cancelled stays so, and the sweep goes on without it.
func (w *Workbench) WorkSweep(ctx context.Context, parent experiments.Run) ([]experiments.Run, error) {
	runs, err := w.SweepRuns(ctx, parent.ID)
	if err != nil {
		return nil, err
	}
	now := w.Options.Now()
	if parent, err = w.Store.ClaimRun(ctx, parent.ID, w.Owner, now, now.Add(-experiments.StaleAfter)); err != nil {
		return runs, err
	}
	runner := w.Runner(parent.Setup)
	watched, watch := runner.Watch(ctx, parent.ID, nil)
	err = workRuns(watched, w, parent.ID, watch, runs)
	if told := watch.End(); told != nil {
		err = told
	}
	if problem.CodeOf(err) == "run_lost" {
		return runs, err
	}
	if err != nil {
		err = runner.Stop(ctx, parent, err)
		if problem.CodeOf(err) == "run_cancelled" {
			return runs, errors.Join(err, cancelRuns(context.WithoutCancel(ctx), w, runs))
		}
		return runs, problem.From(err).WithHint("workbench runs resume %s", parent.ID)
	}
	w.Indexes.Shrink(leftIndexes)
	_, err = runner.FinishWith(ctx, parent, SumTotals(runs), experiments.SweepChain(runs))
	return runs, err
}

// workRuns works what is left of the runs, those that share an index one after the other.
func workRuns(ctx context.Context, w *Workbench, sweepID string, watch *experiments.Watch, runs []experiments.Run) error {
	group := ""
	for _, i := range byIndex(runs) {
		if Over(runs[i].State) {
			continue
		}
		if next := indexGroup(runs[i]); next != group {
			w.Indexes.Shrink(leftIndexes)
			group = next
		}
		state, err := w.Store.Heartbeat(ctx, sweepID, w.Owner, w.Options.Now()) // the watch looks once a second, which is many small runs
		if err != nil {
			return err
		}
		if state != experiments.Running {
			return experiments.Asked(state)
		}
		run, err := workOne(ctx, w, watch, runs[i].ID)
		if run.ID != "" {
			runs[i] = run
		}
		if err == nil {
			continue
		}
		// What stopped it may have been a wish about this run alone.
		now, readErr := w.Store.Run(context.WithoutCancel(ctx), runs[i].ID)
		if readErr != nil {
			return errors.Join(err, readErr)
		}
		if runs[i] = now; now.State != experiments.Cancelled {
			return err
		}
	}
	return nil
}

// workOne works one run of a sweep and passes on the wish that the sweep stop.
func workOne(ctx context.Context, w *Workbench, watch *experiments.Watch, id string) (experiments.Run, error) {
	done, heard := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(heard)
		select {
		case <-done:
		case <-watch.Stop():
			err := w.Store.RequestState(context.WithoutCancel(ctx), id, experiments.Paused, w.Options.Now())
			if err != nil && !problem.Is(err, problem.Conflict) && w.Options.Log != nil { // a Conflict: it is over already
				w.Options.Log("stop run "+id, "error", err)
			}
		}
	}()
	run, err := w.Work(ctx, id)
	close(done)
	<-heard
	return run, err
}

// cancelRuns cancels the runs of a cancelled sweep that are not over.
func cancelRuns(ctx context.Context, w *Workbench, runs []experiments.Run) error {
	for i, run := range runs {
		if Over(run.State) {
			continue
		}
		if err := w.Store.RequestState(ctx, run.ID, experiments.Cancelled, w.Options.Now()); err != nil {
			return err
		}
		runs[i].State = experiments.Cancelled
	}
	return nil
}

// Over reports whether a run is finished, cancelled or failed: nobody works it any more.
func Over(s experiments.RunState) bool {
	return s == experiments.Finished || s == experiments.Cancelled || s == experiments.Failed
}

// SumTotals adds up the counts of a sweep's finished runs. Means of different configurations are not averaged.
func SumTotals(runs []experiments.Run) experiments.Totals {
	sum := experiments.Totals{Scores: map[string]experiments.Mean{}}
	for _, run := range runs {
		if run.Totals == nil {
			continue // cancelled
		}
		sum.Coverage.Scored += run.Totals.Coverage.Scored
		sum.Coverage.Applicable += run.Totals.Coverage.Applicable
		sum.Questions += run.Totals.Questions
		sum.LowScoreCount += run.Totals.LowScoreCount
	}
	return sum
}

// SweepRuns returns the runs of a sweep in the order they were created, which is the order of the axes.
func (w *Workbench) SweepRuns(ctx context.Context, sweepID string) ([]experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{SweepID: sweepID})
	slices.Reverse(runs) // the store lists the newest first
	return runs, err
}

// leftIndexes is how many bytes of indexes a sweep leaves at hand that it is done with: those of a small corpus, which the next sweep often
// asks for again.
const leftIndexes = 16 << 20

// indexGroup is the same for runs that search the same index.
func indexGroup(r experiments.Run) string {
	c := r.Setup.Config
	return rag.StageKey("group", "1", r.Setup.Corpus, c.Chunk, c.Retrieve.Mode, c.Embedding)
}

// byIndex orders runs so that those over the same corpus, chunking and embedder follow each other.
func byIndex(runs []experiments.Run) []int {
	groups := map[string][]int{}
	var keys []string
	for i, r := range runs {
		key := indexGroup(r)
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
