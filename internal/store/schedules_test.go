package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

func aSchedule(name string) experiments.Schedule {
	return experiments.Schedule{
		Name: name, Experiment: "faq", Params: []string{}, Cron: "0 6 * * 1", Zone: "Asia/Tokyo", CatchUp: experiments.CatchUpLatest,
		Overlap: experiments.OverlapQueue,
		Window:  6 * time.Hour, Budget: experiments.Budget{Calls: 500}, Monthly: experiments.Budget{Micros: 20e6}, PauseAfter: 3,
		Notify: []string{"ops"}, Ping: "beat", Lang: "ja", NextAt: at(100), CreatedAt: at(1),
	}
}

func TestSchedulesAreKept(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		want := aSchedule("weekly")
		ok(t, s.PutSchedule(ctx, want))
		if diff := cmp.Diff(want, must[experiments.Schedule](t)(s.Schedule(ctx, "weekly"))); diff != "" {
			t.Error(diff)
		}
		want.Cron, want.Paused, want.PausedWhy = "@daily", true, "so"
		ok(t, s.PutSchedule(ctx, want))
		ok(t, s.PutSchedule(ctx, aSchedule("a")))
		all := must[[]experiments.Schedule](t)(s.Schedules(ctx))
		if diff := cmp.Diff([]experiments.Schedule{aSchedule("a"), want}, all); diff != "" {
			t.Error(diff)
		}
		if must[bool](t)(s.PauseSchedule(ctx, "weekly", "again", time.Time{})) {
			t.Error("a paused schedule was paused")
		}
		if !must[bool](t)(s.PauseSchedule(ctx, "weekly", "", at(200))) {
			t.Error("it did not go on")
		}
		if got := must[experiments.Schedule](t)(s.Schedule(ctx, "weekly")); got.Paused || got.PausedWhy != "" ||
			!got.NextAt.Equal(at(200)) {
			t.Errorf("after it went on: %+v", got)
		}
		ok(t, s.RemoveSchedule(ctx, "weekly"))
		for _, err := range []error{s.RemoveSchedule(ctx, "weekly"), second(s.Schedule(ctx, "weekly"))} {
			if !problem.Is(err, problem.NotFound) {
				t.Errorf("after it was removed: %v", err)
			}
		}
		if !must[time.Time](t)(s.SeenAt(ctx)).IsZero() {
			t.Error("a scheduler was seen")
		}
		ok(t, s.SetSeenAt(ctx, at(5)))
		ok(t, s.SetSeenAt(ctx, at(6)))
		if got := must[time.Time](t)(s.SeenAt(ctx)); !got.Equal(at(6)) {
			t.Errorf("seen at %s", got)
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestASlotIsClaimedOnce(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		one, other, ctx := d.open(t), d.open(t), t.Context()
		ok(t, one.PutSchedule(ctx, aSchedule("w")))
		missed, due := timetable.NewFire("w", at(100), experiments.FireMissed), timetable.NewFire("w", at(110), experiments.FireDue)
		missed.Reason, missed.FinishedAt = "down", at(111)
		slots := []experiments.Fire{missed, due}
		if !must[bool](t)(one.ClaimSlots(ctx, "w", at(100), at(120), slots)) {
			t.Error("the first claim failed")
		}
		if must[bool](t)(other.ClaimSlots(ctx, "w", at(100), at(120), slots)) {
			t.Error("the second claim succeeded")
		}
		// A server whose clock was turned back, or another database of the same name: the unique pair holds.
		late := due
		late.State, late.Reason = experiments.FireMissed, "late"
		if !must[bool](t)(other.ClaimSlots(ctx, "w", at(120), at(130),
			[]experiments.Fire{missed, late, timetable.NewFire("w", at(120), experiments.FireDue)})) {
			t.Error("the third claim failed")
		}
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(one.Check(ctx)))
		if must[bool](t)(other.AddFire(ctx, due)) {
			t.Error("a slot was added twice")
		}
		fires := must[[]experiments.Fire](t)(one.Fires(ctx, experiments.FireList{Schedule: "w"}))
		if diff := cmp.Diff([]experiments.Fire{timetable.NewFire("w", at(120), experiments.FireDue), due, missed}, fires); diff != "" {
			t.Error(diff)
		}
		_ = must[bool](t)(one.PauseSchedule(ctx, "w", "so", time.Time{}))
		if must[bool](t)(one.ClaimSlots(ctx, "w", at(130), at(140), nil)) {
			t.Error("a paused schedule was claimed")
		}
	})
}

