package schedules

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
)

// The reasons for which the context of a fire ends before its work.
var (
	errFireLost      = errors.New("another server works the fire")
	errFireCancelled = errors.New("somebody wants the fire to end")
)

// take begins the fires that are due, and goes on with those whose worker died. Fires of one schedule are worked one after the other,
// unless overlaps are allowed.
func (s *Scheduler) take(ctx context.Context, now time.Time) error {
	open, err := s.Store.OpenFires(ctx, "")
	if err != nil {
		return err
	}
	busy := map[string]bool{}
	for _, f := range open {
		busy[f.Schedule] = busy[f.Schedule] || f.State == experiments.FireRunning
	}
	for _, f := range open {
		if s.here(f.ID) {
			continue
		}
		schedule, err := s.Store.Schedule(ctx, f.Schedule)
		if problem.Is(err, problem.NotFound) {
			if _, err := s.Store.EndFire(ctx, f.ID, experiments.FireSkipped, "the schedule was removed", "", now); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if f.State == experiments.FireDue && busy[f.Schedule] && schedule.Overlap != experiments.OverlapAllow {
			continue
		}
		if ended, err := s.tooLate(ctx, schedule, f, now); err != nil || ended {
			if err != nil {
				return err
			}
			continue
		}
		busy[f.Schedule] = true
		if err := s.begin(ctx, schedule, f, now); err != nil {
			return err
		}
	}
	return nil
}

// here reports whether this process works a fire, or has its hands full.
func (s *Scheduler) here(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.working[id] || len(s.working) >= mostFires
}

// tooLate ends a slot that was claimed in time, but that nobody began before its window closed.
func (s *Scheduler) tooLate(ctx context.Context, schedule experiments.Schedule, f experiments.Fire, now time.Time) (bool, error) {
	if f.State != experiments.FireDue || !f.StartedAt.IsZero() || now.Sub(f.NominalAt) <= max(schedule.Window, timetable.OnTime) {
		return false, nil
	}
	reason := "nothing began it until " + now.UTC().Format("2006-01-02 15:04 UTC")
	ended, err := s.Store.EndFire(ctx, f.ID, experiments.FireMissed, reason, "", now)
	if ended {
		f.State, f.Reason, f.FinishedAt = experiments.FireMissed, reason, now.UTC()
		s.notify(ctx, schedule, f)
	}
	return true, err
}

// begin takes a fire and works it in a goroutine.
func (s *Scheduler) begin(ctx context.Context, schedule experiments.Schedule, f experiments.Fire, now time.Time) error {
	stale := now.Add(-experiments.StaleAfter)
	if f.State == experiments.FireRunning && (f.Worker == s.Worker || s.Alive != nil && !s.Alive(f.Worker)) {
		stale = f.SeenAt.Add(time.Microsecond) // its worker is gone, and this process began it in an earlier life at most
	}
	taken, err := s.Store.TakeFire(ctx, f.ID, s.Worker, now, stale)
	if err != nil || !taken {
		return err
	}
	if f, err = s.Store.Fire(ctx, f.ID); err != nil || f.Worker != s.Worker { // taken over within the blink of an eye
		return err
	}
	s.mu.Lock()
	if s.working == nil {
		s.working = map[string]bool{}
	}
	s.working[f.ID] = true
	s.mu.Unlock()
	s.wait.Go(func() {
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.working, f.ID)
		}()
		if err := s.fire(ctx, schedule, f); err != nil {
			s.log("fire "+f.ID+" of schedule "+schedule.Name+" could not be ended", "error", err)
		}
	})
	return nil
}

// fire works a fire that was taken and stores what became of it.
func (s *Scheduler) fire(ctx context.Context, schedule experiments.Schedule, f experiments.Fire) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	held := s.hold(working, f.ID, stop)
	err := s.work(working, schedule, &f)
	why := context.Cause(working)
	stop(nil)
	<-held
	keep := context.WithoutCancel(ctx)
	switch {
	case errors.Is(why, errFireLost) || errors.Is(err, errFireLost):
		return nil // whoever has it ends it
	case errors.Is(why, errFireCancelled):
		now, lookErr := s.Store.Fire(keep, f.ID)
		f.State, f.Reason, f.Blocker = experiments.FireSkipped, "it was cancelled: "+now.Reason, now.Blocker
		err = lookErr
	case ctx.Err() != nil && err != nil: // the process ends, not the fire
		f.State = experiments.FireDue
		_, err := s.Store.PutFire(keep, f)
		return err
	case err != nil:
		p := problem.From(err)
		f.State, f.Reason = experiments.FireFailed, p.Message
		if p.Code == "internal" {
			f.Reason = err.Error()
		}
	case f.State == experiments.FireRunning:
		f.State = experiments.FireRan
	}
	f.FinishedAt = s.Now().UTC()
	stored, putErr := s.Store.PutFire(keep, f)
	if putErr != nil || !stored {
		return putErr
	}
	return s.after(keep, schedule, f, err)
}

