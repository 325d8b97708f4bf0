package app

import (
	"context"
	"runtime"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/queue"
	"github.com/rag-workbench/workbench/internal/store"
)

// Run starts a job and works it to its end. On PostgreSQL every worker of the database helps.
func (w *Workbench) Run(ctx context.Context, j Job) (experiments.Run, error) {
	if err := w.Preflight(ctx, j.Setup.Config, j.Questions); err != nil {
		return experiments.Run{}, err
	}
	run := experiments.Run{Kind: experiments.KindEvaluate, Params: j.Params, Setup: j.Setup, Budget: j.Budget}
	run, err := w.Runner(j.Setup).Create(ctx, run, j.Questions)
	if err != nil {
		return run, err
	}
	worked, err := w.Work(ctx, run.ID)
	if worked.ID == "" {
		worked = run // it exists, however it went
	}
	return worked, err
}

// Resume works what is missing in a run; in a sweep, in each of its runs.
func (w *Workbench) Resume(ctx context.Context, idOrPrefix string) ([]experiments.Run, error) {
	run, err := w.Store.Run(ctx, idOrPrefix)
	if err != nil {
		return nil, err
	}
	if run.Kind == experiments.KindValidate {
		return nil, problem.New(problem.Conflict, "run_validate", "run %s validated a judge; it is not resumed", run.ID).
			WithHint("run `workbench validate judge` again: what was bought is not bought a second time")
	}
	if run.Kind != experiments.KindSweep {
		run, err = w.Work(ctx, run.ID)
		return []experiments.Run{run}, err
	}
	return w.WorkSweep(ctx, run)
}

// RetryErrors asks the questions of a finished run again that have a cell with an error, in a child run with a budget of its own,
// and works it. repeat allows calls again whose reply never came, even where a system is asked at most once.
func (w *Workbench) RetryErrors(ctx context.Context, idOrPrefix string, repeat bool, b experiments.Budget) (experiments.Run, error) {
	parent, err := w.Store.Run(ctx, idOrPrefix)
	if err != nil {
		return parent, err
	}
	runner := w.Runner(parent.Setup)
	runner.Repeat = repeat
	child, err := runner.RetryErrors(ctx, parent.ID)
	if err == nil && b != (experiments.Budget{}) {
		err = w.Store.SetBudget(ctx, child.ID, b)
	}
	if err != nil {
		return child, err
	}
	worked, err := w.Work(ctx, child.ID)
	if worked.ID == "" {
		worked = child
	}
	return worked, err
}

// Replicates asks a finished run's questions n times more, in child runs, and works them. questions narrows them; none means
// all.
func (w *Workbench) Replicates(ctx context.Context, idOrPrefix string, n int, questions ...string) ([]experiments.Run, error) {
	parent, err := w.Store.Run(ctx, idOrPrefix)
	if err != nil {
		return nil, err
	}
	children, err := w.Runner(parent.Setup).Replicates(ctx, parent.ID, n, questions...)
	for i := range children {
		if err == nil {
			children[i], err = w.Work(ctx, children[i].ID)
		}
	}
	return children, err
}

// ServeQueue serves the queue of a PostgreSQL database until ctx ends: it works the batches of runs that others submit. Then it begins
// no further question and brings those in flight to their end; when hurry closes it breaks them off.
func (w *Workbench) ServeQueue(ctx context.Context, hurry <-chan struct{}) error {
	if w.Engine != store.PostgreSQL {
		return problem.New(problem.Invalid, "needs_postgresql",
			"workers share runs through PostgreSQL; this data directory is a SQLite file, which one process works at a time").
			WithHint("set WORKBENCH_DATABASE_URL=postgres://user:password@host:5432/database, or use `workbench run`")
	}
	q, err := opened(ctx, w)
	if err != nil {
		return err
	}
	return q.Serve(ctx, hurry)
}

// Work works a run to its end.
func (w *Workbench) Work(ctx context.Context, id string) (experiments.Run, error) {
	q, err := opened(ctx, w)
	if err != nil {
		return experiments.Run{}, err
	}
	run, err := q.Work(ctx, id)
	if err == nil {
		err = w.workVotes(ctx, run)
	}
	return run, err
}

// opened returns the queue, which is opened when it is first needed: reading takes none.
func opened(ctx context.Context, w *Workbench) (queue.Queue, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.queue != nil {
		return w.queue, nil
	}
	var err error
	w.queue, err = w.openQueue(ctx)
	return w.queue, err
}

// gatherWithin is how long a result that has finished waits for others before it is saved: a commit flushes the disk, and what questions
// write side by side shares most pages, so that twenty of them in one commit cost little more than one.
const gatherWithin = 50 * time.Millisecond

// Runner returns the engine for a setup.
func (w *Workbench) Runner(s experiments.Setup) *experiments.Runner {
	gather := gatherWithin
	if w.Options.SaveAtOnce {
		gather = 0
	}
	return &experiments.Runner{
		Store: w.Store, Providers: w.Providers, Indexes: w.Indexes, Now: w.Options.Now, Owner: w.Owner,
		Concurrency: w.Concurrency(s), Progress: w.Options.Progress, Log: w.Options.Log, Gather: gather,
		Analysts: w.analysts(),
	}
}

// defaultSlots are the calls in flight of a provider whose configuration names no number.
const defaultSlots = 8

// inFlight is how many questions keep a provider's slots full: of each one that waits for the store or for its next prompt,
// another stands in.
func inFlight(slots int) int { return 2*slots + 8 }

// Concurrency is how many questions of a run are in flight. Offline work is bound by processors, bought work by the provider.
func (w *Workbench) Concurrency(s experiments.Setup) int {
	if w.Options.Concurrency > 0 {
		return w.Options.Concurrency
	}
	slots := 0
	if s.Config.Endpoint != nil {
		slots = max(defaultSlots, s.Config.Endpoint.Concurrency)
	}
	for _, name := range append(s.Config.ProviderNames(), s.Judge.Provider, s.Judge.Embedding.Provider) {
		if name != "offline" {
			slots = max(slots, slotsOf(w, name))
		}
	}
	if slots == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return inFlight(slots)
}

func slotsOf(w *Workbench, provider string) int {
	known, err := w.Providers.known(provider)
	if n := known.Providers[provider].Concurrency; n > 0 && err == nil {
		return n
	}
	return defaultSlots
}

// mostInFlight bounds the questions in flight of every run of this process.
func mostInFlight(w *Workbench) int {
	if w.Options.Concurrency > 0 {
		return w.Options.Concurrency
	}
	most := runtime.GOMAXPROCS(0)
	known, err := w.Known()
	if err != nil {
		known = w.Config // whoever asks one that was added will say so
	}
	for name := range known.Providers {
		most = max(most, inFlight(slotsOf(w, name)))
	}
	return most
}
