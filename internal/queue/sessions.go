package queue

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// idleSessions is how many runs stay open without a batch of theirs being worked.
const idleSessions = 2

// session is a run that is open in this process for the batches of one submission.
type session struct {
	run    experiments.Run
	runner *experiments.Runner // owns the run as all workers do
	open   *experiments.Session
	watch  *experiments.Watch
	ctx    context.Context // ends when the run belongs to another submission
	err    error           // why it could not be opened
	ready  chan struct{}   // closed when open or err is set
	users  int
}

// sessions are the open runs of this process.
type sessions struct {
	queue *shared
	mu    sync.Mutex
	open  map[string]*session // by run and owner
	order []string            // keys, the latest used last
}

func newSessions(q *shared) *sessions { return &sessions{queue: q, open: map[string]*session{}} }

// use returns the session of a batch, which the first user opens. Call leave afterwards.
func (s *sessions) use(ctx context.Context, b *batch) (*session, error) {
	key := b.run + "\n" + b.owner
	s.mu.Lock()
	one, known := s.open[key]
	if !known {
		one = &session{ready: make(chan struct{})}
		s.open[key] = one
	}
	one.users++
	s.order = append(slices.DeleteFunc(s.order, func(k string) bool { return k == key }), key)
	s.mu.Unlock()
	if !known {
		s.begin(ctx, one, b)
	}
	select {
	case <-one.ready:
	case <-ctx.Done():
		s.leave(one)
		return nil, ctx.Err()
	}
	if one.err != nil {
		err := one.err
		s.leave(one)
		return nil, err
	}
	return one, nil
}

// begin opens a session; others wait for it, whatever happens.
func (s *sessions) begin(ctx context.Context, one *session, b *batch) {
	one.err = errors.New("opening the run was broken off")
	defer close(one.ready)
	one.err = s.queue.start(context.WithoutCancel(ctx), one, b)
}

// leave says that a batch does not need the session any more.
func (s *sessions) leave(one *session) {
	s.mu.Lock()
	one.users--
	s.mu.Unlock()
	s.closeIdle(idleSessions)
}

// closeIdle closes sessions that nobody uses but the latest ones. One that stopped or could not be opened is never kept.
func (s *sessions) closeIdle(keep int) {
	s.mu.Lock()
	var closing []*session
	idle := 0
	for _, key := range slices.Backward(slices.Clone(s.order)) {
		one := s.open[key]
		if one.users > 0 {
			continue
		}
		if idle++; idle <= keep && one.err == nil && !one.stopped() {
			continue
		}
		delete(s.open, key)
		s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
		closing = append(closing, one)
	}
	s.mu.Unlock()
	for _, one := range closing {
		one.close()
	}
}

func (one *session) stopped() bool {
	if one.watch == nil {
		return true
	}
	select {
	case <-one.watch.Stop():
		return true
	case <-one.ctx.Done():
		return true
	default:
		return false
	}
}

func (one *session) close() {
	if one.open != nil {
		one.open.Close()
	}
	if one.watch != nil {
		_ = one.watch.End() // what it heard was for the batches
	}
}

// start opens the run of a batch. One process after the other, so that an index that costs money is bought by the first and read
// by the others.
func (s *shared) start(ctx context.Context, one *session, b *batch) error {
	var err error
	if one.run, err = s.Store.Run(ctx, b.run); err != nil {
		return err
	}
	one.runner = s.Runner(one.run.Setup)
	one.runner.Owner, one.runner.Progress = b.owner, nil
	one.ctx, one.watch = one.runner.Watch(ctx, b.run, nil)
	missing, err := s.Store.Missing(ctx, b.run)
	if err != nil {
		return err
	}
	//nolint:contextcheck // the session outlives the batch that opened it
	return s.alone(one.ctx, b.run, func() error {
		one.open, err = one.runner.Open(one.ctx, one.run, len(missing), true)
		return err
	})
}

// alone runs f while no other process runs one for the same name. It waits a minute at most: a process that froze in the middle
// keeps its turn, and then f is better run twice than never.
func (s *shared) alone(ctx context.Context, name string, f func() error) error {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // cannot fail
	key := int64(h.Sum64())      // any number will do
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("open a run: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it holds nothing but the lock
	if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '60s'; SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		return fmt.Errorf("open a run: %w", err)
	}
	_, err = tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", key)
	if e, ok := errors.AsType[*pgconn.PgError](err); err != nil && (!ok || e.Code != lockTimeout) {
		return fmt.Errorf("open a run: %w", err)
	}
	return f()
}

// lockTimeout is PostgreSQL's code for a lock that was waited for too long.
const lockTimeout = "55P03"
