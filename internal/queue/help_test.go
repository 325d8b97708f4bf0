package queue

import (
	"context"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestLeftRunGoesOn: a process that leaves a run brings its questions to their end, the run stays with the others, and no question is
// asked twice.
func TestLeftRunGoesOn(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 60)
	slow := func(context.Context, string) error { time.Sleep(10 * time.Millisecond); return nil }
	first, second := w.join(t, &gate{on: slow}), w.join(t, &gate{on: slow})
	run := w.create(t)
	ctx, leave := context.WithCancelCause(t.Context())
	go func() {
		for first.gate.count() < 5 {
			time.Sleep(time.Millisecond)
		}
		leave(&LeftError{})
	}()
	_, err := first.Work(ctx, run.ID)
	if p := problem.From(err); p.Kind != problem.Incomplete || p.Code != "run_left" {
		t.Fatalf("Work returned %v", err)
	}
	if got := w.state(t, run.ID); got != experiments.Running {
		t.Errorf("the run is %s", got)
	}
	second.serve(t)
	until(t, "run finished", func() bool { return w.state(t, run.ID) == experiments.Finished })
	w.checkWhole(t, run.ID)
	if asked := first.gate.count() + second.gate.count(); asked != 60 || second.gate.count() == 0 {
		t.Errorf("asked %d and %d times for answers to 60 questions", first.gate.count(), second.gate.count())
	}
}

// TestLeftRunInAHurry: a question that does not end holds up nobody who is in a hurry, and is asked again by another process.
func TestLeftRunInAHurry(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 10)
	stuck := func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }
	first := w.join(t, &gate{on: stuck})
	run := w.create(t)
	ctx, leave := context.WithCancelCause(t.Context())
	hurry := make(chan struct{})
	go func() {
		for first.gate.count() == 0 {
			time.Sleep(time.Millisecond)
		}
		leave(&LeftError{Hurry: hurry})
		close(hurry)
	}()
	if _, err := first.Work(ctx, run.ID); problem.CodeOf(err) != "run_left" {
		t.Fatalf("Work returned %v", err)
	}
	w.join(t, nil).serve(t)
	until(t, "run finished", func() bool { return w.state(t, run.ID) == experiments.Finished })
	w.checkWhole(t, run.ID)
}
