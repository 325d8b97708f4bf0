package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// tables are the tables of this database that a backup holds. The migrations of both engines make the same ones, so SQLite's say
// what they are: an empty file is enough to ask.
func (s *copies) tables(ctx context.Context) (tables []contents.Table, err error) {
	if s.Engine() == SQLite {
		return contents.ReadSchema(ctx, s.Pool)
	}
	dir, err := os.MkdirTemp("", "workbench-schema-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the folder of temporary files is emptied by the system at the latest
	err = s.withEmpty(ctx, filepath.Join(dir, "schema.db"), func(db *sql.DB) error {
		tables, err = contents.ReadSchema(ctx, db)
		return err
	})
	return tables, err
}

// withEmpty makes a SQLite file with the present tables and no rows.
func (s *copies) withEmpty(ctx context.Context, path string, work func(db *sql.DB) error) error {
	made, err := openSQLite(ctx, path)
	if err != nil {
		return err
	}
	made.Scratch = true
	if err := errors.Join(migratorOf(made).migrate(ctx), made.Close()); err != nil {
		return err
	}
	return withCopy(path, work)
}

// exportTo copies every table of a PostgreSQL database, as it is at one moment, into a new SQLite file.
func (s *copies) exportTo(ctx context.Context, path string) error {
	return s.withEmpty(ctx, path, func(db *sql.DB) error {
		tables, err := contents.ReadSchema(ctx, db)
		if err != nil {
			return err
		}
		return s.atOneMoment(ctx, func(from *sql.Tx) error {
			for _, t := range tables {
				if err := copyTable(ctx, from, db, t); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// copyTable inserts all rows of a table into the table of the same name of a SQLite file.
func copyTable(ctx context.Context, from contents.Querier, db *sql.DB, t contents.Table) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit this does nothing
	into, err := tx.PrepareContext(ctx, "INSERT INTO "+contents.Quoted(t.Name)+" ("+strings.Join(t.Names(),
		", ")+") VALUES (?"+strings.Repeat(", ?",
		len(t.Columns)-1)+")")
	if err != nil {
		return err
	}
	defer func() { _ = into.Close() }() // it ends with the transaction
	err = contents.EachRow(ctx, from, t, func(values []any) error {
		_, err := into.ExecContext(ctx, values...)
		return err
	})
	if err != nil {
		return err
	}
	return tx.Commit()
}

// Fill copies every row of a copy, as [Store.Copy] makes them, into this PostgreSQL database and compares each table with the copy,
// all in one transaction: it is filled as a whole or not at all. The copy must have the tables that this program makes: open
// and close it first when it is older. Conflict with code "restore_not_empty" when the database holds rows already.
func (s *copies) Fill(ctx context.Context, path string) (c Contents, err error) {
	if s.Engine() != PostgreSQL {
		return c, errors.New("only a PostgreSQL database is filled; a SQLite file is moved into its place")
	}
	err = withCopy(path, func(db *sql.DB) error {
		if c.Schema, err = schemaOf(ctx, db, SQLite); err != nil {
			return err
		}
		if known := KnownSchema(); c.Schema != known {
			return fmt.Errorf("the copy has tables of version %d, the database of version %d", c.Schema, known)
		}
		tables, err := contents.ReadSchema(ctx, db)
		if err != nil {
			return err
		}
		conn, err := s.Pool.Conn(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }() // only gives it back
		return conn.Raw(func(driver any) error {
			c.Tables, err = fillAll(ctx, driver.(*stdlib.Conn).Conn(), db, tables)
			return err
		})
	})
	return c, sqldb.Wrap("fill the database", err)
}

func fillAll(ctx context.Context, conn *pgx.Conn, db *sql.DB, tables []contents.Table) (out []contents.TableContent, err error) {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // after a commit this does nothing
	for _, t := range tables {
		if _, err := tx.Exec(ctx, "LOCK TABLE "+contents.Quoted(t.Name)+" IN ACCESS EXCLUSIVE MODE"); err != nil {
			return nil, err
		}
		var some bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM "+contents.Quoted(t.Name)+")").Scan(&some); err != nil {
			return nil, err
		}
		if some {
			return nil, notEmpty("the PostgreSQL database", "table "+t.Name+" has rows")
		}
	}
	for _, t := range tables {
		content, err := fillTable(ctx, tx, db, t)
		if err != nil {
			return nil, err
		}
		out = append(out, content)
	}
	return out, tx.Commit(ctx)
}

// notEmpty refuses a place that holds something.
func notEmpty(place, why string) *problem.Problem {
	return problem.New(problem.Conflict, "restore_not_empty", "%s is not empty: %s", place, why).With("place", place).
		WithHint("a backup is restored into an empty place only; name another data directory or database")
}

// fillTable copies the rows of a table and compares what arrived.
func fillTable(ctx context.Context, tx pgx.Tx, db *sql.DB, t contents.Table) (contents.TableContent, error) {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = c.Name
	}
	rows, err := db.QueryContext(ctx, t.Selecting())
	if err != nil {
		return contents.TableContent{}, err
	}
	defer func() { _ = rows.Close() }() // the source tells rows.Err
	source := &rowSource{rows: rows, next: contents.RowReader(t, rows), sent: contents.NewTally(t)}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{t.Name}, columns, source); err != nil {
		return contents.TableContent{}, fmt.Errorf("fill table %s: %w", t.Name, err)
	}
	arrived := contents.NewTally(t)
	back, err := tx.Query(ctx, t.Selecting())
	if err != nil {
		return contents.TableContent{}, err
	}
	defer back.Close()
	for back.Next() {
		values, err := back.Values()
		if err != nil {
			return contents.TableContent{}, err
		}
		for i, c := range t.Columns {
			if values[i], err = contents.Same(c.Kind, values[i]); err != nil {
				return contents.TableContent{}, fmt.Errorf("table %s, column %s: %w", t.Name, c.Name, err)
			}
		}
		arrived.Add(values)
	}
	if err := back.Err(); err != nil {
		return contents.TableContent{}, err
	}
	if sent := source.sent.Content(); sent != arrived.Content() {
		return sent, fmt.Errorf("table %s: %d rows were sent and %d arrived, or they are not the same", t.Name, sent.Rows,
			arrived.Rows.Rows)
	}
	return arrived.Content(), countOn(ctx, tx, t)
}

// countOn makes the counters of a table go on after the greatest number that is taken.
func countOn(ctx context.Context, tx pgx.Tx, t contents.Table) error {
	for _, c := range t.Columns {
		if c.Kind != contents.IntegerColumn {
			continue
		}
		_, err := tx.Exec(ctx, `SELECT setval(counter, (SELECT COALESCE(max(`+contents.Quoted(c.Name)+`), 0) + 1 FROM `+contents.Quoted(t.Name)+`), false)
			FROM (SELECT pg_get_serial_sequence($1, $2) AS counter) AS found WHERE counter IS NOT NULL`, contents.Quoted(t.Name), c.Name)
		if err != nil {
			return fmt.Errorf("table %s, counter %s: %w", t.Name, c.Name, err)
		}
	}
	return nil
}

// rowSource hands rows of SQLite to PostgreSQL and counts them.
type rowSource struct {
	rows   *sql.Rows
	next   func() ([]any, error)
	sent   *contents.Tally
	values []any
	err    error
}

var _ pgx.CopyFromSource = (*rowSource)(nil)

// Next goes to the next row.
func (r *rowSource) Next() bool {
	if r.err != nil || !r.rows.Next() {
		return false
	}
	if r.values, r.err = r.next(); r.err != nil {
		return false
	}
	r.sent.Add(r.values)
	return true
}

// Values are those of the present row.
func (r *rowSource) Values() ([]any, error) { return r.values, nil }

// Err is why there is no further row; nil at the end.
func (r *rowSource) Err() error { return errors.Join(r.err, r.rows.Err()) }
