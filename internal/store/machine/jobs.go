package machine

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

type jobRow struct {
	ID      string    `gorm:"column:id;primaryKey"`
	Kind    string    `gorm:"column:kind"`
	Request string    `gorm:"column:request"`
	State   string    `gorm:"column:state"`
	Body    string    `gorm:"column:body"`
	Result  string    `gorm:"column:result"` // "" without
	File    string    `gorm:"column:file"`
	Content []byte    `gorm:"column:content"`
	Owner   string    `gorm:"column:owner"`
	Created time.Time `gorm:"column:created_at"`
	SeenAt  time.Time `gorm:"column:seen_at"`
}

func (jobRow) TableName() string { return "jobs" }

// jobBody is what of a job is looked up by nothing.
type jobBody struct {
	Done    int              `json:"done"`
	Total   int              `json:"total"`
	Problem *problem.Problem `json:"problem,omitempty"`
	Runs    []string         `json:"runs"`
}

func toJobRow(j experiments.Job) (jobRow, error) {
	body, err := sqldb.EncodeJSON(jobBody{Done: j.Done, Total: j.Total, Problem: j.Problem, Runs: j.Runs})
	return jobRow{
		ID: j.ID, Kind: j.Kind, Request: string(sqldb.CleanJSON(j.Request)), State: string(j.State), Body: body,
		Result: string(sqldb.CleanJSON(j.Result)), File: j.File,
		Content: append([]byte{}, j.Content...), Owner: j.Owner, Created: j.CreatedAt, SeenAt: j.SeenAt,
	}, err
}

func fromJobRow(r jobRow) (experiments.Job, error) {
	body, err := sqldb.DecodeJSON[jobBody]("job "+r.ID, r.Body)
	j := experiments.Job{
		ID: r.ID, Kind: r.Kind, Request: json.RawMessage(r.Request), State: experiments.JobState(r.State), Done: body.Done,
		Total: body.Total, Problem: body.Problem,
		Runs: body.Runs, File: r.File, Owner: r.Owner, CreatedAt: r.Created.UTC(), SeenAt: r.SeenAt.UTC(),
	}
	if r.Result != "" {
		j.Result = json.RawMessage(r.Result)
	}
	if len(r.Content) > 0 {
		j.Content = r.Content
	}
	return j, err
}

var _ experiments.JobStore = (*Tables)(nil)

// PutJob implements [experiments.JobStore].
func (s *Tables) PutJob(ctx context.Context, j experiments.Job, keep int) error {
	row, err := toJobRow(j)
	if err != nil {
		return err
	}
	return s.Write(ctx, "store job "+j.ID, func(tx *gorm.DB) error {
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
		var last []jobRow
		ended := tx.Select("created_at").Where("state <> ?", experiments.JobRunning).Order("created_at DESC").Offset(keep).Limit(1)
		if err := ended.Find(&last).Error; err != nil || len(last) == 0 {
			return err
		}
		return tx.Where("state <> ? AND created_at <= ?", experiments.JobRunning, last[0].Created).Delete(&jobRow{}).Error
	})
}

// Job implements [experiments.JobStore].
func (s *Tables) Job(ctx context.Context, id string) (experiments.Job, error) {
	var row jobRow
	res := s.Read(ctx).Where("id = ?", id).Limit(1).Find(&row)
	if res.Error != nil {
		return experiments.Job{}, sqldb.Wrap("find job "+id, res.Error)
	}
	if res.RowsAffected == 0 {
		return experiments.Job{}, problem.New(problem.NotFound, "job_unknown", "there is no job %q", id).With("job", id).
			WithHint("the newest jobs are kept, older ones are forgotten; their runs stay: see the list of runs")
	}
	return fromJobRow(row)
}
