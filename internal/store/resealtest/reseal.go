// Package resealtest does for tests what somebody does who may write a database and knows the program: it seals everything anew.
package resealtest

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Everything takes the seals of all rows away and seals them as they are now, roots of runs included. Marks of what is rightly not there
// stay.
func Everything(ctx context.Context, db *sqldb.DB, read func(context.Context) ([]contents.Table, error)) error {
	tables, err := read(ctx)
	if err != nil {
		return err
	}
	return db.Orm.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return Forge(tx, tables) })
}

// Marked marks all seals as they are, as somebody does who has read the key of the place too. Without a key it does nothing.
func Marked(ctx context.Context, db *sqldb.DB) error {
	marks, keyed := sqldb.MarkerOf(db.Orm).(*seals.Marks)
	if !keyed {
		return nil
	}
	return db.Orm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		_, _, err := marks.Adopt(tx, true)
		return err
	})
}

// Forge does that within a transaction, without the key of the place. The marks of what stays as it was stay, as a careful forger leaves
// them.
func Forge(tx *gorm.DB, tables []contents.Table) error {
	keyless := tx.Session(&gorm.Session{NewDB: true})
	keyless.Plugins = map[string]gorm.Plugin{}
	return errors.Join(
		tx.Exec("CREATE TEMPORARY TABLE marked AS SELECT kind, key, digest, mark FROM seals").Error,
		tx.Exec("DELETE FROM seals WHERE kind <> ?", integrity.Gone).Error,
		doctor.SealEverything(keyless, tables),
		doctor.SealKinds(keyless, tables, integrity.Moving()...),
		records.CloseTails(keyless),
		tx.Exec(`UPDATE seals SET mark = (SELECT m.mark FROM marked m WHERE m.kind = seals.kind AND m.key = seals.key AND m.digest = seals.digest)
			WHERE kind <> ?`, integrity.Gone).Error,
		tx.Exec("DROP TABLE marked").Error,
	)
}
