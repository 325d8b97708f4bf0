package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"
)

// dbTime is the form in which times are stored: UTC, whole microseconds. PostgreSQL keeps no more, and SQLite compares
// times as text, which is only right when all of them are in one zone.
func dbTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// nulSign stands for the NUL that PostgreSQL refuses in text: ␀, one code point like the NUL itself, so that spans in
// code points stay right.
const nulSign = '\u2400'

// cleanText replaces what PostgreSQL refuses in text: NUL by ␀, each byte of invalid UTF-8 by U+FFFD.
func cleanText(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s { // an invalid byte ranges as U+FFFD
		if r == 0 {
			r = nulSign
		}
		b.WriteRune(r)
	}
	return b.String()
}

// clean is the border: every argument of every statement passes it.
func clean(args []any) []any {
	out := slices.Clone(args)
	for i, arg := range out {
		switch v := arg.(type) {
		case string:
			out[i] = cleanText(v)
		case time.Time:
			out[i] = dbTime(v)
		case *time.Time:
			if v != nil {
				out[i] = dbTime(*v)
			}
		case []byte, int, int64, bool, float64, *float64, nil: // nothing to clean
		default:
			if rv := reflect.ValueOf(arg); rv.Kind() == reflect.String { // llm.Key, experiments.RunState, …
				out[i] = cleanText(rv.String())
			}
		}
	}
	return out
}

// encodeJSON is the JSON of v with NULs cleaned as in plain text. encoding/json itself replaces invalid UTF-8.
func encodeJSON(v any) (string, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("a %T cannot be stored: %w", v, err)
	}
	return string(cleanJSON(body)), nil
}

func cleanJSON(body []byte) []byte {
	escaped := []byte(`\u0000`)
	if !bytes.Contains(body, escaped) {
		return body
	}
	var out []byte
	for i := 0; i < len(body); {
		switch {
		case bytes.HasPrefix(body[i:], escaped):
			out = utf8.AppendRune(out, nulSign)
			i += len(escaped)
		case body[i] == '\\' && i+1 < len(body):
			out = append(out, body[i], body[i+1])
			i += 2
		default:
			out = append(out, body[i])
			i++
		}
	}
	return out
}

// decodeJSON reads a stored JSON text into a T. Numbers in untyped places arrive as json.Number: see plain.
func decodeJSON[T any](what, body string) (T, error) {
	var v T
	dec := json.NewDecoder(strings.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return v, unreadable("stored "+what, err)
	}
	return v, nil
}

// plain turns the numbers of an untyped value into int, or float64 when they are not whole, so that 400 does not come
// back as 400.0.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.Atoi(v.String()); err == nil {
			return i
		}
		f, _ := v.Float64() // the decoder has checked that it is a number
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

// borderPool is a pool of connections that cleans arguments.
type borderPool struct{ db *sql.DB }

var (
	_ gorm.ConnPool         = borderPool{}
	_ gorm.ConnPoolBeginner = borderPool{}
	_ gorm.Tx               = (*borderTx)(nil)
)

// GetDBConn gives gorm the pool below.
func (p borderPool) GetDBConn() (*sql.DB, error) { return p.db, nil }

func (p borderPool) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return p.db.PrepareContext(ctx, query)
}

func (p borderPool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return p.db.ExecContext(ctx, query, clean(args)...)
}

func (p borderPool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.db.QueryContext(ctx, query, clean(args)...)
}

func (p borderPool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.db.QueryRowContext(ctx, query, clean(args)...)
}

// BeginTx starts a transaction that cleans arguments too.
func (p borderPool) BeginTx(ctx context.Context, opts *sql.TxOptions) (gorm.ConnPool, error) {
	tx, err := p.db.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &borderTx{tx}, nil
}

type borderTx struct{ *sql.Tx }

func (t *borderTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.Tx.ExecContext(ctx, query, clean(args)...)
}

func (t *borderTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.Tx.QueryContext(ctx, query, clean(args)...)
}

func (t *borderTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.Tx.QueryRowContext(ctx, query, clean(args)...)
}
