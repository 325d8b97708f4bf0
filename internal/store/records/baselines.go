package records

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// BaselineRow is the run that a dataset is compared with, as it is stored.
type BaselineRow struct {
	Dataset string    `gorm:"column:dataset;primaryKey"`
	RunID   string    `gorm:"column:run_id"`
	SetAt   time.Time `gorm:"column:set_at"`
}

// TableName tells gorm where the rows are.
func (BaselineRow) TableName() string { return "baselines" }

func toBaselineRow(b experiments.Baseline) BaselineRow {
	return BaselineRow{Dataset: b.Dataset, RunID: b.RunID, SetAt: b.SetAt}
}

func fromBaselineRow(r BaselineRow) experiments.Baseline {
	return experiments.Baseline{Dataset: r.Dataset, RunID: r.RunID, SetAt: r.SetAt.UTC()}
}

// SetBaseline implements [experiments.Registry]. It replaces the dataset's baseline; the run must exist.
func (s *RunTables) SetBaseline(ctx context.Context, b experiments.Baseline) error {
	return s.Write(ctx, "set the baseline of "+b.Dataset, func(tx *gorm.DB) error {
		if _, err := lockRun(tx, b.RunID, sqldb.ForShare); err != nil {
			return err
		}
		row := toBaselineRow(b)
		replace := clause.OnConflict{Columns: []clause.Column{{Name: "dataset"}},
			DoUpdates: clause.AssignmentColumns([]string{"run_id", "set_at"})}
		return tx.Clauses(replace).Create(&row).Error
	})
}

// Baseline implements [experiments.Registry].
func (s *RunTables) Baseline(ctx context.Context, dataset string) (experiments.Baseline, error) {
	var row BaselineRow
	res := s.Read(ctx).Where("dataset = ?", dataset).Limit(1).Find(&row)
	if res.Error != nil {
		return experiments.Baseline{}, sqldb.Wrap("find the baseline of "+dataset, res.Error)
	}
	if res.RowsAffected == 0 {
		return experiments.Baseline{}, noBaseline(dataset)
	}
	return fromBaselineRow(row), nil
}

func noBaseline(dataset string) *problem.Problem {
	return problem.New(problem.NotFound, "baseline_unknown", "dataset %q has no baseline", dataset).With("dataset", dataset).
		WithHint("`workbench baseline set RUN` makes a finished run the baseline of its dataset")
}

// Baselines implements [experiments.Registry]: by dataset.
func (s *RunTables) Baselines(ctx context.Context) ([]experiments.Baseline, error) {
	var rows []BaselineRow
	if err := s.Read(ctx).Order("dataset").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list baselines", err)
	}
	out := make([]experiments.Baseline, len(rows))
	for i, r := range rows {
		out[i] = fromBaselineRow(r)
	}
	return out, nil
}

// ClearBaseline implements [experiments.Registry]. NotFound when there is none.
func (s *RunTables) ClearBaseline(ctx context.Context, dataset string) error {
	return s.Write(ctx, "clear the baseline of "+dataset, func(tx *gorm.DB) error {
		res := tx.Where("dataset = ?", dataset).Delete(&BaselineRow{})
		if res.Error == nil && res.RowsAffected == 0 {
			return noBaseline(dataset)
		}
		return errors.Join(res.Error, seals.Remove(tx, "baselines", dataset))
	})
}
