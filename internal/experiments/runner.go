package experiments

import (
	"context"
	"errors"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// StaleAfter is how long a run's owner may be silent before another process may take the run over.
const StaleAfter = 2 * time.Minute

// Runner works runs. It holds no state of a run: what is missing is asked from the store, so resuming a run is starting
// it again.
type Runner struct {
	Store       Store
	Providers   rag.Providers
	Indexes     *rag.Indexes
	Now         func() time.Time
	Owner       string                                                    // names this process
	Concurrency int                                                       // questions in flight at the same time
	Every       func(time.Duration) (ticks <-chan time.Time, stop func()) // ticks of heartbeats; nil uses the system's clock
	Progress    func(Progress)                                            // called after every commit; may be nil
	Gather      time.Duration                                             // that a result which has finished waits for others
	Log         func(message string, args ...any)                         // for what a run survives; may be nil
	Analysts    map[Kind]OpenAnalyst                                      // work the runs that look into others
	// new child runs may repeat calls whose reply never came, even where a system is asked at most once
	Repeat bool
	// KeepAnswers has replicates judge again what a system elsewhere answered in the parent, since it may be another one by now.
	KeepAnswers bool
}

// Progress says how far a run is.
type Progress struct {
	Run   Run
	Done  int // questions with every cell settled
	Total int
}

// Create stores a run of this setup in state Queued, without working it.
func (r *Runner) Create(ctx context.Context, run Run, questions []Question) (Run, error) {
	ids := make([]string, len(questions))
	for i, q := range questions {
		ids[i] = q.ID
	}
	run.SetupDigest = run.Setup.Digest()
	run.State = Queued
	run.CreatedAt = r.Now()
	run, err := r.Store.CreateRun(ctx, run, ids)
	if err == nil {
		r.event(ctx, run.ID, EventCreated, map[string]any{"questions": len(ids)})
	}
	return run, err
}

// Work does what is missing in a run and finishes it. When ctx ends, somebody asks for it, or a provider refuses every call,
// the run is put down with everything kept, and Work returns why.
func (r *Runner) Work(ctx context.Context, id string) (Run, error) { return r.WorkUntil(ctx, id, nil) }

// WorkUntil is Work that also ends, with the run paused, when stop closes: the questions in flight are brought to their end
// first, whereas the end of ctx breaks them off.
func (r *Runner) WorkUntil(ctx context.Context, id string, stop <-chan struct{}) (Run, error) {
	now := r.Now()
	run, err := r.Store.ClaimRun(ctx, id, r.Owner, now, now.Add(-StaleAfter))
	if err != nil {
		return Run{}, err
	}
	r.event(ctx, run.ID, EventStarted, map[string]any{"owner": r.Owner})
	watched, w := r.Watch(ctx, run.ID, stop)
	err = r.work(watched, run, w.Stop())
	if told := w.End(); told != nil {
		err = told
	}
	if problem.CodeOf(err) == "run_lost" {
		return run, err
	}
	if err != nil {
		return run, r.Stop(ctx, run, err)
	}
	return r.Finish(context.WithoutCancel(ctx), run) // nothing is missing: an interruption comes too late
}

func (r *Runner) work(ctx context.Context, run Run, stop <-chan struct{}) error {
	missing, err := r.Store.Missing(ctx, run.ID)
	if err != nil || len(missing) == 0 {
		return err
	}
	session, err := r.Open(ctx, run, len(missing), false)
	if err != nil {
		return err
	}
	defer session.Close()
	return session.Work(ctx, missing, stop)
}

// The causes of a run that stopped without an error.
const (
	causeUser        = "user"
	causeInterrupted = "interrupted"
	causeBudget      = "budget"
)

// stopped says that somebody asked for the run to stop.
type stopped struct {
	to    RunState
	cause string
}

func (s *stopped) Error() string { return "the run was asked to stop: " + string(s.to) }

// Asked is the error with which [Runner.Stop] puts down a run that somebody asked to become to.
func Asked(to RunState) error { return &stopped{to: to, cause: causeUser} }

// Stop puts a run of this owner down safely because of err, and returns what the caller should show: why, and how to go on.
func (r *Runner) Stop(ctx context.Context, run Run, err error) error {
	to, cause := stopFor(ctx, err)
	// The run must be put down even though ctx has ended.
	if stopErr := r.Store.StopRun(context.WithoutCancel(ctx), run.ID, r.Owner, to, cause, r.Now()); stopErr != nil {
		return errors.Join(stopErr, err) // the first says what the run is
	}
	kind := EventPaused
	if to == Cancelled {
		kind = EventCancelled
	}
	why := WhyStopped(run, to, cause, err)
	r.event(ctx, run.ID, kind, map[string]any{"cause": cause, "message": problem.From(why).Message})
	return why
}

// WhyStopped is what to show of a run that became Paused or Cancelled with a cause; err may say more.
func WhyStopped(run Run, to RunState, cause string, err error) error {
	if err != nil && problem.CodeOf(err) != "internal" && to != Cancelled {
		return err
	}
	said := ""
	if e, ofModel := errors.AsType[*llm.Error](err); ofModel {
		said = ": " + e.Message
	}
	p := problem.New(problem.Incomplete, "run_"+string(to), "run %s is %s (%s%s); everything done so far is stored", run.ID, to, cause, said).
		With("run_id", run.ID).With("cause", cause)
	if err != nil {
		p = p.Because(err)
	}
	if to == Cancelled {
		return p.WithHint("it is over; `workbench runs show %s` shows what it has", run.ID)
	}
	return p.WithHint("workbench runs resume %s", run.ID)
}

// stopFor decides what a run becomes because of err, and the cause it keeps.
func stopFor(ctx context.Context, err error) (to RunState, cause string) {
	if asked, ok := errors.AsType[*stopped](err); ok {
		return asked.to, asked.cause
	}
	code := problem.CodeOf(err)
	switch {
	case code == "run_cancelled": // the ledger heard of it first
		return Cancelled, causeUser
	case ctx.Err() != nil:
		return Paused, causeInterrupted
	case code == "budget_spent":
		return Paused, causeBudget
	case code != "internal":
		return Paused, code
	}
	return Paused, llm.CauseOf(err)
}

// Finish recomputes the totals of a run of this owner from its stored cells and closes it.
func (r *Runner) Finish(ctx context.Context, run Run) (Run, error) {
	results, err := r.Store.Results(ctx, run.ID)
	if err != nil {
		return run, err
	}
	return r.FinishWith(ctx, run, Total(results, run.Setup.LowRule()), Chain(results))
}

// FinishWith closes a run of this owner with these totals and this chain.
func (r *Runner) FinishWith(ctx context.Context, run Run, totals Totals, chain string) (Run, error) {
	if err := r.Store.FinishRun(ctx, run.ID, r.Owner, totals, chain, r.Now()); err != nil {
		return run, err
	}
	r.event(ctx, run.ID, EventFinished, map[string]any{"totals": totals})
	return r.Store.Run(ctx, run.ID)
}

func (r *Runner) log(message string, args ...any) {
	if r.Log != nil {
		r.Log(message, args...)
	}
}