// work calls Work and survives its panic.
func (s *Scheduler) work(ctx context.Context, schedule experiments.Schedule, f *experiments.Fire) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in the work of a fire: %v", p)
		}
	}()
	return s.Work(ctx, schedule, f, func(f experiments.Fire) error {
		stored, err := s.Store.PutFire(ctx, f)
		if err == nil && !stored {
			err = errFireLost
		}
		return err
	})
}

// hold says that the worker of a fire is alive until ctx ends, and ends it when the fire is not to be worked here any more. The channel it
// returns closes after the last word.
func (s *Scheduler) hold(ctx context.Context, id string, stop context.CancelCauseFunc) <-chan struct{} {
	every := s.Every
	if every == nil {
		every = func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d)
			return t.C, t.Stop
		}
	}
	done := make(chan struct{})
	ticks, release := every(beatEvery)
	s.wait.Go(func() {
		defer close(done)
		defer release()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks:
			}
			held, cancel, err := s.Store.BeatFire(ctx, id, s.Worker, s.Now())
			switch {
			case err != nil: // the database may be back at the next beat
			case !held:
				stop(errFireLost)
			case cancel:
				stop(errFireCancelled)
			}
		}
	})
	return done
}

// after tells of a fire that ended, and pauses a schedule that cannot go on: what it needs is gone, or it failed too often in a row.
func (s *Scheduler) after(ctx context.Context, schedule experiments.Schedule, f experiments.Fire, err error) error {
	if f.State != experiments.FireFailed {
		s.notify(ctx, schedule, f)
		return nil
	}
	if missing(err) {
		return s.paused(ctx, schedule, "it needs what is not there: "+f.Reason, f)
	}
	if schedule.PauseAfter > 0 {
		fires, err := s.Store.Fires(ctx, experiments.FireList{Schedule: schedule.Name,
			States: []experiments.FireState{experiments.FireFailed, experiments.FireRan}, Limit: schedule.PauseAfter})
		if err != nil {
			return err
		}
		if failedInRow(fires) >= schedule.PauseAfter {
			return s.paused(ctx, schedule, fmt.Sprintf("it failed %d times in a row; the last time: %s", schedule.PauseAfter, f.Reason), f)
		}
	}
	s.notify(ctx, schedule, f)
	return nil
}

// paused pauses a schedule because of a fire. Where it was paused already, the fire is told of all the same.
func (s *Scheduler) paused(ctx context.Context, schedule experiments.Schedule, why string, f experiments.Fire) error {
	if now, err := s.Store.Schedule(ctx, schedule.Name); err != nil || now.Paused {
		s.notify(ctx, schedule, f)
		if problem.Is(err, problem.NotFound) {
			err = nil
		}
		return err
	}
	return s.pause(ctx, schedule, why, f)
}

// missing reports whether an error says that something a fire needs does not exist any more.
func missing(err error) bool {
	return problem.Is(err, problem.NotFound) || problem.CodeOf(err) == "provider_unknown"
}

// failedInRow counts the newest fires that failed, whatever was skipped or missed in between.
func failedInRow(newestFirst []experiments.Fire) int {
	n := 0
	for _, f := range newestFirst {
		switch f.State {
		case experiments.FireFailed:
			n++
		case experiments.FireRan:
			return n
		case experiments.FireDue, experiments.FireRunning, experiments.FireSkipped, experiments.FireMissed:
		}
	}
	return n
}

// WorkFire works one fire to its end, here or wherever it was taken first, and returns it. It claims no slots.
func (s *Scheduler) WorkFire(ctx context.Context, id string) (experiments.Fire, error) {
	for {
		f, err := s.Store.Fire(ctx, id)
		if err != nil || f.State.Ended() {
			return f, err
		}
		if !s.here(id) {
			schedule, err := s.Store.Schedule(ctx, f.Schedule)
			if err != nil {
				return f, err
			}
			open, err := s.Store.OpenFires(ctx, f.Schedule)
			if err != nil {
				return f, err
			}
			if schedule.Overlap == experiments.OverlapAllow || len(open) > 0 && open[0].ID == id {
				if err := s.begin(ctx, schedule, f, s.Now()); err != nil {
					return f, err
				}
			}
			s.wait.Wait()
		}
		if f, err = s.Store.Fire(ctx, id); err != nil || f.State.Ended() {
			return f, err
		}
		if err := s.pauseFor(ctx, time.Second); err != nil {
			return f, err
		}
	}
}

// pauseFor waits, or returns why ctx ended.
func (s *Scheduler) pauseFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
