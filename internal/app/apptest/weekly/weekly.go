// Package weekly lets weeks go by for the tests of schedules.
package weekly

import (
	"context"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Weeks is a scheduler over the real use cases, and a clock that jumps from Monday to Monday.
type Weeks struct {
	*app.Workbench
	*schedules.Scheduler
	Clock *apptest.Watch
	Told  []experiments.Fire
}

// New registers the schedule "weekly" of a data folder, due every Monday at six in Tokyo.
func New(t *testing.T, w *app.Workbench, o schedules.ScheduleOrder) *Weeks {
	t.Helper()
	k := &Weeks{Workbench: w, Clock: &apptest.Watch{Time: time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)}}
	w.Options.Now = k.Clock.Now
	w.Options.Sleep = func(context.Context, time.Duration) error { return nil }
	o.Name, o.Cron, o.Zone = "weekly", "0 6 * * 1", "Asia/Tokyo"
	if _, err := schedules.PutSchedule(t.Context(), w, o, ""); err != nil {
		t.Fatal(err)
	}
	k.Scheduler = schedules.NewScheduler(w, schedules.SchedulerOptions{Version: "test",
		Log: func(m string, args ...any) { t.Log(m, args) }})
	k.Scheduler.Notify = func(_ context.Context, _ experiments.Schedule, f experiments.Fire) error {
		k.Told = append(k.Told, f)
		return nil
	}
	return k
}

// Fire brings the next Monday and returns what its fire found.
func (k *Weeks) Fire(t *testing.T) experiments.Fire {
	t.Helper()
	s, err := schedules.Schedule(t.Context(), k.Workbench, "weekly")
	if err != nil {
		t.Fatal(err)
	}
	k.Clock.Set(s.NextAt.Add(7 * time.Second))
	for range 3 { // a tick more finds nothing
		if err := k.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.Wait()
	}
	fires, err := k.Whole.Fires(t.Context(), experiments.FireList{Schedule: "weekly", Limit: 1})
	if err != nil || len(fires) != 1 || !fires[0].NominalAt.Equal(s.NextAt) {
		t.Fatalf("the fire of %s: %+v %v", s.NextAt, fires, err)
	}
	return fires[0]
}

// Quiet demands a fire that has nothing to say.
func Quiet(t *testing.T, f experiments.Fire) {
	t.Helper()
	if f.State != experiments.FireRan || len(f.Worse)+len(f.NewlyWorse)+len(f.Since) > 0 || f.Drift != "" || f.Gate == "FAIL" ||
		f.Reason != "" {
		t.Errorf("%s has something to say: %+v", f.NominalAt.Format(time.DateOnly), f)
	}
}

// Healthy demands a data folder in which the doctor finds nothing.
func Healthy(t *testing.T, w *app.Workbench) {
	t.Helper()
	found, err := w.Whole.Check(t.Context())
	if err != nil || len(found) > 0 {
		t.Errorf("doctor: %+v %v", found, err)
	}
}
