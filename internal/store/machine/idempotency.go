package machine

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Made is what was made under an idempotency key.
type Made struct {
	Digest string // of the request
	ID     string // of what it made, for example a run
}

type madeRow struct {
	Scope     string    `gorm:"column:scope;primaryKey"`
	Key       string    `gorm:"column:key;primaryKey"`
	Digest    string    `gorm:"column:digest"`
	Made      string    `gorm:"column:made"`
	CreatedAt time.Time `gorm:"column:created_at"`
}

func (madeRow) TableName() string { return "idempotency_keys" }

// Made returns what was made under a key; ok is false when nothing was.
func (s *Tables) Made(ctx context.Context, scope, key string) (m Made, ok bool, err error) {
	var rows []madeRow
	err = s.Read(ctx).Where(map[string]any{"scope": scope, "key": key}).Limit(1).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return Made{}, false, sqldb.Wrap("look up an idempotency key", err)
	}
	return Made{Digest: rows[0].Digest, ID: rows[0].Made}, true, nil
}

// PutMade remembers what was made under a key. The first writer wins.
func (s *Tables) PutMade(ctx context.Context, scope, key string, m Made, now time.Time) error {
	return s.Write(ctx, "remember an idempotency key", func(tx *gorm.DB) error {
		row := madeRow{Scope: scope, Key: key, Digest: m.Digest, Made: m.ID, CreatedAt: now}
		return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
	})
}
