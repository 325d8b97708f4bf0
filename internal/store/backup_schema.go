package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// leftOut names the tables whose rows are in no backup, with the reason. Every other table of the schema is in it, the ones of
// later migrations too: nobody has to add a table anywhere.
var leftOut = map[string]string{
	"install":          "belongs to one installation: the secret behind the fences of prompts must not travel, and a restored place makes its own",
	"goose_db_version": "is the version of the tables, which the backup states by itself",
	"sessions":         "whoever was signed in signs in again",
	"sign_in_links":    "a link that lets in once, for half an hour, has no place in a file that is kept",
}

// column is a column of a table as both engines see it.
type column struct {
	name string
	kind columnKind
}

// columnKind is what a column holds, whatever an engine calls it.
type columnKind string

const (
	textColumn    columnKind = "text"
	integerColumn columnKind = "integer"
	booleanColumn columnKind = "boolean"
	realColumn    columnKind = "real"
	timeColumn    columnKind = "time"
	bytesColumn   columnKind = "bytes"
)

// kinds are the types that migrations/sqlite declares columns with.
var kinds = map[string]columnKind{
	"TEXT": textColumn, "BIGINT": integerColumn, "INTEGER": integerColumn, "BOOLEAN": booleanColumn,
	"DOUBLE PRECISION": realColumn, "REAL": realColumn, "TIMESTAMP": timeColumn, "BLOB": bytesColumn,
}

// dataTable is a table whose rows a backup holds.
type dataTable struct {
	name    string
	columns []column // by name
	parents []string // tables that must be filled before, because rows refer to them
}

func (t dataTable) names() []string {
	out := make([]string, len(t.columns))
	for i, c := range t.columns {
		out[i] = quoted(c.name)
	}
	return out
}

// selecting is the query for all rows, in no order.
func (t dataTable) selecting() string {
	return "SELECT " + strings.Join(t.names(), ", ") + " FROM " + quoted(t.name)
}

// quoted is a name of the schema in a statement. Names come from our migrations.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// querier is what reads: a pool, a connection or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readSchema reads the tables of a SQLite database that a backup holds, parents before children.
func readSchema(ctx context.Context, db querier) ([]dataTable, error) {
	names,
		err := strings1(ctx, db,
		`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	var tables []dataTable
	for _, name := range names {
		if leftOut[name] != "" {
			continue
		}
		t := dataTable{name: name}
		if t.columns, err = readColumns(ctx, db, name); err != nil {
			return nil, err
		}
		if t.parents, err = strings1(ctx, db, `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)`, name); err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return parentsFirst(tables)
}

func readColumns(ctx context.Context, db querier, table string) (out []column, err error) {
	rows, err := db.QueryContext(ctx, "SELECT name, type FROM pragma_table_info(?) ORDER BY name", table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		var name, declared string
		if err := rows.Scan(&name, &declared); err != nil {
			return nil, err
		}
		kind, ok := kinds[strings.ToUpper(declared)]
		if !ok {
			return nil, fmt.Errorf("column %s.%s is declared %q, which a backup cannot carry", table, name, declared)
		}
		out = append(out, column{name, kind})
	}
	return out, rows.Err()
}

// strings1 reads a query of one text column.
func strings1(ctx context.Context, db querier, query string, args ...any) (out []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// parentsFirst orders tables so that each stands behind those it refers to.
func parentsFirst(tables []dataTable) ([]dataTable, error) {
	var out []dataTable
	placed := map[string]bool{}
	for len(out) < len(tables) {
		before := len(out)
		for _, t := range tables {
			ready := !placed[t.name]
			for _, p := range t.parents {
				ready = ready && (placed[p] || p == t.name || leftOut[p] != "")
			}
			if ready {
				placed[t.name] = true
				out = append(out, t)
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("the tables refer to each other in a circle: %v of %d are in order", before, len(tables))
		}
	}
	return out, nil
}
