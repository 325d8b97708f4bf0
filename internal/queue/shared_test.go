package queue

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestSeveralWorkersShareARun(t *testing.T) {
	t.Parallel()
	crews := []int{2, 3}
	if testing.Short() {
		crews = crews[1:]
	}
	for _, workers := range crews {
		w := onPostgres(t, 100)
		run := w.create(t)
		one, err := w.join(t, nil).Work(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		second := w.create(t)
		crew, meet := make([]member, workers), meeting(workers)
		for i := range crew {
			crew[i] = w.join(t, &gate{on: meet()})
		}
		if err := crew[0].Submit(t.Context(), second.ID); err != nil {
			t.Fatal(err)
		}
		w.exec(t, "DELETE FROM stages") // everything is to be done again; the first run is not looked at any more
		for _, m := range crew {
			m.serve(t)
		}
		until(t, "run finished", func() bool { return w.state(t, second.ID) == experiments.Finished })
		got := w.checkWhole(t, second.ID)
		if diff := cmp.Diff(one.Totals, got.Totals); diff != "" || one.Chain != got.Chain {
			t.Errorf("%d workers, totals differ (-one +many) or the chain does:\n%s", workers, diff)
		}
		asked := 0
		for i, m := range crew {
			asked += m.gate.count()
			if m.gate.count() == 0 {
				t.Errorf("worker %d of %d had nothing to do", i+1, workers)
			}
		}
		if asked != 100 {
			t.Errorf("%d workers asked for %d answers to 100 questions", workers, asked)
		}
	}
}

// meeting makes doors of gates, one for each of n workers: nobody gets an answer before every worker has asked for one.
func meeting(n int) func() func(context.Context, string) error {
	all := make(chan struct{})
	var here sync.WaitGroup
	here.Add(n)
	go func() {
		here.Wait()
		close(all)
	}()
	return func() func(context.Context, string) error {
		var arrive sync.Once
		return func(ctx context.Context, _ string) error {
			arrive.Do(here.Done)
			select {
			case <-all:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// TestDeadWorkerIsReplaced leaves the rows that a killed worker leaves: claims that nobody renews, jobs that River believes to be
// running. One batch was fetched by River and never claimed.
func TestDeadWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 40)
	dead := w.join(t, nil).Queue.(*shared)
	run := w.create(t)
	if err := dead.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	w.exec(t, "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = now() - interval '50 seconds', attempted_by = '{dead}'")
	w.exec(t,
		"UPDATE queue_batches SET worker = 'dead:1#1', seen_at = now() - interval '50 seconds' WHERE id > (SELECT min(id) FROM queue_batches)")
	alive := w.join(t, nil)
	alive.serve(t)
	until(t, "run finished", func() bool { return w.state(t, run.ID) == experiments.Finished })
	w.checkWhole(t, run.ID)
	taken := 0
	for _, e := range w.events(t, run.ID) {
		if e.Kind == experiments.EventTakenOver {
			taken++
		}
	}
	if taken != len(cut(make([]string, 40))) {
		t.Errorf("%d batches were taken over", taken)
	}
	var left int
	w.query(t, "SELECT count(*) FROM queue_batches", &left)
	if left != 0 {
		t.Errorf("%d batches are left", left)
	}
}

// TestLivingWorkerIsLeftAlone checks that a claim that is renewed stays with its worker.
func TestLivingWorkerIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 10)
	g, open := hold(0)
	slow := w.join(t, g)
	slow.serve(t)
	run := w.create(t)
	if err := slow.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	until(t, "questions in flight", func() bool { return g.count() == 4 })
	w.exec(t, "UPDATE queue_batches SET seen_at = now() - interval '44 seconds'") // young enough until the next renewal
	other := w.join(t, nil)
	other.serve(t)
	time.Sleep(600 * time.Millisecond) // two searches at the pace of the tests
	if n := other.gate.count(); n != 0 {
		t.Errorf("another worker took %d questions of a living one", n)
	}
	open()
	until(t, "run finished", func() bool { return w.state(t, run.ID) == experiments.Finished })
	w.checkWhole(t, run.ID)
}

// TestLateWorkerOverwritesNothing lets a worker sleep over its claim, wake after others have finished the run, and save what it
// had in flight.
func TestLateWorkerOverwritesNothing(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 20)
	g, wake := hold(3)
	frozen := w.join(t, g).Queue.(*shared)
	still := make(chan time.Time) // no tick reaches a frozen process
	frozen.Every = func(time.Duration) (<-chan time.Time, func()) { return still, func() {} }
	runner := frozen.Runner
	frozen.Runner = func(s experiments.Setup) *experiments.Runner {
		r := runner(s)
		r.Every = frozen.Every
		return r
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- frozen.Serve(ctx, nil) }()
	run := w.create(t)
	if err := frozen.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	until(t, "questions in flight", func() bool { return g.count() >= 7 })
	w.exec(t, "UPDATE queue_batches SET seen_at = now() - interval '1 minute'")
	other := w.join(t, nil)
	other.serve(t)
	until(t, "run finished by another", func() bool { return w.state(t, run.ID) == experiments.Finished })
	before := w.checkWhole(t, run.ID)
	wake()
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, w.checkWhole(t, run.ID)); diff != "" {
		t.Errorf("the late worker changed the run:\n%s", diff)
	}
}

