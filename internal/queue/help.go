package queue

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
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
	hurry := make(chan struct{})
	served := make(chan error, 1)
	go func() { served <- s.Serve(serving, hurry) }()
	run, err = s.follow(ctx, run, served)
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
	if n := len(events); n > 0 && events[n-1].Kind == experiments.EventPaused && json.Unmarshal(events[n-1].Body, &body) == nil && body.Message != "" {
		why = errors.New(body.Message)
	}
	return experiments.WhyStopped(*run, run.State, run.Cause, why)
}
