package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// TestFormsOfValuesAreFound keeps the value of each sealed text as bytes, and each time in another zone or another spelling: what a seal
// covers stays the same, but no condition finds the row, or it sorts elsewhere.
func TestFormsOfValuesAreFound(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		if s.Engine() != SQLite {
			t.Skip("PostgreSQL keeps a value in one form")
		}
		evidenced(t, s)
		tables := must[[]contents.Table](t)(s.tables(t.Context()))
		if found := s.after(t, tables); len(found) > 0 {
			t.Fatalf("found in an honest database: %v", found)
		}
		for _, table := range tables {
			var n int
			ok(t, s.Orm.Raw("SELECT COUNT(*) FROM "+contents.Quoted(table.Name)).Row().Scan(&n))
			for _, c := range table.Columns {
				name := contents.Quoted(c.Name)
				forms := map[contents.Kind][]string{
					contents.TextColumn: {"CAST(" + name + " AS BLOB)"},
					contents.TimeColumn: {"REPLACE(" + name + ", ' ', 'T')", "REPLACE(" + name + ", '+00:00', 'Z')"},
				}[c.Kind]
				if n == 0 || table.Name == "runs" && slices.Contains([]string{"setup", "totals", "pooled"}, c.Name) {
					continue // the database itself refuses the last: what it derives from them is JSON
				}
				for _, form := range forms {
					found := s.after(t, tables, "UPDATE "+contents.Quoted(table.Name)+" SET "+name+" = "+form+" WHERE "+name+" IS NOT NULL")
					if !slices.ContainsFunc(found, func(f doctor.Finding) bool {
						return f.Invariant == "form" && f.Subject == "table "+table.Name && strings.Contains(f.Message, c.Name)
					}) && s.some(t, table.Name, c.Name) {
						t.Errorf("nobody finds %s in %s.%s: %v", form, table.Name, c.Name, found)
					}
				}
			}
		}
	})
}

// some reports whether a column holds anything.
func (s *Store) some(t *testing.T, table, column string) (some bool) {
	t.Helper()
	ok(t, s.Orm.Raw(fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM %s WHERE %s IS NOT NULL)", contents.Quoted(table),
		contents.Quoted(column))).Row().Scan(&some))
	return some
}

// after is what the doctor finds after some statements, which are undone.
func (s *Store) after(t *testing.T, tables []contents.Table, statements ...string) (found []doctor.Finding) {
	t.Helper()
	undone := errors.New("undone")
	err := s.Orm.WithContext(t.Context()).Transaction(func(tx *gorm.DB) (err error) {
		if s.Engine() == SQLite {
			ok(t, tx.Exec("PRAGMA defer_foreign_keys = ON").Error)
		}
		for _, statement := range statements {
			if err := tx.Exec(statement).Error; err != nil {
				return err
			}
		}
		if found, err = doctor.Check(tx, s.Engine(), tables); err != nil {
			found = []doctor.Finding{{Message: err.Error()}}
		}
		return undone
	})
	if !errors.Is(err, undone) {
		t.Fatalf("%v: %v", statements, err)
	}
	return found
}

// TestListsAreHeldAgainstTheirRows changes the rule by which the database derives each figure that lists show: the row and its seals stay
// as they are, and every list tells something else.
func TestListsAreHeldAgainstTheirRows(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		evidenced(t, s)
		tables := must[[]contents.Table](t)(s.tables(t.Context()))
		for column, other := range map[string]string{
			"revision": "BIGINT 77", "dataset_version": "BIGINT 77", "dataset_digest": "TEXT 'x'", "corpus": "TEXT 'x'",
			"corpus_version": "BIGINT 77", "corpus_digest": "TEXT 'x'", "judge_provider": "TEXT 'x'", "judge_model": "TEXT 'x'",
			"offline": "BOOLEAN TRUE", "settled": "BOOLEAN TRUE", "low_score": "DOUBLE PRECISION 4.5", "named": "TEXT 'x'",
			"low_score_count": "BIGINT 77", "correctness": "DOUBLE PRECISION 5.5", "trust": "DOUBLE PRECISION 5.5",
		} {
			kind, value := other[:strings.LastIndex(other, " ")], other[strings.LastIndex(other, " ")+1:]
			found := s.redefined(t, tables, column, kind, value)
			if !slices.ContainsFunc(found, func(f doctor.Finding) bool {
				return f.Invariant == "copy" && strings.Contains(f.Message, column)
			}) {
				t.Errorf("nobody finds that lists read %s as %s: %v", column, value, found)
			}
		}
	})
}

