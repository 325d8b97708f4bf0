package queue

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

func TestWorkFinishesARun(t *testing.T) {
	t.Parallel()
	onEach(t, 25, func(t *testing.T, w *world) {
		a := w.create(t)
		direct := experiments.Runner{Store: w.store, Providers: providers{&gate{}}, Indexes: rag.NewIndexes(1), Now: time.Now,
			Owner: "direct", Concurrency: 1}
		want, err := direct.Work(t.Context(), a.ID)
		if err != nil {
			t.Fatal(err)
		}
		m := w.join(t, nil)
		got, err := m.Work(t.Context(), w.create(t).ID)
		if err != nil {
			t.Fatal(err)
		}
		w.checkWhole(t, got.ID)
		if diff := cmp.Diff(want.Totals, got.Totals); diff != "" || want.Chain != got.Chain {
			t.Errorf("worked by the queue, totals differ (-direct +queue) or the chain does:\n%s", diff)
		}
		if err := m.Submit(t.Context(), got.ID); !problem.Is(err, problem.Conflict) {
			t.Errorf("a finished run is submitted: %v", err)
		}
		if err := m.Submit(t.Context(), "ffffffffffff"); !problem.Is(err, problem.NotFound) {
			t.Errorf("an unknown run is submitted: %v", err)
		}
	})
}

