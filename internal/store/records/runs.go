// Package records keeps runs with their results, reviews and notes ([RunTables]), and the ledger of calls with its bill, the budgets
// that calls are counted against, and what was computed of their replies ([LedgerTables]). One transaction changes them together: a call
// that is begun raises the guard of its run, and a run that closes seals the tree of all that it rests on.
package records

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/people"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// runIDLength is the length of a run's id in hexadecimal digits.
const runIDLength = 12

// RunID is the id of the run that has n runs of equal kind and setup before it.
func RunID(kind, setupDigest string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "r1\n%s\n%s\n%d\n", kind, setupDigest, n))
	return hex.EncodeToString(sum[:])[:runIDLength]
}

// NoRun says that there is no run with this id.
func NoRun(id string) *problem.Problem {
	return sqldb.Unknown("run", id).WithHint("`workbench runs list` shows what there is")
}

// CreateRun implements [experiments.RunStore]. Kind, Setup and CreatedAt of r must be set; ParentID and SweepID name
// stored runs. SetupDigest is computed here; state, times and totals of r are not looked at.
func (s *RunTables) CreateRun(ctx context.Context, r experiments.Run, questions []string) (experiments.Run, error) {
	row, err := newRunRow(r)
	if err != nil {
		return experiments.Run{}, err
	}
	if err := checkCells(r, questions); err != nil {
		return experiments.Run{}, err
	}
	err = s.Write(ctx, "create a run", func(tx *gorm.DB) error {
		for _, id := range []string{row.SweepID, row.ParentID} { // the order in which guards lock them
			if id == "" {
				continue
			}
			if _, err := lockRun(tx, id, sqldb.ForShare); err != nil {
				return err
			}
		}
		if err := insertRun(tx, &row); err != nil {
			return err
		}
		return insertCells(tx, row, r.Setup.Suite, questions)
	})
	if err != nil {
		return experiments.Run{}, err
	}
	return s.Run(ctx, row.ID)
}

// newRunRow is the row of a run that waits to be started.
func newRunRow(r experiments.Run) (RunRow, error) {
	if r.Kind == "" || r.CreatedAt.IsZero() {
		return RunRow{}, problem.New(problem.Internal, "run_incomplete", "a run cannot be created without its kind and time")
	}
	row, err := ToRunRow(experiments.Run{
		Kind: r.Kind, ParentID: r.ParentID, SweepID: r.SweepID, Params: r.Params, Setup: r.Setup,
		State: experiments.Queued, Budget: r.Budget, CreatedAt: r.CreatedAt,
	})
	if err != nil {
		return RunRow{}, err
	}
	stored, err := FromRunRow(row) // the digest is that of the setup as it is stored
	if err != nil {
		return RunRow{}, err
	}
	row.SetupDigest = stored.Setup.Digest()
	return row, nil
}

func checkCells(r experiments.Run, questions []string) error {
	if len(questions) > 0 && len(r.Setup.Suite) == 0 {
		return problem.New(problem.Invalid, "suite_empty", "a run of %d questions needs at least one metric", len(questions)).
			WithHint("add metrics to `suite:`")
	}
	seen := make(map[string]bool, len(questions))
	for _, id := range questions {
		if seen[id] {
			return library.Twice("run of", r.Setup.Dataset.Name, "question", id)
		}
		seen[id] = true
	}
	return nil
}

// insertRun gives the row its id and inserts it. An id is taken for good: a deleted run's id that still stands on a bill
// is not given again.
func insertRun(tx *gorm.DB, row *RunRow) error {
	var n int64
	if err := tx.Model(&RunRow{}).Where("setup_digest = ? AND kind = ?", row.SetupDigest, row.Kind).Count(&n).Error; err != nil {
		return err
	}
	for ; ; n++ {
		row.Ordinal = int(n)
		row.ID = RunID(row.Kind, row.SetupDigest, row.Ordinal)
		var billed int64
		if err := tx.Model(&CallRow{}).Where("run_id = ?", row.ID).Limit(1).Count(&billed).Error; err != nil {
			return err
		}
		if billed > 0 {
			continue
		}
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(row)
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 1 { // one of this id may have been deleted before
			return seals.RemoveGone(tx, "runs", row.ID)
		}
	}
}

