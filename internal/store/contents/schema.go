// Package contents reads any database of the workbench by its tables and columns alone: which there are, in which order they can be
// filled, their rows, and a digest over each table that is the same on both engines. It knows no row type.
package contents

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// LeftOut names the tables whose rows are in no backup, with the reason. Every other table of the schema is in it, the ones of
// later migrations too: nobody has to add a table anywhere.
var LeftOut = map[string]string{
	"install":          "belongs to one installation: the secret behind the fences of prompts must not travel, and a restored place makes its own",
	"goose_db_version": "is the version of the tables, which the backup states by itself",
	"sessions":         "whoever was signed in signs in again",
	"sign_in_links":    "a link that lets in once, for half an hour, has no place in a file that is kept",
}

// LeftOutColumns are columns of the other tables that no backup compares or moves, with the reason.
var LeftOutColumns = map[string]map[string]string{
	"seals": {"mark": "belongs to one installation, as its key does: a restored place marks what it holds with its own"},
}

// Column is a column of a table as both engines see it.
type Column struct {
	Name string
	Kind Kind
}

// Kind is what a column holds, whatever an engine calls it.
type Kind string

// The kinds.
const (
	TextColumn    Kind = "text"
	IntegerColumn Kind = "integer"
	BooleanColumn Kind = "boolean"
	RealColumn    Kind = "real"
	TimeColumn    Kind = "time"
	BytesColumn   Kind = "bytes"
)

// kinds are the types that migrations/sqlite declares columns with.
var kinds = map[string]Kind{
	"TEXT": TextColumn, "BIGINT": IntegerColumn, "INTEGER": IntegerColumn, "BOOLEAN": BooleanColumn,
	"DOUBLE PRECISION": RealColumn, "REAL": RealColumn, "TIMESTAMP": TimeColumn, "BLOB": BytesColumn,
}

// Table is a table whose rows a backup holds.
type Table struct {
	Name    string
	Columns []Column // by name
	parents []string // tables that must be filled before, because rows refer to them
}

// Names are the quoted names of the columns.
func (t Table) Names() []string {
	out := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = Quoted(c.Name)
	}
	return out
}

// Selecting is the query for all rows, in no order.
func (t Table) Selecting() string {
	return "SELECT " + strings.Join(t.Names(), ", ") + " FROM " + Quoted(t.Name)
}

// Quoted is a name of the schema in a statement. Names come from our migrations.
func Quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Querier is what reads: a pool, a connection or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// ReadSchema reads the tables of a SQLite database that a backup holds, parents before children.
func ReadSchema(ctx context.Context, db Querier) ([]Table, error) {
	names,
		err := Texts(ctx, db,
		`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	var tables []Table
	for _, name := range names {
		if LeftOut[name] != "" {
			continue
		}
		t := Table{Name: name}
		if t.Columns, err = ReadColumns(ctx, db, name); err != nil {
			return nil, err
		}
		t.Columns = slices.DeleteFunc(t.Columns, func(c Column) bool { return LeftOutColumns[name][c.Name] != "" })
		if t.parents, err = Texts(ctx, db, `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)`, name); err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return parentsFirst(tables)
}

// ReadColumns reads the columns of a table of a SQLite file, by name.
func ReadColumns(ctx context.Context, db Querier, table string) (out []Column, err error) {
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
		out = append(out, Column{name, kind})
	}
	return out, rows.Err()
}

// Texts reads a query of one text column.
func Texts(ctx context.Context, db Querier, query string, args ...any) (out []string, err error) {
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
func parentsFirst(tables []Table) ([]Table, error) {
	var out []Table
	placed := map[string]bool{}
	for len(out) < len(tables) {
		before := len(out)
		for _, t := range tables {
			ready := !placed[t.Name]
			for _, p := range t.parents {
				ready = ready && (placed[p] || p == t.Name || LeftOut[p] != "")
			}
			if ready {
				placed[t.Name] = true
				out = append(out, t)
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("the tables refer to each other in a circle: %v of %d are in order", before, len(tables))
		}
	}
	return out, nil
}
