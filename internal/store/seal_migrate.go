package store

import (
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
)

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