func TestAFireIsWorkedByOne(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		f := timetable.NewFire("w", at(100), experiments.FireDue)
		_ = must[bool](t)(s.AddFire(ctx, f))
		if !must[bool](t)(s.TakeFire(ctx, f.ID, "a", at(101), at(90))) || must[bool](t)(s.TakeFire(ctx, f.ID, "b", at(102), at(100))) {
			t.Error("a must take it and b must not")
		}
		held, cancel, err := s.BeatFire(ctx, f.ID, "a", at(103))
		if !held || cancel || err != nil {
			t.Errorf("beat of a: %t %t %v", held, cancel, err)
		}
		f = must[experiments.Fire](t)(s.Fire(ctx, f.ID))
		f.RunID, f.Calls = "r1", 7
		if !must[bool](t)(s.PutFire(ctx, f)) {
			t.Error("a cannot store what it holds")
		}
		if !must[bool](t)(s.TakeFire(ctx, f.ID, "b", at(120), at(110))) {
			t.Error("b must take what a silent worker held")
		}
		if held, _, _ := s.BeatFire(ctx, f.ID, "a", at(121)); held || must[bool](t)(s.PutFire(ctx, f)) {
			t.Error("a has lost it")
		}
		got := must[experiments.Fire](t)(s.Fire(ctx, f.ID))
		if !got.StartedAt.Equal(at(101)) || got.RunID != "r1" || got.Calls != 7 || got.Worker != "b" {
			t.Errorf("what b took over: %+v", got)
		}
		ok(t, s.CancelFire(ctx, f.ID, "the next came", "n", at(122)))
		if _, cancel, _ := s.BeatFire(ctx, f.ID, "b", at(123)); !cancel {
			t.Error("b does not hear that it is to end")
		}
		if must[bool](t)(s.EndFire(ctx, f.ID, experiments.FireMissed, "late", "", at(124))) {
			t.Error("a running fire was ended as if nobody had taken it")
		}
		got.State, got.FinishedAt = experiments.FireRan, at(130)
		if !must[bool](t)(s.PutFire(ctx, got)) || must[bool](t)(s.PutFire(ctx, got)) {
			t.Error("a fire ends once")
		}
		if open := must[[]experiments.Fire](t)(s.OpenFires(ctx, "")); len(open) != 0 {
			t.Errorf("open: %+v", open)
		}
	})
}

func TestDueFiresEnd(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		late, cancelled := timetable.NewFire("w", at(100), experiments.FireDue), timetable.NewFire("v", at(100), experiments.FireDue)
		_, _ = must[bool](t)(s.AddFire(ctx, late)), must[bool](t)(s.AddFire(ctx, cancelled))
		if !must[bool](t)(s.EndFire(ctx, late.ID, experiments.FireMissed, "late", "", at(200))) {
			t.Error("it was not ended")
		}
		ok(t, s.CancelFire(ctx, cancelled.ID, "another", late.ID, at(200)))
		got := must[experiments.Fire](t)(s.Fire(ctx, cancelled.ID))
		if got.State != experiments.FireSkipped || got.Blocker != late.ID || got.Reason != "another" || !got.FinishedAt.Equal(at(200)) {
			t.Errorf("cancelled before it began: %+v", got)
		}
		if must[bool](t)(s.TakeFire(ctx, late.ID, "a", at(201), at(201))) {
			t.Error("what has ended was taken")
		}
	})
}

// TestAFireThatEndedIsSealed changes each figure that an ended fire tells, and its state, where the row says it: the doctor finds each, and
// nothing while the fire is under way.
func TestAFireThatEndedIsSealed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		f := filled1[experiments.Fire]()
		f.State, f.RunID, f.Worker, f.SeenAt, f.Cancel = experiments.FireDue, "", "", time.Time{}, false
		f.Baseline, f.Previous, f.Anchors, f.ID = "", "", "", timetable.FireID(f.Schedule, f.NominalAt)
		must[bool](t)(s.AddFire(ctx, f))
		clean := func() { diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(ctx))) }
		clean()
		must[bool](t)(s.TakeFire(ctx, f.ID, "me", at(1), at(0)))
		clean()
		f.State, f.Worker = experiments.FireFailed, "me"
		if !must[bool](t)(s.PutFire(ctx, f)) {
			t.Fatal("it was not stored")
		}
		clean()
		ok(t, s.Read(ctx).Exec("DELETE FROM seals WHERE kind IN ('fires', 'runs_seq')").Error) // as an older program left it
		ok(t, s.Read(ctx).Exec("DELETE FROM goose_db_version WHERE version_id = ?", sealingMore).Error)
		_, err := must[*goose.Provider](t)(migratorOf(s.DB).provider()).ApplyVersion(ctx, sealingMore, true)
		ok(t, err)
		clean()
		m := &mutating{t: t, s: s, tables: must[[]contents.Table](t)(s.tables(ctx))}
		var row struct{ Body string }
		ok(t, s.Read(ctx).Raw("SELECT body FROM fires").Scan(&row).Error)
		body := must[map[string]any](t)(sqldb.DecodeJSON[map[string]any]("fire", row.Body))
		for name, was := range body {
			body[name] = "forged"
			forged := must[string](t)(sqldb.EncodeJSON(body))
			body[name] = was
			found := m.after([]string{"UPDATE fires SET body = '" + strings.ReplaceAll(forged, "'", "''") + "' WHERE id = '" + f.ID + "'"})
			if !slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.Invariant == "seal" }) {
				t.Errorf("%s of a fire was changed, and nobody tells: %v", name, found)
			}
		}
		for _, statement := range []string{"UPDATE fires SET state = 'ran'", "UPDATE fires SET state = 'due'", "DELETE FROM fires"} {
			found := slices.DeleteFunc(m.after([]string{statement}), func(f doctor.Finding) bool { return f.Invariant == "body" })
			if len(found) != 1 || found[0].Invariant != "seal" {
				t.Errorf("%s: found are %v", statement, found)
			}
		}
	})
}
