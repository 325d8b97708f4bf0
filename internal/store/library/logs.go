package library

import (
	"context"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// LoggedAnswerRow is an answer of a log, as it is stored.
type LoggedAnswerRow struct {
	Log        string `gorm:"column:log"`
	Version    int    `gorm:"column:version"`
	Position   int    `gorm:"column:position"`
	QuestionID string `gorm:"column:question_id"`
	Body       string `gorm:"column:body"`
}

// TableName tells gorm where the rows are.
func (LoggedAnswerRow) TableName() string { return "logged_answers" }

// LogRow is a version of a log with the dataset it answers.
type LogRow struct {
	Name    string    `gorm:"column:name"`
	Version int       `gorm:"column:version"`
	Digest  string    `gorm:"column:digest"`
	Items   int       `gorm:"column:items"`
	Chars   int       `gorm:"column:chars"`
	Dataset string    `gorm:"column:dataset"`
	Created time.Time `gorm:"column:created_at"`
}

func toLoggedAnswerRow(log string, position int, a rag.LoggedAnswer) (LoggedAnswerRow, error) {
	body, err := sqldb.EncodeJSON(a)
	return LoggedAnswerRow{Log: log, Position: position, QuestionID: sqldb.CleanText(a.QuestionID), Body: body}, err
}

// FromLoggedAnswerRow reads an answer of a log.
func FromLoggedAnswerRow(r LoggedAnswerRow) (rag.LoggedAnswer, error) {
	return sqldb.DecodeJSON[rag.LoggedAnswer]("logged answer to "+r.QuestionID, r.Body)
}

// PutLog implements [experiments.OutsideStore]. The digest is computed over the answers as they are stored.
func (s *Tables) PutLog(ctx context.Context, l *rag.Log, now time.Time) (experiments.Ref, bool, error) {
	rows := make([]LoggedAnswerRow, len(l.Answers))
	answers := make([]rag.LoggedAnswer, len(l.Answers))
	ids := make(map[string]bool, len(rows))
	version := VersionRow{Name: sqldb.CleanText(l.Name), Items: len(rows), Created: now}
	for i, a := range l.Answers {
		row, err := toLoggedAnswerRow(version.Name, i, a)
		if err != nil {
			return experiments.Ref{}, false, err
		}
		if ids[row.QuestionID] {
			return experiments.Ref{}, false, Twice("log", l.Name, "answer", row.QuestionID)
		}
		ids[row.QuestionID] = true
		if answers[i], err = FromLoggedAnswerRow(row); err != nil {
			return experiments.Ref{}, false, err
		}
		rows[i] = row
		version.Chars += utf8.RuneCountInString(answers[i].Answer)
	}
	dataset := sqldb.CleanText(l.Dataset)
	version.Digest = rag.NewLog(version.Name, dataset, answers).Digest
	return s.putVersion(ctx, "logs", version, func(tx *gorm.DB, n int) error {
		for i := range rows {
			rows[i].Version = n
		}
		if err := tx.Table("logs").Where("name = ? AND version = ?", version.Name, n).Update("dataset", dataset).Error; err != nil {
			return err
		}
		whole := LogRow{Name: version.Name, Version: n, Digest: version.Digest, Items: version.Items, Chars: version.Chars,
			Dataset: dataset, Created: now}
		if err := seals.Write(tx, "logs", &whole); err != nil {
			return err
		}
		return sqldb.Insert(tx, rows)
	})
}

// Log implements [experiments.OutsideStore].
func (s *Tables) Log(ctx context.Context, ref string) (*rag.Log, error) {
	v, err := s.version(ctx, "logs", "log", ref)
	if problem.Is(err, problem.NotFound) {
		return nil, problem.From(err).WithHint("`workbench import-answers FILE --dataset NAME --name %s` imports one", ref)
	}
	if err != nil {
		return nil, err
	}
	l := &rag.Log{Name: v.Name, Version: v.Version, Digest: v.Digest}
	err = s.Read(ctx).Table("logs").Select("dataset").Where("name = ? AND version = ?", v.Name, v.Version).Row().Scan(&l.Dataset)
	if err != nil {
		return nil, sqldb.Wrap("read log "+ref, err)
	}
	var rows []LoggedAnswerRow
	if err := s.Read(ctx).Where("log = ? AND version = ?", v.Name, v.Version).Order("position").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("read log "+ref, err)
	}
	l.Answers = make([]rag.LoggedAnswer, len(rows))
	for i, r := range rows {
		if l.Answers[i], err = FromLoggedAnswerRow(r); err != nil {
			return nil, sqldb.Wrap("read log "+ref, err)
		}
	}
	return l, nil
}

// Logs implements [experiments.OutsideStore].
func (s *Tables) Logs(ctx context.Context) ([]experiments.Listing, error) {
	return s.versions(ctx, "logs")
}
