package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// filledTables is a SQLite file with the present tables and some rows in every one of them: whatever the migrations make, also
// tables that nobody thought of here.
func filledTables(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "every.db")
	s, err := Open(t.Context(), path)
	ok(t, err)
	_, err = s.InstallSecret(t.Context())
	ok(t, err)
	ok(t, s.Close())
	ok(t, withCopy(path, func(db *sql.DB) error {
		tables, err := contents.ReadSchema(t.Context(), db)
		if err != nil {
			return err
		}
		for _, table := range tables {
			for row := 1; row <= filledRows; row++ {
				values := make([]any, len(table.Columns))
				for i, c := range table.Columns {
					values[i] = filledValue(t, db, table, c, row)
				}
				_, err := db.ExecContext(t.Context(), "INSERT INTO "+contents.Quoted(table.Name)+" ("+strings.Join(table.Names(), ", ")+
					") VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", values...)
				if err != nil {
					return fmt.Errorf("%s: %w", table.Name, err)
				}
			}
		}
		return nil
	}))
	return path
}

const filledRows = 3

// jsonColumns are those of whose JSON the database makes columns.
var jsonColumns = []string{"runs.setup", "runs.totals", "runs.pooled"}

// filledValue is what a column holds in a row: what it refers to, or something of its kind that is not the same in two rows.
func filledValue(t *testing.T, db *sql.DB, table contents.Table, c contents.Column, row int) any {
	t.Helper()
	var parent, to sql.NullString
	err := db.QueryRowContext(t.Context(), `SELECT "table", "to" FROM pragma_foreign_key_list(?) WHERE "from" = ?`, table.Name, c.Name).
		Scan(&parent, &to)
	if err == nil {
		columns := must[[]contents.Column](t)(contents.ReadColumns(t.Context(), db, parent.String))
		i := slices.IndexFunc(columns, func(p contents.Column) bool { return p.Name == to.String })
		return filledValue(t, db, contents.Table{Name: parent.String}, columns[i], row)
	}
	if made := table.Name + "." + c.Name; slices.Contains(jsonColumns, made) {
		return fmt.Sprintf(`{"revision": %d, "low_score_count": %d, "corpus": {"name": "値\u0027"}}`, row, row)
	}
	switch c.Kind {
	case contents.TextColumn:
		return fmt.Sprintf("%s.%s %d 値\t\"'", table.Name, c.Name, row)
	case contents.IntegerColumn:
		return int64(row) * 7
	case contents.BooleanColumn:
		return row%2 == 0
	case contents.RealColumn:
		return float64(row) / 3
	case contents.TimeColumn:
		return at(row).Add(123456 * time.Microsecond)
	case contents.BytesColumn:
		return []byte{0, 255, byte(row), '\\', 'x'}[:5*(row%2)] // also none at all
	}
	t.Fatalf("column %s.%s is of an unknown kind", table.Name, c.Name)
	return nil
}

// everyTable fails unless a copy has the rows of every table that the migrations make.
func everyTable(t *testing.T, path string, c Contents) {
	t.Helper()
	got := map[string]int64{}
	for _, table := range c.Tables {
		got[table.Name] = table.Rows
	}
	ok(t, withCopy(path, func(db *sql.DB) error {
		names, err := contents.Texts(t.Context(), db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
		for _, name := range names {
			if rows, in := got[name]; in != (contents.LeftOut[name] == "") || in && rows != filledRows {
				t.Errorf("table %s: %d rows in the copy, left out because %q", name, rows, contents.LeftOut[name])
			}
		}
		return err
	}))
}

// TestCopyHoldsEveryTable copies a database with rows in every table, and the other engine gives the same back.
func TestCopyHoldsEveryTable(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		every := filledTables(t)
		want := must[Contents](t)(ReadContents(t.Context(), every))
		everyTable(t, every, want)
		if strings.Contains(d.dsn, "://") {
			diff(t, want, must[Contents](t)(d.open(t).Fill(t.Context(), every)))
		} else {
			ok(t, os.Rename(every, d.dsn))
		}
		s := d.open(t)
		secret := must[[]byte](t)(s.InstallSecret(t.Context()))
		diff(t, want, must[Contents](t)(s.Contents(t.Context())))
		path := filepath.Join(t.TempDir(), "copy.db")
		diff(t, want, must[Contents](t)(s.Copy(t.Context(), path)))
		diff(t, want, must[Contents](t)(ReadContents(t.Context(), path)))
		everyTable(t, path, want)
		if body := must[[]byte](t)(os.ReadFile(path)); bytes.Contains(body, secret) {
			t.Error("the copy holds the install secret")
		}
		files := must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(path)))
		if len(files) != 1 {
			t.Errorf("beside the copy lie %v", files)
		}
	})
}

