package studies

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// longestRow bounds one line of a study: a reply of 8 MiB in base64, and its request.
const longestRow = 64 << 20

// tableOf moves rows of type R. keys are the values of where, one query for each; check sees every row before it is stored and may
// refuse it, or say that it must not be stored.
func tableOf[R any](name string, check func(tx *gorm.DB, row *R) (store bool, err error), keys func(*selection) [][]any,
	where string) Table {
	return Table{
		Name: name,
		write: func(tx *gorm.DB, s *selection, w io.Writer) error {
			for _, key := range keys(s) {
				var rows []R
				if err := tx.Table(name).Where(where, key...).Order(orderOf(name)).Find(&rows).Error; err != nil {
					return err
				}
				if err := s.note(tx, name, where, key); err != nil {
					return err
				}
				if err := writeRows(rows, w); err != nil {
					return err
				}
			}
			return nil
		},
		read:     func(tx *gorm.DB, r io.Reader, seals *studySeals) error { return readRows(tx, name, r, check, seals) },
		writeAll: func(tx *gorm.DB, order string, w io.Writer) error { return writeAllRows[R](tx, name, order, w) },
	}
}

// orderOf is the order in which the rows of one key are written, so that equal studies have equal bytes.
func orderOf(table string) string {
	switch table {
	case "documents", "questions", "logged_answers":
		return "position"
	case "revisions":
		return "revision"
	case "agreements":
		return "version"
	case "taxonomies":
		return "id, version"
	case "reviews":
		return "question_id, reviewer, revision"
	case "answers":
		return "question_id, replicate"
	case "cells":
		return "position, metric_position, replicate"
	case "events":
		return "seq"
	case "cache":
		return "key"
	case "vectors":
		return "digest"
	}
	return "1"
}

func readRows[R any](tx *gorm.DB, name string, r io.Reader, check func(*gorm.DB, *R) (bool, error), seals *studySeals) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 1<<16), longestRow)
	n := 0
	var rows []R
	flush := func() error {
		err := store(tx.Table(name), rows)
		rows = rows[:0]
		return err
	}
	for lines.Scan() {
		n++
		var row R
		if err := decodeRow(lines.Bytes(), &row); err != nil {
			return problem.New(problem.Invalid, "study_row", "row %d of %s in the study: %v", n, name, err).With("table", name).
				With("row", n).
				WithHint("the file is damaged or was written by a newer program")
		}
		if err := seals.look(name, &row); err != nil {
			return err
		}
		if run, ok := any(&row).(*records.RunRow); ok && !bytes.Contains(lines.Bytes(), []byte(`"pooled":`)) {
			seals.older = append(seals.older, run.ID)
		}
		if check != nil {
			store, err := check(tx, &row)
			if err != nil {
				return err
			}
			if !store {
				continue
			}
		}
		if rows = append(rows, row); len(rows) == sqldb.BatchRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return problem.New(problem.Invalid, "study_row", "row %d of %s in the study cannot be read: %v", n+1, name, err).
			With("table", name).With("row", n+1)
	}
	return flush()
}

// store puts rows in that are not there yet. Calls that belong to no run are counted, and for that put in by themselves.
func store[R any](tx *gorm.DB, rows []R) error {
	ours := clause.OnConflict{DoNothing: true}
	calls, ok := any(rows).([]records.CallRow)
	if !ok {
		return sqldb.Insert(tx, rows, ours)
	}
	var alone, others []records.CallRow
	for _, c := range calls {
		if c.RunID == "" {
			alone = append(alone, c)
		} else {
			others = append(others, c)
		}
	}
	if err := sqldb.Insert(tx.Session(&gorm.Session{}), others, ours); err != nil || len(alone) == 0 {
		return err
	}
	put := tx.Session(&gorm.Session{}).Clauses(ours).CreateInBatches(alone, sqldb.BatchRows)
	if put.Error != nil {
		return put.Error
	}
	return sqldb.Count(tx, seals.Alone, put.RowsAffected)
}

// columnOf is the column that a field of a row stands for; "" for a field the database gives by itself.
func columnOf(f reflect.StructField) string {
	for part := range strings.SplitSeq(f.Tag.Get("gorm"), ";") {
		if part == "->" {
			return ""
		}
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Tag.Get("gorm"), "column:"), ";")
	return name
}

