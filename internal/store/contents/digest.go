package contents

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

// Tally counts and digests the rows of a table: the sum of the SHA-256 of each row. It finds what was lost or damaged on the way; it is
// no signature.
type Tally struct {
	table Table
	Rows  integrity.Tally
	row   *integrity.Hasher
}

// NewTally starts to count the rows of a table.
func NewTally(t Table) *Tally { return &Tally{table: t, row: integrity.NewHasher()} }

// Add takes a row of values that [same] has made.
func (c *Tally) Add(values []any) {
	c.row.Reset()
	for _, v := range values {
		c.row.Add(v)
	}
	c.Rows.Add(c.row.Sum())
}

// Content is what was counted.
func (c *Tally) Content() TableContent {
	whole := sha256.New()
	for _, col := range c.table.Columns {
		fmt.Fprintf(whole, "%s %s\n", col.Name, col.Kind)
	}
	whole.Write(c.Rows.Sum())
	return TableContent{Name: c.table.Name, Rows: c.Rows.Rows, Digest: hex.EncodeToString(whole.Sum(nil))}
}

// Same is a value of a column in the form that both engines give it, and that both take.
func Same(kind Kind, v any) (any, error) {
	if v == nil {
		return nil, nil //nolint:nilnil // NULL is a value
	}
	switch kind {
	case IntegerColumn:
		switch v := v.(type) {
		case int64:
			return v, nil
		case int32: // PostgreSQL's INTEGER
			return int64(v), nil
		}
	case BooleanColumn:
		switch v := v.(type) {
		case bool:
			return v, nil
		case int64:
			return v != 0, nil
		}
	case RealColumn:
		switch v := v.(type) {
		case float64:
			return v, nil
		case int64:
			return float64(v), nil
		}
	case TimeColumn:
		if t, ok := v.(time.Time); ok {
			return t.UTC().Truncate(time.Microsecond), nil
		}
	case TextColumn:
		switch v := v.(type) {
		case string:
			return v, nil
		case []byte:
			return string(v), nil
		}
	case BytesColumn:
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

// EachRow reads all rows of a table in the form of [same]. The values are valid until the next row.
func EachRow(ctx context.Context, db Querier, t Table, do func(values []any) error) error {
	rows, err := db.QueryContext(ctx, t.Selecting())
	if err != nil {
		return fmt.Errorf("read table %s: %w", t.Name, err)
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	next := RowReader(t, rows)
	for rows.Next() {
		values, err := next()
		if err == nil {
			err = do(values)
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	return rows.Err()
}

// RowReader reads the row that rows stands at.
func RowReader(t Table, rows *sql.Rows) func() ([]any, error) {
	values, places := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	for i := range values {
		places[i] = &values[i]
	}
	return func() ([]any, error) {
		clear(values)
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		for i, c := range t.Columns {
			v, err := Same(c.Kind, values[i])
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", c.Name, err)
			}
			values[i] = v
		}
		return values, nil
	}
}

// ContentsOf counts and digests tables.
func ContentsOf(ctx context.Context, db Querier, tables []Table) ([]TableContent, error) {
	out := make([]TableContent, 0, len(tables))
	for _, t := range tables {
		c := NewTally(t)
		err := EachRow(ctx, db, t, func(values []any) error { c.Add(values); return nil })
		if err != nil {
			return nil, err
		}
		out = append(out, c.Content())
	}
	return out, nil
}