func TestServeWorksWhatIsSubmitted(t *testing.T) {
	t.Parallel()
	onEach(t, 12, func(t *testing.T, w *world) {
		m := w.join(t, nil)
		first, second := w.create(t), w.create(t)
		for _, id := range []string{first.ID, first.ID, second.ID} {
			if err := m.Submit(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		stop := m.serve(t)
		for _, r := range []experiments.Run{first, second} {
			until(t, "run "+r.ID+" finished", func() bool { return w.state(t, r.ID) == experiments.Finished })
			w.checkWhole(t, r.ID)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// hold is a gate that lets the first n answers through and holds the others until open is called.
func hold(n int) (g *gate, open func()) {
	opened := make(chan struct{})
	passed := make(chan struct{}, n)
	return &gate{on: func(ctx context.Context, _ string) error {
		select {
		case passed <- struct{}{}:
			return nil
		default:
		}
		select {
		case <-opened:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}, func() { close(opened) }
}

func TestCancelReachesWorkersWithinTwoSeconds(t *testing.T) {
	t.Parallel()
	onEach(t, 40, func(t *testing.T, w *world) {
		g, open := hold(6)
		m := w.join(t, g)
		m.serve(t)
		run := w.create(t)
		if err := m.Submit(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		until(t, "some answers and others held", func() bool { return g.count() >= 10 })
		if err := w.store.RequestState(t.Context(), run.ID, experiments.Cancelled, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // a heartbeat at the pace of users; twenty at that of the tests
		begun := g.count()
		open()
		until(t, "run cancelled", func() bool { return w.state(t, run.ID) == experiments.Cancelled })
		if got := g.count(); got != begun {
			t.Errorf("%d questions were begun after the run was cancelled", got-begun)
		}
		until(t, "what was in flight saved", func() bool {
			missing, err := w.store.Missing(t.Context(), run.ID)
			return err == nil && len(missing) == len(w.questions)-begun
		})
		events := w.events(t, run.ID)
		if last := events[len(events)-1]; last.Kind != experiments.EventCancelled && last.Kind != experiments.EventProgress {
			t.Errorf("last event is %s", last.Kind)
		}
		if err := m.Submit(t.Context(), run.ID); !problem.Is(err, problem.Conflict) {
			t.Errorf("a cancelled run is submitted: %v", err)
		}
	})
}

func TestPauseAndGoOn(t *testing.T) {
	t.Parallel()
	onEach(t, 30, func(t *testing.T, w *world) {
		g, open := hold(5)
		m := w.join(t, g)
		m.serve(t)
		run := w.create(t)
		if err := m.Submit(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		until(t, "some answers", func() bool { return g.count() >= 9 })
		if err := w.store.RequestState(t.Context(), run.ID, experiments.Paused, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		open()
		until(t, "run paused", func() bool { return w.state(t, run.ID) == experiments.Paused })
		if cause := w.run(t, run.ID).Cause; cause != "user" {
			t.Errorf("cause is %q", cause)
		}
		until(t, "what was in flight saved", func() bool {
			missing, err := w.store.Missing(t.Context(), run.ID)
			return err == nil && len(missing) == len(w.questions)-g.count()
		})
		if err := m.Submit(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		until(t, "run finished", func() bool { return w.state(t, run.ID) == experiments.Finished })
		w.checkWhole(t, run.ID)
		for id, n := range g.asked {
			if n != 1 {
				t.Errorf("question %s was asked %d times", id, n)
			}
		}
	})
}

// TestGracefulStop checks that a worker that is told to stop begins nothing, ends what it has begun, and leaves the rest to
// the next one.
func TestGracefulStop(t *testing.T) {
	t.Parallel()
	onEach(t, 30, func(t *testing.T, w *world) {
		g, open := hold(5)
		m := w.join(t, g)
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- m.Serve(ctx, nil) }()
		run := w.create(t)
		if err := m.Submit(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		until(t, "some answers", func() bool { return g.count() >= 9 })
		stop()
		time.Sleep(time.Second)
		begun := g.count()
		open()
		if err := <-served; err != nil {
			t.Fatal(err)
		}
		missing, err := w.store.Missing(t.Context(), run.ID)
		if err != nil || len(missing) != len(w.questions)-begun {
			t.Errorf("%d questions begun, %d of %d missing (%v)", begun, len(missing), len(w.questions), err)
		}
		next := w.join(t, nil)
		if _, err := next.Work(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		w.checkWhole(t, run.ID)
		if again := g.count() + next.gate.count() - len(w.questions); again != 0 {
			t.Errorf("%d answers were asked for twice", again)
		}
	})
}

func TestFatalErrorPausesTheRunForAll(t *testing.T) {
	t.Parallel()
	onEach(t, 30, func(t *testing.T, w *world) {
		bad := &gate{on: func(_ context.Context, question string) error {
			if question > "q010" {
				return &llm.Error{Cause: llm.CauseAuth, Message: "the key is not accepted"}
			}
			return nil
		}}
		m := w.join(t, bad)
		run := w.create(t)
		_, err := m.Work(t.Context(), run.ID)
		if p, ok := errors.AsType[*problem.Problem](err); !ok || p.Kind != problem.Incomplete || p.Params["cause"] != llm.CauseAuth {
			t.Fatalf("Work returned %v", err)
		}
		if got := w.run(t, run.ID); got.State != experiments.Paused || got.Cause != llm.CauseAuth {
			t.Errorf("run is %s (%s)", got.State, got.Cause)
		}
		if _, err := w.join(t, nil).Work(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		w.checkWhole(t, run.ID)
	})
}

func TestPanicIsOneQuestionsFailure(t *testing.T) {
	t.Parallel()
	onEach(t, 12, func(t *testing.T, w *world) {
		m := w.join(t, &gate{on: func(_ context.Context, question string) error {
			if question == "q003" {
				panic("a bug in a metric")
			}
			return nil
		}})
		run, err := m.Work(t.Context(), w.create(t).ID)
		if err != nil {
			t.Fatal(err)
		}
		w.checkWhole(t, run.ID)
		if n := run.Totals.Errors["internal"]; n != len(run.Setup.Suite) {
			t.Errorf("errors are %v; want the %d cells of one question", run.Totals.Errors, len(run.Setup.Suite))
		}
	})
}

func TestInterruptedWorkPausesTheRun(t *testing.T) {
	t.Parallel()
	onEach(t, 30, func(t *testing.T, w *world) {
		g, _ := hold(7)
		m := w.join(t, g)
		run := w.create(t)
		ctx, interrupt := context.WithCancel(t.Context())
		go func() {
			for g.count() < 9 {
				time.Sleep(5 * time.Millisecond)
			}
			interrupt()
		}()
		_, err := m.Work(ctx, run.ID)
		if p := problem.From(err); p.Kind != problem.Incomplete || p.Hint == "" {
			t.Fatalf("Work returned %v", err)
		}
		if got := w.run(t, run.ID); got.State != experiments.Paused || got.Cause != "interrupted" {
			t.Errorf("run is %s (%s)", got.State, got.Cause)
		}
		if _, err := w.join(t, nil).Work(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		w.checkWhole(t, run.ID)
	})
}

// TestSlowQuestionHoldsUpNoOther holds one question until every other one is saved.
func TestSlowQuestionHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	onEach(t, 60, func(t *testing.T, w *world) {
		release := make(chan struct{})
		m := w.join(t, &gate{on: func(ctx context.Context, question string) error {
			if question != "q000" {
				return nil
			}
			select {
			case <-release:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
		m.serve(t)
		run := w.create(t)
		if err := m.Submit(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		until(t, "all but one saved", func() bool {
			missing, err := w.store.Missing(t.Context(), run.ID)
			return err == nil && len(missing) == 1 && missing[0] == "q000"
		})
		close(release)
		until(t, "run finished", func() bool { return w.state(t, run.ID) == experiments.Finished })
		w.checkWhole(t, run.ID)
	})
}
