package records

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// The states of an answer.
const (
	Answered = "answered"
	failed   = "failed"
)

// AnswerRow is an answer of a run, as it is stored.
type AnswerRow struct {
	RunID          string    `gorm:"column:run_id"`
	QuestionID     string    `gorm:"column:question_id"`
	Replicate      int       `gorm:"column:replicate"`
	State          string    `gorm:"column:state"`
	RetrievalKey   string    `gorm:"column:retrieval_key"`
	GenerationKey  string    `gorm:"column:generation_key"`
	FailureCause   string    `gorm:"column:failure_cause"`
	FailureMessage string    `gorm:"column:failure_message"`
	LatencyMS      int64     `gorm:"column:latency_ms"`
	Created        time.Time `gorm:"column:created_at"`
}

// TableName tells gorm where the rows are.
func (AnswerRow) TableName() string { return "answers" }

// toAnswerRow returns the row of a result's answer or failure; false when there is neither yet.
func toAnswerRow(runID string, r experiments.Result, now time.Time) (row AnswerRow, some bool, err error) {
	row = AnswerRow{RunID: runID, QuestionID: r.QuestionID, Replicate: r.Replicate, LatencyMS: r.LatencyMS, Created: now}
	switch {
	case r.Failure != nil:
		row.State, row.FailureCause, row.FailureMessage = failed, r.Failure.Cause, r.Failure.Message
		if r.Retrieved != nil {
			row.RetrievalKey = r.Retrieved.RetrievalKey
		}
	case r.Answer != nil:
		row.State, row.RetrievalKey, row.GenerationKey = Answered, r.Answer.RetrievalKey, r.Answer.GenerationKey
		// An answer is stored as its stages: without their keys it would be lost.
		if row.GenerationKey == "" || row.RetrievalKey == "" && (len(r.Answer.Hits) > 0 || r.Answer.Query != "") {
			return row, false, fmt.Errorf("the answer to question %s has no stage key", r.QuestionID)
		}
	default:
		return row, false, nil
	}
	return row, true, nil
}

// CellRow is one metric of one question in one run.
type CellRow struct {
	RunID          string    `gorm:"column:run_id"`
	QuestionID     string    `gorm:"column:question_id"`
	Position       int       `gorm:"column:position"` // of the question in the run
	Metric         string    `gorm:"column:metric"`
	MetricPosition int       `gorm:"column:metric_position"` // in the suite
	MetricVersion  string    `gorm:"column:metric_version"`
	Replicate      int       `gorm:"column:replicate"`
	State          string    `gorm:"column:state"`
	Value          *float64  `gorm:"column:value"` // null unless scored
	Reason         string    `gorm:"column:reason"`
	Stages         string    `gorm:"column:stages"`
	AttemptGen     int       `gorm:"column:attempt_gen"` // 0; counts the times a cell was opened again
	Writes         int       `gorm:"column:writes"`      // results written in this generation: 0 or 1
	Updated        time.Time `gorm:"column:updated_at"`
}

// TableName tells gorm where the rows are.
func (CellRow) TableName() string { return "cells" }

func (c CellRow) key() cellKey { return cellKey{c.QuestionID, c.Metric, c.Replicate} }

type cellKey struct {
	question, metric string
	replicate        int
}

// Missing implements [experiments.RunStore].
func (s *RunTables) Missing(ctx context.Context, id string) ([]string, error) {
	tx := s.Read(ctx)
	if _, err := FindRun(tx, id); err != nil {
		return nil, sqldb.Wrap("find missing results of run "+id, err)
	}
	out, err := pending(tx, id, nil)
	return out, sqldb.Wrap("find missing results of run "+id, err)
}

// SaveResults implements [experiments.RunStore]. A result without answer and failure, and scores that are pending, say
// nothing yet and are passed over. A replicate above 0 gets its cells here. Conflict when the run is finished; an
// internal error when a question or metric is not part of the run, or an answer has no stage key.
func (s *RunTables) SaveResults(ctx context.Context, id string, results []experiments.Result, stages []rag.Stage, now time.Time) error {
	return s.Write(ctx, "save results of run "+id, func(tx *gorm.DB) error {
		row, err := lockRun(tx, id, sqldb.ForShare)
		if err != nil {
			return err
		}
		if row.State == string(experiments.Finished) {
			return refused(row, "given more results")
		}
		if err := putStages(tx, stages, now); err != nil {
			return err
		}
		const atOnce = 250 // questions; bounds the parameters of the statements below
		for chunk := range slices.Chunk(results, atOnce) {
			if err := saveScores(tx, id, chunk, now); err != nil {
				return err
			}
			if err := saveAnswers(tx, id, chunk, now); err != nil {
				return err
			}
		}
		return nil
	})
}

func saveAnswers(tx *gorm.DB, id string, results []experiments.Result, now time.Time) error {
	var rows []AnswerRow
	for _, r := range results {
		row, some, err := toAnswerRow(id, r, now)
		if err != nil {
			return err
		}
		if some {
			rows = append(rows, row)
		}
	}
	return sqldb.Insert(tx, rows, clause.OnConflict{DoNothing: true})
}

