package app

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// FindUnfinished returns the run that a person means who wants to go on with one, or stop it: a run id, a unique prefix of one, or an
// experiment's name, which is its newest run or sweep that is not over.
func (w *Workbench) FindUnfinished(ctx context.Context, name string) (experiments.Run, error) {
	run, err := w.Store.Run(ctx, name)
	if !problem.Is(err, problem.NotFound) || name == "" {
		return run, err
	}
	runs, otherwise := w.Store.Runs(ctx, experiments.RunFilter{Experiment: name, Alone: true})
	switch {
	case otherwise != nil:
		return run, otherwise
	case len(runs) == 0:
		return run, problem.From(err).
			WithHint("give a run id, the beginning of one, or the name of an experiment; `workbench runs list` shows them")
	}
	over := []experiments.RunState{experiments.Finished, experiments.Cancelled, experiments.Failed}
	i := slices.IndexFunc(runs, func(r experiments.Run) bool { return !slices.Contains(over, r.State) })
	if i < 0 {
		return run, problem.New(problem.Conflict, "run_all_over", "every run of %s is over: the newest is %s (%s)", name, runs[0].ID,
			problem.Both(string(runs[0].State), stateWords[runs[0].State])).With("name", name).
			WithHint("start another one: workbench run %s", name)
	}
	return runs[i], nil
}

// stateWords are the Japanese words of the states of a run that is over.
var stateWords = map[experiments.RunState]string{experiments.Finished: "完了", experiments.Cancelled: "中止", experiments.Failed: "失敗"}