// insertCells inserts questions × metrics. The product is made by the database, which saves sending it.
func insertCells(tx *gorm.DB, run RunRow, suite []metrics.Spec, questions []string) error {
	if len(questions) == 0 {
		return nil
	}
	var m []any
	for i, spec := range suite {
		m = append(m, spec.ID, spec.Version, i)
	}
	metricRows := sqldb.Tuples("(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT))", len(suite))
	for start := 0; start < len(questions); start += sqldb.BatchRows {
		chunk := questions[start:min(start+sqldb.BatchRows, len(questions))]
		var args []any
		for i, id := range chunk {
			args = append(args, id, start+i)
		}
		args = append(append(args, m...), run.ID, run.Created)
		err := tx.Exec(`WITH q(question_id, position) AS (VALUES `+sqldb.Tuples("(CAST(? AS TEXT), CAST(? AS BIGINT))", len(chunk))+`),
			m(metric, metric_version, metric_position) AS (VALUES `+metricRows+`)
			INSERT INTO cells (run_id, question_id, position, metric, metric_position, metric_version, replicate, state, reason, stages, attempt_gen, writes, updated_at)
			SELECT ?, q.question_id, q.position, m.metric, m.metric_position, m.metric_version, 0, 'pending', '', 'null', 0, 0, ?
			FROM q CROSS JOIN m`, args...).Error
		if err != nil {
			return err
		}
	}
	return nil
}

// Run implements [experiments.RunStore].
func (s *RunTables) Run(ctx context.Context, idOrPrefix string) (experiments.Run, error) {
	const shown = 3 // of the runs that an ambiguous prefix may mean
	prefix := strings.ToLower(strings.TrimSpace(idOrPrefix))
	if prefix == "" || len(prefix) > runIDLength {
		return experiments.Run{}, NoRun(idOrPrefix)
	}
	var rows []RunRow
	// Digits come before "g", so this is the range of ids that begin so, which the index on ids finds. +seq keeps SQLite from walking
	// through all runs, the newest first, instead.
	err := s.Read(ctx).Where("id >= ? AND id < ?", prefix, prefix+"g").Order("+seq DESC").Limit(shown + 1).Find(&rows).Error
	if err != nil {
		return experiments.Run{}, sqldb.Wrap("find run "+idOrPrefix, err)
	}
	switch len(rows) {
	case 0:
		return experiments.Run{}, NoRun(idOrPrefix)
	case 1:
		return FromRunRow(rows[0])
	}
	ids := make([]string, 0, shown)
	for _, r := range rows[:min(shown, len(rows))] {
		ids = append(ids, r.ID)
	}
	more := ""
	if len(rows) > shown {
		more = " and others"
	}
	return experiments.Run{}, problem.New(problem.Invalid, "run_ambiguous", "%q begins the ids of several runs: %s%s", idOrPrefix,
		strings.Join(ids, ", "), more).
		With("prefix", idOrPrefix).With("ids", ids).WithHint("give more digits of the id")
}

