// Package schedules keeps what happens by itself: schedules with their fires, messages, and traces that arrive.
package schedules

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Tables are schedules with their fires, messages, and traces that arrive.
type Tables struct{ *sqldb.DB }

var _ experiments.ScheduleStore = (*Tables)(nil)

type scheduleRow struct {
	Name      string    `gorm:"column:name;primaryKey"`
	Body      string    `gorm:"column:body"`
	Paused    bool      `gorm:"column:paused"`
	PausedWhy string    `gorm:"column:paused_why"`
	NextAt    time.Time `gorm:"column:next_at"`
	CreatedAt time.Time `gorm:"column:created_at"`
}

func (scheduleRow) TableName() string { return "schedules" }

func toScheduleRow(s experiments.Schedule) (scheduleRow, error) {
	body, err := sqldb.EncodeJSON(s)
	return scheduleRow{Name: sqldb.CleanText(s.Name), Body: body, Paused: s.Paused, PausedWhy: s.PausedWhy, NextAt: s.NextAt,
		CreatedAt: s.CreatedAt}, err
}

// fromScheduleRow takes what moves from its columns: the body is as it was put.
func fromScheduleRow(r scheduleRow) (experiments.Schedule, error) {
	s, err := sqldb.DecodeJSON[experiments.Schedule]("schedule "+r.Name, r.Body)
	s.Paused, s.PausedWhy, s.NextAt, s.CreatedAt = r.Paused, r.PausedWhy, r.NextAt.UTC(), r.CreatedAt.UTC()
	return s, err
}

func unknownSchedule(name string) error {
	return sqldb.Unknown("schedule", name).WithHint("`workbench schedule list` shows what there is")
}

// PutSchedule implements [experiments.ScheduleStore].
func (s *Tables) PutSchedule(ctx context.Context, schedule experiments.Schedule) error {
	row, err := toScheduleRow(schedule)
	if err != nil {
		return err
	}
	return s.Write(ctx, "store schedule "+row.Name, func(tx *gorm.DB) error {
		fresh := row
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&fresh).Error
	})
}

// Schedule implements [experiments.ScheduleStore].
func (s *Tables) Schedule(ctx context.Context, name string) (experiments.Schedule, error) {
	var row scheduleRow
	res := s.Read(ctx).Where("name = ?", name).Limit(1).Find(&row)
	if res.Error != nil {
		return experiments.Schedule{}, sqldb.Wrap("find schedule "+name, res.Error)
	}
	if res.RowsAffected == 0 {
		return experiments.Schedule{}, unknownSchedule(name)
	}
	return fromScheduleRow(row)
}

