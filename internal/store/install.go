package store

import (
	"context"
	"crypto/rand"

	"gorm.io/gorm/clause"
)

type installRow struct {
	Name  string `gorm:"column:name;primaryKey"`
	Value []byte `gorm:"column:value"`
}

func (installRow) TableName() string { return "install" }

// secretName names the install secret among the facts of an installation.
const secretName = "secret"

// InstallSecret returns 32 random bytes that were made when this database was first asked for them. The fences around
// untrusted text in prompts are derived from it, so it must never be shown, and it moves with the database.
func (s *machineTables) InstallSecret(ctx context.Context) ([]byte, error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, wrap("make the install secret", err)
	}
	row := installRow{Name: secretName, Value: fresh}
	if err := s.read(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
		return nil, wrap("store the install secret", err)
	}
	var stored installRow
	if err := s.read(ctx).Where("name = ?", secretName).Take(&stored).Error; err != nil {
		return nil, wrap("read the install secret", err)
	}
	return stored.Value, nil
}