// encodeRow writes a row as one JSON object with the columns' names; bytes are base64.
func encodeRow(row any) ([]byte, error) {
	v := reflect.ValueOf(row).Elem()
	out := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if strings.Contains(f.Tag.Get("gorm"), "->") {
			continue
		}
		out[columnOf(f)] = v.Field(i).Interface()
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// columnsIn reads one JSON object; twice is a name that stands in it more than once: other programs would read another value than ours.
func columnsIn(line []byte) (in map[string]json.RawMessage, twice string, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, "", errors.Join(err, errors.New("no object"))
	}
	in = map[string]json.RawMessage{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, "", err
		}
		column, _ := name.(string) // the decoder takes no other name
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, "", err
		}
		if _, there := in[column]; there {
			return nil, column, nil
		}
		in[column] = value
	}
	if _, err := dec.Token(); err != nil {
		return nil, "", err
	}
	if dec.More() {
		return nil, "", errors.New("more than one object")
	}
	return in, "", nil
}

// decodeRow reads what encodeRow wrote. A column that the row lacks keeps its zero value; one it does not know is an error.
func decodeRow(line []byte, row any) error {
	in, twice, err := columnsIn(line)
	switch {
	case err != nil:
		return errors.New("it is not a JSON object")
	case twice != "":
		return fmt.Errorf("column %s stands in it twice", twice)
	}
	v := reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		name := columnOf(v.Type().Field(i))
		raw, ok := in[name]
		if !ok || name == "" {
			continue
		}
		delete(in, name)
		if err := json.Unmarshal(raw, v.Field(i).Addr().Interface()); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
	}
	for name := range in {
		return fmt.Errorf("there is no column %s", name)
	}
	return nil
}

// versionsIn refuses a version that is there with other content.
func versionsIn(table string) func(*gorm.DB, *library.VersionRow) (bool, error) {
	return func(tx *gorm.DB, row *library.VersionRow) (bool, error) {
		var have []library.VersionRow
		if err := tx.Table(table).Where("name = ? AND version = ?", row.Name, row.Version).Find(&have).Error; err != nil {
			return false, err
		}
		if len(have) > 0 && have[0].Digest != row.Digest {
			return false, problem.New(problem.Conflict, "study_conflict", "%s@%d is here already with other content (%s)", row.Name,
				row.Version, table).
				With("name", row.Name).With("version", row.Version).
				WithHint("import the study into a data directory of its own with --data")
		}
		return len(have) == 0, nil
	}
}

func checkLog(tx *gorm.DB, row *library.LogRow) (bool, error) {
	return versionsIn("logs")(tx, &library.VersionRow{Name: row.Name, Version: row.Version, Digest: row.Digest})
}

// checkExperiment keeps the newer of two states of an experiment.
func checkExperiment(tx *gorm.DB, row *library.ExperimentRow) (bool, error) {
	res := tx.Model(&library.ExperimentRow{}).Where("name = ? AND revision < ?", row.Name, row.Revision).Update("revision", row.Revision)
	return res.RowsAffected == 0, res.Error
}

// checkRun refuses a run whose id is taken by a run with other results. Nobody owns what comes from elsewhere.
func checkRun(tx *gorm.DB, row *records.RunRow) (bool, error) {
	row.Owner, row.HeartbeatAt, row.WantedState = "", nil, ""
	var have []records.RunRow
	if err := tx.Where("id = ?", row.ID).Find(&have).Error; err != nil {
		return false, err
	}
	if len(have) > 0 && (have[0].Chain != row.Chain || have[0].SetupDigest != row.SetupDigest) {
		return false, problem.New(problem.Conflict, "study_conflict", "run %s is here already with other results", row.ID).
			With("run", row.ID).
			WithHint("import the study into a data directory of its own with --data")
	}
	return len(have) == 0, nil
}

// checkTaxonomy refuses a version of a taxonomy that is there with other content. A study carries the taxonomies of its datasets.
func checkTaxonomy(tx *gorm.DB, row *library.TaxonomyRow) (bool, error) {
	var have []library.TaxonomyRow
	if err := tx.Where("dataset_name = ? AND id = ? AND version = ?", row.DatasetName, row.ID, row.Version).Find(&have).Error; err != nil {
		return false, err
	}
	if len(have) > 0 && have[0].Body != row.Body {
		return false, problem.New(problem.Conflict, "study_conflict",
			"version %d of the taxonomy %s on %s is here already with other content", row.Version, row.ID, row.DatasetName).
			With("name", row.DatasetName).With("version", row.Version).
			WithHint("import the study into a data directory of its own with --data")
	}
	return len(have) == 0, nil
}
