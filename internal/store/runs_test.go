package store

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/records"
)

func TestCreateRun(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		given := experiments.Run{
			Kind: experiments.KindEvaluate, Setup: setup("a"), CreatedAt: at(0), Budget: experiments.Budget{Micros: 9},
			Params: []experiments.Param{{Name: "chunk.size", Value: 400}},
		}
		run, err := s.CreateRun(ctx, given, []string{"q2", "q1"})
		ok(t, err)
		want := given
		want.ID, want.SetupDigest, want.State = records.RunID("evaluate", given.Setup.Digest(), 0), given.Setup.Digest(), experiments.Queued
		diff(t, want, run)
		diff(t, want, must[experiments.Run](t)(s.Run(ctx, run.ID)))
		diff(t, []string{"q2", "q1"}, must[[]string](t)(s.Missing(ctx, run.ID)))
		diff(t, []experiments.Result{pendingResult("q2"), pendingResult("q1")}, must[[]experiments.Result](t)(s.Results(ctx, run.ID)))

		again, err := s.CreateRun(ctx, given, []string{"q2", "q1"})
		ok(t, err)
		if again.ID != records.RunID("evaluate", given.Setup.Digest(), 1) {
			t.Errorf("the second run of a setup has the id %s", again.ID)
		}
		sweep, err := s.CreateRun(ctx, experiments.Run{Kind: experiments.KindSweep, Setup: setup("a"), CreatedAt: at(0)}, nil)
		ok(t, err)
		if n := len(must[[]experiments.Result](t)(s.Results(ctx, sweep.ID))); n != 0 {
			t.Errorf("a sweep has %d results; want none", n)
		}
		diff(t, []string{}, must[[]string](t)(s.Missing(ctx, sweep.ID)))
	})
}

// TestRunID pins the rule, so that the same work has the same id in every fresh store for ever.
func TestRunID(t *testing.T) {
	t.Parallel()
	for n, want := range []string{"6df6ac853822", "9b5c5da7107e"} {
		if got := records.RunID("evaluate", "abc", n); got != want {
			t.Errorf("run %d has the id %s; want %s", n, got, want)
		}
	}
}

func TestCreateRunRefusals(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		base := experiments.Run{Kind: experiments.KindEvaluate, Setup: setup("a"), CreatedAt: at(0)}
		try := func(change func(*experiments.Run), questions ...string) error {
			r := base
			change(&r)
			_, err := s.CreateRun(ctx, r, questions)
			return err
		}
		wantProblem(t, try(func(r *experiments.Run) { r.ParentID = "ffffffffffff" }), problem.NotFound, "run_unknown")
		wantProblem(t, try(func(r *experiments.Run) { r.SweepID = "ffffffffffff" }), problem.NotFound, "run_unknown")
		wantProblem(t, try(func(r *experiments.Run) { r.Setup.Suite = nil }, "q"), problem.Invalid, "suite_empty")
		wantProblem(t, try(func(*experiments.Run) {}, "q", "q"), problem.Invalid, "question_twice")
		wantProblem(t, try(func(r *experiments.Run) { r.CreatedAt = time.Time{} }), problem.Internal, "run_incomplete")
		if runs := must[[]experiments.Run](t)(s.Runs(ctx, experiments.RunFilter{})); len(runs) != 0 {
			t.Errorf("%d refused runs were stored", len(runs))
		}
	})
}

func TestConcurrentCreateRun(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		const n = 8
		stores := []*Store{d.open(t), d.open(t)}
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				if _, err := stores[i%2].CreateRun(t.Context(),
					experiments.Run{Kind: experiments.KindEvaluate, Setup: setup("a"), CreatedAt: at(0)}, []string{"q"}); err != nil {
					t.Errorf("create: %v", err)
				}
			})
		}
		wg.Wait()
		digest := setup("a").Digest()
		for i := range n {
			if _, err := stores[0].Run(t.Context(), records.RunID("evaluate", digest, i)); err != nil {
				t.Errorf("run %d: %v", i, err)
			}
		}
	})
}

