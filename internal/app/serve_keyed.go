package app

import (
	"context"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Replicate asks all questions of a finished run n times more, in child runs. Under a key that was used before it returns the work of
// then; where that is forgotten it looks at the child runs and buys nothing.
func (b *Background) Replicate(ctx context.Context, name string, n int, key string) (Work, error) {
	begin := func(ctx context.Context) (Work, error) { return b.replicate(ctx, name, n) }
	return b.workOnce(ctx, "replicate "+name, key, n, begin, func(ctx context.Context, id string) (Work, error) {
		run, err := b.w.Store.Run(ctx, name)
		if err != nil {
			return Work{}, err
		}
		votes, err := b.votesOf(ctx, run.ID)
		if err != nil {
			return Work{}, err
		}
		for i, first := range votes {
			if workID("replicate", run.ID, first.ID) == id {
				return byRuns("replicate", id, votes[i:min(i+n, len(votes))]), nil
			}
		}
		return byRuns("replicate", id, nil), nil // its runs were deleted
	})
}

// VerifyOnce is [Background.Verify] under a key. Where the work is forgotten it looks at the child runs of both runs and buys nothing.
func (b *Background) VerifyOnce(ctx context.Context, plan VerifyState, rules VerifyRules, key string) (Work, error) {
	begin := func(ctx context.Context) (Work, error) { return b.Verify(ctx, plan, rules) }
	request := []any{plan.Baseline, plan.Candidate, rules}
	return b.workOnce(ctx, "verify", key, request, begin, func(ctx context.Context, id string) (Work, error) {
		var votes []experiments.Run
		for _, run := range []string{plan.Baseline, plan.Candidate} {
			more, err := b.votesOf(ctx, run)
			if err != nil {
				return Work{}, err
			}
			votes = append(votes, more...)
		}
		return byRuns("verify", id, votes), nil
	})
}

// DiagnoseOnce is [Background.Diagnose] under a key. Where the work is forgotten it begins again, which finds the diagnosis of then.
func (b *Background) DiagnoseOnce(ctx context.Context, plan DiagnosePlan, rules DiagnoseRules, key string) (Work, error) {
	request := []any{plan.RunID, rules.Method, rules.Budget, rules.Select}
	return b.workAgain(ctx, "diagnose", key, request, func() Work { return b.Diagnose(ctx, plan, rules) })
}

// AnalyseQuestionsOnce is [Background.AnalyseQuestions] under a key. Where the work is forgotten it begins again, which finds the
// analysis of then.
func (b *Background) AnalyseQuestionsOnce(ctx context.Context, name string, rules QuestionRules, key string) (Work, error) {
	return b.workAgain(ctx, "questions "+name, key, rules.Budget, func() Work { return b.AnalyseQuestions(ctx, name, rules) })
}

// votesOf are the child runs that add votes to a run, oldest first.
func (b *Background) votesOf(ctx context.Context, parent string) ([]experiments.Run, error) {
	children, err := b.w.Store.Runs(ctx, experiments.RunFilter{ParentID: parent, Kind: experiments.KindEvaluate})
	var votes []experiments.Run
	for i := len(children) - 1; i >= 0; i-- { // the store lists the newest first
		if children[i].Setup.Replicate > 0 {
			votes = append(votes, children[i])
		}
	}
	return votes, err
}

// byRuns is a work of which nobody knows any more, by the runs that it made: done, or failed where some of them are not over.
func byRuns(kind, id string, runs []experiments.Run) Work {
	w := Work{ID: id, Kind: kind, State: workDone, Total: len(runs), Runs: []string{}}
	for _, run := range runs {
		w.Runs = append(w.Runs, run.ID)
		if over(run.State) {
			w.Done++
		}
	}
	if w.Done < w.Total {
		w.State = workFailed
		w.Problem = problem.New(problem.Incomplete, "job_interrupted", "the server ended while job %s was under way", id).With("job", id).
			WithHint("resume its runs, or send the request with another key: what was bought is not bought again")
	}
	return w
}
