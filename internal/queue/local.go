package queue

import (
	"context"
	"sync"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// local works one run after the other in this process.
type local struct {
	Options
	mu      sync.Mutex
	waiting []string
	more    chan struct{} // holds one when something may be waiting
}

func newLocal(o Options) *local { return &local{Options: o, more: make(chan struct{}, 1)} }

// Submit implements [Queue].
func (l *local) Submit(ctx context.Context, runID string) error {
	run, err := l.Store.Run(ctx, runID)
	if err != nil {
		return err
	}
	switch run.State {
	case experiments.Finished, experiments.Cancelled, experiments.Failed:
		return over(run)
	case experiments.Queued, experiments.Paused, experiments.Running:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range l.waiting {
		if id == run.ID {
			return nil
		}
	}
	l.waiting = append(l.waiting, run.ID)
	select {
	case l.more <- struct{}{}:
	default:
	}
	return nil
}

// Work implements [Queue].
func (l *local) Work(ctx context.Context, runID string) (experiments.Run, error) {
	return l.work(ctx, runID, nil)
}

func (l *local) work(ctx context.Context, runID string, stop <-chan struct{}) (experiments.Run, error) {
	run, err := l.Store.Run(ctx, runID)
	if err != nil {
		return run, err
	}
	runner := l.Runner(run.Setup)
	runner.Progress = l.Progress
	return runner.WorkUntil(ctx, run.ID, stop)
}

// Serve implements [Queue].
func (l *local) Serve(ctx context.Context, hurry <-chan struct{}) error {
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer hurried(hurry, cancel)()
	for {
		id, ok := l.next(ctx)
		if !ok {
			return nil
		}
		if _, err := l.work(working, id, ctx.Done()); err != nil {
			l.log("run "+id+" stopped", "error", err)
		}
	}
}

// next waits for a submitted run; false when ctx ends.
func (l *local) next(ctx context.Context) (string, bool) {
	for ctx.Err() == nil {
		l.mu.Lock()
		if len(l.waiting) > 0 {
			id := l.waiting[0]
			l.waiting = l.waiting[1:]
			l.mu.Unlock()
			return id, true
		}
		l.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-l.more:
		}
	}
	return "", false
}

// Close implements [Queue].
func (*local) Close() {}

// hurried cancels as soon as there is a hurry, until the function that it returns is called.
func hurried(hurry <-chan struct{}, cancel context.CancelFunc) (end func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-hurry:
			cancel()
		case <-done:
		}
	}()
	return func() { close(done) }
}
