package studies

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Everything is every row that a person would miss, as JSON lines: what studies hold, whether a run rests on it or not, and what studies
// leave behind. Not in it: schedules and messages, which would fire and be sent a second time from the copy; accounts and the secrets
// of this installation; keys of requests; what notebooks were, because their files are not in it either. A backup has those.

// besidesStudies are the tables that only everything has, in the order in which they must be read back.
var besidesStudies = []Table{
	tableOf[library.JudgeCardRow]("judge_cards", nil, nil, ""),
	tableOf("endpoints", checkEndpoint, nil, ""),
	tableOf("baselines", checkBaseline, nil, ""),
	tableOf[records.NoteRow]("run_notes", nil, nil, ""), // what is here already stays
	tableOf[records.TagRow]("run_tags", nil, nil, ""),
	tableOf[records.ViewRow]("run_views", nil, nil, ""),
}

// dataTables are the tables of everything, in the order in which they must be read back.
func dataTables() []Table {
	return append(append([]Table{}, studyTables...), besidesStudies...)
}

// AllTables are dataTables with the seals of their rows, in the order in which they are written.
func AllTables() []Table { return append(dataTables(), sealsTable) }

// KeyOf is what orders all rows of a table, each once.
var KeyOf = map[string]string{
	"corpora": "name version", "documents": "corpus version position", "datasets": "name version", "questions": "dataset version position",
	"agreements": "dataset version", "taxonomies": "dataset_name id version", "logs": "name version",
	"logged_answers": "log version position",
	"experiments":    "name", "revisions": "experiment revision", "runs": "seq", "answers": "run_id question_id replicate",
	"cells": "run_id position metric_position replicate question_id metric", "reviews": "run_id question_id reviewer revision",
	"events": "run_id seq",
	"stages": "key", "calls": "id", "cache": "key", "vectors": "space digest", "judge_cards": "judge prompt_version measured_at",
	"endpoints": "name",
	"baselines": "dataset", "seals": "kind key", "run_notes": "run_id", "run_tags": "run_id tag", "run_views": "name",
}

// countedColumns hold numbers or times; the others of KeyOf hold text, which PostgreSQL would order by the rules of its language.
var countedColumns = map[string]bool{
	"version": true, "position": true, "metric_position": true, "revision": true, "seq": true, "replicate": true, "measured_at": true,
}

// orderAll orders all rows of a table, equally on both engines.
func (s *Tables) orderAll(table string) string {
	columns := strings.Fields(KeyOf[table])
	for i, c := range columns {
		if s.Engine() == sqldb.PostgresEngine && !countedColumns[c] {
			columns[i] = c + ` COLLATE "C"`
		}
	}
	return strings.Join(columns, ", ")
}

// ExportEverything writes all rows, table by table, into the writers that open gives for the tables' names, as one moment sees them. It
// returns the ids of all runs in the order they were created; Conflict while one is running.
func (s *Tables) ExportEverything(ctx context.Context, open func(table string) (io.Writer, error)) (runs []string, err error) {
	err = s.Snapshot(ctx, "export everything", func(tx *gorm.DB) error {
		var rows []records.RunRow
		if err := tx.Select("id", "state").Order("seq").Find(&rows).Error; err != nil {
			return err
		}
		for _, r := range rows {
			if r.State == string(experiments.Running) {
				return problem.New(problem.Conflict, "run_not_over", "run %s is running; everything can be exported when nothing is", r.ID).
					With("run", r.ID).
					WithHint("wait for it or `workbench runs pause %s`; `workbench backup` works at any time", r.ID)
			}
			runs = append(runs, r.ID)
		}
		for _, t := range AllTables() {
			w, err := open(t.Name)
			if err != nil {
				return err
			}
			if err := t.writeAll(tx, s.orderAll(t.Name), w); err != nil {
				return fmt.Errorf("export %s: %w", t.Name, err)
			}
		}
		return nil
	})
	return runs, err
}

// writeAllRows writes all rows of a table, one after the other: replies may be many gigabytes.
func writeAllRows[R any](tx *gorm.DB, name, order string, w io.Writer) (err error) {
	rows, err := tx.Table(name).Order(order).Rows()
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := rows.Close(); err == nil {
			err = closeErr
		}
	}()
	for rows.Next() {
		var row R
		if err := tx.ScanRows(rows, &row); err != nil {
			return err
		}
		line, err := encodeRow(&row)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return rows.Err()
}

// checkEndpoint leaves an endpoint as it is here: it may have been corrected since.
func checkEndpoint(tx *gorm.DB, row *library.EndpointRow) (bool, error) {
	var n int64
	err := tx.Model(&library.EndpointRow{}).Where("name = ?", row.Name).Count(&n).Error
	return n == 0, err
}

// checkBaseline leaves the baseline of a dataset as it is here: somebody decided it.
func checkBaseline(tx *gorm.DB, row *records.BaselineRow) (bool, error) {
	var n int64
	err := tx.Model(&records.BaselineRow{}).Where("dataset = ?", row.Dataset).Count(&n).Error
	return n == 0, err
}