// redefined is what the doctor finds where the database derives a column of runs as a fixed value.
func (s *Store) redefined(t *testing.T, tables []contents.Table, column, kind, value string) []doctor.Finding {
	t.Helper()
	stored := map[string]string{SQLite: "VIRTUAL", PostgreSQL: "STORED"}[s.Engine()]
	if s.Engine() == PostgreSQL && kind == "TEXT" {
		kind += ` COLLATE "C"` // as it was: a connection has planned the query
	}
	statements := []string{"ALTER TABLE runs DROP COLUMN " + column + " CASCADE"}
	if s.Engine() == SQLite {
		var indexes []string
		ok(t, s.Orm.Raw("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'runs' AND sql IS NOT NULL").Scan(&indexes).Error)
		statements = nil
		for _, index := range indexes {
			statements = append(statements, "DROP INDEX "+contents.Quoted(index))
		}
		if column != "named" {
			statements = append(statements, "ALTER TABLE runs DROP COLUMN named")
		}
		statements = append(statements, "ALTER TABLE runs DROP COLUMN "+column)
	}
	statements = append(statements, "ALTER TABLE runs ADD COLUMN "+column+" "+kind+" GENERATED ALWAYS AS ("+value+") "+stored)
	if s.Engine() == SQLite && column != "named" {
		statements = append(statements, "ALTER TABLE runs ADD COLUMN named TEXT GENERATED ALWAYS AS ('') VIRTUAL")
	}
	return s.after(t, tables, statements...)
}

// TestRowsThatAreSealedAgainAreHeldAgainstTheirBodies changes what a row says, or what its columns repeat of it, and seals it again.
func TestRowsThatAreSealedAgainAreHeldAgainstTheirBodies(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		evidenced(t, s)
		tables := must[[]contents.Table](t)(s.tables(t.Context()))
		for _, c := range []struct{ kind, subject, statement string }{
			{"reviews", "review ", `UPDATE reviews SET body = REPLACE(body, '"so"', '"no"')`},
			{"reviews", "review ", "UPDATE reviews SET reviewer = 'B'"},
			{"reviews", "review ", "UPDATE reviews SET digest = 'x'"},
			{"agreements", "agreement ", `UPDATE agreements SET body = REPLACE(body, '1', '2')`},
			{"agreements", "agreement ", "UPDATE agreements SET digest = 'x'"},
			{"judge_cards", "judge ", "UPDATE judge_cards SET status = 'x'"},
			{"judge_cards", "judge ", "UPDATE judge_cards SET judge = 'x'"},
			{"judge_cards", "judge ", "UPDATE judge_cards SET measured_at = '2031-01-02 03:04:05+00:00'"},
			{"fires", "fire ", "UPDATE fires SET id = 'x'"},
			{"fires", "fire ", `UPDATE fires SET id = 'x', body = REPLACE(body, '"id":"' || id || '"', '"id":"x"')`},
			{"fires", "fire ", "UPDATE fires SET schedule = 'x'"},
			{"fires", "fire ", `UPDATE fires SET schedule = 'x', body = REPLACE(body, '"weekly"', '"x"')`},
			{"fires", "fire ", "UPDATE fires SET nominal_at = '2031-01-02 03:04:05+00:00'"},
			{"fires", "fire ", "UPDATE fires SET state = 'missed'"},
			{"fires", "fire ", "UPDATE fires SET run_id = 'x'"},
			{"runs", "run ", `UPDATE runs SET params = '[{"name":"chunk.size","value":77}]'`},
			{"runs", "run ", `UPDATE runs SET params = '[{"name":"corpus","value":"another"}]'`},
		} {
			var found []doctor.Finding
			undone := errors.New("undone")
			err := s.Orm.WithContext(t.Context()).Transaction(func(tx *gorm.DB) (err error) {
				if res := tx.Exec(c.statement); res.Error != nil || res.RowsAffected == 0 {
					t.Fatalf("%s: %v, %d rows", c.statement, res.Error, res.RowsAffected)
				}
				ok(t, tx.Exec("DELETE FROM seals WHERE kind = ?", c.kind).Error)
				ok(t, doctor.SealKinds(tx, tables, c.kind))
				if found, err = doctor.Check(tx, s.Engine(), tables); err != nil {
					return err
				}
				return undone
			})
			if !errors.Is(err, undone) {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(found, func(f doctor.Finding) bool {
				return f.Invariant == "body" && strings.HasPrefix(f.Subject, c.subject)
			}) {
				t.Errorf("nobody finds, sealed again: %s: %v", c.statement, found)
			}
		}
	})
}