// TestLateWorkerMayBank lets the frozen worker wake while the run still goes on: what it finished counts where nobody was
// faster, and no cell is written twice.
func TestLateWorkerMayBank(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 20)
	g, wake := hold(0)
	late := w.join(t, g)
	late.serve(t)
	run := w.create(t)
	if err := late.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	until(t, "questions in flight", func() bool { return g.count() >= 4 })
	w.exec(t, "UPDATE queue_batches SET worker = '', seen_at = NULL") // somebody took them over
	other, open := hold(2)
	m := w.join(t, other)
	m.serve(t)
	wake()
	open()
	until(t, "run finished", func() bool { return w.state(t, run.ID) == experiments.Finished })
	w.checkWhole(t, run.ID)
}

// TestSubmitIsAllOrNothing checks that run state, batches and jobs are one transaction, from either side.
func TestSubmitIsAllOrNothing(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 10)
	q := w.join(t, nil).Queue.(*shared)
	run := w.create(t)
	broken := errors.New("broken on purpose")
	_, _, err := q.Store.SubmitRun(t.Context(), run.ID, time.Now(), time.Now(),
		func(ctx context.Context, tx pgx.Tx, owner string, missing []string) error {
			if err := q.enqueue(ctx, tx, run.ID, owner, missing); err != nil {
				return err
			}
			return broken
		})
	if !errors.Is(err, broken) {
		t.Fatalf("SubmitRun returned %v", err)
	}
	var jobs, batches, epoch int
	count := func() {
		t.Helper()
		w.query(t, "SELECT (SELECT count(*) FROM river_job), (SELECT count(*) FROM queue_batches), (SELECT epoch FROM runs)", &jobs,
			&batches, &epoch)
	}
	if count(); jobs != 0 || batches != 0 || epoch != 0 || w.state(t, run.ID) != experiments.Queued {
		t.Errorf("after a rollback: %d jobs, %d batches, epoch %d, run %s", jobs, batches, epoch, w.state(t, run.ID))
	}
	// The commit fails too: jobs are there, but the run is not allowed to become running.
	w.exec(t, "ALTER TABLE runs ADD CONSTRAINT never_running CHECK (state <> 'running')")
	if err := q.Submit(t.Context(), run.ID); err == nil {
		t.Fatal("submitted against the constraint")
	}
	if count(); jobs != 0 || batches != 0 {
		t.Errorf("after a refused update: %d jobs, %d batches", jobs, batches)
	}
	w.exec(t, "ALTER TABLE runs DROP CONSTRAINT never_running")
	if err := q.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if count(); jobs != 1 || batches != 1 || epoch != 1 || w.state(t, run.ID) != experiments.Running {
		t.Errorf("after the commit: %d jobs, %d batches, epoch %d, run %s", jobs, batches, epoch, w.state(t, run.ID))
	}
}

// TestJobOfAnEarlierEpochDoesNothing checks the fence: after a pause and a new submission, jobs of the first one work nothing.
func TestJobOfAnEarlierEpochDoesNothing(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 10)
	q := w.join(t, nil).Queue.(*shared)
	run := w.create(t)
	if err := q.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	var old int64
	w.query(t, "SELECT id FROM queue_batches", &old)
	if err := w.store.RequestState(t.Context(), run.ID, experiments.Paused, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := q.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if again, err := q.work(t.Context(), old, nil); again || err != nil {
		t.Fatalf("work = %v, %v", again, err)
	}
	if missing, err := w.store.Missing(t.Context(), run.ID); err != nil || len(missing) != 10 {
		t.Errorf("the old job settled something: %d missing (%v)", len(missing), err)
	}
	if w.state(t, run.ID) != experiments.Running {
		t.Errorf("the old job made the run %s", w.state(t, run.ID))
	}
	var left int
	w.query(t, "SELECT count(*) FROM queue_batches", &left)
	if left != 1 {
		t.Errorf("%d batches; want that of the new submission", left)
	}
	q.sessions.closeIdle(0)
}

// TestRunIsFinishedWithoutItsLastWorker checks that a run whose last worker died between its last result and the end of the run
// is finished by the next one.
func TestRunIsFinishedWithoutItsLastWorker(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 10)
	m := w.join(t, nil)
	run := w.create(t)
	if err := m.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	w.exec(t, "DELETE FROM queue_batches") // and even without a job, although everything is missing
	m.serve(t)
	until(t, "run finished", func() bool { return w.state(t, run.ID) == experiments.Finished })
	w.checkWhole(t, run.ID)
}

// TestDatabaseRestart cuts every connection of the workers in the middle of a run, twice.
func TestDatabaseRestart(t *testing.T) {
	t.Parallel()
	w := onPostgres(t, 60)
	m := w.join(t, &gate{on: func(context.Context, string) error { time.Sleep(20 * time.Millisecond); return nil }})
	m.serve(t)
	run := w.create(t)
	if err := m.Submit(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{8, 24} {
		until(t, "some answers", func() bool { return m.gate.count() >= n })
		w.exec(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	}
	until(t, "run finished", func() bool {
		r, err := w.store.Run(t.Context(), run.ID)
		if err == nil && r.State == experiments.Paused {
			t.Fatalf("the run was paused: %s", r.Cause)
		}
		return err == nil && r.State == experiments.Finished
	})
	w.checkWhole(t, run.ID)
}

func TestSQLiteHasNoSharedQueue(t *testing.T) {
	t.Parallel()
	onEach(t, 1, func(t *testing.T, w *world) {
		if w.driver != "sqlite" {
			return
		}
		_, _, err := w.store.SubmitRun(t.Context(), w.create(t).ID, time.Now(), time.Now(), nil)
		if problem.CodeOf(err) != "needs_postgresql" {
			t.Errorf("SubmitRun returned %v", err)
		}
	})
}
