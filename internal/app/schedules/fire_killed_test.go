package schedules_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// dying is the store of a process that dies before it keeps a fire for the nth time; 0 does not.
type dying struct {
	experiments.ScheduleStore
	nth  *int
	dies func()
}

func (d dying) PutFire(ctx context.Context, f experiments.Fire) (bool, error) {
	if *d.nth == 1 {
		d.dies()
		return false, errors.New("killed")
	}
	*d.nth--
	return d.ScheduleStore.PutFire(ctx, f)
}

// death is a moment in the life of a fire: a request to the provider, or what is kept of the fire.
type death struct{ request, kept int }

// TestAFireKilledAtAnyMomentIsNotAccused kills the process of a fire while the system is asked (up to request 20), while the judge judges
// answers of the baseline again (to 40), and before each time that the fire is kept: the last is behind the workbook. Another process goes
// on, and neither before nor after that does the doctor find or note anything. WORKBENCH_SLOW_TESTS=1 takes every moment.
func TestAFireKilledAtAnyMomentIsNotAccused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("works many databases")
	}
	moments := []death{{request: 30}, {kept: 2}, {kept: 3}}
	if os.Getenv("WORKBENCH_SLOW_TESTS") == "1" {
		moments = []death{{kept: 1}, {kept: 2}, {kept: 3}}
		for n := 1; n <= 40; n++ {
			moments = append(moments, death{request: n})
		}
	}
	for _, one := range moments {
		t.Run(fmt.Sprint("sqlite", one), func(t *testing.T) { t.Parallel(); diesAt(t, "", one) })
	}
	for _, one := range []death{{request: 30}, {kept: 3}} {
		t.Run(fmt.Sprint("postgres", one), func(t *testing.T) {
			t.Parallel()
			pgtest.Need(t)
			diesAt(t, apptest.Postgres(t), one)
		})
	}
}

func diesAt(t *testing.T, database string, at death) {
	t.Helper()
	d := apptest.NewDoubtIn(t, database, 20, 0)
	if _, err := d.SetBaseline(t.Context(), d.Evaluate(t, "production", "writer-1").ID); err != nil {
		t.Fatal(err)
	}
	k := weekly.New(t, d.Workbench, schedules.ScheduleOrder{Experiment: "production"})
	s, err := schedules.Schedule(t.Context(), k.Workbench, "weekly")
	if err != nil {
		t.Fatal(err)
	}
	k.Clock.Set(s.NextAt.Add(7 * time.Second))
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	victim := *d.World
	victim.OpenAgain(t, database)
	victim.Options.Now = k.Clock.Now
	victim.Owner = host + ":4194305:dead" // no process has a number so high
	victim.Providers.Owner = victim.Owner
	died := false
	die := sync.OnceFunc(func() { died = true; _ = victim.Whole.Close() })
	asked, lives := 0, d.Provider
	d.Provider = fakeprovider.New(fakeprovider.Options{Key: d.Env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		d.Mutex.Lock()
		if asked++; asked == at.request {
			die()
		}
		d.Mutex.Unlock()
		return d.Answer(r)
	}})
	doomed := schedules.NewScheduler(victim.Workbench, schedules.SchedulerOptions{Version: "test", Log: func(string, ...any) {}})
	agree := func(context.Context, time.Time) (time.Duration, error) { return 0, nil }
	doomed.Skew = agree // the test's clock is not that of the database
	doomed.Worker, doomed.Store = "dead", dying{victim.Whole, &at.kept, die}
	if err := doomed.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	doomed.Wait()
	if !died {
		fires, err := k.Whole.Fires(t.Context(), experiments.FireList{Schedule: "weekly"})
		t.Fatalf("nobody died in %d requests: %+v %v", asked, fires, err)
	}
	d.Provider = lives
	look := func(when string) {
		r, err := checkup.Check(t.Context(), checkup.Of(d.Workbench, "test"))
		// On PostgreSQL this place has no data directory, and so no key that vouches for anything.
		r.Notes = slices.DeleteFunc(r.Notes, func(n doctor.Finding) bool { return database != "" && n.Invariant == "mark" })
		if err != nil || len(r.Findings)+len(r.Notes) > 0 {
			t.Errorf("%s: %v, %+v", when, err, r)
		}
	}
	look("killed")
	next := schedules.NewScheduler(d.Workbench, schedules.SchedulerOptions{Version: "test", Log: func(string, ...any) {}})
	next.Worker, next.Skew = "elsewhere:1", agree
	k.Clock.Add(5 * time.Minute)
	if err := next.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	next.Wait()
	fires, err := k.Whole.Fires(t.Context(), experiments.FireList{Schedule: "weekly"})
	if err != nil || len(fires) != 1 || fires[0].State != experiments.FireRan || fires[0].Anchors == "" {
		t.Fatalf("%+v %v", fires, err)
	}
	look("gone on with")
}
