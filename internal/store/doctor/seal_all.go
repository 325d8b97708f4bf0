package doctor

import (
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
)

// SealEverything seals all rows that stay as they are, and closes the trees of all finished runs. Rows that people and processes change
// were sealed later.
func SealEverything(tx *gorm.DB, tables []contents.Table) error {
	var kinds []string
	for _, rule := range integrity.Rules {
		if !rule.Moving {
			kinds = append(kinds, rule.Kind)
		}
	}
	if err := SealKinds(tx, tables, kinds...); err != nil {
		return err
	}
	var runs []records.RunRow
	// As they were at this migration: without the columns that came later.
	if err := tx.Select("*").Where("state = ?", experiments.Finished).Order("seq").Find(&runs).Error; err != nil {
		return err
	}
	trees := records.NewTrees(tx)
	for _, row := range runs {
		root, err := trees.Root(row)
		if err != nil {
			return err
		}
		if err := seals.Put(tx, []seals.Row{{Kind: integrity.Tree, Key: row.ID, Digest: root[:]}}, true); err != nil {
			return err
		}
	}
	return nil
}

// SealKinds seals the rows of some kinds as they are.
func SealKinds(tx *gorm.DB, tables []contents.Table, kinds ...string) error {
	c := &checking{tx: tx, schema: tables}
	for _, rule := range integrity.Rules {
		if !slices.Contains(kinds, rule.Kind) {
			continue
		}
		if !slices.ContainsFunc(tables, func(t contents.Table) bool { return t.Name == rule.Table }) {
			return fmt.Errorf("there is no table %s", rule.Table)
		}
		t, err := c.table(rule)
		if err != nil {
			return err
		}
		var rows []seals.Row // a reading and a writing statement cannot share a connection of PostgreSQL
		err = c.sealed(rule, t, func(key string, d integrity.Digest) {
			rows = append(rows, seals.Row{Kind: rule.Kind, Key: key, Digest: d[:]})
		})
		if err != nil {
			return err
		}
		if err := seals.Put(tx, rows, true); err != nil {
			return err
		}
	}
	return nil
}
