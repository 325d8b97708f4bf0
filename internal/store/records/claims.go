package records

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// causeUser is the cause of a run that somebody stopped.
const causeUser = "user"

// refused is the Conflict of a change that a run's state forbids.
func refused(row RunRow, doing string) *problem.Problem {
	p := problem.New(problem.Conflict, "run_state", "run %s is %s; it cannot be %s", row.ID, row.State, doing).
		With("run", row.ID).With("state", row.State).With("doing", doing)
	switch experiments.RunState(row.State) {
	case experiments.Running:
		p = p.WithHint("another process works on it; `workbench runs pause %s` or `cancel` stops it", row.ID)
	case experiments.Finished, experiments.Cancelled, experiments.Failed:
		p = p.WithHint("it is over and will not change again; start a new run")
	case experiments.Queued, experiments.Paused:
		p = p.WithHint("`workbench runs resume %s` goes on with it", row.ID)
	}
	return p
}

// held is the Conflict of starting a run that another process has or that is over. A process that was killed says nothing any more: its
// run can be taken over as soon as its last heartbeat is stale.
func held(row RunRow, staleBefore time.Time) *problem.Problem {
	p := refused(row, "started")
	if experiments.RunState(row.State) != experiments.Running {
		return p
	}
	seconds := int(row.HeartbeatAt.Sub(staleBefore)/time.Second) + 1
	return p.With("seconds", seconds).WithHint("another process works on it; `workbench runs pause %s` or `cancel` stops it. "+
		"If that process was killed, the run can be gone on with in about %d seconds", row.ID, seconds)
}

// lost is the Conflict of an owner that does not own its run any more.
func lost(row RunRow, owner string) *problem.Problem {
	return problem.New(problem.Conflict, "run_lost", "run %s is %s and does not belong to this process any more", row.ID, row.State).
		With("run", row.ID).With("state", row.State).With("owner", owner).
		WithHint("`workbench runs show %s` says who works on it", row.ID)
}

// ClaimRun implements [experiments.RunStore]. Even the same owner cannot claim a run that it already holds. A wish to pause
// or cancel that the previous owner died before fulfilling stays: the next heartbeat passes it on.
func (s *RunTables) ClaimRun(ctx context.Context, id, owner string, now, staleBefore time.Time) (experiments.Run, error) {
	var run experiments.Run
	err := s.Write(ctx, "claim run "+id, func(tx *gorm.DB) error {
		row, err := lockRun(tx, id, sqldb.ForUpdate)
		if err != nil {
			return err
		}
		run, err = claim(tx, row, owner, now, staleBefore)
		return err
	})
	return run, err
}

// claim moves a locked run that nobody works on to Running for this owner.
func claim(tx *gorm.DB, row RunRow, owner string, now, staleBefore time.Time) (experiments.Run, error) {
	set := map[string]any{"state": experiments.Running, "cause": "", "owner": owner, "epoch": row.Epoch + 1, "heartbeat_at": now}
	switch state := experiments.RunState(row.State); {
	case state == experiments.Queued, state == experiments.Paused:
		set["wanted_state"] = ""
	case state == experiments.Running && (row.HeartbeatAt == nil || row.HeartbeatAt.Before(sqldb.StoredTime(staleBefore))):
	default:
		return experiments.Run{}, held(row, staleBefore)
	}
	if row.StartedAt == nil {
		set["started_at"] = now
	}
	if err := tx.Model(&RunRow{}).Where("id = ?", row.ID).Updates(set).Error; err != nil {
		return experiments.Run{}, err
	}
	if err := rebuildGuard(tx, row.ID); err != nil {
		return experiments.Run{}, err
	}
	row, err := FindRun(tx, row.ID)
	if err != nil {
		return experiments.Run{}, err
	}
	return FromRunRow(row)
}

// RecoverRuns pauses the running runs whose owners are not alive, so that they can be resumed without waiting for their
// heartbeat to grow stale, and returns how many. alive is asked once for each run.
func (s *RunTables) RecoverRuns(ctx context.Context, alive func(owner string) bool) (int, error) {
	var rows []RunRow
	if err := s.Read(ctx).Select("id", "owner").Where("state = ?", experiments.Running).Order("id").Find(&rows).Error; err != nil {
		return 0, sqldb.Wrap("find running runs", err)
	}
	paused := 0
	for _, row := range rows {
		if alive(row.Owner) {
			continue
		}
		err := s.Write(ctx, "recover run "+row.ID, func(tx *gorm.DB) error {
			res := tx.Model(&RunRow{}).Where("id = ? AND state = ? AND owner = ?", row.ID, experiments.Running, row.Owner).
				Updates(map[string]any{"state": experiments.Paused, "cause": "interrupted", "owner": ""})
			paused += int(res.RowsAffected)
			return res.Error
		})
		if err != nil {
			return paused, err
		}
	}
	return paused, nil
}

