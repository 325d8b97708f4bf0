package sqldb

import (
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// BatchRows bounds the rows of one INSERT, so that columns × rows stay under both databases' limit of parameters.
const BatchRows = 500

// Row locks; SQLite has none and needs none, because its write transactions run one at a time.
var (
	ForUpdate = clause.Locking{Strength: "UPDATE"}
	ForShare  = clause.Locking{Strength: "SHARE"}
)

// UTC is a time that may be absent, in UTC.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

// Insert adds rows in batches. No rows are no error.
func Insert[R any](tx *gorm.DB, rows []R, clauses ...clause.Expression) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.Clauses(clauses...).CreateInBatches(rows, BatchRows).Error
}

// TimeOrNil keeps a zero time as NULL.
func TimeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// TimeOf is a zero time for one that is absent.
func TimeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// Tuples is n times one, with commas.
func Tuples(one string, n int) string {
	return strings.TrimSuffix(strings.Repeat(one+", ", n), ", ")
}