// saveScores writes the scores of cells that are still pending.
func saveScores(tx *gorm.DB, id string, results []experiments.Result, now time.Time) error {
	cells, err := lockCells(tx, id, results, now)
	if err != nil {
		return err
	}
	var rows []CellRow
	for _, r := range results {
		for _, sc := range r.Scores {
			key := cellKey{sqldb.CleanText(r.QuestionID), sqldb.CleanText(sc.Metric), r.Replicate}
			cell, known := cells[key]
			if !known {
				return fmt.Errorf("question %s with metric %s is not part of the run", r.QuestionID, sc.Metric)
			}
			if cell.State != string(metrics.Pending) || sc.State == metrics.Pending {
				continue
			}
			if err := cell.set(sc, now); err != nil {
				return err
			}
			cells[key] = cell // the first of two scores for one cell wins within a call too
			rows = append(rows, cell)
		}
	}
	return sqldb.Insert(tx, rows, ifPending)
}

// ifPending makes an INSERT of cells an UPDATE of those that are still pending. It is the one statement that changes many
// rows on both databases with the types of the table.
var ifPending = clause.OnConflict{
	Columns: []clause.Column{{Name: "run_id"}, {Name: "question_id"}, {Name: "metric"}, {Name: "replicate"}},
	Where:   clause.Where{Exprs: []clause.Expression{clause.Eq{Column: "cells.state", Value: string(metrics.Pending)}}},
	DoUpdates: append(clause.AssignmentColumns([]string{"state", "value", "reason", "stages", "metric_version", "updated_at"}),
		clause.Assignment{Column: clause.Column{Name: "writes"}, Value: gorm.Expr("cells.writes + 1")}),
}

// set puts a score that is not pending into the cell.
func (c *CellRow) set(sc metrics.Score, now time.Time) (err error) {
	if sc.State == metrics.Scored {
		if math.IsNaN(sc.Value) || math.IsInf(sc.Value, 0) {
			return fmt.Errorf("%s of question %s is %v, which is not a score", sc.Metric, c.QuestionID, sc.Value)
		}
		c.Value = &sc.Value
	}
	if sc.Version != "" {
		c.MetricVersion = sc.Version
	}
	c.State, c.Reason, c.Writes, c.Updated = string(sc.State), sc.Reason, c.Writes+1, now
	c.Stages, err = sqldb.EncodeJSON(sc.Stages)
	return err
}

// lockCells returns the cells of these questions and keeps others from changing them. It adds the pending cells of
// replicates that are not there yet.
func lockCells(tx *gorm.DB, id string, results []experiments.Result, now time.Time) (map[cellKey]CellRow, error) {
	questions := make([]string, len(results))
	for i, r := range results {
		questions[i] = r.QuestionID
	}
	var rows []CellRow
	err := tx.Clauses(sqldb.ForUpdate).Where("run_id = ? AND question_id IN ?", id, questions).
		Order("question_id, metric, replicate"). // one order, so that two writers cannot wait for each other
		Omit("value", "reason", "stages", "updated_at").Find(&rows).Error
	if err != nil {
		return nil, err
	}
	cells := make(map[cellKey]CellRow, len(rows))
	first := map[string][]CellRow{} // the cells of replicate 0, by question
	for _, c := range rows {
		cells[c.key()] = c
		if c.Replicate == 0 {
			first[c.QuestionID] = append(first[c.QuestionID], c)
		}
	}
	var added []CellRow
	for _, r := range results {
		question := sqldb.CleanText(r.QuestionID)
		if len(first[question]) == 0 || r.Replicate < 0 {
			return nil, problem.New(problem.Internal, "result_foreign", "question %s replicate %d is not part of run %s", r.QuestionID,
				r.Replicate, id)
		}
		for _, c := range first[question] {
			c.Replicate = r.Replicate
			if _, known := cells[c.key()]; known {
				continue
			}
			c.State, c.Stages, c.Writes, c.Updated = string(metrics.Pending), "null", 0, now
			cells[c.key()] = c
			added = append(added, c)
		}
	}
	return cells, sqldb.Insert(tx, added, clause.OnConflict{DoNothing: true}) // who loses this race still meets ifPending
}

// KeyList reads a stored JSON array of stage keys. Keys are hexadecimal, so almost every list can be cut at its quotes.
func KeyList(stored string) ([]string, error) {
	if stored == "null" {
		return nil, nil
	}
	if strings.IndexByte(stored, '\\') < 0 {
		parts := strings.Split(stored, `"`)
		keys := make([]string, 0, len(parts)/2)
		for i := 1; i < len(parts); i += 2 {
			keys = append(keys, parts[i])
		}
		return keys, nil
	}
	var keys []string
	if err := json.Unmarshal([]byte(stored), &keys); err != nil {
		return nil, fmt.Errorf("stored stage keys are not readable: %w", err)
	}
	return keys, nil
}