// Runs implements [experiments.RunStore]. Runs created at the same time stand in the reverse order of their creation.
func (s *RunTables) Runs(ctx context.Context, f experiments.RunFilter) ([]experiments.Run, error) {
	q := narrowed(s.Read(ctx).Order("created_at DESC, seq DESC"), f)
	if f.Limit > 0 {
		q = q.Limit(f.Limit)
	}
	var rows []RunRow
	if err := q.Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list runs", err)
	}
	out := make([]experiments.Run, len(rows))
	for i, row := range rows {
		var err error
		if out[i], err = FromRunRow(row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DeleteRun implements [experiments.RunStore]. Calls stay: they are the bill. A run with child runs that are not deleted
// with it is refused with Conflict too, because the children only mean something beside it.
func (s *RunTables) DeleteRun(ctx context.Context, id string) error {
	return s.Write(ctx, "delete run "+id, func(tx *gorm.DB) error {
		if _, err := lockRun(tx, id, sqldb.ForUpdate); err != nil {
			return err
		}
		var rows []RunRow
		if err := tx.Clauses(sqldb.ForUpdate).Where("id = ? OR sweep_id = ?", id, id).Order("seq").Find(&rows).Error; err != nil {
			return err
		}
		ids := make([]string, len(rows))
		for i, row := range rows {
			ids[i] = row.ID
			if row.State == string(experiments.Running) {
				return problem.New(problem.Conflict, "run_running", "run %s is running", row.ID).With("run", row.ID).
					WithHint("`workbench runs cancel %s` stops it", row.ID)
			}
		}
		if err := checkUnused(tx, ids); err != nil {
			return err
		}
		if err := people.Unshare(tx, ids); err != nil {
			return err
		}
		for _, table := range []string{"grounds", "results", "cells", "answers", "events"} {
			if err := tx.Exec("DELETE FROM "+table+" WHERE run_id IN ?", ids).Error; err != nil {
				return err
			}
		}
		for _, row := range []any{&NoteRow{}, &TagRow{}} {
			if err := dropBeside(tx, row, "run_id IN ?", ids); err != nil {
				return err
			}
		}
		for _, id := range ids {
			for _, kind := range []string{"cells", "answers", "events", "runs", "runs_end", "runs_seq", integrity.Tree, integrity.Tail} {
				if err := seals.Remove(tx, kind, id); err != nil {
					return err
				}
			}
		}
		if err := seals.PutGone(tx, goneWith(rows)); err != nil {
			return err
		}
		if err := tx.Where("id IN ?", ids).Delete(&RunRow{}).Error; err != nil {
			return err
		}
		for _, row := range rows {
			if err := Repool(tx, row.ParentID); err != nil {
				return err
			}
		}
		return nil
	})
}

// goneWith are the keys of what is rightly not here without these runs: themselves, and members of the sweeps that they were in.
func goneWith(rows []RunRow) []string {
	var keys []string
	for _, row := range rows {
		keys = append(keys, integrity.KeyOf("runs", row.ID))
		if row.SweepID != "" {
			keys = append(keys, integrity.KeyOf("members", row.SweepID))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// checkUnused returns a Conflict when a baseline or a child run needs one of the runs.
func checkUnused(tx *gorm.DB, ids []string) error {
	var b BaselineRow
	res := tx.Where("run_id IN ?", ids).Order("dataset").Limit(1).Find(&b)
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected > 0 {
		return problem.New(problem.Conflict, "run_baseline", "run %s is the baseline of dataset %q", b.RunID, b.Dataset).
			With("run", b.RunID).With("dataset", b.Dataset).
			WithHint("`workbench baseline clear %s`, or set another baseline, first", b.Dataset)
	}
	var child RunRow
	res = tx.Where("parent_id IN ? AND id NOT IN ?", ids, ids).Order("seq").Limit(1).Find(&child)
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected > 0 {
		return problem.New(problem.Conflict, "run_has_children", "run %s adds votes to run %s", child.ID, child.ParentID).
			With("run", child.ParentID).With("child", child.ID).
			WithHint("`workbench runs delete %s` first", child.ID)
	}
	return nil
}

// RunTables are runs with their results, reviews and notes.
type RunTables struct{ *sqldb.DB }

// Ended tells that nothing is done to a run any more.
func Ended(state experiments.RunState) bool {
	return state == experiments.Finished || state == experiments.Cancelled || state == experiments.Failed
}
