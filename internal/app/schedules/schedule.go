package schedules

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
)

const (
	// tickEvery is how often a scheduler looks whether a slot has come.
	tickEvery = 10 * time.Second
	// beatEvery is how often the worker of a fire says that it is alive.
	beatEvery = 15 * time.Second
	// seenEvery is how often a scheduler writes down that it is alive.
	seenEvery = 30 * time.Second
	// mostFires bounds the fires of one process at the same time. Others wait, or are taken by another server.
	mostFires = 4
	// implausible is a jump of the clock that is no outage and no correction: somebody set it wrong.
	implausible = 7 * 24 * time.Hour
	// mostSkew is how far the clocks of a server and of its database may be apart.
	mostSkew = time.Minute
)

// Scheduler fires schedules. Any number of them may serve one database: a slot is claimed by the first that writes its row, and a fire
// is worked by the one that takes it. Fill in the fields, then call Serve, or Tick where time is told from outside.
type Scheduler struct {
	Store  experiments.ScheduleStore
	Worker string // names this process
	// Work does what a fire is for and fills it in; save stores how far it is. It may set the state to skipped, with a reason.
	Work func(ctx context.Context, s experiments.Schedule, f *experiments.Fire, save func(experiments.Fire) error) error
	// Notify hears of every slot that ended, and of an outage once, with its newest missed slot. What it returns is logged. A crash
	// may come before it: whoever sends messages looks at the stored fires too. May be nil.
	Notify  func(ctx context.Context, s experiments.Schedule, f experiments.Fire) error
	Now     func() time.Time
	Elapsed func() time.Duration // since some moment, whatever becomes of the clock; nil: jumps are not noticed while serving
	Skew    func(ctx context.Context, now time.Time) (time.Duration, error)
	Every   func(time.Duration) (ticks <-chan time.Time, stop func()) // nil uses the system's clock
	Alive   func(worker string) bool                                  // false of a process that is known to be gone; may be nil
	Log     func(message string, args ...any)

	mu      sync.Mutex
	working map[string]bool // fires of this process, by id
	wait    sync.WaitGroup
	before  time.Time
	since   time.Duration
}

// Serve fires what is due until ctx ends. Fires that are under way are then put down with everything kept, and whoever serves next goes
// on with them.
func (s *Scheduler) Serve(ctx context.Context) error {
	every := s.Every
	if every == nil {
		every = func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d)
			return t.C, t.Stop
		}
	}
	ticks, stop := every(tickEvery)
	defer stop()
	defer s.wait.Wait()
	for {
		if err := s.Tick(ctx); err != nil && ctx.Err() == nil {
			s.log("the schedules could not be looked at", "error", err) // the next tick may do better
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
		}
	}
}

// Wait waits for the fires under way.
func (s *Scheduler) Wait() { s.wait.Wait() }

// Tick claims the slots whose time has come, and begins what is due. Fires are worked in goroutines that end with ctx.
func (s *Scheduler) Tick(ctx context.Context) error {
	now := s.Now()
	seen, err := s.Store.SeenAt(ctx)
	if err != nil {
		return err
	}
	schedules, err := s.Store.Schedules(ctx)
	if err != nil {
		return err
	}
	if ok, err := s.clock(ctx, now, seen, schedules); !ok || err != nil {
		return err
	}
	var failures []error
	for _, schedule := range schedules {
		if schedule.Paused {
			continue
		}
		failures = append(failures, s.claim(ctx, schedule, now, seen))
	}
	if now.Sub(seen) >= seenEvery {
		failures = append(failures, s.Store.SetSeenAt(ctx, now))
	}
	return errors.Join(append(failures, s.take(ctx, now))...)
}

