// Package resealtest does for tests what somebody does who may write a database and knows the program: it seals everything anew.
package resealtest

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// Everything takes the seals of all rows away and seals them as they are now, roots of runs included. Marks of what is rightly not there
// stay.
func Everything(ctx context.Context, s *store.Store) error {
	tables, err := s.ReadTables(ctx)
	if err != nil {
		return err
	}
	return s.Orm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return errors.Join(tx.Exec("DELETE FROM seals WHERE kind <> ?", integrity.Gone).Error, doctor.SealEverything(tx, tables))
	})
}
