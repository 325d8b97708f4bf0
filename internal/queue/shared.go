package queue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// What River does by itself. Batches end long before: these are nets below the queue's own claims.
const (
	jobTimeout  = 10 * time.Minute
	rescueAfter = 15 * time.Minute
	retryAfter  = 3 * time.Second // a job that met an error, such as a database that restarts
	maxAttempts = 1000
)

// drainAtMost is how long Serve waits for the questions in flight when it ends.
const drainAtMost = 90 * time.Second

// connections bounds those of the queue; the store has its own.
const connections = 10

// migrating is the advisory lock under which the queue's table is made.
const migrating = 7_208_104_400_001

// shared is the queue of several processes, on PostgreSQL.
type shared struct {
	Options
	pool     *pgxpool.Pool
	inserter *river.Client[pgx.Tx]
	sessions *sessions
	claims   claims
}

func openShared(ctx context.Context, o Options) (*shared, error) {
	config, err := pgxpool.ParseConfig(o.DSN)
	if err != nil { // pgx leaves the password out of its message
		return nil, problem.New(problem.Invalid, "database_address", "the database URL is not understood").Because(err).
			WithHint("write it as postgres://user:password@host:5432/database")
	}
	config.MaxConns = connections
	config.ConnConfig.RuntimeParams["application_name"] = "workbench queue"
	// A process that freezes in the middle of a transaction keeps its locks; the server ends that transaction for the others.
	config.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "20s"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect the queue: %w", err)
	}
	s := &shared{Options: o, pool: pool}
	s.sessions = newSessions(s)
	if err := s.migrate(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	if s.inserter, err = river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: s.logger(), MaxAttempts: maxAttempts}); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	return s, nil
}

// migrate makes River's tables and the queue's, one process at a time.
func (s *shared) migrate(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrating)); err != nil {
			return err
		}
		migrator, err := rivermigrate.New(riverpgxv5.New(s.pool), &rivermigrate.Config{Logger: s.logger()})
		if err != nil {
			return err
		}
		// Each version in a transaction of its own: a value added to an enumeration cannot be used before it is committed.
		if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, schema)
		return err
	})
	if err != nil {
		return fmt.Errorf("create the tables of the queue: %w", err)
	}
	return nil
}

// Submit implements [Queue].
func (s *shared) Submit(ctx context.Context, runID string) error {
	_, _, err := s.submit(ctx, runID)
	return err
}

func (s *shared) submit(ctx context.Context, runID string) (experiments.Run, string, error) {
	run, err := s.Store.Run(ctx, runID)
	if err != nil {
		return run, "", err
	}
	now := s.Now()
	return s.Store.SubmitRun(ctx, run.ID, now, now.Add(-experiments.StaleAfter),
		func(ctx context.Context, tx pgx.Tx, owner string, missing []string) error {
			return s.enqueue(ctx, tx, run.ID, owner, missing)
		})
}

// Close implements [Queue].
func (s *shared) Close() { s.pool.Close() }

// worker works River's jobs.
type worker struct {
	river.WorkerDefaults[job]
	queue *shared
	stop  <-chan struct{}
}

// Work works one batch.
func (w *worker) Work(ctx context.Context, j *river.Job[job]) error {
	again, err := w.queue.work(ctx, j.Args.Batch, w.stop)
	if err == nil && again {
		return river.JobSnooze(0)
	}
	return err
}

// NextRetry is when a job that met an error is tried again.
func (s *shared) NextRetry(*rivertype.JobRow) time.Time { return s.Now().Add(retryAfter) }

// Serve implements [Queue].
func (s *shared) Serve(ctx context.Context, hurry <-chan struct{}) error {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{queue: s, stop: ctx.Done()})
	client, err := river.NewClient(riverpgxv5.New(s.pool), &river.Config{
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: s.jobs()}},
		Workers: workers, Logger: s.logger(), RetryPolicy: s, MaxAttempts: maxAttempts,
		JobTimeout: jobTimeout, RescueStuckJobsAfter: rescueAfter, FetchPollInterval: time.Second,
	})
	if err != nil {
		return fmt.Errorf("serve the queue: %w", err)
	}
	below := context.WithoutCancel(ctx)
	if err := client.Start(below); err != nil {
		return fmt.Errorf("serve the queue: %w", err)
	}
	ticks, stopTicks := s.every(claimBeat)
	defer stopTicks()
	for open := true; open; {
		select {
		case <-ctx.Done():
			open = false
		case <-hurry:
			open = false
		case <-ticks:
			s.look(ctx)
		}
	}
	return s.drain(below, client, hurry)
}

// drain stops fetching, lets the batches come to rest, and closes the sessions.
func (s *shared) drain(ctx context.Context, client *river.Client[pgx.Tx], hurry <-chan struct{}) error {
	soft, cancel := context.WithTimeout(ctx, drainAtMost)
	defer cancel()
	defer hurried(hurry, cancel)()
	err := client.Stop(soft)
	if err != nil {
		err = client.StopAndCancel(ctx)
	}
	s.sessions.closeIdle(0)
	if err != nil {
		return fmt.Errorf("stop serving the queue: %w", err)
	}
	return nil
}

// jobs is how many batches this process works at the same time: enough to keep its questions in flight while one of them comes
// to its end, and not many more, so that other workers find something to do.
func (s *shared) jobs() int { return (s.Questions+batchAtLeast-1)/batchAtLeast + 1 }

// look gives the batches of silent workers to others and finishes runs that nobody finished.
func (s *shared) look(ctx context.Context) {
	found, err := s.takeOver(ctx)
	if err != nil && ctx.Err() == nil {
		s.log("look for silent workers", "error", err)
	}
	for _, a := range found {
		from := processOf(a.worker)
		if from != "" {
			// Its calls are possibly spent; replies it banked are read by whoever asks the same.
			if _, err := s.Store.RecoverCalls(ctx, func(owner string) bool { return owner != from }); err != nil {
				s.log("recover the calls of "+from, "error", err)
			}
		}
		s.event(ctx, a.run, experiments.EventTakenOver, map[string]any{"from": from, "owner": s.Owner, "questions": a.questions})
	}
	lost, err := s.orphans(ctx)
	if err != nil && ctx.Err() == nil {
		s.log("look for runs without batches", "error", err)
	}
	for id, owner := range lost {
		if err := s.settle(ctx, id, owner); err != nil && ctx.Err() == nil {
			s.log("finish run "+id, "error", err)
		}
	}
}

// event adds to the history of a run, which decides nothing.
func (s *shared) event(ctx context.Context, id string, kind experiments.EventKind, body map[string]any) {
	if err := appendEvent(ctx, s.Store, experiments.Event{RunID: id, Kind: kind, At: s.Now()}, body); err != nil {
		s.log("event "+string(kind)+" of run "+id+" is not stored", "error", err)
	}
}

// logger passes on what River reports as errors.
func (s *shared) logger() *slog.Logger { return slog.New(logs{s.log}) }
