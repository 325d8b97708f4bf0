package seals

import (
	"encoding/hex"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// The facts of an installation that tell of its key.
const (
	markedBy = "seals"        // the identity of the marks
	shared   = "seals shared" // a program without the key has written too
)

// MarkedBy is the identity of the marks in a database; "" where there are none.
func MarkedBy(tx *gorm.DB) (string, error) {
	id, err := fact(tx, markedBy)
	return hex.EncodeToString(id), err
}

// Shared tells that programs without the key of these marks have written here too.
func Shared(tx *gorm.DB) (bool, error) {
	at, err := fact(tx, shared)
	return len(at) > 0, err
}

// Share notes that.
func Share(tx *gorm.DB) error { return put(tx, shared, []byte("1")) }

func fact(tx *gorm.DB, name string) (value []byte, err error) {
	var found [][]byte
	err = tx.Raw("SELECT value FROM install WHERE name = ?", name).Scan(&found).Error
	if len(found) > 0 {
		value = found[0]
	}
	return value, err
}

func put(tx *gorm.DB, name string, value []byte) error {
	return tx.Exec("INSERT INTO install (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value).Error
}

// Adopt marks every seal that is there, as it is, and counts them. Where another process has done so in the meantime, and again says false,
// it does nothing and returns false.
func (m *Marks) Adopt(tx *gorm.DB, again bool) (rows int64, done bool, err error) {
	first := tx.Exec("INSERT INTO install (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", markedBy, m.Identity())
	if first.Error != nil || first.RowsAffected == 0 && !again {
		return 0, false, first.Error
	}
	if err := put(tx, markedBy, m.Identity()); err != nil {
		return 0, false, err
	}
	if err := tx.Exec("DELETE FROM install WHERE name = ?", shared).Error; err != nil {
		return 0, false, err
	}
	rows, err = m.markAll(tx, "1 = 1")
	if err == nil {
		err = m.countAll(tx, countedKinds)
	}
	return rows, err == nil, err
}

// AdoptMore marks and counts the seals of rows that change, and counts calls of no run, as they are, where other rows are marked already.
// Where another process has done so in the meantime, it does nothing and returns false.
func (m *Marks) AdoptMore(tx *gorm.DB) (rows int64, done bool, err error) {
	first := tx.Exec("UPDATE install SET value = ? WHERE name = ? AND value = ?", m.Identity(), markedBy, m.Former())
	if first.Error != nil || first.RowsAffected == 0 {
		return 0, false, first.Error
	}
	rows, err = m.markAll(tx, "kind IN ?", integrity.Moving())
	if err == nil {
		err = m.countAll(tx, append(integrity.Moving(), Alone))
	}
	return rows, err == nil, err
}

// markAll marks the seals that a condition finds, and says how many they are.
func (m *Marks) markAll(tx *gorm.DB, which string, args ...any) (rows int64, err error) {
	var last Row
	for {
		var some []Row
		err := tx.Where(which, args...).Where("kind > ? OR kind = ? AND key > ?", last.Kind, last.Kind, last.Key).Order("kind, key").
			Limit(sqldb.BatchRows).Find(&some).Error
		if err != nil || len(some) == 0 {
			return rows, err
		}
		if err := insert(tx, m, some, "UPDATE SET mark = excluded.mark WHERE seals.digest = excluded.digest").Error; err != nil {
			return 0, err
		}
		last, rows = some[len(some)-1], rows+int64(len(some))
	}
}

// countAll counts rows of some kinds.
func (m *Marks) countAll(tx *gorm.DB, kinds []string) error {
	for _, kind := range kinds {
		n, err := NumberOf(tx, kind)
		if err != nil {
			return err
		}
		if err := put(tx, headName(kind), m.head(kind, n)); err != nil {
			return err
		}
	}
	return nil
}
