package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/rag-workbench/workbench/internal/integrity"
)

// TableContent says what a table holds, in words that are the same on both engines.
type TableContent struct {
	Name   string `json:"table"`
	Rows   int64  `json:"rows"`
	Digest string `json:"digest"` // of the names and kinds of the columns and of all rows, whatever their order
}

// tally counts and digests the rows of a table: the sum of the SHA-256 of each row. It finds what was lost or damaged on the way; it is
// no signature.
type tally struct {
	table dataTable
	rows  integrity.Tally
	row   *integrity.Hasher
}

func newTally(t dataTable) *tally { return &tally{table: t, row: integrity.NewHasher()} }

// add takes a row of values that [same] has made.
func (c *tally) add(values []any) {
	c.row.Reset()
	for _, v := range values {
		c.row.Add(v)
	}
	c.rows.Add(c.row.Sum())
}

// content is what was counted.
func (c *tally) content() TableContent {
	whole := sha256.New()
	for _, col := range c.table.columns {
		fmt.Fprintf(whole, "%s %s\n", col.name, col.kind)
	}
	whole.Write(c.rows.Sum())
	return TableContent{Name: c.table.name, Rows: c.rows.Rows, Digest: hex.EncodeToString(whole.Sum(nil))}
}

// same is a value of a column in the form that both engines give it, and that both take.
func same(kind columnKind, v any) (any, error) {
	if v == nil {
		return nil, nil //nolint:nilnil // NULL is a value
	}
	switch kind {
	case integerColumn:
		switch v := v.(type) {
		case int64:
			return v, nil
		case int32: // PostgreSQL's INTEGER
			return int64(v), nil
		}
	case booleanColumn:
		switch v := v.(type) {
		case bool:
			return v, nil
		case int64:
			return v != 0, nil
		}
	case realColumn:
		switch v := v.(type) {
		case float64:
			return v, nil
		case int64:
			return float64(v), nil
		}
	case timeColumn:
		if t, ok := v.(time.Time); ok {
			return t.UTC().Truncate(time.Microsecond), nil
		}
	case textColumn:
		switch v := v.(type) {
		case string:
			return v, nil
		case []byte:
			return string(v), nil
		}
	case bytesColumn:
		switch v := v.(type) {
		case []byte:
			if v == nil { // SQLite's driver for no bytes; as a parameter it would become NULL
				return []byte{}, nil
			}
			return v, nil
		case string:
			return []byte(v), nil
		}
	}
	return nil, fmt.Errorf("a column of kind %s holds a %T", kind, v)
}

// eachRow reads all rows of a table in the form of [same]. The values are valid until the next row.
func eachRow(ctx context.Context, db querier, t dataTable, do func(values []any) error) error {
	rows, err := db.QueryContext(ctx, t.selecting())
	if err != nil {
		return fmt.Errorf("read table %s: %w", t.name, err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	next := rowReader(t, rows)
	for rows.Next() {
		values, err := next()
		if err == nil {
			err = do(values)
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return rows.Err()
}

// rowReader reads the row that rows stands at.
func rowReader(t dataTable, rows *sql.Rows) func() ([]any, error) {
	values, places := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range values {
		places[i] = &values[i]
	}
	return func() ([]any, error) {
		clear(values)
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		for i, c := range t.columns {
			v, err := same(c.kind, values[i])
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", c.name, err)
			}
			values[i] = v
		}
		return values, nil
	}
}

// contentsOf counts and digests tables.
func contentsOf(ctx context.Context, db querier, tables []dataTable) ([]TableContent, error) {
	out := make([]TableContent, 0, len(tables))
	for _, t := range tables {
		c := newTally(t)
		err := eachRow(ctx, db, t, func(values []any) error { c.add(values); return nil })
		if err != nil {
			return nil, err
		}
		out = append(out, c.content())
	}
	return out, nil
}
