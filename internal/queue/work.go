package queue

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rag-workbench/workbench/internal/problem"
)

// batchTime is how long a batch begins further questions. What is left then goes back to the queue, behind the batches of other
// runs.
const batchTime = 2 * time.Minute

// work works a batch; again says that something of it is left for later.
func (s *shared) work(ctx context.Context, id int64, stop <-chan struct{}) (again bool, err error) {
	name, mine := s.claims.begin(s.Owner)
	defer s.claims.end(name)
	b, err := s.claim(ctx, id, name, mine)
	if b == nil || err != nil {
		return false, err // somebody else has it
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	halt := make(chan struct{})
	kept := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(kept)
		s.keep(ctx, b, stop, over, halt, cancel)
	}()
	again, err = s.batch(ctx, b, halt)
	close(over)
	<-kept
	if err != nil || again {
		// Whoever comes next need not wait until this claim is old.
		return again, errors.Join(err, s.release(context.WithoutCancel(ctx), b))
	}
	return false, nil
}

// keep renews the claim until over closes. It closes halt when no further question may be begun, and cancels when the claim is
// gone.
func (s *shared) keep(ctx context.Context, b *batch, stop, over <-chan struct{}, halt chan struct{}, cancel func()) {
	ticks, stopTicks := s.every(claimBeat)
	defer stopTicks()
	halted := false
	pause := func() {
		if !halted {
			halted = true
			close(halt)
		}
	}
	for worked := time.Duration(0); ; {
		select {
		case <-over:
			return
		case <-ctx.Done():
			return
		case <-stop:
			stop = nil
			pause()
			continue
		case <-ticks:
		}
		if worked += claimBeat; worked >= batchTime {
			pause()
		}
		mine, err := s.renew(ctx, b)
		if err != nil && ctx.Err() == nil {
			s.log("renew the claim on a batch of run "+b.run, "error", err)
		}
		if !mine {
			cancel()
			return
		}
	}
}

// batch works what is missing of a batch. An error is the database's, and the batch is tried again; what goes wrong with the run
// stops the run.
func (s *shared) batch(ctx context.Context, b *batch, halt <-chan struct{}) (again bool, err error) {
	below := context.WithoutCancel(ctx)
	if gone, err := s.gone(below, b); gone || err != nil {
		return false, err
	}
	one, err := s.sessions.use(ctx, b)
	if err != nil {
		return s.unopened(ctx, b, err)
	}
	defer s.sessions.leave(one)
	missing, err := s.Store.MissingOf(ctx, b.run, b.questions)
	if err != nil {
		return false, err
	}
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(one.ctx, cancel)() //nolint:contextcheck // the session outlives the batch that opened it
	workErr := one.open.Work(working, missing, either(working, halt, one.watch.Stop()))
	if ctx.Err() != nil {
		return true, nil // the claim is gone, or the process ends
	}
	if gone, err := s.gone(below, b); gone || err != nil {
		return false, err
	}
	if transient(workErr) {
		return false, workErr
	}
	if workErr != nil && one.ctx.Err() == nil {
		return false, s.stop(below, one, b, workErr)
	}
	if missing, err = s.Store.MissingOf(below, b.run, b.questions); err != nil || len(missing) > 0 {
		return true, err
	}
	last, err := s.drop(below, b)
	if err != nil || !last {
		return false, err
	}
	return false, s.settle(below, b.run, b.owner)
}

// gone drops a batch whose run has stopped, or was submitted again, or does not exist any more.
func (s *shared) gone(ctx context.Context, b *batch) (bool, error) {
	_, err := s.Store.Heartbeat(ctx, b.run, b.owner, s.Now())
	if !problem.Is(err, problem.Conflict) && !problem.Is(err, problem.NotFound) {
		return false, err
	}
	_, err = s.drop(ctx, b)
	return true, err
}

// either closes when one of two channels does, or ctx ends.
func either(ctx context.Context, a, b <-chan struct{}) <-chan struct{} {
	out := make(chan struct{})
	go func() {
		defer close(out)
		select {
		case <-a:
		case <-b:
		case <-ctx.Done():
		}
	}()
	return out
}

// unopened decides what becomes of a batch whose run could not be opened.
func (s *shared) unopened(ctx context.Context, b *batch, err error) (again bool, _ error) {
	if ctx.Err() != nil {
		return true, nil //nolint:nilerr // the process ends; another one works the batch
	}
	if transient(err) {
		return false, err
	}
	run, readErr := s.Store.Run(ctx, b.run)
	if readErr != nil {
		return false, readErr
	}
	runner := s.Runner(run.Setup)
	runner.Owner = b.owner
	return false, s.stop(ctx, &session{run: run, runner: runner}, b, err)
}

// stop puts the run down for all workers. The first of them wins, and the batch is settled with it.
func (s *shared) stop(ctx context.Context, one *session, b *batch, why error) error {
	why = one.runner.Stop(ctx, one.run, why)
	if !wasLost(why) {
		s.log("run "+b.run+" stopped", "error", why)
	}
	_, err := s.drop(ctx, b)
	return err
}

// wasLost reports whether the run had another owner, or none, by then.
func wasLost(err error) bool { return problem.CodeOf(err) == "run_lost" }

// transient reports whether an error is that of a database that will answer again: it restarts, or gave way to another
// transaction. It says nothing about the run.
func transient(err error) bool {
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Kind == problem.Unavailable && strings.HasPrefix(p.Code, "database_") {
		return true
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code[:2] {
		case "08", "40", "53", "57": // connection, rollback, resources, operator
			return true
		}
	}
	_, refused := errors.AsType[*pgconn.ConnectError](err)
	_, broken := errors.AsType[*net.OpError](err)
	return refused || broken || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

// settle finishes a run whose batches are all gone. Several workers may try at the same time; the store lets one win. Should
// something be missing after all, it gets new batches.
func (s *shared) settle(ctx context.Context, id, owner string) error {
	missing, err := s.Store.Missing(ctx, id)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return s.again(ctx, id, owner, missing)
	}
	run, err := s.Store.Run(ctx, id)
	if err != nil {
		return err
	}
	runner := s.Runner(run.Setup)
	runner.Owner = owner
	if _, err = runner.Finish(ctx, run); wasLost(err) {
		return nil
	}
	return err
}
