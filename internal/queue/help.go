package queue

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// lookEvery is how often Work looks at how far its run is.
const lookEvery = 200 * time.Millisecond

// Work implements [Queue].
func (s *shared) Work(ctx context.Context, runID string) (experiments.Run, error) {
	run, owner, err := s.submit(ctx, runID)
	if err != nil {
		return run, err
	}
	serving, leave := context.WithCancel(ctx)
	defer leave()
	hurry := make(chan struct{})
	served := make(chan error, 1)
	go func() { served <- s.Serve(serving, hurry) }()
	run, err = s.follow(ctx, run, served)
	if left, ok := errors.AsType[*LeftError](context.Cause(ctx)); ok {
		return run, s.left(run, left, served, hurry)
	}
	if ctx.Err() != nil {
		close(hurry)
		runner := s.Runner(run.Setup)
		runner.Owner = owner
		if err = runner.Stop(ctx, run, ctx.Err()); wasLost(err) {
			err = s.outcome(context.WithoutCancel(ctx), &run)
		}
	}
	leave()
	if serveErr := <-served; err == nil && serveErr != nil && run.State != experiments.Finished {
		err = serveErr
	}
	return run, err
}

// LeftError is the cause with which the context of Work ends when the run is to go on without this process. On PostgreSQL others work
// it then, now or as soon as there are some, and the questions in flight here come to their end until Hurry closes. A queue in one
// process knows no others: there it pauses the run as any end of the context does.
type LeftError struct{ Hurry <-chan struct{} }

// Error makes a LeftError an error.
func (*LeftError) Error() string { return "the run goes on without this process" }

// left ends this process's part in a run that goes on.
func (s *shared) left(run experiments.Run, left *LeftError, served chan error, hurry chan struct{}) error {
	var err error
	select {
	case err = <-served:
	case <-left.Hurry:
		close(hurry)
		err = <-served
	}
	if err != nil {
		return err
	}
	return problem.New(problem.Incomplete, "run_left", "run %s goes on without this process", run.ID).With("run_id", run.ID).
		WithHint("`workbench runs show %s` says how far it is; `workbench worker` helps", run.ID)
}

// follow waits until the run has stopped and tells how far it is meanwhile. A Serve that ends by itself is a failure.
func (s *shared) follow(ctx context.Context, run experiments.Run, served chan error) (experiments.Run, error) {
	ticks, stop := s.every(lookEvery)
	defer stop()
	told := int64(0)
	for {
		select {
		case <-ctx.Done():
			return run, ctx.Err()
		case err := <-served:
			served <- nil
			return run, errors.Join(errors.New("the queue is not served any more"), err)
		case <-ticks:
		}
		now, err := s.Store.Run(ctx, run.ID)
		if err != nil {
			if transient(err) || ctx.Err() != nil {
				continue
			}
			return run, err
		}
		run = now
		if told, err = s.tell(ctx, run, told); err != nil && ctx.Err() == nil {
			s.log("progress of run "+run.ID+" is not known", "error", err)
		}
		if run.State != experiments.Running {
			return run, s.outcome(ctx, &run)
		}
	}
}

// tell passes on the newest progress stored after an event, and returns the last event.
func (s *shared) tell(ctx context.Context, run experiments.Run, after int64) (int64, error) {
	if s.Progress == nil {
		return after, nil
	}
	events, err := s.Store.Events(ctx, run.ID, after, 0)
	if err != nil || len(events) == 0 {
		return after, err
	}
	var newest *experiments.Event
	for i, e := range events {
		if e.Kind == experiments.EventProgress {
			newest = &events[i]
		}
	}
	after = events[len(events)-1].Seq
	if newest == nil {
		return after, nil
	}
	var body struct{ Done, Total int }
	if err := json.Unmarshal(newest.Body, &body); err != nil {
		return after, err
	}
	s.Progress(experiments.Progress{Run: run, Done: body.Done, Total: body.Total})
	return after, nil
}

// outcome is what Work returns for a run that has stopped: nil when it is finished, else why it is not.
func (s *shared) outcome(ctx context.Context, run *experiments.Run) error {
	now, err := s.Store.Run(ctx, run.ID)
	if err != nil {
		return err
	}
	*run = now
	if run.State == experiments.Finished {
		return nil
	}
	var why error
	events, err := s.Store.Events(ctx, run.ID, 0, 0)
	if err != nil {
		return err
	}
	var body struct{ Message string }
	if n := len(events); n > 0 && events[n-1].Kind == experiments.EventPaused && json.Unmarshal(events[n-1].Body, &body) == nil &&
		body.Message != "" {
		why = errors.New(body.Message)
	}
	return experiments.WhyStopped(*run, run.State, run.Cause, why)
}
