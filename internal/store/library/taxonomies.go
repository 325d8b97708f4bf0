package library

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// TaxonomyRow is a version of a taxonomy, as it is stored.
type TaxonomyRow struct {
	ID          string    `gorm:"column:id;primaryKey"`
	DatasetName string    `gorm:"column:dataset_name;primaryKey"`
	Version     int       `gorm:"column:version;primaryKey"`
	Body        string    `gorm:"column:body"`
	CreatedAt   time.Time `gorm:"column:created_at"`
}

// TableName tells gorm where the rows are.
func (TaxonomyRow) TableName() string { return "taxonomies" }

func toTaxonomyRow(dataset string, t experiments.Taxonomy, now time.Time) (TaxonomyRow, error) {
	body, err := sqldb.EncodeJSON(t)
	return TaxonomyRow{ID: t.ID, DatasetName: dataset, Version: t.Version, Body: body, CreatedAt: now}, err
}

func fromTaxonomyRow(r TaxonomyRow) (experiments.Taxonomy, error) {
	return sqldb.DecodeJSON[experiments.Taxonomy]("taxonomy "+r.ID+" of dataset "+r.DatasetName, r.Body)
}

// PutTaxonomy locks a taxonomy for the questions of a dataset name: as its first or next version, or not at all where it says
// the same as the newest; [experiments.Taxonomy.Succeed] has the rules. It returns the version in force.
func (s *Tables) PutTaxonomy(ctx context.Context, dataset string, t experiments.Taxonomy, now time.Time) (experiments.Taxonomy,
	error) {
	if err := t.Validate(); err != nil {
		return t, err
	}
	err := s.Write(ctx, "store the taxonomy "+t.ID, func(tx *gorm.DB) error {
		newest, err := newestTaxonomy(tx, dataset, t.ID)
		if err != nil {
			return err
		}
		next, changed, err := t.Succeed(newest)
		if err != nil {
			return err
		}
		t = next
		if !changed {
			return nil
		}
		row, err := toTaxonomyRow(dataset, t, now)
		if err != nil {
			return err
		}
		return tx.Create(&row).Error
	})
	return t, err
}

// newestTaxonomy returns nil where a dataset has no such taxonomy.
func newestTaxonomy(tx *gorm.DB, dataset, id string) (*experiments.Taxonomy, error) {
	var rows []TaxonomyRow
	err := tx.Where("dataset_name = ? AND id = ?", dataset, id).Order("version DESC").Limit(1).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	t, err := fromTaxonomyRow(rows[0])
	return &t, err
}

// Taxonomy returns a version of a taxonomy of a dataset name, 0 meaning the newest. NotFound when there is none.
func (s *Tables) Taxonomy(ctx context.Context, dataset, id string, version int) (experiments.Taxonomy, error) {
	query := s.Read(ctx).Where("dataset_name = ? AND id = ?", dataset, id)
	if version != 0 {
		query = query.Where("version = ?", version)
	}
	var rows []TaxonomyRow
	if err := query.Order("version DESC").Limit(1).Find(&rows).Error; err != nil {
		return experiments.Taxonomy{}, sqldb.Wrap("find the taxonomy "+id, err)
	}
	if len(rows) == 0 {
		return experiments.Taxonomy{}, problem.New(problem.NotFound, "taxonomy_unknown",
			"dataset %s has no taxonomy %s of that version", dataset, id).
			With("dataset", dataset).With("id", id).With("version", version).
			WithHint("`workbench questions %s` proposes themes; --taxonomy FILE reads others", dataset)
	}
	return fromTaxonomyRow(rows[0])
}

// Taxonomies returns the newest version of each taxonomy of a dataset name, by id.
func (s *Tables) Taxonomies(ctx context.Context, dataset string) ([]experiments.Taxonomy, error) {
	var rows []TaxonomyRow
	if err := s.Read(ctx).Where("dataset_name = ?", dataset).Order("id, version DESC").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list the taxonomies of "+dataset, err)
	}
	out := []experiments.Taxonomy{}
	for i, r := range rows {
		if i > 0 && rows[i-1].ID == r.ID {
			continue
		}
		t, err := fromTaxonomyRow(r)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
