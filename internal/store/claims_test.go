package store

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestRunLife(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := queued(t, s, "a")
		claimed, err := s.ClaimRun(ctx, run.ID, "me", at(1), at(0))
		ok(t, err)
		if claimed.State != experiments.Running || claimed.StartedAt == nil || !claimed.StartedAt.Equal(at(1)) {
			t.Errorf("claimed run is %s, started %v", claimed.State, claimed.StartedAt)
		}
		for _, owner := range []string{"other", "me"} {
			_, err = s.ClaimRun(ctx, run.ID, owner, at(2), at(1)) // seen at 1: not before 1
			wantProblem(t, err, problem.Conflict, "run_state")
			if p := problem.From(err); p.Params["seconds"] != 1 || !strings.Contains(p.Hint, "killed, the run can be gone on with in about 1 seconds") {
				t.Errorf("hint %q, %v", p.Hint, p.Params)
			}
		}
		if state := must[experiments.RunState](t)(s.Heartbeat(ctx, run.ID, "me", at(5))); state != experiments.Running {
			t.Errorf("heartbeat says %s", state)
		}
		_, err = s.ClaimRun(ctx, run.ID, "other", at(6), at(5))
		wantProblem(t, err, problem.Conflict, "run_state")
		_, err = s.ClaimRun(ctx, run.ID, "other", at(7), at(6)) // stale now
		ok(t, err)
		_, err = s.Heartbeat(ctx, run.ID, "me", at(8))
		wantProblem(t, err, problem.Conflict, "run_lost")
		wantProblem(t, s.StopRun(ctx, run.ID, "me", experiments.Paused, "budget", at(8)), problem.Conflict, "run_lost")
		wantProblem(t, s.FinishRun(ctx, run.ID, "me", experiments.Totals{}, "", at(8)), problem.Conflict, "run_lost")

		ok(t, s.StopRun(ctx, run.ID, "other", experiments.Paused, "budget", at(9)))
		paused := must[experiments.Run](t)(s.Run(ctx, run.ID))
		if paused.State != experiments.Paused || paused.Cause != "budget" || paused.FinishedAt != nil {
			t.Errorf("paused run is %s because of %q, finished %v", paused.State, paused.Cause, paused.FinishedAt)
		}
		resumed, err := s.ClaimRun(ctx, run.ID, "me", at(10), at(0))
		ok(t, err)
		if resumed.Cause != "" || !resumed.StartedAt.Equal(at(1)) {
			t.Errorf("resumed run has cause %q and started %v; want none and the first start", resumed.Cause, resumed.StartedAt)
		}
		totals := filled1[experiments.Totals]()
		ok(t, s.FinishRun(ctx, run.ID, "me", totals, "chain", at(11)))
		want, finished := resumed, at(11)
		want.State, want.FinishedAt, want.Totals, want.Chain = experiments.Finished, &finished, &totals, "chain"
		diff(t, want, must[experiments.Run](t)(s.Run(ctx, run.ID)))
		_, err = s.ClaimRun(ctx, run.ID, "me", at(99), at(98))
		wantProblem(t, err, problem.Conflict, "run_state")
		wantProblem(t, s.RequestState(ctx, run.ID, experiments.Cancelled, at(12)), problem.Conflict, "run_state")
	})
}

func TestRequestState(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		state := func(id string) experiments.RunState {
			t.Helper()
			return must[experiments.Run](t)(s.Run(ctx, id)).State
		}
		wantProblem(t, s.RequestState(ctx, "ffffffffffff", experiments.Finished, at(0)), problem.Invalid, "run_state_wanted")

		run := running(t, s, "a")
		for _, step := range []struct{ ask, heartbeat experiments.RunState }{
			{experiments.Paused, experiments.Paused}, {experiments.Cancelled, experiments.Cancelled},
			{experiments.Paused, experiments.Cancelled},
		} {
			ok(t, s.RequestState(ctx, run.ID, step.ask, at(2)))
			if got := must[experiments.RunState](t)(s.Heartbeat(ctx, run.ID, "me", at(3))); got != step.heartbeat ||
				state(run.ID) != experiments.Running {
				t.Errorf("after asking for %s the heartbeat says %s; want %s", step.ask, got, step.heartbeat)
			}
		}
		// The owner dies. Whoever takes over is told at once.
		_, err := s.ClaimRun(ctx, run.ID, "other", at(9), at(4))
		ok(t, err)
		if got := must[experiments.RunState](t)(s.Heartbeat(ctx, run.ID, "other", at(10))); got != experiments.Cancelled {
			t.Errorf("the new owner is told %s; want cancelled", got)
		}
		ok(t, s.StopRun(ctx, run.ID, "other", experiments.Cancelled, "user", at(11)))
		if stopped := must[experiments.Run](t)(s.Run(ctx, run.ID)); stopped.FinishedAt == nil || !stopped.FinishedAt.Equal(at(11)) {
			t.Errorf("the cancelled run finished at %v", stopped.FinishedAt)
		}

		waiting := queued(t, s, "b")
		ok(t, s.RequestState(ctx, waiting.ID, experiments.Paused, at(2)))
		ok(t, s.RequestState(ctx, waiting.ID, experiments.Paused, at(2)))
		if state(waiting.ID) != experiments.Paused {
			t.Errorf("a queued run that was paused is %s", state(waiting.ID))
		}
		ok(t, s.RequestState(ctx, waiting.ID, experiments.Cancelled, at(3)))
		over := must[experiments.Run](t)(s.Run(ctx, waiting.ID))
		if over.State != experiments.Cancelled || over.FinishedAt == nil || over.Cause != "user" {
			t.Errorf("a paused run that was cancelled is %+v", over)
		}
		wantProblem(t, s.StopRun(ctx, waiting.ID, "me", experiments.Queued, "", at(3)), problem.Internal, "run_state_wanted")
	})
}

// TestClaimRace lets many owners in two stores claim one run: exactly one gets it.
func TestClaimRace(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		stores := []*Store{d.open(t), d.open(t)}
		run := queued(t, stores[0], "a")
		var winners, losers atomic.Int64
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				_, err := stores[i%2].ClaimRun(t.Context(), run.ID, fmt.Sprint("owner ", i), at(1), at(0))
				switch {
				case err == nil:
					winners.Add(1)
				case problem.Is(err, problem.Conflict):
					losers.Add(1)
				default:
					t.Errorf("claim: %v", err)
				}
			})
		}
		wg.Wait()
		if winners.Load() != 1 || losers.Load() != 11 {
			t.Errorf("%d owners got the run and %d did not; want 1 and 11", winners.Load(), losers.Load())
		}
	})
}

// TestRecoverRuns pauses what a dead process left running, and nothing else.
func TestRecoverRuns(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		left, working := running(t, s, "a").ID, running(t, s, "b").ID
		ok(t, s.Read(ctx).Exec("UPDATE runs SET owner = 'dead' WHERE id = ?", left).Error)
		alive := func(owner string) bool { return owner != "dead" }
		if n := must[int](t)(s.RecoverRuns(ctx, alive)); n != 1 {
			t.Errorf("%d runs recovered; want 1", n)
		}
		if r := must[experiments.Run](t)(s.Run(ctx, left)); r.State != experiments.Paused || r.Cause != "interrupted" {
			t.Errorf("left run = %s (%s)", r.State, r.Cause)
		}
		if r := must[experiments.Run](t)(s.Run(ctx, working)); r.State != experiments.Running {
			t.Errorf("working run = %s", r.State)
		}
		_, err := s.ClaimRun(ctx, left, "me", at(3), at(0))
		ok(t, err)
	})
}
