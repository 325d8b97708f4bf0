package library

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// JudgeCardRow is what was measured of a judge, as it is stored.
type JudgeCardRow struct {
	Judge         string    `gorm:"column:judge;primaryKey"`
	PromptVersion string    `gorm:"column:prompt_version;primaryKey"`
	MeasuredAt    time.Time `gorm:"column:measured_at;primaryKey"`
	Status        string    `gorm:"column:status"`
	Body          string    `gorm:"column:body"`
}

// TableName tells gorm where the rows are.
func (JudgeCardRow) TableName() string { return "judge_cards" }

func toJudgeCardRow(c validation.JudgeCard) (JudgeCardRow, error) {
	body, err := sqldb.EncodeJSON(c)
	return JudgeCardRow{
		Judge: sqldb.CleanText(c.Judge), PromptVersion: c.PromptVersion, MeasuredAt: c.MeasuredAt, Status: string(c.Status), Body: body,
	}, err
}

func fromJudgeCardRow(r JudgeCardRow) (validation.JudgeCard, error) {
	c, err := sqldb.DecodeJSON[validation.JudgeCard]("card of judge "+r.Judge, r.Body)
	c.MeasuredAt = r.MeasuredAt.UTC()
	return c, err
}

// PutJudgeCard keeps a card. One of the same judge, prompt version and time is replaced.
func (s *Tables) PutJudgeCard(ctx context.Context, c validation.JudgeCard) error {
	row, err := toJudgeCardRow(c)
	if err != nil {
		return err
	}
	replace := clause.OnConflict{
		Columns:   []clause.Column{{Name: "judge"}, {Name: "prompt_version"}, {Name: "measured_at"}},
		DoUpdates: clause.AssignmentColumns([]string{"status", "body"}),
	}
	return s.Write(ctx, "store the card of judge "+c.Judge, func(tx *gorm.DB) error { return tx.Clauses(replace).Create(&row).Error })
}

// JudgeCard returns the newest card of a judge, "provider/model", with a prompt version; an empty one means any. NotFound when
// there is none.
func (s *Tables) JudgeCard(ctx context.Context, judge, promptVersion string) (validation.JudgeCard, error) {
	query := s.Read(ctx).Where("judge = ?", judge)
	if promptVersion != "" {
		query = query.Where("prompt_version = ?", promptVersion)
	}
	var row JudgeCardRow
	res := query.Order("measured_at DESC").Limit(1).Find(&row)
	if res.Error != nil {
		return validation.JudgeCard{}, sqldb.Wrap("find the card of judge "+judge, res.Error)
	}
	if res.RowsAffected == 0 {
		return validation.JudgeCard{}, problem.New(problem.NotFound, "judge_card_unknown", "judge %s has not been validated", judge).
			With("judge", judge).
			WithHint("workbench validate judge --judge %s measures it", judge)
	}
	return fromJudgeCardRow(row)
}

// JudgeCards returns every card, the newest first.
func (s *Tables) JudgeCards(ctx context.Context) ([]validation.JudgeCard, error) {
	var rows []JudgeCardRow
	if err := s.Read(ctx).Order("measured_at DESC, judge, prompt_version").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list judge cards", err)
	}
	out := make([]validation.JudgeCard, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromJudgeCardRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}
