package people

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

type auditRow struct {
	ID      int64     `gorm:"column:id;primaryKey;autoIncrement"`
	At      time.Time `gorm:"column:at"`
	Kind    string    `gorm:"column:kind"`
	Actor   string    `gorm:"column:actor"`
	Name    string    `gorm:"column:name"`
	Action  string    `gorm:"column:action"`
	Target  string    `gorm:"column:target"`
	Outcome string    `gorm:"column:outcome"`
	Address string    `gorm:"column:address"`
	Detail  string    `gorm:"column:detail"`
}

func (auditRow) TableName() string { return "audit_log" }

// AppendAudit implements [experiments.PeopleStore].
func (s *Tables) AppendAudit(ctx context.Context, e experiments.AuditEntry) error {
	return s.Write(ctx, "write the audit log", func(tx *gorm.DB) error {
		row := auditRow(e)
		row.ID = 0 // the database counts
		return tx.Create(&row).Error
	})
}

// Audit implements [experiments.PeopleStore].
func (s *Tables) Audit(ctx context.Context, f experiments.AuditFilter) ([]experiments.AuditEntry, int, error) {
	var rows []auditRow
	var total int64
	err := s.Snapshot(ctx, "read the audit log", func(tx *gorm.DB) error {
		equal := map[string]any{}
		for column, value := range map[string]string{"name": f.Name, "action": f.Action, "outcome": f.Outcome} {
			if value != "" {
				equal[column] = value
			}
		}
		q := tx.Model(&auditRow{}).Where(equal)
		if !f.Since.IsZero() {
			q = q.Where("at >= ?", f.Since)
		}
		q = q.Session(&gorm.Session{}) // shared by the two statements
		if err := q.Count(&total).Error; err != nil {
			return err
		}
		if f.Before > 0 {
			q = q.Where("id < ?", f.Before)
		}
		if f.Limit > 0 {
			q = q.Limit(f.Limit)
		}
		return q.Order("id DESC").Find(&rows).Error
	})
	out := make([]experiments.AuditEntry, len(rows))
	for i, r := range rows {
		out[i] = experiments.AuditEntry(r)
		out[i].At = r.At.UTC()
	}
	return out, int(total), err
}

// SignedInFrom implements [experiments.PeopleStore].
func (s *Tables) SignedInFrom(ctx context.Context, account, address string, since time.Time) (bool, error) {
	var rows []auditRow
	err := s.Read(ctx).Select("id").Where("actor = ? AND action = ? AND outcome = ? AND address = ? AND at >= ?",
		account, experiments.AuditSignIn, experiments.AuditDone, address, since).Limit(1).Find(&rows).Error
	return len(rows) > 0, sqldb.Wrap("read the audit log", err)
}

// PrunePeople implements [experiments.PeopleStore].
func (s *Tables) PrunePeople(ctx context.Context, now time.Time, keep experiments.Retention) error {
	return s.Write(ctx, "take away what has expired", func(tx *gorm.DB) error {
		if err := tx.Where("expires_at <= ?", now).Delete(&sessionRow{}).Error; err != nil {
			return err
		}
		if err := tx.Where("expires_at <= ?", now).Delete(&linkRow{}).Error; err != nil {
			return err
		}
		if err := dropShares(tx, "expires_at <= ?", now); err != nil {
			return err
		}
		if err := tx.Where("at < ?", keep.Before).Delete(&auditRow{}).Error; err != nil {
			return err
		}
		if err := keepNewest(tx, "outcome = ?", keep.Done); err != nil {
			return err
		}
		if err := keepNewest(tx, "outcome <> ?", keep.Refused); err != nil {
			return err
		}
		return seals.RemoveWhere(tx, "audit_log", "key NOT IN (SELECT CAST(id AS TEXT) FROM audit_log)")
	})
}

// keepNewest takes away the oldest of the entries whose outcome compares so with [experiments.AuditDone], beyond a number.
func keepNewest(tx *gorm.DB, which string, n int) error {
	var last []auditRow
	err := tx.Select("id").Where(which, experiments.AuditDone).Order("id DESC").Offset(n).Limit(1).Find(&last).Error
	if err != nil || len(last) == 0 {
		return err
	}
	return tx.Where(which, experiments.AuditDone).Where("id <= ?", last[0].ID).Delete(&auditRow{}).Error
}
