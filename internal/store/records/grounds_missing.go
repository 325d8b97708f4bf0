package records

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// RunsWithoutGrounds are the finished runs beside which what comparisons read of their answers is not kept, though their stages tell it.
func (s *LedgerTables) RunsWithoutGrounds(ctx context.Context) (missing []string, err error) {
	err = s.Snapshot(ctx, "find runs without grounds", func(tx *gorm.DB) error {
		var runs []struct{ ID, Setup string }
		err := tx.Raw(`SELECT runs.id, runs.setup FROM runs LEFT JOIN grounds ON grounds.run_id = runs.id
			WHERE runs.state = ? AND runs.kind = ? AND grounds.run_id IS NULL ORDER BY runs.seq`,
			experiments.Finished, experiments.KindEvaluate).Scan(&runs).Error
		if err != nil {
			return err
		}
		for _, r := range runs {
			setup, err := sqldb.DecodeJSON[experiments.Setup]("setup of run "+r.ID, r.Setup)
			if err != nil {
				continue // which is a finding
			}
			results, _, err := LoadCompact(tx, r.ID, setup.Suite)
			if err != nil {
				continue // which is a finding
			}
			for part := range slices.Chunk(results, groundsAtOnce) {
				told, err := partGrounds(tx, part)
				if err != nil {
					return err
				}
				if slices.ContainsFunc(told, func(g readGrounds) bool { return g.known }) {
					missing = append(missing, r.ID)
					break
				}
			}
		}
		return nil
	})
	return missing, err
}
