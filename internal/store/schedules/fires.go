package schedules

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

type fireRow struct {
	ID        string     `gorm:"column:id;primaryKey"`
	Schedule  string     `gorm:"column:schedule"`
	NominalAt time.Time  `gorm:"column:nominal_at"`
	State     string     `gorm:"column:state"`
	Worker    string     `gorm:"column:worker"`
	SeenAt    *time.Time `gorm:"column:seen_at"`
	Cancel    bool       `gorm:"column:cancel"`
	RunID     string     `gorm:"column:run_id"`
	Body      string     `gorm:"column:body"`
}

func (fireRow) TableName() string { return "fires" }

func toFireRow(f experiments.Fire) (fireRow, error) {
	body, err := sqldb.EncodeJSON(f)
	r := fireRow{
		ID: f.ID, Schedule: sqldb.CleanText(f.Schedule), NominalAt: f.NominalAt, State: string(f.State), Worker: f.Worker, Cancel: f.Cancel,
		RunID: f.RunID, Body: body,
	}
	if !f.SeenAt.IsZero() {
		r.SeenAt = &f.SeenAt
	}
	return r, err
}

func fromFireRow(r fireRow) (experiments.Fire, error) {
	f, err := sqldb.DecodeJSON[experiments.Fire]("fire "+r.ID, r.Body)
	f.ID, f.Schedule, f.NominalAt, f.State, f.Worker, f.Cancel, f.RunID = r.ID, r.Schedule, r.NominalAt.UTC(),
		experiments.FireState(r.State), r.Worker, r.Cancel, r.RunID
	if r.SeenAt != nil {
		f.SeenAt = r.SeenAt.UTC()
	}
	return f, err
}

