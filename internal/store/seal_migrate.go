package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/pressly/goose/v3"
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// sealing is the number of the migration that seals what was stored before there were seals. It is the only one that is no SQL,
// because it hashes rows. Whoever changes the rules of package integrity for rows that exist adds a migration of this kind that seals them
// again, with the next number, and leaves this one empty: it runs on the tables as they were at its number, and reads no column that
// came later.
const sealing = 14

// sealAll is the migration. It believes what it finds, so that what was changed before stays unfound by seals; the digests that rows had
// already, and recomputing a study, tell of that.
func (s *migrator) sealAll() *goose.Migration {
	return goose.NewGoMigration(sealing, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		tables, err := s.tables(ctx)
		if err != nil {
			return err
		}
		db := s.Orm.Session(&gorm.Session{Context: ctx, NewDB: true})
		db.Statement.ConnPool = &sqldb.BorderTx{Tx: tx}
		return sealEverything(db, tables)
	}}, nil)
}

// sealEverything seals all rows that stay as they are, and closes the trees of all finished runs.
func sealEverything(tx *gorm.DB, tables []dataTable) error {
	c := &checking{tx: tx, schema: tables}
	for _, rule := range integrity.Rules {
		if !slices.ContainsFunc(tables, func(t dataTable) bool { return t.name == rule.Table }) {
			return fmt.Errorf("there is no table %s", rule.Table)
		}
		t, err := c.table(rule)
		if err != nil {
			return err
		}
		var seals []sealRow // a reading and a writing statement cannot share a connection of PostgreSQL
		err = c.sealed(rule, t, func(key string, d integrity.Digest) { seals = append(seals, sealRow{rule.Kind, key, d[:]}) })
		if err != nil {
			return err
		}
		if err := putSeals(tx, seals, true); err != nil {
			return err
		}
	}
	var runs []runRow
	if err := tx.Where("state = ?", experiments.Finished).Order("seq").Find(&runs).Error; err != nil {
		return err
	}
	trees := newTrees(tx)
	for _, row := range runs {
		root, err := trees.root(row)
		if err != nil {
			return err
		}
		if err := putSeals(tx, []sealRow{{integrity.Tree, row.ID, root[:]}}, true); err != nil {
			return err
		}
	}
	return nil
}