// TestTablesAreTheSameOnBothEngines: what SQLite says of the tables holds for PostgreSQL.
func TestTablesAreTheSameOnBothEngines(t *testing.T) {
	t.Parallel()
	pgtest.Need(t)
	s := newPostgres(t).open(t)
	want := map[string]string{}
	for _, table := range must[[]contents.Table](t)(s.tables(t.Context())) {
		want[table.Name] = strings.Join(table.Names(), " ")
	}
	got := map[string]string{}
	for _, name := range must[[]string](t)(contents.Texts(t.Context(), s.Pool,
		"SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")) {
		if contents.LeftOut[name] != "" {
			continue
		}
		columns := must[[]string](t)(contents.Texts(t.Context(), s.Pool,
			`SELECT '"' || column_name || '"' FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1
				AND is_generated = 'NEVER' ORDER BY column_name COLLATE "C"`, name))
		columns = slices.DeleteFunc(columns, func(c string) bool { return contents.LeftOutColumns[name][strings.Trim(c, `"`)] != "" })
		got[name] = strings.Join(columns, " ")
	}
	diff(t, want, got)
}

// worked puts runs with answers and calls into a store.
func worked(t *testing.T, s *Store) {
	t.Helper()
	for _, seed := range []string{"a", "b"} {
		run := running(t, s, seed)
		res, stages := result("q1", "said "+seed, 0.1+0.2)
		ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{res}, stages, at(2)))
	}
	bought(t, s, call("c1", "", 10), 8)
}

// TestMoveThereAndBack moves a database to PostgreSQL and back: the same rows, and the numbering of runs goes on.
func TestMoveThereAndBack(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	pgtest.Need(t)
	ctx, dir := t.Context(), t.TempDir()
	first := newSQLite(t).open(t)
	worked(t, first)
	there, back := filepath.Join(dir, "there.db"), filepath.Join(dir, "back.db")
	want := must[Contents](t)(first.Copy(ctx, there))
	second := newPostgres(t).open(t)
	diff(t, want, must[Contents](t)(second.Fill(ctx, there)))
	diff(t, want, must[Contents](t)(second.Copy(ctx, back)))
	third := database{back}.open(t)
	diff(t, want, must[Contents](t)(third.Contents(ctx)))
	for _, s := range []*Store{second, third} {
		findings := must[[]doctor.Finding](t)(stocked(t, s).Check(ctx))
		if len(findings) != 0 {
			t.Errorf("%s: %v", s.Engine(), findings)
		}
		newest := queued(t, s, "c")
		var last string
		ok(t, s.Pool.QueryRowContext(ctx, "SELECT id FROM runs ORDER BY seq DESC LIMIT 1").Scan(&last))
		if last != newest.ID {
			t.Errorf("%s: the newest run is not the last one", s.Engine())
		}
	}
}

