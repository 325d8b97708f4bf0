package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// A backup is one SQLite file, whichever engine it was taken from: all tables of the schema but those in LeftOut, at one moment.
// On SQLite the database copies itself (VACUUM INTO); on PostgreSQL every table is read in one repeatable-read transaction.
// Others may go on reading and writing meanwhile.

// Contents say what a copy holds.
type Contents struct {
	Schema int64                   `json:"schema"` // version of the tables
	Tables []contents.TableContent `json:"tables"` // those that others refer to first
}

// Equal reports whether two copies hold the same rows in the same tables.
func (c Contents) Equal(other Contents) bool { return c.Difference(other) == "" }

// Difference names the first difference to another copy, or is "".
func (c Contents) Difference(other Contents) string {
	if c.Schema != other.Schema {
		return fmt.Sprintf("the tables are of version %d instead of %d", other.Schema, c.Schema)
	}
	have := map[string]contents.TableContent{}
	for _, t := range other.Tables {
		have[t.Name] = t
	}
	for _, t := range c.Tables {
		o, ok := have[t.Name]
		switch {
		case !ok:
			return "table " + t.Name + " is missing"
		case o.Rows != t.Rows:
			return fmt.Sprintf("table %s has %d rows instead of %d", t.Name, o.Rows, t.Rows)
		case o.Digest != t.Digest:
			return "table " + t.Name + " has as many rows, but other ones"
		}
	}
	if len(have) != len(c.Tables) {
		return fmt.Sprintf("there are %d tables instead of %d", len(have), len(c.Tables))
	}
	return ""
}

// Rows is the number of rows in all tables.
func (c Contents) Rows() (n int64) {
	for _, t := range c.Tables {
		n += t.Rows
	}
	return n
}

// copyDSN is the address of a file that one process uses for a moment: changes go straight into it, what is deleted is
// overwritten, and nothing is left beside it.
func copyDSN(path string) string {
	q := url.Values{"_time_format": {"sqlite"}, "_timezone": {"UTC"}}
	for _, p := range []string{"busy_timeout(10000)", "journal_mode(OFF)", "synchronous(OFF)", "secure_delete(1)", "foreign_keys(0)",
		"trusted_schema(0)"} {
		q.Add("_pragma", p)
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // a drive letter
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}).String()
}

// withCopy opens a copy, does the work on it and closes it.
func withCopy(path string, work func(db *sql.DB) error) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", copyDSN(abs))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1) // so that settings hold for every statement
	return errors.Join(work(db), db.Close())
}

// Copy writes the state of the database at one moment into a new SQLite file, which must not exist, and says what is in it. The
// file is on the disk when it returns. Writers are not held up. The file can be opened with [Open]; it lacks the tables' rows
// that belong to this installation alone.
func (s *copies) Copy(ctx context.Context, path string) (c Contents, err error) {
	if _, err := os.Lstat(path); err == nil {
		return c, problem.New(problem.Conflict, "file_exists", "%s exists already", path).With("path", path).WithHint("choose another name")
	}
	defer func() {
		if err != nil {
			_ = os.Remove(path) // half a copy is none
		}
	}()
	if s.Engine() == PostgreSQL {
		err = s.exportTo(ctx, path)
	} else {
		_, err = s.Pool.ExecContext(ctx, "VACUUM INTO ?", path)
	}
	if err != nil {
		return c, sqldb.Wrap("copy the database", err)
	}
	err = withCopy(path, func(db *sql.DB) error {
		for name := range contents.LeftOut {
			if name == "goose_db_version" {
				continue
			}
			if _, err := db.ExecContext(ctx, "DELETE FROM "+contents.Quoted(name)); err != nil &&
				!strings.Contains(err.Error(), "no such table") {
				return err
			}
		}
		c, err = readContents(ctx, db)
		return err
	})
	return c, sqldb.Wrap("copy the database", errors.Join(err, synced(path)))
}

// synced brings a file to the disk.
func synced(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// ReadContents says what a copy holds, after SQLite has looked through all of its pages. The file is not changed. Conflict with code
// "database_newer" when a newer program made its tables; Unavailable with "database_damaged" when it is not whole.
func ReadContents(ctx context.Context, path string) (c Contents, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return c, problem.New(problem.NotFound, "database_missing", "there is no file %s", path).With("path", path)
	}
	err = withCopy(path, func(db *sql.DB) error {
		stored, err := schemaOf(ctx, db, SQLite)
		if err != nil {
			return err
		}
		if known := KnownSchema(); stored > known {
			return newerSchema(stored, known)
		}
		var verdict string
		if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			return problem.New(problem.Unavailable, "database_damaged", "the database file is damaged: %s", verdict).
				WithHint("use another backup")
		}
		c, err = readContents(ctx, db)
		return err
	})
	return c, sqldb.Wrap("read the copy", err)
}

func readContents(ctx context.Context, db *sql.DB) (c Contents, err error) {
	if c.Schema, err = schemaOf(ctx, db, SQLite); err != nil {
		return c, err
	}
	tables, err := contents.ReadSchema(ctx, db)
	if err != nil {
		return c, err
	}
	c.Tables, err = contents.ContentsOf(ctx, db, tables)
	return c, err
}

// Contents say what this database holds at one moment.
func (s *copies) Contents(ctx context.Context) (c Contents, err error) {
	tables, err := s.tables(ctx)
	if err != nil {
		return c, sqldb.Wrap("read the tables", err)
	}
	if c.Schema, err = schemaOf(ctx, s.Pool, s.Engine()); err != nil {
		return c, sqldb.Wrap("read the tables", err)
	}
	err = s.atOneMoment(ctx, func(tx *sql.Tx) error {
		c.Tables, err = contents.ContentsOf(ctx, tx, tables)
		return err
	})
	return c, sqldb.Wrap("read the tables", err)
}

// atOneMoment runs f over one unchanging state of the database.
func (s *copies) atOneMoment(ctx context.Context, f func(tx *sql.Tx) error) error {
	opts := &sql.TxOptions{ReadOnly: true}
	if s.Engine() == PostgreSQL {
		opts.Isolation = sql.LevelRepeatableRead
	}
	tx, err := s.Pool.BeginTx(ctx, opts)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	return f(tx)
}
