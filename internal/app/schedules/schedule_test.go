package schedules_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
)

// stand is a database with a scheduler whose clock and work the test decides.
type stand struct {
	*schedules.Scheduler
	*apptest.Watch
	db   *store.Store
	told []string // what ended, in order
	mu   sync.Mutex
}

var monday = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

func newStand(t *testing.T, db *store.Store, worker string) *stand {
	t.Helper()
	s := &stand{Watch: &apptest.Watch{Time: monday.Add(-time.Hour)}, db: db}
	s.Scheduler = &schedules.Scheduler{
		Store: db, Worker: worker, Now: s.Watch.Now,
		Every: func(time.Duration) (<-chan time.Time, func()) { return make(chan time.Time), func() {} },
		Work: func(context.Context, experiments.Schedule, *experiments.Fire, func(experiments.Fire) error) error {
			return nil
		},
		Notify: func(_ context.Context, schedule experiments.Schedule, f experiments.Fire) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.told = append(s.told, fmt.Sprintf("%s %s paused=%t", f.NominalAt.Format("Jan 2 15:04"), f.State, schedule.Paused))
			return nil
		},
		Log: func(m string, args ...any) { t.Log(m, args) },
	}
	return s
}

func openStore(t *testing.T, path string) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// put stores an hourly schedule whose first slot is Monday at six.
func (s *stand) put(t *testing.T, change func(*experiments.Schedule)) {
	t.Helper()
	schedule := experiments.Schedule{
		Name: "hourly", Experiment: "faq", Params: []string{}, Cron: "0 * * * *", Zone: "UTC", CatchUp: experiments.CatchUpLatest,
		Overlap: experiments.OverlapSkip,
		Window:  24 * time.Hour, PauseAfter: 3, Notify: []string{}, NextAt: monday, CreatedAt: monday.Add(-time.Hour),
	}
	if change != nil {
		change(&schedule)
	}
	if err := s.db.PutSchedule(t.Context(), schedule); err != nil {
		t.Fatal(err)
	}
}

func (s *stand) tick(t *testing.T, ctx context.Context) { //nolint:revive // the test's own context is another
	t.Helper()
	if err := s.Tick(ctx); err != nil {
		t.Fatal(err)
	}
}

// rows are the fires of the schedule as "time state reason", oldest first.
func (s *stand) rows(t *testing.T) []string {
	t.Helper()
	fires, err := s.db.Fires(t.Context(), experiments.FireList{Schedule: "hourly"})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(fires)
	var out []string
	for _, f := range fires {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.NominalAt.Format("02 15:04"), f.State, f.Reason)))
	}
	return out
}