// clock reports whether the clock can be believed. Schedules are paused, with a notice, when it jumped further than any correction.
func (s *Scheduler) clock(ctx context.Context, now, seen time.Time, schedules []experiments.Schedule) (bool, error) {
	if s.Skew != nil {
		skew, err := s.Skew(ctx, now)
		if err != nil {
			return false, err
		}
		if skew.Abs() > mostSkew {
			s.log("this machine's clock differs from the database's; it fires nothing until they agree", "difference", skew)
			return false, nil
		}
	}
	jump := time.Duration(0)
	if s.Elapsed != nil {
		elapsed := s.Elapsed()
		if !s.before.IsZero() {
			jump = now.Sub(s.before) - (elapsed - s.since)
		}
		s.before, s.since = now, elapsed
	}
	if back := now.Sub(seen); !seen.IsZero() && back < -implausible {
		jump = back
	}
	if jump.Abs() <= implausible {
		return true, nil
	}
	why := fmt.Sprintf("the clock jumped by %s to %s; resume the schedule when it is right", jump.Round(time.Minute), now.UTC().
		Format(time.RFC3339))
	for _, schedule := range schedules {
		if err := s.pause(ctx, schedule, why, timetable.NewFire(schedule.Name, now.Truncate(time.Second),
			experiments.FireMissed)); err != nil {
			return false, err
		}
	}
	return false, s.Store.SetSeenAt(ctx, now)
}

// pause pauses a schedule and tells of it once, with the fire that was the reason.
func (s *Scheduler) pause(ctx context.Context, schedule experiments.Schedule, why string, f experiments.Fire) error {
	changed, err := s.Store.PauseSchedule(ctx, schedule.Name, why, time.Time{})
	if err != nil || !changed {
		return err
	}
	s.log("schedule "+schedule.Name+" is paused", "why", why)
	schedule.Paused, schedule.PausedWhy = true, why
	if f.State == experiments.FireMissed && f.Reason == "" { // no slot stands behind it
		f.Reason, f.FinishedAt = why, s.Now().UTC()
		if _, err := s.Store.AddFire(ctx, f); err != nil {
			return err
		}
	}
	s.notify(ctx, schedule, f)
	return nil
}

// claim stores the slots of one schedule that have come.
func (s *Scheduler) claim(ctx context.Context, schedule experiments.Schedule, now, seen time.Time) error {
	if schedule.NextAt.After(now) {
		return nil
	}
	table, err := timetable.ParseTimetable(schedule.Cron, schedule.Zone, schedule.CreatedAt)
	if err != nil { // it was right when it was stored: the zone is gone
		p := problem.From(err)
		return s.pause(ctx, schedule, p.Message, timetable.NewFire(schedule.Name, schedule.NextAt, experiments.FireMissed))
	}
	open, err := s.Store.OpenFires(ctx, schedule.Name)
	if err != nil {
		return err
	}
	c := timetable.ClaimSlot(schedule, table, now, seen, open)
	claimed, err := s.Store.ClaimSlots(ctx, schedule.Name, schedule.NextAt, c.Next, c.Slots)
	if err != nil || !claimed {
		return err
	}
	for _, f := range c.Cancel {
		newest := c.Slots[len(c.Slots)-1]
		if err := s.Store.CancelFire(ctx, f.ID, "the next slot came", newest.ID, now); err != nil {
			return err
		}
	}
	var missed *experiments.Fire
	for i, f := range c.Slots {
		switch f.State {
		case experiments.FireSkipped:
			s.notify(ctx, schedule, f)
		case experiments.FireMissed:
			missed = &c.Slots[i]
		case experiments.FireDue, experiments.FireRunning, experiments.FireRan, experiments.FireFailed:
		}
	}
	if missed != nil {
		s.notify(ctx, schedule, *missed)
	}
	return nil
}

func (s *Scheduler) notify(ctx context.Context, schedule experiments.Schedule, f experiments.Fire) {
	if s.Notify == nil {
		return
	}
	if err := s.Notify(ctx, schedule, f); err != nil {
		s.log("nobody could be told of fire "+f.ID, "error", err)
	}
}

func (s *Scheduler) log(message string, args ...any) {
	if s.Log != nil {
		s.Log(message, args...)
	}
}
