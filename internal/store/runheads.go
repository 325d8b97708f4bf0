package store

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// headRow is a run without its setup. The columns that are not of [runRow] are made by the database, out of setup and totals.
type headRow struct {
	ID             string     `gorm:"column:id"`
	Kind           string     `gorm:"column:kind"`
	ParentID       string     `gorm:"column:parent_id"`
	SweepID        string     `gorm:"column:sweep_id"`
	Params         string     `gorm:"column:params"`
	Experiment     string     `gorm:"column:experiment"`
	Revision       int        `gorm:"column:revision"`
	Dataset        string     `gorm:"column:dataset"`
	DatasetVersion int        `gorm:"column:dataset_version"`
	DatasetDigest  string     `gorm:"column:dataset_digest"`
	Corpus         string     `gorm:"column:corpus"`
	CorpusVersion  int        `gorm:"column:corpus_version"`
	CorpusDigest   string     `gorm:"column:corpus_digest"`
	JudgeProvider  string     `gorm:"column:judge_provider"`
	JudgeModel     string     `gorm:"column:judge_model"`
	Offline        bool       `gorm:"column:offline"`
	Settled        bool       `gorm:"column:settled"`
	LowScore       float64    `gorm:"column:low_score"`
	State          string     `gorm:"column:state"`
	Cause          string     `gorm:"column:cause"`
	Budget         int64      `gorm:"column:budget_micros"`
	BudgetCalls    int        `gorm:"column:budget_calls"`
	Created        time.Time  `gorm:"column:created_at"`
	StartedAt      *time.Time `gorm:"column:started_at"`
	FinishedAt     *time.Time `gorm:"column:finished_at"`
	Totals         string     `gorm:"column:totals"`
}

func (headRow) TableName() string { return "runs" }

func (r headRow) head() (experiments.RunHead, error) {
	h := experiments.RunHead{
		RunID: r.ID, Kind: experiments.Kind(r.Kind), ParentID: r.ParentID, SweepID: r.SweepID, Experiment: r.Experiment,
		Revision: r.Revision,
		Dataset:  experiments.Ref{Name: r.Dataset, Version: r.DatasetVersion, Digest: r.DatasetDigest},
		Corpus:   experiments.Ref{Name: r.Corpus, Version: r.CorpusVersion, Digest: r.CorpusDigest},
		Judge:    r.JudgeProvider + "/" + r.JudgeModel, Offline: r.Offline, Settled: r.Settled, LowScore: r.LowScore,
		State: experiments.RunState(r.State), Cause: r.Cause, Budget: experiments.Budget{Micros: r.Budget, Calls: r.BudgetCalls},
		CreatedAt: r.Created.UTC(), StartedAt: utc(r.StartedAt), FinishedAt: utc(r.FinishedAt),
	}
	var err error
	if h.Params, err = paramsOf(r.ID, r.Params); err != nil {
		return h, err
	}
	h.Totals, err = decodeJSON[*experiments.Totals]("totals of run "+r.ID, r.Totals)
	return h, err
}

// runSorts are what runs can be sorted by. A dataset stands as people write it, name@version.
var runSorts = map[string]sortedBy{
	"created_at":      {"created_at", wholeTime},
	"experiment":      {"experiment", text},
	"dataset":         {"CASE WHEN dataset = '' THEN '' ELSE dataset || '@' || dataset_version END", text},
	"state":           {"state", text},
	"kind":            {"kind", text},
	"run_id":          {"id", text},
	"low_score_count": {"low_score_count", maybeInteger},
	"correctness":     {"correctness", maybeNumber},
	"trust":           {"trust", maybeNumber},
}

var _ experiments.Heads = (*Store)(nil)

// RunHeads implements [experiments.Heads]. Free text is looked for row by row, because databases fold cases differently.
func (s *Store) RunHeads(ctx context.Context, l experiments.RunList, p experiments.Part) (heads []experiments.RunHead,
	total int, err error) {
	err = s.snapshot(ctx, "list runs", func(tx *gorm.DB) error {
		matching := narrowed(tx.Model(&headRow{}), l.RunFilter).Session(&gorm.Session{})
		if total, err = countHeads(matching, l.Text); err != nil {
			return err
		}
		limit := p.Limit
		if l.Text != "" {
			p.Limit = 0 // how many rows it takes shows when they are read
		}
		q, err := s.keyset(matching, runSorts, "id", p)
		if err != nil {
			return err
		}
		return eachHead(q, l.Text, func(h headRow) (bool, error) {
			head, err := h.head()
			heads = append(heads, head)
			return err == nil && (limit == 0 || len(heads) < limit), err
		})
	})
	return heads, total, err
}

// countHeads counts the rows of a query that hold a text.
func countHeads(q *gorm.DB, text string) (int, error) {
	var n int64
	if text == "" {
		err := q.Count(&n).Error
		return int(n), err
	}
	q = q.Select("id", "experiment", "params", "dataset", "dataset_version", "corpus", "corpus_version")
	err := eachHead(q, text, func(headRow) (bool, error) { n++; return true, nil })
	return int(n), err
}

// eachHead calls f with the rows of a query that hold a text until it says that it has enough.
func eachHead(q *gorm.DB, text string, f func(headRow) (more bool, err error)) error {
	rows, err := q.Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	text = strings.ToLower(text)
	for rows.Next() {
		var h headRow
		if err := q.ScanRows(rows, &h); err != nil {
			return err
		}
		if found, err := h.holds(text); err != nil {
			return err
		} else if !found {
			continue
		}
		if more, err := f(h); err != nil || !more {
			return err
		}
	}
	return rows.Err()
}

// holds reports whether a text in lower case is in what people know the run by.
func (r headRow) holds(text string) (bool, error) {
	if text == "" {
		return true, nil
	}
	params, err := paramsOf(r.ID, r.Params)
	if err != nil {
		return false, err
	}
	corpus, dataset := experiments.Ref{Name: r.Corpus, Version: r.CorpusVersion},
		experiments.Ref{Name: r.Dataset, Version: r.DatasetVersion}
	for _, s := range []string{r.ID, r.Experiment, experiments.Describe(params), corpus.String(), dataset.String()} {
		if strings.Contains(strings.ToLower(s), text) {
			return true, nil
		}
	}
	return false, nil
}

// narrowed is a query for the runs that a filter leaves.
func narrowed(q *gorm.DB, f experiments.RunFilter) *gorm.DB {
	for _, where := range []clause.Eq{
		{Column: "experiment", Value: f.Experiment},
		{Column: "dataset", Value: f.Dataset},
		{Column: "sweep_id", Value: f.SweepID},
		{Column: "parent_id", Value: f.ParentID},
		{Column: "state", Value: string(f.State)},
		{Column: "kind", Value: string(f.Kind)},
	} {
		if where.Value != "" {
			q = q.Where(where)
		}
	}
	if len(f.ParentIDs) > 0 {
		q = q.Where("parent_id IN ?", f.ParentIDs)
	}
	if len(f.IDs) > 0 {
		q = q.Where("id IN ?", f.IDs)
	}
	for _, tag := range f.Tags {
		q = q.Where("id IN (SELECT run_id FROM run_tags WHERE tag = ?)", tag)
	}
	if f.Roots {
		q = q.Where("parent_id = ''")
	}
	return q
}
