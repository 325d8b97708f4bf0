package records

import (
	"cmp"
	"database/sql"
	"fmt"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/store/compact"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// A finished run never changes, so its results are kept a second time, one row for each, in a form that is read in one pass without
// JSON. Answers and cells are what counts: seals and trees cover them, studies carry them, and where the rows of a run are not whole, or
// cannot be read, its results are read from there. The doctor compares both
// (docs/adr/0046-results-of-finished-runs-are-read-in-one-pass.md).

// CompactRun writes the compact results of a run anew.
func CompactRun(tx *gorm.DB, run experiments.Run) error {
	suite := run.Setup.Suite
	whole, positions, err := LoadCells(tx, run.ID, suite)
	if err != nil {
		return err
	}
	if err := putCompact(tx, run.ID, suite, whole, positions); err != nil {
		return err
	}
	return putGrounds(tx, run, whole)
}

// putCompact stores the compact form of all results of a run, and reads it back: a copy that is not equal is an error. positions are
// those of their questions.
func putCompact(tx *gorm.DB, id string, suite []metrics.Spec, whole []experiments.Result, positions []int) error {
	if err := tx.Exec("DELETE FROM results WHERE run_id = ?", id).Error; err != nil {
		return err
	}
	const atOnce, columns = 200, 5
	for start := 0; start < len(whole); start += atOnce {
		chunk := whole[start:min(start+atOnce, len(whole))]
		args := make([]any, 0, columns*len(chunk))
		for i, r := range chunk {
			body, stages := compact.Encode(r, suite, len(whole))
			args = append(args, id, positions[start+i], r.Replicate, body, stages)
		}
		err := tx.Exec("INSERT INTO results (run_id, position, replicate, body, stages) VALUES "+sqldb.Tuples("(?, ?, ?, ?, ?)", len(chunk)),
			args...).Error
		if err != nil {
			return err
		}
	}
	got, at, err := LoadCompact(tx, id, suite)
	if err != nil {
		return err
	}
	if len(whole) > 0 && !(reflect.DeepEqual(whole, got) && slices.Equal(positions, at)) {
		return fmt.Errorf("the compact results of run %s are not what its answers and cells say", id)
	}
	return nil
}

// DropCompact takes away the copies of the results of runs.
func DropCompact(tx *gorm.DB, runs []string) error {
	if err := tx.Exec("DELETE FROM grounds WHERE run_id IN ?", runs).Error; err != nil {
		return err
	}
	return tx.Exec("DELETE FROM results WHERE run_id IN ?", runs).Error
}

// LoadCompact reads the compact results of a run in order, and the positions of their questions: none where there are none, and
// [ErrDamaged] where they are not whole.
func LoadCompact(tx *gorm.DB, id string, suite []metrics.Spec) (out []experiments.Result, positions []int, err error) {
	return readCompact(tx, id, suite, false)
}

// readCompact is [LoadCompact], or reads in short: what is kept of the results, and the keys of those alone of which nothing is.
func readCompact(tx *gorm.DB, id string, suite []metrics.Spec, short bool) (out []experiments.Result, positions []int, err error) {
	var n int
	var first, last sql.NullInt64
	if tx.Name() == sqldb.SQLiteEngine {
		err = tx.Raw("SELECT COUNT(*), MIN(rowid), MAX(rowid) FROM results WHERE run_id = ?", id).Row().Scan(&n, &first, &last)
	} else {
		err = tx.Raw("SELECT COUNT(*) FROM results WHERE run_id = ?", id).Scan(&n).Error
	}
	if err != nil || n == 0 {
		return nil, nil, err
	}
	out, positions = make([]experiments.Result, n), make([]int, 0, n)
	if short {
		if err := ReadGrounds(tx, id, out); err != nil {
			return nil, nil, err
		}
	}
	// SQLite looks each row up that an index names, which is a sixth of reading them. Where so many places are taken by so many rows, none
	// of another run is among them, and they are read as they stand; and again, should they not stand in their order.
	if first.Valid && last.Int64-first.Int64 == int64(n-1) {
		got, sorted, err := readRows(tx, suite, short, out, positions, "rowid BETWEEN ? AND ? ORDER BY rowid", first.Int64, last.Int64)
		if sorted || err != nil {
			return out[:len(got)], got, err
		}
	}
	positions, _, err = readRows(tx, suite, short, out, positions, "run_id = ? ORDER BY position, replicate", id)
	return out[:len(positions)], positions, err
}

// readRows reads some rows of compact results into those that there are to be, of which only what is kept of them is there, and their
// positions. It ends where rows are not sorted.
func readRows(tx *gorm.DB, suite []metrics.Spec, short bool, out []experiments.Result, positions []int, where string, args ...any) (
	at []int, sorted bool, err error) {
	rows, err := tx.Raw("SELECT position, replicate, body, stages FROM results WHERE "+where, args...).Rows()
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	decoder := compact.NewDecoder(suite)
	var position, replicate int64
	var body, stages sql.RawBytes
	var prints compact.Keys
	for rows.Next() {
		if err := rows.Scan(&position, &replicate, &body, &stages); err != nil {
			return nil, false, err
		}
		i := len(positions)
		if i == len(out) { // there are more than were counted
			return nil, false, compact.ErrDamaged
		}
		if i > 0 && cmp.Or(cmp.Compare(positions[i-1], int(position)), cmp.Compare(out[i-1].Replicate, int(replicate))) >= 0 {
			return nil, false, nil
		}
		r, keys := &out[i], &prints
		*r = experiments.Result{Replicate: int(replicate), Grounds: r.Grounds, Cover: r.Cover}
		if short && r.Grounds != nil {
			keys.ReadPrints(stages)
		} else {
			keys = compact.ReadKeys(stages)
		}
		of, err := decoder.Decode(body, keys, r)
		if err != nil {
			return nil, false, err
		}
		if of != len(out) {
			return nil, false, fmt.Errorf("%w: of %d there are %d", compact.ErrDamaged, of, len(out))
		}
		positions = append(positions, int(position))
	}
	return positions, true, rows.Err()
}

// CompactFinished makes the compact results of all finished runs.
func CompactFinished(tx *gorm.DB) error {
	var runs []struct{ ID, Setup string }
	if err := tx.Raw("SELECT id, setup FROM runs WHERE state = 'finished' ORDER BY seq").Scan(&runs).Error; err != nil {
		return err
	}
	for _, run := range runs {
		setup, err := sqldb.DecodeJSON[struct{ Suite []metrics.Spec }]("setup of run "+run.ID, run.Setup)
		if err != nil {
			return err
		}
		whole, positions, err := LoadCells(tx, run.ID, setup.Suite)
		if err != nil {
			continue // it could not be read before either, which the doctor says; an error of the database ends the next statement too
		}
		if err := putCompact(tx, run.ID, setup.Suite, whole, positions); err != nil {
			return fmt.Errorf("copy the results of run %s: %w", run.ID, err)
		}
	}
	return nil
}