func fromFireRows(rows []fireRow) ([]experiments.Fire, error) {
	out := make([]experiments.Fire, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromFireRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// AddFire implements [experiments.ScheduleStore].
func (s *Tables) AddFire(ctx context.Context, f experiments.Fire) (bool, error) {
	row, err := toFireRow(f)
	if err != nil {
		return false, err
	}
	added := false
	err = s.Write(ctx, "add fire "+f.ID, func(tx *gorm.DB) error {
		fresh := row
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh)
		added = res.RowsAffected > 0
		return res.Error
	})
	return added, err
}

// changeFire reads a fire, lets change decide what becomes of it, and stores that, in one transaction. change reports false to leave it.
func (s *Tables) changeFire(ctx context.Context, doing, id string, change func(f *experiments.Fire) bool) (bool, error) {
	changed := false
	err := s.Write(ctx, doing+" fire "+id, func(tx *gorm.DB) error {
		changed = false
		var row fireRow
		res := tx.Clauses(sqldb.ForUpdate).Where("id = ?", id).Limit(1).Find(&row)
		if res.Error == nil && res.RowsAffected == 0 {
			return sqldb.Unknown("fire", id)
		}
		if res.Error != nil {
			return res.Error
		}
		f, err := fromFireRow(row)
		if err != nil {
			return err
		}
		if !change(&f) {
			return nil
		}
		changed = true
		if row, err = toFireRow(f); err != nil {
			return err
		}
		err = tx.Model(&fireRow{}).Where("id = ?", id).Updates(map[string]any{
			"state": row.State, "worker": row.Worker, "seen_at": row.SeenAt, "cancel": row.Cancel, "run_id": row.RunID, "body": row.Body,
		}).Error
		if err != nil {
			return err
		}
		return seals.Write(tx, "fires", &row) // once it has ended
	})
	return changed, err
}

// TakeFire implements [experiments.ScheduleStore].
func (s *Tables) TakeFire(ctx context.Context, id, worker string, at, staleBefore time.Time) (bool, error) {
	return s.changeFire(ctx, "take", id, func(f *experiments.Fire) bool {
		silent := f.State == experiments.FireRunning && f.SeenAt.Before(staleBefore)
		if f.State != experiments.FireDue && !silent {
			return false
		}
		f.State, f.Worker, f.SeenAt = experiments.FireRunning, worker, at
		if f.StartedAt.IsZero() {
			f.StartedAt = sqldb.StoredTime(at)
		}
		return true
	})
}

// BeatFire implements [experiments.ScheduleStore].
func (s *Tables) BeatFire(ctx context.Context, id, worker string, at time.Time) (held, cancel bool, err error) {
	held, err = s.changeFire(ctx, "hold", id, func(f *experiments.Fire) bool {
		if f.State != experiments.FireRunning || f.Worker != worker {
			return false
		}
		f.SeenAt, cancel = at, f.Cancel
		return true
	})
	return held, cancel && held, err
}

// CancelFire implements [experiments.ScheduleStore].
func (s *Tables) CancelFire(ctx context.Context, id, reason, blocker string, at time.Time) error {
	_, err := s.changeFire(ctx, "cancel", id, func(f *experiments.Fire) bool {
		switch f.State {
		case experiments.FireRunning:
			f.Cancel, f.Reason, f.Blocker = true, reason, blocker
		case experiments.FireDue:
			f.State, f.Reason, f.Blocker, f.FinishedAt = experiments.FireSkipped, reason, blocker, sqldb.StoredTime(at)
		case experiments.FireRan, experiments.FireSkipped, experiments.FireMissed, experiments.FireFailed:
			return false
		}
		return true
	})
	return err
}

// PutFire implements [experiments.ScheduleStore]. A wish to cancel stays.
func (s *Tables) PutFire(ctx context.Context, fire experiments.Fire) (bool, error) {
	return s.changeFire(ctx, "store", fire.ID, func(f *experiments.Fire) bool {
		if f.State != experiments.FireRunning || f.Worker != fire.Worker {
			return false
		}
		seen, wanted := f.SeenAt, f.Cancel
		*f = fire
		f.SeenAt, f.Cancel = seen, wanted
		if f.State != experiments.FireRunning {
			f.Worker, f.SeenAt = "", time.Time{}
		}
		return true
	})
}

// EndFire implements [experiments.ScheduleStore].
func (s *Tables) EndFire(ctx context.Context, id string, to experiments.FireState, reason, blocker string,
	at time.Time) (bool, error) {
	return s.changeFire(ctx, "end", id, func(f *experiments.Fire) bool {
		if f.State != experiments.FireDue {
			return false
		}
		f.State, f.Reason, f.Blocker, f.FinishedAt = to, reason, blocker, sqldb.StoredTime(at)
		return true
	})
}

// Fire implements [experiments.ScheduleStore].
func (s *Tables) Fire(ctx context.Context, id string) (experiments.Fire, error) {
	var row fireRow
	res := s.Read(ctx).Where("id = ?", id).Limit(1).Find(&row)
	if res.Error != nil {
		return experiments.Fire{}, sqldb.Wrap("find fire "+id, res.Error)
	}
	if res.RowsAffected == 0 {
		return experiments.Fire{}, sqldb.Unknown("fire", id)
	}
	return fromFireRow(row)
}

// OpenFires implements [experiments.ScheduleStore].
func (s *Tables) OpenFires(ctx context.Context, schedule string) ([]experiments.Fire, error) {
	query := s.Read(ctx).Where("state IN ('due', 'running')")
	if schedule != "" {
		query = query.Where("schedule = ?", schedule)
	}
	var rows []fireRow
	if err := query.Order("nominal_at, schedule").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list open fires", err)
	}
	return fromFireRows(rows)
}

// Fires implements [experiments.ScheduleStore].
func (s *Tables) Fires(ctx context.Context, l experiments.FireList) ([]experiments.Fire, error) {
	query := narrowedFires(s.Read(ctx), l).Order("nominal_at DESC, schedule")
	if l.Limit > 0 {
		query = query.Limit(l.Limit)
	}
	var rows []fireRow
	if err := query.Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list fires", err)
	}
	return fromFireRows(rows)
}

// CountFires implements [experiments.ScheduleStore].
func (s *Tables) CountFires(ctx context.Context, l experiments.FireList) (int, error) {
	var n int64
	err := narrowedFires(s.Read(ctx).Model(&fireRow{}), l).Count(&n).Error
	return int(n), sqldb.Wrap("count fires", err)
}

// narrowedFires is a query for the fires that a list leaves.
func narrowedFires(query *gorm.DB, l experiments.FireList) *gorm.DB {
	if l.Schedule != "" {
		query = query.Where("schedule = ?", l.Schedule)
	}
	if len(l.States) > 0 {
		query = query.Where("state IN ?", l.States)
	}
	if !l.Since.IsZero() {
		query = query.Where("nominal_at >= ?", l.Since)
	}
	if !l.Before.IsZero() {
		query = query.Where("nominal_at < ?", l.Before)
	}
	if l.HasRun {
		query = query.Where("run_id <> ''")
	}
	if len(l.Runs) > 0 {
		query = query.Where("run_id IN ?", l.Runs)
	}
	return query
}