// TestFillIsAllOrNothing: a place with rows is refused, and a copy that does not fit leaves nothing.
func TestFillIsAllOrNothing(t *testing.T) {
	t.Parallel()
	pgtest.Need(t)
	ctx := t.Context()
	s := newPostgres(t).open(t)
	broken := filepath.Join(t.TempDir(), "broken.db")
	from := newSQLite(t).open(t)
	worked(t, from)
	_, err := from.Copy(ctx, broken)
	ok(t, err)
	ok(t, withCopy(broken, func(db *sql.DB) error { // an event of no run
		_,
			err := db.ExecContext(ctx,
			"INSERT INTO events (run_id, seq, kind, body, at) VALUES ('nobody', 1, 'k', '', '2026-11-20 09:00:00+00:00')")
		return err
	}))
	if _, err := s.Fill(ctx, broken); err == nil || !strings.Contains(err.Error(), "events") {
		t.Fatalf("an event of no run: %v", err)
	}
	if n := must[Contents](t)(s.Contents(ctx)).Rows(); n != 0 {
		t.Errorf("%d rows are left of what failed", n)
	}
	queued(t, s, "x")
	good := filepath.Join(t.TempDir(), "good.db")
	_, err = from.Copy(ctx, good)
	ok(t, err)
	_, err = s.Fill(ctx, good)
	wantProblem(t, err, problem.Conflict, "restore_not_empty")
}

// TestBadCopies: a file that is damaged, newer or not there is told apart.
func TestBadCopies(t *testing.T) {
	t.Parallel()
	ctx, dir := t.Context(), t.TempDir()
	s := newSQLite(t).open(t)
	worked(t, s)
	path := filepath.Join(dir, "copy.db")
	_, err := s.Copy(ctx, path)
	ok(t, err)
	_, err = ReadContents(ctx, filepath.Join(dir, "none.db"))
	wantProblem(t, err, problem.NotFound, "database_missing")
	body := must[[]byte](t)(os.ReadFile(path))
	cut := filepath.Join(dir, "cut.db")
	ok(t, os.WriteFile(cut, body[:len(body)*2/3], 0o600))
	_, err = ReadContents(ctx, cut)
	wantProblem(t, err, problem.Unavailable, "database_damaged")
	ok(t, withCopy(path, func(db *sql.DB) error {
		_, err := db.ExecContext(ctx, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
		return err
	}))
	_, err = ReadContents(ctx, path)
	wantProblem(t, err, problem.Conflict, "database_newer")
	if !strings.Contains(problem.From(err).Message, fmt.Sprintf("SCHEMA_NEWER (9999 > %d)", KnownSchema())) {
		t.Errorf("it says %q", problem.From(err).Message)
	}
	if _, err := s.Copy(ctx, cut); err == nil {
		t.Error("a copy was written over another file")
	}
}

// TestDigestSeesEveryChange: a changed, a lost and a doubled row give other digests; the order of rows does not.
func TestDigestSeesEveryChange(t *testing.T) {
	t.Parallel()
	table := contents.Table{Name: "t", Columns: []contents.Column{{Name: "a", Kind: contents.TextColumn},
		{Name: "b", Kind: contents.TextColumn}}}
	count := func(rows ...[]any) contents.TableContent {
		c := contents.NewTally(table)
		for _, r := range rows {
			c.Add(r)
		}
		return c.Content()
	}
	one, two := []any{"x", "y"}, []any{"xy", nil}
	whole := count(one, two)
	diff(t, whole, count(two, one))
	for i, other := range []contents.TableContent{count(one), count(one, one, two), count(one, []any{"", "xy"}),
		count(one, []any{"xy", ""}),
		count(one, []any{"xy", int64(0)})} {
		if other.Digest == whole.Digest {
			t.Errorf("change %d is not seen", i)
		}
	}
}

// TestLastBackup is remembered, and the newest one counts.
func TestLastBackup(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		if _, made, err := s.LastBackup(t.Context()); made || err != nil {
			t.Errorf("before the first: %v %v", made, err)
		}
		ok(t, s.NoteBackup(t.Context(), at(1)))
		ok(t, s.NoteBackup(context.WithoutCancel(t.Context()), at(2)))
		if when, made, err := s.LastBackup(t.Context()); !made || err != nil || !when.Equal(at(2)) {
			t.Errorf("%v %v %v", when, made, err)
		}
	})
}
