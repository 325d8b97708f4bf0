// Package queue hands the questions of a run to those who work them.
//
// On SQLite a run has one owner, and [Queue] works it in this process, question by question. On PostgreSQL the questions are
// cut into batches, each batch is a job of River, and every process that serves the queue, on any host, works the batches of
// all runs. One conformance suite runs on both.
//
// # Batches
//
// A batch is at most 20 questions and begins no further one after two minutes: what is left of it then goes back to the queue.
// Jobs carry only the number of their batch. What a batch still has to do is asked from the store each time, and the first
// writer of a cell wins, so a batch may be worked twice without harm; what was bought is in the ledger and is not bought twice.
// A run moves to Running and gets its batches and jobs in one transaction.
//
// # Workers that die
//
// A worker renews its claim on a batch every 5 seconds. A batch whose worker has been silent for 45 seconds, by the clock of the
// database, is given to another one: any process that serves the queue looks for such batches every 5 seconds, so none of them
// has to be a leader. A frozen worker that wakes finds its claim gone and breaks off; what it has bought is banked, and what it
// has finished is saved where nobody was faster. Workers speak for a run under an owner that only this submission of the run
// has, so a job of an earlier one does nothing. River's own rescue, after 15 minutes, is only a net below that.
//
// # The end of a run
//
// Whoever settles the last question finishes the run; the store lets one win. A failure that every further question would meet
// pauses the run for all workers, and so does the wish of a user: each process that has the run open asks for its state every
// second, begins no further question and brings those in flight to their end, while the ledger refuses the calls of a
// cancelled run.
package queue

import (
	"context"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
)

// Queue works runs.
type Queue interface {
	// Submit hands a queued or paused run to whoever serves the queue. A run that was submitted already stays as it is. Conflict
	// when another process owns it or it is over.
	Submit(ctx context.Context, runID string) error
	// Work submits the run, helps to work it, and returns when it has stopped: the finished run, or why it is not finished. When
	// ctx ends the run is paused for everybody.
	Work(ctx context.Context, runID string) (experiments.Run, error)
	// Serve works what is submitted until ctx ends. Then it begins no further question, brings those in flight to their end and
	// returns nil; when hurry, which may be nil, closes before that, it breaks them off.
	Serve(ctx context.Context, hurry <-chan struct{}) error
	// Close lets go of connections. It ends no Serve.
	Close()
}

// Options say who works and with what.
type Options struct {
	Store     *store.Store
	DSN       string                                      // address of the PostgreSQL database; not used on SQLite
	Owner     string                                      // names this process
	Runner    func(experiments.Setup) *experiments.Runner // the engine for a setup
	Questions int                                         // most questions in flight in this process, in all runs
	Now       func() time.Time
	Every     func(time.Duration) (<-chan time.Time, func()) // ticks and what ends them; nil uses the system's clock
	Progress  func(experiments.Progress)                     // how far the run of Work is; may be nil
	Log       func(message string, args ...any)              // what the queue survives; may be nil
}

// Open returns the queue that belongs to the store's engine. On PostgreSQL it connects, and creates River's tables and its own
// as needed.
func Open(ctx context.Context, o Options) (Queue, error) {
	if o.Store.Engine() == store.PostgreSQL {
		return openShared(ctx, o)
	}
	return newLocal(o), nil
}

func (o Options) every(d time.Duration) (<-chan time.Time, func()) {
	if o.Every != nil {
		return o.Every(d)
	}
	t := time.NewTicker(d)
	return t.C, t.Stop
}

func (o Options) log(message string, args ...any) {
	if o.Log != nil {
		o.Log(message, args...)
	}
}

// over is the Conflict of a run that cannot be submitted.
func over(run experiments.Run) error {
	return problem.New(problem.Conflict, "run_state", "run %s is %s; it cannot be started", run.ID, run.State).
		With("run", run.ID).With("state", run.State).WithHint("it is over and will not change again; start a new run")
}
