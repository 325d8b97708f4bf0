// Package machine keeps what belongs to one installation: added providers, jobs, keys of requests, the fence secret, the last backup.
package machine

import (
	"time"

	"context"
	"crypto/rand"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Tables are what belongs to this installation: providers, jobs, keys of requests, the fence secret, the last backup.
type Tables struct{ *sqldb.DB }

// InstallRow is one fact of this installation.
type InstallRow struct {
	Name  string `gorm:"column:name;primaryKey"`
	Value []byte `gorm:"column:value"`
}

// TableName implements [gorm.io/gorm/schema.Tabler].
func (InstallRow) TableName() string { return "install" }

// secretName names the install secret among the facts of an installation.
const secretName = "secret"

// InstallSecret returns 32 random bytes that were made when this database was first asked for them. The fences around
// untrusted text in prompts are derived from it, so it must never be shown, and it moves with the database.
func (s *Tables) InstallSecret(ctx context.Context) ([]byte, error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, sqldb.Wrap("make the install secret", err)
	}
	row := InstallRow{Name: secretName, Value: fresh}
	if err := s.Read(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
		return nil, sqldb.Wrap("store the install secret", err)
	}
	return s.KnownSecret(ctx)
}

// KnownSecret is the install secret where it was made already, and nil otherwise.
func (s *Tables) KnownSecret(ctx context.Context) ([]byte, error) {
	var stored []InstallRow
	err := s.Read(ctx).Where("name = ?", secretName).Find(&stored).Error
	if err != nil || len(stored) == 0 {
		return nil, sqldb.Wrap("read the install secret", err)
	}
	return stored[0].Value, nil
}

// LastBackup names the time of the last good backup among the facts of an installation.
const LastBackup = "last_backup"

// NoteBackup remembers that a backup was made and found good.
func (s *Tables) NoteBackup(ctx context.Context, at time.Time) error {
	row := InstallRow{Name: LastBackup, Value: []byte(at.UTC().Format(time.RFC3339))}
	return s.Write(ctx, "note the backup", func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "name"}},
			DoUpdates: clause.AssignmentColumns([]string{"value"})}).Create(&row).Error
	})
}

// LastBackup is when the last good backup was made; false when there was none.
func (s *Tables) LastBackup(ctx context.Context) (at time.Time, made bool, err error) {
	var rows []InstallRow
	if err := s.Read(ctx).Where("name = ?", LastBackup).Find(&rows).Error; err != nil || len(rows) == 0 {
		return at, false, sqldb.Wrap("read when the last backup was made", err)
	}
	at, err = time.Parse(time.RFC3339, string(rows[0].Value))
	return at, err == nil, sqldb.Wrap("read when the last backup was made", err)
}
