package records

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

var _ experiments.ReviewStore = (*RunTables)(nil)

// ReviewRow is what a reviewer said of an answer, as it is stored.
type ReviewRow struct {
	RunID      string    `gorm:"column:run_id;primaryKey"`
	QuestionID string    `gorm:"column:question_id;primaryKey"`
	Reviewer   string    `gorm:"column:reviewer;primaryKey"`
	Revision   int       `gorm:"column:revision;primaryKey;autoIncrement:false"`
	Digest     string    `gorm:"column:digest"`
	Body       string    `gorm:"column:body"`
	Created    time.Time `gorm:"column:created_at"`
}

// TableName tells gorm where the rows are.
func (ReviewRow) TableName() string { return "reviews" }

// toReviewRow keeps revision and time in columns only: the digest is of what was said.
func toReviewRow(r experiments.Review) (ReviewRow, error) {
	row := ReviewRow{
		RunID: sqldb.CleanText(r.RunID), QuestionID: sqldb.CleanText(r.QuestionID), Reviewer: sqldb.CleanText(r.Reviewer),
		Revision: r.Revision,
		Created:  r.At,
	}
	r.Revision, r.At = 0, time.Time{}
	var err error
	row.Body, err = sqldb.EncodeJSON(r)
	row.Digest = library.DigestOf(row.Body)
	return row, err
}

func fromReviewRow(row ReviewRow) (experiments.Review, error) {
	r, err := sqldb.DecodeJSON[experiments.Review]("review of "+row.QuestionID+" in run "+row.RunID, row.Body)
	r.Revision, r.At = row.Revision, row.Created.UTC()
	return r, err
}

// PutReviews implements [experiments.ReviewStore].
func (s *RunTables) PutReviews(ctx context.Context, reviews []experiments.Review) ([]experiments.Review, error) {
	rows := make([]ReviewRow, len(reviews))
	for i, r := range reviews {
		var err error
		if rows[i], err = toReviewRow(r); err != nil {
			return nil, err
		}
	}
	var added []ReviewRow
	err := s.Write(ctx, "store reviews", func(tx *gorm.DB) error {
		added = nil
		for _, row := range rows {
			was, err := addReview(tx, &row)
			if err != nil {
				return err
			}
			if was {
				added = append(added, row)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range added {
		added[i].Created = sqldb.StoredTime(added[i].Created)
	}
	return fromReviewRows(added)
}

// addReview stores a review as the next revision, unless the reviewer has said the same before.
func addReview(tx *gorm.DB, row *ReviewRow) (bool, error) {
	for {
		var before []ReviewRow
		err := tx.Where("run_id = ? AND question_id = ? AND reviewer = ?", row.RunID, row.QuestionID, row.Reviewer).Order("revision").
			Find(&before).Error
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(before, func(b ReviewRow) bool { return b.Digest == row.Digest }) {
			return false, nil
		}
		row.Revision = 1
		if n := len(before); n > 0 {
			row.Revision = before[n-1].Revision + 1
		}
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(row)
		if res.Error != nil || res.RowsAffected == 1 {
			return res.Error == nil, res.Error
		} // somebody else stored this revision first: look again
	}
}

// CheckReview takes a review of a study as the reviewer's next revision, unless it is there already. A study carries the reviews of its
// runs. It stores the row by itself: revisions of two databases would fall on the same numbers.
func CheckReview(tx *gorm.DB, row *ReviewRow) (bool, error) {
	_, err := addReview(tx, row)
	return false, err
}

// Reviews implements [experiments.ReviewStore].
func (s *RunTables) Reviews(ctx context.Context, runID string) ([]experiments.Review, error) {
	all, err := s.ReviewHistory(ctx, runID)
	if err != nil {
		return nil, err
	}
	out := []experiments.Review{}
	for i, r := range all { // ordered by revision: the last one of a reviewer counts
		if i+1 < len(all) && all[i+1].QuestionID == r.QuestionID && all[i+1].Reviewer == r.Reviewer {
			continue
		}
		if !r.Empty() {
			out = append(out, r)
		}
	}
	return out, nil
}

// ReviewHistory implements [experiments.ReviewStore].
func (s *RunTables) ReviewHistory(ctx context.Context, runID string) ([]experiments.Review, error) {
	var rows []ReviewRow
	if err := s.Read(ctx).Where("run_id = ?", runID).Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("read the reviews of run "+runID, err)
	}
	slices.SortFunc(rows, compareReviews) // here, because databases order Japanese differently
	return fromReviewRows(rows)
}

func fromReviewRows(rows []ReviewRow) ([]experiments.Review, error) {
	out := make([]experiments.Review, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromReviewRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func compareReviews(a, b ReviewRow) int {
	return cmp.Or(cmp.Compare(a.QuestionID, b.QuestionID), cmp.Compare(a.Reviewer, b.Reviewer), cmp.Compare(a.Revision, b.Revision))
}
