package schedules_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store"
)

// The environment of a process that the test starts from its own program.
const (
	schedulerDSN    = "WORKBENCH_TEST_SCHEDULER"
	schedulerFolder = "WORKBENCH_TEST_SCHEDULER_FOLDER"
)

// TestSchedulerProcess is a server in the test below; by itself it does nothing.
func TestSchedulerProcess(t *testing.T) {
	dsn, folder := os.Getenv(schedulerDSN), os.Getenv(schedulerFolder)
	if dsn == "" {
		t.Skip("it is a part of TestThousandSlots")
	}
	db, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	s := &schedules.Scheduler{
		Store: db, Worker: app.OwnerName(), Alive: app.Alive,
		Now: func() time.Time { // what the test wrote last
			text, err := os.ReadFile(filepath.Join(folder, "clock"))
			n, convErr := strconv.ParseInt(string(text), 10, 64)
			if err != nil || convErr != nil {
				panic(fmt.Sprint(err, convErr))
			}
			return time.Unix(n, 0)
		},
		Every: func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d / 5000)
			return t.C, t.Stop
		},
		Work: func(_ context.Context, _ experiments.Schedule, f *experiments.Fire, save func(experiments.Fire) error) error {
			fmt.Fprintln(log, "begin", f.ID, f.RunID)
			if f.RunID == "" {
				f.RunID = "run-" + f.ID
				if err := save(*f); err != nil {
					return err
				}
				fmt.Fprintln(log, "bought", f.ID)
			}
			f.Calls = 1
			return save(*f)
		},
		Notify: func(_ context.Context, _ experiments.Schedule, f experiments.Fire) error {
			fmt.Fprintln(log, "ended", f.ID, f.State)
			return nil
		},
	}
	_ = s.Serve(t.Context())
}

// herd is the servers of the test, which it kills and starts again.
type herd struct {
	dsn, folder string
	servers     []*exec.Cmd
	kills       int
}

func (h *herd) start(t *testing.T) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSchedulerProcess$",
		"-test.timeout=5m") //nolint:gosec // this very program
	c.Env = append(os.Environ(), schedulerDSN+"="+h.dsn, schedulerFolder+"="+h.folder)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

func (h *herd) kill(t *testing.T, i int) {
	t.Helper()
	_ = h.servers[i].Process.Kill()
	_ = h.servers[i].Wait()
	h.servers[i] = h.start(t)
	h.kills++
}

// clock sets the clock of all servers.
func (h *herd) clock(t *testing.T, at time.Time) {
	t.Helper()
	temporary := filepath.Join(h.folder, "clock.part")
	if err := os.WriteFile(temporary, []byte(strconv.FormatInt(at.Unix(), 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(temporary, filepath.Join(h.folder, "clock")); err != nil {
		t.Fatal(err)
	}
}

// TestThousandSlots: three servers on one database, killed at random, fire every slot exactly once. Without
// WORKBENCH_SLOW_TESTS=1 it is 200 slots.
func TestThousandSlots(t *testing.T) {
	t.Parallel()
	thousandSlots(t, filepath.Join(t.TempDir(), "workbench.db"))
}

// TestThousandSlotsOnPostgreSQL is the same on the other engine.
func TestThousandSlotsOnPostgreSQL(t *testing.T) {
	t.Parallel()
	thousandSlots(t, apptest.Postgres(t))
}

func thousandSlots(t *testing.T, dsn string) {
	t.Helper()
	slots := 200
	switch {
	case testing.Short():
		slots = 60
	case os.Getenv("WORKBENCH_SLOW_TESTS") == "1":
		slots = 1000
	}
	h := &herd{dsn: dsn, folder: t.TempDir()}
	h.clock(t, monday.Add(-time.Minute))
	db := openStore(t, dsn)
	if err := db.PutSchedule(t.Context(), experiments.Schedule{
		Name: "often", Cron: "*/5 * * * *", Zone: "UTC", CatchUp: experiments.CatchUpAll, Overlap: experiments.OverlapAllow,
		Window: 24 * time.Hour,
		NextAt: monday, CreatedAt: monday,
	}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		h.servers = append(h.servers, h.start(t))
	}
	defer func() {
		for _, s := range h.servers {
			_ = s.Process.Kill()
			_ = s.Wait()
		}
	}()
	random := rand.New(rand.NewPCG(1, 2))
	began := time.Now()
	poll := time.NewTicker(4 * time.Millisecond)
	defer poll.Stop()
	for i := range slots {
		h.clock(t, monday.Add(time.Duration(i)*5*time.Minute+time.Duration(random.IntN(100))*time.Second))
		for deadline := time.Now().Add(time.Minute); ; <-poll.C { // at most four slots run behind the clock
			s, err := db.Schedule(t.Context(), "often")
			if err != nil {
				t.Fatal(err)
			}
			if !s.NextAt.Before(monday.Add(time.Duration(i-3) * 5 * time.Minute)) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("slot %d is not claimed: the next one is %s", i, s.NextAt)
			}
		}
		if random.IntN(16) == 0 {
			h.kill(t, random.IntN(len(h.servers)))
		}
	}
	drained(t, db, monday.Add(time.Duration(slots)*5*time.Minute), poll.C)
	h.check(t, db, slots)
	t.Logf("%d slots, %d kills, %s", slots, h.kills, time.Since(began).Round(time.Millisecond))
}

// drained waits until no fire is open and the next slot is the one given.
func drained(t *testing.T, db *store.Store, next time.Time, poll <-chan time.Time) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; <-poll {
		s, err := db.Schedule(t.Context(), "often") // first: after the last slot is claimed no fire comes to those that are open
		if err != nil {
			t.Fatal(err)
		}
		open, err := db.OpenFires(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if len(open) == 0 && s.NextAt.Equal(next) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("open at the end: %+v", open)
		}
	}
}

// check demands a row for each slot that says that it ran, and that none was bought or ended twice.
func (h *herd) check(t *testing.T, db *store.Store, slots int) {
	t.Helper()
	fires, err := db.Fires(t.Context(), experiments.FireList{Schedule: "often"})
	if err != nil || len(fires) != slots {
		t.Fatalf("%d fires of %d slots, %v", len(fires), slots, err)
	}
	for i, f := range fires {
		if want := monday.Add(time.Duration(slots-1-i) * 5 * time.Minute); !f.NominalAt.Equal(want) || f.State != experiments.FireRan ||
			f.Calls != 1 || f.RunID != "run-"+f.ID {
			t.Errorf("fire of %s: %+v", want, f)
		}
	}
	log, err := os.Open(filepath.Join(h.folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	counts, begun := map[string]int{}, 0
	for lines := bufio.NewScanner(log); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if words[0] == "begin" {
			begun++
			continue
		}
		counts[words[0]+" "+words[1]]++
	}
	for what, n := range counts {
		if n > 1 {
			t.Errorf("%s %d times", what, n)
		}
	}
	t.Logf("%d fires were begun, %d of them taken over", begun, begun-slots)
}
