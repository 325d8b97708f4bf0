package records

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

type probeRow struct {
	Provider string    `gorm:"column:provider;primaryKey"`
	Origin   string    `gorm:"column:origin;primaryKey"`
	Model    string    `gorm:"column:model;primaryKey"`
	Purpose  string    `gorm:"column:purpose;primaryKey"`
	At       time.Time `gorm:"column:at"`
	Body     string    `gorm:"column:body"`
}

func (probeRow) TableName() string { return "probes" }

// PutProbe keeps what is known of a model for one purpose, in the place of what was known before.
func (s *LedgerTables) PutProbe(ctx context.Context, p llm.Probe) error {
	body, err := sqldb.EncodeJSON(p)
	if err != nil {
		return err
	}
	row := probeRow{Provider: sqldb.CleanText(p.Provider), Origin: sqldb.CleanText(p.Origin), Model: sqldb.CleanText(p.Model),
		Purpose: p.Purpose, At: p.At,
		Body: body}
	replace := clause.OnConflict{
		Columns:   []clause.Column{{Name: "provider"}, {Name: "origin"}, {Name: "model"}, {Name: "purpose"}},
		DoUpdates: clause.AssignmentColumns([]string{"at", "body"}),
	}
	return s.Write(ctx, "store a probe of "+p.Model, func(tx *gorm.DB) error { return tx.Clauses(replace).Create(&row).Error })
}

// Probes returns what is known of models, by provider, model and purpose.
func (s *LedgerTables) Probes(ctx context.Context) ([]llm.Probe, error) {
	var rows []probeRow
	if err := s.Read(ctx).Order("provider, model, purpose, origin").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list probes", err)
	}
	out := make([]llm.Probe, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = sqldb.DecodeJSON[llm.Probe]("probe of "+r.Model, r.Body); err != nil {
			return nil, err
		}
	}
	return out, nil
}