func (s *stand) want(t *testing.T, want ...string) {
	t.Helper()
	if got := s.rows(t); !slices.Equal(got, want) {
		t.Errorf("fires:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSlotsRunAndMissedOnesSayWhy(t *testing.T) {
	t.Parallel()
	s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
	s.put(t, nil)
	s.tick(t, t.Context())
	s.Set(monday.Add(5 * time.Second))
	s.tick(t, t.Context())
	s.Wait()
	s.tick(t, t.Context())
	s.Set(monday.Add(3*time.Hour + time.Minute)) // down for three hours
	s.tick(t, t.Context())
	s.Wait()
	down := "missed down from 2026-03-02 06:00 UTC to 2026-03-02 09:01 UTC; a newer slot is caught up"
	s.want(t, "02 06:00 ran", "02 07:00 "+down, "02 08:00 "+down, "02 09:00 ran")
	if want := []string{"Mar 2 06:00 ran paused=false", "Mar 2 08:00 missed paused=false",
		"Mar 2 09:00 ran paused=false"}; !slices.Equal(s.told, want) {
		t.Errorf("told %v", s.told)
	}
}

// held makes the work of fires wait until the test lets it go.
func (s *stand) held() (begun chan string, release chan error) {
	begun, release = make(chan string, 10), make(chan error)
	s.Work = func(ctx context.Context, _ experiments.Schedule, f *experiments.Fire, save func(experiments.Fire) error) error {
		f.RunID = "run-" + f.NominalAt.Format("1504")
		if err := save(*f); err != nil {
			return err
		}
		begun <- f.RunID
		select {
		case err := <-release:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return begun, release
}

func TestOverlaps(t *testing.T) {
	t.Parallel()
	for policy, want := range map[experiments.Overlap][]string{
		experiments.OverlapSkip: {"02 06:00 ran", "02 07:00 skipped the fire of 2026-03-02 06:00 UTC was still running",
			"02 08:00 skipped the fire of 2026-03-02 06:00 UTC was still running", "02 09:00 ran"},
		experiments.OverlapQueue: {"02 06:00 ran", "02 07:00 ran", "02 08:00 skipped the fire of 2026-03-02 06:00 UTC was still running",
			"02 09:00 ran"},
		experiments.OverlapAllow: {"02 06:00 ran", "02 07:00 ran", "02 08:00 ran", "02 09:00 ran"},
	} {
		t.Run(string(policy), func(t *testing.T) {
			t.Parallel()
			s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
			s.put(t, func(x *experiments.Schedule) { x.Overlap = policy })
			begun, release := s.held()
			for hour := range 3 {
				s.Set(monday.Add(time.Duration(hour)*time.Hour + time.Second))
				s.tick(t, t.Context())
				if hour == 0 || policy == experiments.OverlapAllow {
					<-begun
				}
			}
			close(release)
			s.Wait()
			s.tick(t, t.Context())
			s.Wait()
			s.Set(monday.Add(3 * time.Hour))
			s.tick(t, t.Context())
			s.Wait()
			s.want(t, want...)
		})
	}
}

func TestOverlapCancels(t *testing.T) {
	t.Parallel()
	s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
	beats := make(chan time.Time)
	s.Every = func(time.Duration) (<-chan time.Time, func()) { return beats, func() {} }
	s.put(t, func(x *experiments.Schedule) { x.Overlap = experiments.OverlapCancel })
	begun, release := s.held()
	s.Set(monday)
	s.tick(t, t.Context())
	<-begun
	s.Set(monday.Add(time.Hour))
	s.tick(t, t.Context())
	beats <- s.Watch.Now()
	s.Wait()
	s.tick(t, t.Context())
	<-begun
	close(release)
	s.Wait()
	s.want(t, "02 06:00 skipped it was cancelled: the next slot came", "02 07:00 ran")
}

// TestAnotherServerTakesOver what a killed one was at, with the run that it had made.
func TestAnotherServerTakesOver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	one, other := newStand(t, openStore(t, path), "a"), newStand(t, openStore(t, path), "b")
	one.put(t, nil)
	begun, _ := one.held()
	one.Set(monday)
	ctx, kill := context.WithCancel(t.Context())
	one.tick(t, ctx)
	<-begun
	one.Store = dead{one.db} // a killed process writes nothing any more
	kill()
	one.Wait()
	takenOver := ""
	other.Work = func(_ context.Context, _ experiments.Schedule, f *experiments.Fire, _ func(experiments.Fire) error) error {
		takenOver = f.RunID
		return nil
	}
	other.Set(monday.Add(time.Minute))
	other.tick(t, t.Context())
	other.Wait()
	if takenOver != "" {
		t.Error("it was taken over although its worker may live")
	}
	other.Add(3 * time.Minute)
	other.tick(t, t.Context())
	other.Wait()
	other.want(t, "02 06:00 ran")
	if takenOver != "run-0600" {
		t.Errorf("taken over with run %q", takenOver)
	}
}

// dead is the store of a process that was killed.
type dead struct{ experiments.ScheduleStore }

func (dead) PutFire(context.Context, experiments.Fire) (bool, error) {
	return false, errors.New("killed")
}

// TestShutdownPutsFiresDown: the next server goes on at once.
func TestShutdownPutsFiresDown(t *testing.T) {
	t.Parallel()
	s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
	s.put(t, nil)
	begun, release := s.held()
	s.Set(monday)
	ctx, stop := context.WithCancel(t.Context())
	s.tick(t, ctx)
	<-begun
	stop()
	s.Wait()
	s.want(t, "02 06:00 due")
	close(release)
	s.Set(monday.Add(30 * 24 * time.Hour)) // begun is begun, however late
	s.put(t, func(x *experiments.Schedule) { x.NextAt = monday.Add(31 * 24 * time.Hour) })
	s.tick(t, t.Context())
	s.Wait()
	s.want(t, "02 06:00 ran")
}

func TestFailuresPause(t *testing.T) {
	t.Parallel()
	s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
	s.put(t, nil)
	s.Work = func(context.Context, experiments.Schedule, *experiments.Fire, func(experiments.Fire) error) error {
		return problem.New(problem.Unavailable, "provider_down", "the provider is down")
	}
	for hour := range 5 {
		s.Set(monday.Add(time.Duration(hour) * time.Hour))
		s.tick(t, t.Context())
		s.Wait()
	}
	failed := "failed the provider is down"
	s.want(t, "02 06:00 "+failed, "02 07:00 "+failed, "02 08:00 "+failed)
	schedule, err := s.db.Schedule(t.Context(), "hourly")
	if err != nil || schedule.PausedWhy != "it failed 3 times in a row; the last time: the provider is down" {
		t.Errorf("%+v %v", schedule, err)
	}
	if want := "Mar 2 08:00 failed paused=true"; len(s.told) != 3 || s.told[2] != want {
		t.Errorf("told %v", s.told)
	}
}

func TestWhatIsGonePausesAtOnce(t *testing.T) {
	t.Parallel()
	s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
	s.put(t, nil)
	s.Work = func(context.Context, experiments.Schedule, *experiments.Fire, func(experiments.Fire) error) error {
		return problem.New(problem.NotFound, "dataset_unknown", "there is no dataset %q", "faq")
	}
	s.Set(monday)
	s.tick(t, t.Context())
	s.Wait()
	s.want(t, `02 06:00 failed there is no dataset "faq"`)
	if schedule, _ := s.db.Schedule(t.Context(), "hourly"); schedule.PausedWhy != `it needs what is not there: there is no dataset "faq"` {
		t.Errorf("%+v", schedule)
	}
}

func TestAPanicIsAFailure(t *testing.T) {
	t.Parallel()
	s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
	s.put(t, nil)
	s.Work = func(context.Context, experiments.Schedule, *experiments.Fire, func(experiments.Fire) error) error {
		panic("oh")
	}
	s.Set(monday)
	s.tick(t, t.Context())
	s.Wait()
	s.want(t, "02 06:00 failed panic in the work of a fire: oh")
}

// TestClockJumps: back by an hour, forward by a day, and to 1970.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
	elapsed := time.Duration(0)
	s.Elapsed = func() time.Duration { return elapsed }
	s.put(t, nil)
	pass := func(d time.Duration) { elapsed += d; s.Add(d) }
	at := func() { t.Helper(); s.tick(t, t.Context()); s.Wait() }
	s.Set(monday)
	at()
	s.Add(-time.Hour) // back
	at()
	pass(time.Hour)
	at()
	s.want(t, "02 06:00 ran")
	s.Add(24 * time.Hour) // forward
	at()
	rows := s.rows(t)
	if len(rows) != 25 || rows[24] != "03 06:00 ran" || !strings.HasPrefix(rows[23], "03 05:00 missed down from") {
		t.Errorf("after a day forward: %d rows, the last %s", len(rows), rows[len(rows)-1])
	}
	right := s.Watch.Now()
	s.Set(time.Unix(0, 0))
	at()
	schedule, err := s.db.Schedule(t.Context(), "hourly")
	if err != nil || !schedule.Paused || !strings.Contains(schedule.PausedWhy, "the clock jumped by -") {
		t.Errorf("in 1970: %+v %v", schedule, err)
	}
	if len(s.told) == 0 || !strings.HasSuffix(s.told[len(s.told)-1], "paused=true") {
		t.Errorf("told %v", s.told)
	}
	s.Set(right)
	at()
	if got := s.rows(t); len(got) != 26 {
		t.Errorf("a paused schedule fired: %v", got)
	}
}

// TestAJumpOfYearsForwardPausesToo while the program runs; an outage of as long is an outage.
func TestAJumpOfYearsForwardPausesToo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	s := newStand(t, openStore(t, path), "a")
	s.Elapsed = func() time.Duration { return 0 }
	s.put(t, nil)
	s.Set(monday)
	s.tick(t, t.Context())
	s.Wait()
	s.Set(monday.AddDate(0, 2, 0))
	s.tick(t, t.Context())
	if schedule, _ := s.db.Schedule(t.Context(), "hourly"); !schedule.Paused {
		t.Error("a jump of two months did not pause")
	}
	down := newStand(t, openStore(t, filepath.Join(t.TempDir(), "b.db")), "b")
	down.Elapsed = func() time.Duration { return 0 }
	down.put(t, nil)
	down.Set(monday.AddDate(0, 2, 0))
	down.tick(t, t.Context())
	down.Wait()
	if rows := down.rows(t); len(rows) != 1002 || !strings.HasSuffix(rows[1001], "ran") || !strings.Contains(rows[0], "464 slots from") {
		t.Errorf("an outage of two months: %d rows, %s", len(rows), rows[0])
	}
}

func TestAClockOfItsOwnFiresNothing(t *testing.T) {
	t.Parallel()
	s := newStand(t, openStore(t, filepath.Join(t.TempDir(), "a.db")), "a")
	s.Skew = func(context.Context, time.Time) (time.Duration, error) { return -5 * time.Minute, nil }
	s.put(t, nil)
	s.Set(monday)
	s.tick(t, t.Context())
	s.want(t)
}
