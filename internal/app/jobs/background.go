package jobs

import (
	"context"
	"sync"

	"github.com/rag-workbench/workbench/internal/app"
	appvotes "github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Background works what a server was asked for and answered before it was done: runs, and work that makes several of them. It owns
// their goroutines. It is safe for concurrent use.
type Background struct {
	W    *app.Workbench
	keys idempotencyKeys
	log  func(string, ...any)

	ctx  context.Context //nolint:containedctx // the life of what it works, which is longer than that of a request
	end  context.CancelCauseFunc
	wait sync.WaitGroup

	mu    sync.Mutex
	works map[string]*Work // that are under way here
}

// NewBackground returns a background that works nothing yet. Close it when done.
func NewBackground(w *app.Workbench, log func(string, ...any)) *Background {
	ctx, end := context.WithCancelCause(context.Background())
	return &Background{W: w, keys: idempotencyKeys{w: w}, log: log, ctx: ctx, end: end, works: map[string]*Work{}}
}

// Close breaks off what is in flight, which pauses its runs with everything kept, and waits for that.
func (b *Background) Close() {
	b.end(nil)
	b.wait.Wait()
}

// run works one run or sweep in the background.
func (b *Background) run(id string, work func(ctx context.Context) error) {
	b.wait.Go(func() { b.note("run "+id, work(b.ctx)) })
}

// note logs what stopped on its own account. A pause, a budget and an end of the process are no mistakes.
func (b *Background) note(what string, err error) {
	if err != nil && !problem.Is(err, problem.Incomplete) && b.ctx.Err() == nil {
		b.log(what+" stopped", "error", err)
	}
}

// Order is what somebody wants to have run.
type Order struct {
	Experiment string   `json:"experiment"`
	Questions  []string `json:"questions,omitempty"` // ids; none means all that the rest leaves
	Limit      int      `json:"limit,omitempty"`
	Filter     []string `json:"filter,omitempty"` // tags, all of them
	Budget     string   `json:"budget,omitempty"` // an amount (2.50) or calls (500calls)
}

// Jobs freezes what is to be run. sweep takes every combination of the experiment's axes.
func (b *Background) Jobs(ctx context.Context, s Order, sweep bool) (experiments.Experiment, []app.Job, error) {
	budget, err := experiments.ParseBudget(s.Budget)
	if err != nil {
		return experiments.Experiment{}, nil, problem.From(err).With("field", "budget")
	}
	e, err := b.W.Store.Experiment(ctx, s.Experiment) // a name and never a file: this comes from outside
	if err != nil {
		return e, nil, err
	}
	choose := app.Select{Limit: s.Limit, Filter: s.Filter}
	var jobs []app.Job
	if sweep {
		jobs, _, err = b.W.SweepJobs(ctx, e, choose)
	} else {
		jobs = make([]app.Job, 1)
		jobs[0], err = b.W.Job(ctx, e, choose)
	}
	if err != nil {
		return e, nil, err
	}
	for i := range jobs {
		if err := only(&jobs[i], s.Questions); err != nil {
			return e, nil, err
		}
	}
	jobs[0].Budget = budget
	return e, jobs, nil
}

// only keeps the named questions, in the order of the dataset.
func only(j *app.Job, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	var kept []experiments.Question
	var names []string
	for _, q := range j.Questions {
		if wanted[q.ID] {
			kept, names = append(kept, q), append(names, q.ID)
			delete(wanted, q.ID)
		}
	}
	for id := range wanted {
		return problem.New(problem.Invalid, "question_unknown", "the questions chosen hold no %q", id).With("field", "questions").
			With("question_id", id)
	}
	j.Questions, j.Setup.Questions = kept, names
	return nil
}

// Plan says what starting would buy, without buying anything.
func (b *Background) Plan(ctx context.Context, s Order, sweep bool) (app.Plan, error) {
	e, jobs, err := b.Jobs(ctx, s, sweep)
	if err != nil {
		return app.Plan{}, err
	}
	plan := app.Plan{}
	if sweep {
		plan, err = b.W.PlanSweep(ctx, e, jobs)
	} else {
		plan, err = b.W.Plan(ctx, jobs)
	}
	if plan.Stages == nil {
		plan.Stages = []app.StagePlan{}
	}
	return plan, err
}

// StartRun stores a run and works it in the background. Under a key that was used before it returns the run of then.
func (b *Background) StartRun(ctx context.Context, s Order, key string) (app.RunRow, error) {
	return once(ctx, b, "runs", key, s, func(ctx context.Context) (string, error) {
		_, jobs, err := b.Jobs(ctx, s, false)
		if err != nil {
			return "", err
		}
		job := jobs[0]
		if err := b.W.Preflight(ctx, job.Setup.Config, job.Questions); err != nil {
			return "", err
		}
		run, err := b.W.Runner(job.Setup).Create(ctx,
			experiments.Run{Kind: experiments.KindEvaluate, Params: job.Params, Setup: job.Setup, Budget: job.Budget}, job.Questions)
		if err != nil {
			return "", err
		}
		b.run(run.ID, func(ctx context.Context) error { _, err := b.W.Work(ctx, run.ID); return err })
		return run.ID, nil
	})
}

// StartSweep is OrderRun for every combination of an experiment's axes. It returns the sweep.
func (b *Background) StartSweep(ctx context.Context, s Order, key string) (app.RunRow, error) {
	return once(ctx, b, "sweeps", key, s, func(ctx context.Context) (string, error) {
		e, jobs, err := b.Jobs(ctx, s, true)
		if err != nil {
			return "", err
		}
		if err := b.W.Preflight(ctx, jobs[0].Setup.Config, jobs[0].Questions); err != nil {
			return "", err
		}
		runner := b.W.Runner(jobs[0].Setup)
		parent := experiments.Run{Kind: experiments.KindSweep, Setup: jobs[0].Setup, Budget: jobs[0].Budget}
		for _, axis := range e.Definition.Sweep {
			parent.Params = append(parent.Params, experiments.Param{Name: axis.Name, Value: axis.Values})
		}
		if parent, err = runner.Create(ctx, parent, nil); err != nil {
			return "", err
		}
		for _, j := range jobs {
			run := experiments.Run{Kind: experiments.KindEvaluate, SweepID: parent.ID, Params: j.Params, Setup: j.Setup}
			if _, err := runner.Create(ctx, run, j.Questions); err != nil {
				return "", err
			}
		}
		b.run(parent.ID, func(ctx context.Context) error { _, err := b.W.WorkSweep(ctx, parent); return err })
		return parent.ID, nil
	})
}

// Resume works what is missing of a run or sweep in the background, with another budget where one is given.
func (b *Background) Resume(ctx context.Context, name, budget string) (app.RunRow, error) {
	run, err := b.W.Store.Run(ctx, name)
	if err != nil {
		return app.RunRow{}, err
	}
	amount, err := experiments.ParseBudget(budget)
	if err != nil {
		return app.RunRow{}, problem.From(err).With("field", "budget")
	}
	if app.Over(run.State) || run.Kind == experiments.KindValidate {
		return app.RunRow{}, problem.New(problem.Conflict, "run_over", "run %s is %s; nothing of it can be resumed", run.ID, run.State).
			With("run_id", run.ID)
	}
	if run.State == experiments.Running {
		return app.RunRow{}, problem.New(problem.Conflict, "run_running", "run %s is being worked", run.ID).With("run_id", run.ID)
	}
	if budget != "" {
		if err := b.W.SetBudget(ctx, run.ID, amount); err != nil {
			return app.RunRow{}, err
		}
	}
	b.run(run.ID, func(ctx context.Context) error { _, err := b.W.Resume(ctx, run.ID); return err })
	return app.RunRowOf(run, map[string]bool{}), nil
}

// Ask asks a run to become paused or cancelled.
func (b *Background) Ask(ctx context.Context, name string, want experiments.RunState) (app.RunRow, error) {
	run, err := b.W.Store.Run(ctx, name)
	if err != nil {
		return app.RunRow{}, err
	}
	if err := b.W.Store.RequestState(ctx, run.ID, want, b.W.Options.Now()); err != nil {
		return app.RunRow{}, err
	}
	run, err = b.W.Store.Run(ctx, run.ID)
	return app.RunRowOf(run, map[string]bool{}), err
}

// RetryErrors asks the questions of a finished run again that have an error, in a child run.
func (b *Background) RetryErrors(ctx context.Context, name, budget, key string) (app.RunRow, error) {
	return once(ctx, b, "retry "+name, key, budget, func(ctx context.Context) (string, error) {
		run, err := b.W.Store.Run(ctx, name)
		if err != nil {
			return "", err
		}
		amount, err := experiments.ParseBudget(budget)
		if err != nil {
			return "", problem.From(err).With("field", "budget")
		}
		child, err := b.W.Runner(run.Setup).RetryErrors(ctx, run.ID)
		if err == nil && budget != "" {
			err = b.W.Store.SetBudget(ctx, child.ID, amount)
		}
		if err != nil {
			return "", err
		}
		b.run(child.ID, func(ctx context.Context) error { _, err := b.W.Work(ctx, child.ID); return err })
		return child.ID, nil
	})
}

func (b *Background) replicate(ctx context.Context, name string, n int) (Work, error) {
	run, err := b.W.Store.Run(ctx, name)
	if err != nil {
		return Work{}, err
	}
	children, err := b.W.Runner(run.Setup).Replicates(ctx, run.ID, n)
	if err != nil {
		return Work{}, err
	}
	return b.Begin("replicate", WorkID("replicate", run.ID, children[0].ID), map[string]any{"run": run.ID, "n": n},
		func(ctx context.Context, change func(func(*Work))) error {
			change(func(w *Work) { w.Total = len(children) })
			for _, child := range children {
				change(func(w *Work) { w.Runs = append(w.Runs, child.ID) })
				if _, err := b.W.Work(ctx, child.ID); err != nil {
					return err
				}
				change(func(w *Work) { w.Done++ })
			}
			return nil
		})
}

// Replicate asks all questions of a finished run n times more, in child runs. Under a key that was used before it returns the job of then.
func (b *Background) Replicate(ctx context.Context, name string, n int, key string) (Work, error) {
	return b.WorkOnce(ctx, "replicate "+name, key, n, func(ctx context.Context) (Work, error) { return b.replicate(ctx, name, n) })
}

// RulesOf are the bounds of a verification as people write them.
func RulesOf(votes int, budget string) (appvotes.VerifyRules, error) {
	amount, err := experiments.ParseBudget(budget)
	if err != nil {
		return appvotes.VerifyRules{}, problem.From(err).With("field", "budget")
	}
	return appvotes.VerifyRules{Votes: votes, Budget: amount}, nil
}

// Verify checks what a comparison is in doubt about, in the background. One comparison is verified once at a time, whoever asks. Under a
// key that was used before it returns the job of then.
func (b *Background) Verify(ctx context.Context, plan appvotes.VerifyState, rules appvotes.VerifyRules, key string) (Work, error) {
	request := []any{plan.Baseline, plan.Candidate, rules}
	return b.WorkOnce(ctx, "verify", key, request, func(context.Context) (Work, error) { return b.verify(plan, rules) })
}

func (b *Background) verify(plan appvotes.VerifyState, rules appvotes.VerifyRules) (Work, error) {
	id := WorkID("verify", plan.Baseline, plan.Candidate)
	return b.Begin("verify", id, map[string]any{"baseline": plan.Baseline, "candidate": plan.Candidate, "rules": rules},
		func(ctx context.Context, change func(func(*Work))) error {
			report := func(v appvotes.VerifyState) {
				change(func(w *Work) {
					w.Done, w.Total, w.Runs = v.Bought, v.Bought+v.Next.Estimate, append([]string{}, v.Runs...)
				})
			}
			v, err := appvotes.VerifyComparison(ctx, b.W, plan.Baseline, plan.Candidate, rules, report)
			report(v)
			if err == nil {
				change(func(w *Work) { w.Total = w.Done })
			}
			return err
		})
}