// own runs change on the row of a running run of this owner, or returns why it cannot.
func (s *RunTables) own(ctx context.Context, id, owner, doing string, change func(tx *gorm.DB, row RunRow) error) error {
	return s.Write(ctx, doing+" run "+id, func(tx *gorm.DB) error {
		row, err := lockRun(tx, id, sqldb.ForUpdate)
		if err != nil {
			return err
		}
		if row.State != string(experiments.Running) || row.Owner != owner {
			return lost(row, owner)
		}
		return change(tx, row)
	})
}

// Heartbeat implements [experiments.RunStore]. Conflict with code "run_lost" when the run is not running for this owner.
func (s *RunTables) Heartbeat(ctx context.Context, id, owner string, now time.Time) (experiments.RunState, error) {
	state := experiments.Running
	err := s.own(ctx, id, owner, "keep", func(tx *gorm.DB, row RunRow) error {
		if row.WantedState != "" {
			state = experiments.RunState(row.WantedState)
		}
		return tx.Model(&RunRow{}).Where("id = ?", id).Update("heartbeat_at", now).Error
	})
	if err != nil {
		return "", err
	}
	return state, nil
}

// RequestState implements [experiments.RunStore]. A queued run is paused at once too, and pausing a paused one changes
// nothing. A run that a queue works has no single owner to wait for: it stops at once, and its workers hear of it. Once cancelling
// was asked for, pausing does not take it back. Conflict when the run is over.
func (s *RunTables) RequestState(ctx context.Context, id string, want experiments.RunState, now time.Time) error {
	if want != experiments.Paused && want != experiments.Cancelled {
		return problem.New(problem.Invalid, "run_state_wanted", "a run cannot be asked to become %q", want).
			WithHint("ask for paused or cancelled")
	}
	return s.Write(ctx, "ask run "+id+" to stop", func(tx *gorm.DB) error {
		row, err := lockRun(tx, id, sqldb.ForUpdate)
		if err != nil {
			return err
		}
		set := map[string]any{}
		switch state := experiments.RunState(row.State); {
		case state == experiments.Running && !sharedOwner(row.Owner):
			if row.WantedState == string(experiments.Cancelled) {
				return nil
			}
			set["wanted_state"] = want
		case state == experiments.Queued, state == experiments.Paused, state == experiments.Running:
			if string(want) == row.State {
				return nil
			}
			set = stopped(want, causeUser, now)
			if err := noteStop(tx, id, want, causeUser, now); err != nil {
				return err
			}
		default:
			return refused(row, string(want))
		}
		return stop(tx, id, set)
	})
}

// stop changes the row of a run, and seals it where it is over.
func stop(tx *gorm.DB, id string, set map[string]any) error {
	if err := tx.Model(&RunRow{}).Where("id = ?", id).Updates(set).Error; err != nil {
		return err
	}
	if to, _ := set["state"].(experiments.RunState); !Ended(to) {
		return nil
	}
	return CloseRun(tx, id)
}

// stopped is what changes in the row of a run that becomes to.
func stopped(to experiments.RunState, cause string, now time.Time) map[string]any {
	set := map[string]any{"state": to, "cause": cause, "owner": "", "heartbeat_at": nil, "wanted_state": ""}
	if to != experiments.Paused {
		set["finished_at"] = now
	}
	return set
}

// noteStop adds the stop of a run that no process works on to its history.
func noteStop(tx *gorm.DB, id string, to experiments.RunState, cause string, now time.Time) error {
	kind := experiments.EventPaused
	if to == experiments.Cancelled {
		kind = experiments.EventCancelled
	}
	body, err := json.Marshal(map[string]string{"cause": cause, "message": "asked to stop"})
	if err != nil {
		return err
	}
	return appendEvent(tx, &EventRow{RunID: id, Kind: string(kind), Body: string(body), At: now})
}

// StopRun implements [experiments.RunStore]. Conflict with code "run_lost" when the run is not running for this owner.
func (s *RunTables) StopRun(ctx context.Context, id, owner string, to experiments.RunState, cause string, now time.Time) error {
	if to != experiments.Paused && to != experiments.Cancelled && to != experiments.Failed {
		return problem.New(problem.Internal, "run_state_wanted", "a run cannot be stopped to become %q", to)
	}
	set := stopped(to, cause, now)
	return s.own(ctx, id, owner, "stop", func(tx *gorm.DB, _ RunRow) error { return stop(tx, id, set) })
}

// FinishRun implements [experiments.RunStore]. Conflict with code "run_lost" when the run is not running for this owner.
func (s *RunTables) FinishRun(ctx context.Context, id, owner string, t experiments.Totals, chain string, now time.Time) error {
	totals, err := sqldb.EncodeJSON(t)
	if err != nil {
		return err
	}
	return s.own(ctx, id, owner, "finish", func(tx *gorm.DB, row RunRow) error {
		err := stop(tx, id, map[string]any{
			"state": experiments.Finished, "cause": "", "owner": "",
			"heartbeat_at": nil, "wanted_state": "", "finished_at": now, "totals": totals, "chain": chain,
		})
		if err != nil {
			return err
		}
		return Repool(tx, row.ID) // and what it belongs to
	})
}