func TestRunPrefix(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		for i, id := range []string{"abc100000000", "abc200000000", "abd000000000"} {
			row := must[records.RunRow](t)(records.ToRunRow(experiments.Run{ID: id, CreatedAt: at(i)}))
			ok(t, s.Read(ctx).Create(&row).Error)
		}
		for prefix, want := range map[string]string{"abc1": "abc100000000", "ABD": "abd000000000", "abc200000000": "abc200000000",
			" abd ": "abd000000000"} {
			if got := must[experiments.Run](t)(s.Run(ctx, prefix)).ID; got != want {
				t.Errorf("%q found %s; want %s", prefix, got, want)
			}
		}
		for _, prefix := range []string{"", "x", "abc1000000001", "ab%", "ab_1", "日本"} {
			_, err := s.Run(ctx, prefix)
			wantProblem(t, err, problem.NotFound, "run_unknown")
		}
		_, err := s.Run(ctx, "abc")
		wantProblem(t, err, problem.Invalid, "run_ambiguous")
		diff(t, []string{"abc200000000", "abc100000000"}, problem.From(err).Params["ids"])
	})
}

func TestRunsOrderAndFilter(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		create := func(kind experiments.Kind, seed, sweep string, second int) experiments.Run {
			t.Helper()
			r, err := s.CreateRun(ctx, experiments.Run{Kind: kind, Setup: setup(seed), SweepID: sweep, CreatedAt: at(second)}, nil)
			ok(t, err)
			return r
		}
		old := create(experiments.KindEvaluate, "a", "", 0)
		sweep := create(experiments.KindSweep, "b", "", 5)
		one, two := create(experiments.KindEvaluate, "b", sweep.ID, 5), create(experiments.KindEvaluate, "b", sweep.ID, 5)
		_, err := s.ClaimRun(ctx, two.ID, "me", at(6), at(0))
		ok(t, err)
		for _, c := range []struct {
			filter experiments.RunFilter
			want   []experiments.Run
		}{
			{experiments.RunFilter{}, []experiments.Run{two, one, sweep, old}},
			{experiments.RunFilter{Limit: 2}, []experiments.Run{two, one}},
			{experiments.RunFilter{SweepID: sweep.ID}, []experiments.Run{two, one}},
			{experiments.RunFilter{Kind: experiments.KindSweep}, []experiments.Run{sweep}},
			{experiments.RunFilter{State: experiments.Running}, []experiments.Run{two}},
			{experiments.RunFilter{Experiment: "exp-a"}, []experiments.Run{old}},
			{experiments.RunFilter{Dataset: "set-b", State: experiments.Queued}, []experiments.Run{one, sweep}},
			{experiments.RunFilter{Dataset: "nothing"}, nil},
			{experiments.RunFilter{IDs: []string{old.ID, two.ID, "abc"}}, []experiments.Run{two, old}},
		} {
			if got, want := ids(must[[]experiments.Run](t)(s.Runs(ctx, c.filter))), ids(c.want); got != want {
				t.Errorf("%+v lists %q; want %q", c.filter, got, want)
			}
		}
	})
}

// TestTimeZones stores times of different zones with nanoseconds: they come back as equal moments in UTC with
// microseconds, and sort as moments.
func TestTimeZones(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		tokyo, york := time.FixedZone("JST", 9*3600), time.FixedZone("EST", -5*3600)
		moments := []time.Time{at(0).Add(123456789).In(tokyo), at(1).In(york), at(2).Add(1500 * time.Microsecond), at(3).
			Add(time.Microsecond).In(tokyo)}
		var want string
		for i, m := range moments {
			r, err := s.CreateRun(ctx, experiments.Run{Kind: experiments.KindEvaluate, Setup: setup(strconv.Itoa(i)), CreatedAt: m}, nil)
			ok(t, err)
			if !r.CreatedAt.Equal(m.Truncate(time.Microsecond)) || r.CreatedAt.Location() != time.UTC {
				t.Errorf("%v came back as %v", m, r.CreatedAt)
			}
			want = r.ID + " " + want
		}
		if got := ids(must[[]experiments.Run](t)(s.Runs(ctx, experiments.RunFilter{}))) + " "; got != want {
			t.Errorf("the order is %s; want %s", got, want)
		}
	})
}