// Schedules implements [experiments.ScheduleStore].
func (s *Tables) Schedules(ctx context.Context) ([]experiments.Schedule, error) {
	var rows []scheduleRow
	if err := s.Read(ctx).Order("name").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list schedules", err)
	}
	out := make([]experiments.Schedule, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromScheduleRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// RemoveSchedule implements [experiments.ScheduleStore].
func (s *Tables) RemoveSchedule(ctx context.Context, name string) error {
	return s.Write(ctx, "remove schedule "+name, func(tx *gorm.DB) error {
		return changeSchedule(tx, name, func(tx *gorm.DB) error {
			res := tx.Where("name = ?", name).Delete(&scheduleRow{})
			if res.Error == nil && res.RowsAffected == 0 {
				return unknownSchedule(name)
			}
			return res.Error
		})
	})
}

// PauseSchedule implements [experiments.ScheduleStore].
func (s *Tables) PauseSchedule(ctx context.Context, name, why string, next time.Time) (bool, error) {
	set := map[string]any{"paused": true, "paused_why": why}
	if why == "" {
		set = map[string]any{"paused": false, "paused_why": "", "next_at": next}
	}
	changed := false
	err := s.Write(ctx, "pause schedule "+name, func(tx *gorm.DB) error {
		return changeSchedule(tx, name, func(tx *gorm.DB) error {
			res := tx.Model(&scheduleRow{}).Where("name = ? AND paused = ?", name, why == "").Updates(set)
			changed = res.RowsAffected > 0
			return res.Error
		})
	})
	return changed, err
}

// changeSchedule changes a schedule, whose seal follows.
func changeSchedule(tx *gorm.DB, name string, do func(tx *gorm.DB) error) error {
	return seals.Change(tx, &scheduleRow{}, do, "name = ?", name)
}

// ClaimSlots implements [experiments.ScheduleStore].
func (s *Tables) ClaimSlots(ctx context.Context, schedule string, expected, next time.Time, slots []experiments.Fire) (bool,
	error) {
	rows := make([]fireRow, len(slots))
	for i, f := range slots {
		var err error
		if rows[i], err = toFireRow(f); err != nil {
			return false, err
		}
	}
	claimed := false
	err := s.Write(ctx, "claim slots of schedule "+schedule, func(tx *gorm.DB) error {
		claimed = false
		err := changeSchedule(tx, schedule, func(tx *gorm.DB) error {
			res := tx.Model(&scheduleRow{}).Where("name = ? AND next_at = ? AND paused = ?", schedule, expected, false).
				Updates(map[string]any{"next_at": next})
			claimed = res.RowsAffected > 0
			return res.Error
		})
		if err != nil || !claimed {
			return err
		}
		fresh, err := newSlots(tx, schedule, rows)
		if err != nil || len(fresh) == 0 {
			return err
		}
		return tx.CreateInBatches(&fresh, slotBatch).Error
	})
	return claimed, err
}

// newSlots are those of the slots of one schedule that are not stored. One that is may be due still, and must not be sealed as what would
// have become of it.
func newSlots(tx *gorm.DB, schedule string, rows []fireRow) ([]fireRow, error) {
	there := map[time.Time]bool{}
	for chunk := range slices.Chunk(rows, slotBatch) {
		at := make([]time.Time, len(chunk))
		for i, r := range chunk {
			at[i] = r.NominalAt
		}
		var known []fireRow
		if err := tx.Select("nominal_at").Where("schedule = ? AND nominal_at IN ?", schedule, at).Find(&known).Error; err != nil {
			return nil, err
		}
		for _, r := range known {
			there[sqldb.StoredTime(r.NominalAt)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r fireRow) bool { return there[sqldb.StoredTime(r.NominalAt)] }), nil
}

// slotBatch is how many rows go into one statement: SQLite allows 32766 parameters.
const slotBatch = 500

// schedulerClockRow is one row that says when a scheduler was last alive.
type schedulerClockRow struct {
	ID     int64     `gorm:"column:id;primaryKey"`
	SeenAt time.Time `gorm:"column:seen_at"`
}

func (schedulerClockRow) TableName() string { return "scheduler_clock" }

// SeenAt implements [experiments.ScheduleStore].
func (s *Tables) SeenAt(ctx context.Context) (time.Time, error) {
	var row schedulerClockRow
	res := s.Read(ctx).Where("id = ?", 1).Limit(1).Find(&row)
	if res.Error != nil || res.RowsAffected == 0 {
		return time.Time{}, sqldb.Wrap("read the scheduler's clock", res.Error)
	}
	return row.SeenAt.UTC(), nil
}

// SetSeenAt implements [experiments.ScheduleStore].
func (s *Tables) SetSeenAt(ctx context.Context, at time.Time) error {
	return s.Write(ctx, "set the scheduler's clock", func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&schedulerClockRow{ID: 1, SeenAt: at}).Error
	})
}

// ClockSkew is how far the database's clock is ahead of a time; 0 on SQLite, which has no clock of its own.
func (s *Tables) ClockSkew(ctx context.Context, now time.Time) (time.Duration, error) {
	if s.Engine() == sqldb.SQLiteEngine {
		return 0, nil
	}
	var there time.Time
	if err := s.Read(ctx).Raw("SELECT clock_timestamp()").Row().Scan(&there); err != nil {
		return 0, sqldb.Wrap("read the database's clock", err)
	}
	return there.Sub(now), nil
}
