package library

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

type indexRow struct {
	Corpus  string    `gorm:"column:corpus;primaryKey"`
	Body    string    `gorm:"column:body"`
	Changed time.Time `gorm:"column:changed_at"`
}

func (indexRow) TableName() string { return "corpus_indexes" }

func fromIndexRow(r indexRow) (rag.IndexSource, error) {
	return sqldb.DecodeJSON[rag.IndexSource]("index of corpus "+r.Corpus, r.Body)
}

// PutIndex implements [experiments.OutsideStore].
func (s *Tables) PutIndex(ctx context.Context, source rag.IndexSource, now time.Time) error {
	body, err := sqldb.EncodeJSON(source)
	if err != nil {
		return err
	}
	row := indexRow{Corpus: sqldb.CleanText(source.Corpus), Body: body, Changed: now}
	replace := clause.OnConflict{Columns: []clause.Column{{Name: "corpus"}},
		DoUpdates: clause.AssignmentColumns([]string{"body", "changed_at"})}
	return s.Write(ctx, "store the index of "+row.Corpus, func(tx *gorm.DB) error { return tx.Clauses(replace).Create(&row).Error })
}

// DeleteIndex implements [experiments.OutsideStore].
func (s *Tables) DeleteIndex(ctx context.Context, corpus string) error {
	return s.Write(ctx, "forget the index of "+corpus, func(tx *gorm.DB) error {
		return tx.Where("corpus = ?", corpus).Delete(&indexRow{}).Error
	})
}

// Index implements [experiments.OutsideStore].
func (s *Tables) Index(ctx context.Context, corpus string) (rag.IndexSource, bool, error) {
	var row indexRow
	res := s.Read(ctx).Where("corpus = ?", corpus).Limit(1).Find(&row)
	if res.Error != nil || res.RowsAffected == 0 {
		return rag.IndexSource{}, false, sqldb.Wrap("find the index of "+corpus, res.Error)
	}
	source, err := fromIndexRow(row)
	return source, err == nil, err
}

// Indexes implements [experiments.OutsideStore].
func (s *Tables) Indexes(ctx context.Context) ([]rag.IndexSource, error) {
	var rows []indexRow
	if err := s.Read(ctx).Order("corpus").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list indexes", err)
	}
	out := make([]rag.IndexSource, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromIndexRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}
