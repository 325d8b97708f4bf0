package experiments

import (
	"context"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// RetryErrors stores a child run that asks again, with the parent's frozen setup, the questions of a finished run that still
// have a cell with an error after all its finished children. Everything that was settled is known and not bought again. It
// returns an Invalid Problem when there is nothing to retry, and Conflict while the run, or a child that retries its errors, is
// not over.
func (r *Runner) RetryErrors(ctx context.Context, id string) (Run, error) {
	parent, err := r.parent(ctx, id)
	if err != nil {
		return Run{}, err
	}
	children, err := r.Store.Runs(ctx, RunFilter{ParentID: parent.ID, Kind: parent.Kind})
	if err != nil {
		return Run{}, err
	}
	for _, c := range children {
		if c.Setup.Replicate == parent.Setup.Replicate && (c.State == Queued || c.State == Running || c.State == Paused) {
			return Run{}, problem.New(problem.Conflict, "run_retried", "run %s retries the errors of run %s already; it is %s", c.ID,
				parent.ID, c.State).
				With("run", parent.ID).With("child", c.ID).WithHint("workbench runs resume %s", c.ID)
		}
	}
	results, err := pooled(ctx, r.Store, &parent)
	if err != nil {
		return Run{}, err
	}
	var ids []string
	for _, result := range results {
		if result.Replicate == 0 && hasError(result) {
			ids = append(ids, result.QuestionID)
		}
	}
	if len(ids) == 0 {
		return Run{}, problem.New(problem.Invalid, "no_errors", "run %s has no errors left to retry", parent.ID).With("run", parent.ID)
	}
	return r.child(ctx, parent, ids, parent.Setup.Replicate)
}

func hasError(r Result) bool {
	for _, s := range r.Scores {
		if s.State == metrics.Errored {
			return true
		}
	}
	return false
}

// Replicates stores n child runs that ask a finished run's questions again, as its next replicates: everything that a model
// decides is asked anew. questions narrows them; none means all.
func (r *Runner) Replicates(ctx context.Context, id string, n int, questions ...string) ([]Run, error) {
	parent, err := r.parent(ctx, id)
	if err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, problem.New(problem.Invalid, "replicates", "%d replicates were asked for; at least 1 is needed", n)
	}
	children, err := r.Store.Runs(ctx, RunFilter{ParentID: parent.ID, Kind: parent.Kind})
	if err != nil {
		return nil, err
	}
	last := parent.Setup.Replicate
	for _, c := range children {
		last = max(last, c.Setup.Replicate)
	}
	if len(questions) == 0 {
		questions = parent.Setup.Questions
	}
	out := make([]Run, n)
	for i := range out {
		if out[i], err = r.child(ctx, parent, questions, last+1+i); err != nil {
			return out[:i], err
		}
	}
	return out, nil
}

// parent returns a run that may have children.
func (r *Runner) parent(ctx context.Context, id string) (Run, error) {
	run, err := r.Store.Run(ctx, id)
	if err != nil {
		return run, err
	}
	if run.Kind == KindSweep {
		return run, problem.New(problem.Invalid, "run_kind", "%s is a sweep; ask for one of its runs", run.ID).
			WithHint("workbench runs list --sweep %s", run.ID)
	}
	if run.State != Finished {
		return run, problem.New(problem.Conflict, "run_state", "run %s is %s; only a finished run gets more votes", run.ID, run.State).
			With("run", run.ID).With("state", run.State).WithHint("workbench runs resume %s", run.ID)
	}
	return run, nil
}

// child stores a run that asks these questions of the parent's setup; none means the whole dataset.
func (r *Runner) child(ctx context.Context, parent Run, ids []string, replicate int) (Run, error) {
	dataset, err := r.Store.Dataset(ctx, parent.Setup.Dataset.String())
	if err != nil {
		return Run{}, err
	}
	want := make(map[string]bool, len(ids))
	for _, id := range ids {
		want[id] = true
	}
	run := Run{Kind: parent.Kind, ParentID: parent.ID, Params: parent.Params, Setup: parent.Setup}
	run.Setup.Replicate, run.Setup.Questions, run.Setup.Repeat, run.Setup.KeepAnswers = replicate, nil, r.Repeat, r.KeepAnswers
	var questions []Question
	for _, q := range dataset.Questions {
		if len(ids) > 0 && !want[q.ID] {
			continue
		}
		delete(want, q.ID)
		questions = append(questions, q)
		run.Setup.Questions = append(run.Setup.Questions, q.ID)
	}
	for _, id := range ids {
		if want[id] {
			return Run{}, problem.New(problem.NotFound, "question_unknown", "dataset %s has no question %q", parent.Setup.Dataset, id).
				With("question", id)
		}
	}
	if len(questions) == len(dataset.Questions) {
		run.Setup.Questions = nil
	}
	return r.Create(ctx, run, questions)
}
