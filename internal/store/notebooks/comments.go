package notebooks

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

var _ experiments.CommentStore = (*CommentTables)(nil)

type commentRow struct {
	Notebook   string     `gorm:"column:notebook;primaryKey"`
	ID         string     `gorm:"column:id;primaryKey"`
	Cell       string     `gorm:"column:cell"`
	RunID      string     `gorm:"column:run_id"`
	Question   string     `gorm:"column:question"`
	Text       string     `gorm:"column:text"`
	MadeBy     string     `gorm:"column:made_by"`
	MadeAt     time.Time  `gorm:"column:made_at"`
	ResolvedBy string     `gorm:"column:resolved_by"`
	ResolvedAt *time.Time `gorm:"column:resolved_at"`
}

func (commentRow) TableName() string { return "notebook_comments" }

func toCommentRow(notebook string, c experiments.NotebookComment) commentRow {
	return commentRow{Notebook: sqldb.CleanText(notebook), ID: c.ID, Cell: sqldb.CleanText(c.Cell), RunID: c.Run,
		Question: sqldb.CleanText(c.Question), Text: sqldb.CleanText(c.Text), MadeBy: sqldb.CleanText(c.By), MadeAt: c.At,
		ResolvedBy: sqldb.CleanText(c.ResolvedBy), ResolvedAt: c.ResolvedAt}
}

func fromCommentRow(r commentRow) experiments.NotebookComment {
	out := experiments.NotebookComment{ID: r.ID, Cell: r.Cell, Run: r.RunID, Question: r.Question, Text: r.Text, By: r.MadeBy,
		At: r.MadeAt.UTC(), ResolvedBy: r.ResolvedBy}
	if r.ResolvedAt != nil {
		at := r.ResolvedAt.UTC()
		out.ResolvedAt = &at
	}
	return out
}

// PutComment implements [experiments.CommentStore].
func (s *CommentTables) PutComment(ctx context.Context, notebook string, c experiments.NotebookComment) error {
	row := toCommentRow(notebook, c)
	return s.Write(ctx, "keep a comment on "+notebook, func(tx *gorm.DB) error {
		var had int64
		if err := tx.Model(&commentRow{}).Where("notebook = ?", row.Notebook).Count(&had).Error; err != nil {
			return err
		}
		if had >= experiments.MostComments {
			return problem.New(problem.Conflict, "comments_many", "the notebook has %d comments, and takes no more", had).
				WithHint("remove some that are resolved")
		}
		return tx.Create(&row).Error
	})
}

// Comments implements [experiments.CommentStore].
func (s *CommentTables) Comments(ctx context.Context, notebook string) ([]experiments.NotebookComment, error) {
	var rows []commentRow
	which := s.Read(ctx).Where("notebook = ?", sqldb.CleanText(notebook)).Order("made_at, " + s.Bytewise("id"))
	if err := which.Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list comments on "+notebook, err)
	}
	out := make([]experiments.NotebookComment, len(rows))
	for i, r := range rows {
		out[i] = fromCommentRow(r)
	}
	return out, nil
}

// SettleComment implements [experiments.CommentStore].
func (s *CommentTables) SettleComment(ctx context.Context, notebook, id, by string, at *time.Time,
) (c experiments.NotebookComment, err error) {
	if at == nil {
		by = ""
	}
	err = s.Write(ctx, "settle a comment on "+notebook, func(tx *gorm.DB) error {
		var row commentRow
		which := tx.Where("notebook = ? AND id = ?", sqldb.CleanText(notebook), id)
		if err := which.Take(&row).Error; err != nil {
			return commentProblem(id, err)
		}
		row.ResolvedBy, row.ResolvedAt = sqldb.CleanText(by), at
		c = fromCommentRow(row)
		return changeComments(tx, func(tx *gorm.DB) error { return tx.Save(&row).Error }, "notebook = ? AND id = ?", row.Notebook, id)
	})
	return c, err
}

// ForgetComment implements [experiments.CommentStore].
func (s *CommentTables) ForgetComment(ctx context.Context, notebook, id string) error {
	return s.Write(ctx, "take a comment away", func(tx *gorm.DB) error {
		notebook, which := sqldb.CleanText(notebook), "notebook = ? AND id = ?"
		return changeComments(tx, func(tx *gorm.DB) error {
			res := tx.Where(which, notebook, id).Delete(&commentRow{})
			if res.Error == nil && res.RowsAffected == 0 {
				return commentProblem(id, gorm.ErrRecordNotFound)
			}
			return res.Error
		}, which, notebook, id)
	})
}

// MoveComments implements [experiments.CommentStore].
func (s *CommentTables) MoveComments(ctx context.Context, notebook, from, to string) error {
	return s.Write(ctx, "move comments of "+from, func(tx *gorm.DB) error {
		notebook, from, which := sqldb.CleanText(notebook), sqldb.CleanText(from), "notebook = ? AND cell = ?"
		return changeComments(tx, func(tx *gorm.DB) error {
			return tx.Model(&commentRow{}).Where(which, notebook, from).Update("cell", sqldb.CleanText(to)).Error
		}, which, notebook, from)
	})
}

// changeComments changes comments, whose seals follow.
func changeComments(tx *gorm.DB, do func(tx *gorm.DB) error, which string, args ...any) error {
	return seals.Change(tx, &commentRow{}, do, which, args...)
}

func commentProblem(id string, err error) error {
	if !errors.Is(err, gorm.ErrRecordNotFound) {
		return err
	}
	return experiments.CommentUnknown(id)
}

// CommentTables are what people say about notebooks.
type CommentTables struct{ *sqldb.DB }
