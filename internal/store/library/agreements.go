package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

var _ experiments.AgreementStore = (*Tables)(nil)

// AgreementRow is a version of what was agreed about a dataset, as it is stored.
type AgreementRow struct {
	Dataset string    `gorm:"column:dataset;primaryKey"`
	Version int       `gorm:"column:version;primaryKey;autoIncrement:false"`
	Digest  string    `gorm:"column:digest"`
	Body    string    `gorm:"column:body"`
	Created time.Time `gorm:"column:created_at"`
}

// TableName tells gorm where the rows are.
func (AgreementRow) TableName() string { return "agreements" }

// toAgreementRow keeps version and time in columns only: the digest is of what was agreed.
func toAgreementRow(a experiments.Agreement) (AgreementRow, error) {
	row := AgreementRow{Dataset: sqldb.CleanText(a.Dataset), Version: a.Version, Created: a.At}
	a.Version, a.At = 0, time.Time{}
	var err error
	row.Body, err = sqldb.EncodeJSON(a)
	row.Digest = DigestOf(row.Body)
	return row, err
}

func fromAgreementRow(r AgreementRow) (experiments.Agreement, error) {
	a, err := sqldb.DecodeJSON[experiments.Agreement]("agreement on "+r.Dataset, r.Body)
	a.Version, a.At = r.Version, r.Created.UTC()
	return a, err
}

// DigestOf is the SHA-256 of a stored body.
func DigestOf(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// PutAgreement implements [experiments.AgreementStore].
func (s *Tables) PutAgreement(ctx context.Context, a experiments.Agreement) (stored experiments.Agreement, created bool, err error) {
	row, err := toAgreementRow(a)
	if err != nil {
		return experiments.Agreement{}, false, err
	}
	err = s.Write(ctx, "store the agreement on "+row.Dataset, func(tx *gorm.DB) error {
		for {
			var newest AgreementRow
			if err := tx.Where("dataset = ?", row.Dataset).Order("version DESC").Limit(1).Find(&newest).Error; err != nil {
				return err
			}
			if newest.Digest == row.Digest {
				row, created = newest, false
				return nil
			}
			row.Version = newest.Version + 1
			added := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
			if added.Error != nil {
				return added.Error
			}
			if added.RowsAffected == 1 {
				created = true
				return nil
			} // somebody else stored this version first: look again
		}
	})
	if err != nil {
		return experiments.Agreement{}, false, err
	}
	row.Created = sqldb.StoredTime(row.Created)
	stored, err = fromAgreementRow(row)
	return stored, created, err
}

// Agreement implements [experiments.AgreementStore].
func (s *Tables) Agreement(ctx context.Context, dataset string) (experiments.Agreement, error) {
	var row AgreementRow
	res := s.Read(ctx).Where("dataset = ?", dataset).Order("version DESC").Limit(1).Find(&row)
	if res.Error != nil {
		return experiments.Agreement{}, sqldb.Wrap("find the agreement on "+dataset, res.Error)
	}
	if res.RowsAffected == 0 {
		return experiments.Agreement{}, problem.New(problem.NotFound, "agreement_unknown",
			"nothing was agreed about dataset %q yet", dataset).
			With("dataset", dataset).WithHint("workbench agreement set %s --help shows how to record an agreement", dataset)
	}
	return fromAgreementRow(row)
}

// Agreements implements [experiments.AgreementStore].
func (s *Tables) Agreements(ctx context.Context, dataset string) ([]experiments.Agreement, error) {
	query := s.Read(ctx).Order("dataset, version DESC")
	if dataset != "" {
		query = query.Where("dataset = ?", dataset)
	}
	var rows []AgreementRow
	if err := query.Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list agreements", err)
	}
	out := make([]experiments.Agreement, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromAgreementRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// CheckAgreement refuses a version of an agreement that is there with other content. A study carries the agreements on its datasets.
func CheckAgreement(tx *gorm.DB, row *AgreementRow) (bool, error) {
	var have []AgreementRow
	if err := tx.Where("dataset = ? AND version = ?", row.Dataset, row.Version).Find(&have).Error; err != nil {
		return false, err
	}
	if len(have) > 0 && have[0].Digest != row.Digest {
		return false, problem.New(problem.Conflict, "study_conflict", "agreement %d on %s is here already with other content",
			row.Version, row.Dataset).
			With("name", row.Dataset).With("version", row.Version).WithHint("import the study into a data directory of its own with --data")
	}
	return len(have) == 0, nil
}