func TestDeleteRun(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		wantProblem(t, s.DeleteRun(ctx, "ffffffffffff"), problem.NotFound, "run_unknown")

		run := running(t, s, "a")
		res, stages := result("q1", "yes", 4)
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{res}, stages, at(2)))
		ok(t, s.Begin(ctx, call("c1", run.ID, 0)))
		ok(t, s.Read(ctx).Exec("INSERT INTO events (run_id, seq, kind, body, at) VALUES (?, 1, 'started', '{}', ?)", run.ID, at(1)).Error)
		wantProblem(t, s.DeleteRun(ctx, run.ID), problem.Conflict, "run_running")
		ok(t, s.FinishRun(ctx, run.ID, "me", experiments.Totals{}, "", at(3)))
		ok(t, s.SetBaseline(ctx, experiments.Baseline{Dataset: "faq", RunID: run.ID, SetAt: at(0)}))
		wantProblem(t, s.DeleteRun(ctx, run.ID), problem.Conflict, "run_baseline")
		ok(t, s.ClearBaseline(ctx, "faq"))
		child, err := s.CreateRun(ctx, experiments.Run{Kind: experiments.KindVerify, ParentID: run.ID, Setup: setup("a"), CreatedAt: at(4)},
			[]string{"q1"})
		ok(t, err)
		wantProblem(t, s.DeleteRun(ctx, run.ID), problem.Conflict, "run_has_children")
		ok(t, s.DeleteRun(ctx, child.ID))
		ok(t, s.DeleteRun(ctx, run.ID))

		_, err = s.Run(ctx, run.ID)
		wantProblem(t, err, problem.NotFound, "run_unknown")
		for table, want := range map[string]int64{"runs": 0, "cells": 0, "answers": 0, "events": 0, "calls": 1, "stages": 2} {
			var n int64
			ok(t, s.Read(ctx).Table(table).Count(&n).Error)
			if n != want {
				t.Errorf("%d rows in %s; want %d", n, table, want)
			}
		}
		if bill := must[experiments.Spending](t)(s.Spent(ctx, run.ID)); bill.Calls != 1 {
			t.Errorf("the bill of the deleted run has %d calls; want 1", bill.Calls)
		}
		if again := queued(t, s, "a"); again.ID == run.ID {
			t.Error("the id of a run with a bill was given again")
		}
	})
}

func TestDeleteSweep(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		sweep, err := s.CreateRun(ctx, experiments.Run{Kind: experiments.KindSweep, Setup: setup("a"), CreatedAt: at(0)}, nil)
		ok(t, err)
		part, err := s.CreateRun(ctx, experiments.Run{Kind: experiments.KindEvaluate, SweepID: sweep.ID, Setup: setup("a"),
			CreatedAt: at(0)}, []string{"q1"})
		ok(t, err)
		other := queued(t, s, "b")
		_, err = s.ClaimRun(ctx, part.ID, "me", at(1), at(0))
		ok(t, err)
		wantProblem(t, s.DeleteRun(ctx, sweep.ID), problem.Conflict, "run_running")
		ok(t, s.StopRun(ctx, part.ID, "me", experiments.Cancelled, "user", at(2)))
		ok(t, s.DeleteRun(ctx, sweep.ID))
		if got := ids(must[[]experiments.Run](t)(s.Runs(ctx, experiments.RunFilter{}))); got != other.ID {
			t.Errorf("left are %q; want %q", got, other.ID)
		}
	})
}

// TestUnknownRun asks every method for a run that is not there.
func TestUnknownRun(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx, id := d.open(t), t.Context(), "ffffffffffff"
		_, claim := s.ClaimRun(ctx, id, "me", at(0), at(0))
		_, beat := s.Heartbeat(ctx, id, "me", at(0))
		_, missing := s.Missing(ctx, id)
		_, results := s.Results(ctx, id)
		_, spent := s.Spent(ctx, id)
		for _, err := range []error{
			claim, beat, missing, results, spent,
			s.RequestState(ctx, id, experiments.Paused, at(0)),
			s.StopRun(ctx, id, "me", experiments.Paused, "", at(0)),
			s.SaveResults(ctx, id, nil, []rag.Stage{}, at(0)),
			s.FinishRun(ctx, id, "me", experiments.Totals{}, "", at(0)),
			s.Begin(ctx, call("c", id, 0)),
		} {
			wantProblem(t, err, problem.NotFound, "run_unknown")
		}
	})
}

// TestChildren: what belongs to runs is told in the order it was begun, of those that are asked for alone.
func TestChildren(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		parent, other := created(t, s, experiments.Run{}, "parent"), created(t, s, experiments.Run{}, "other")
		first := created(t, s, experiments.Run{ParentID: parent, CreatedAt: at(5)}, "first")
		second := created(t, s, experiments.Run{ParentID: parent, CreatedAt: at(6)}, "second")
		created(t, s, experiments.Run{ParentID: other}, "not asked for")
		got := must[[]records.RunLink](t)(s.Children(t.Context(), []string{parent, first}))
		diff(t, []records.RunLink{{RunID: first, ParentID: parent, State: experiments.Queued},
			{RunID: second, ParentID: parent, State: experiments.Queued}}, got)
		diff(t, []records.RunLink(nil), must[[]records.RunLink](t)(s.Children(t.Context(), nil)))
	})
}
