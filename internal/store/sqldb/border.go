package sqldb

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

// StoredTime is the form in which times are stored: UTC, whole microseconds. PostgreSQL keeps no more, and SQLite compares
// times as text, which is only right when all of them are in one zone.
func StoredTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// nulSign stands for the NUL that PostgreSQL refuses in text: ␀, one code point like the NUL itself, so that spans in
// code points stay right.
const nulSign = '\u2400'

// CleanText replaces what PostgreSQL refuses in text: NUL by ␀, each byte of invalid UTF-8 by U+FFFD.
func CleanText(s string) string {
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

// Clean is the border: every argument of every statement passes it.
func Clean(args []any) []any {
	out := slices.Clone(args)
	for i, arg := range out {
		switch v := arg.(type) {
		case string:
			out[i] = CleanText(v)
		case time.Time:
			out[i] = StoredTime(v)
		case *time.Time:
			if v != nil {
				out[i] = StoredTime(*v)
			}
		case []byte, int, int64, bool, float64, *float64, nil: // nothing to clean
		default:
			if rv := reflect.ValueOf(arg); rv.Kind() == reflect.String { // llm.Key, experiments.RunState, …
				out[i] = CleanText(rv.String())
			}
		}
	}
	return out
}

// EncodeJSON is the JSON of v with NULs cleaned as in plain text. encoding/json itself replaces invalid UTF-8.
func EncodeJSON(v any) (string, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("a %T cannot be stored: %w", v, err)
	}
	return string(CleanJSON(body)), nil
}

// CleanJSON replaces escaped NULs as plain text has them replaced.
func CleanJSON(body []byte) []byte {
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

// DecodeJSON reads a stored JSON text into a T. Numbers in untyped places arrive as json.Number: see plain.
func DecodeJSON[T any](what, body string) (T, error) {
	var v T
	dec := json.NewDecoder(strings.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return v, Unreadable("stored "+what, err)
	}
	return v, nil
}

// Plain turns the numbers of an untyped value into int, or float64 when they are not whole, so that 400 does not come
// back as 400.0.
func Plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.Atoi(v.String()); err == nil {
			return i
		}
		f, _ := v.Float64() // the decoder has checked that it is a number
		return f
	case []any:
		for i := range v {
			v[i] = Plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = Plain(v[k])
		}
	}
	return v
}

// BorderPool is a pool of connections that cleans arguments.
type BorderPool struct{ Pool *sql.DB }

var (
	_ gorm.ConnPool         = BorderPool{}
	_ gorm.ConnPoolBeginner = BorderPool{}
	_ gorm.Tx               = (*BorderTx)(nil)
)

// GetDBConn gives gorm the pool below.
func (p BorderPool) GetDBConn() (*sql.DB, error) { return p.Pool, nil }

// PrepareContext is that of the pool below, with clean arguments.
func (p BorderPool) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return p.Pool.PrepareContext(ctx, query)
}

// ExecContext is that of the pool below, with clean arguments.
func (p BorderPool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return p.Pool.ExecContext(ctx, query, Clean(args)...)
}

// QueryContext is that of the pool below, with clean arguments.
func (p BorderPool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.Pool.QueryContext(ctx, query, Clean(args)...)
}

// QueryRowContext is that of the pool below, with clean arguments.
func (p BorderPool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.Pool.QueryRowContext(ctx, query, Clean(args)...)
}

// BeginTx starts a transaction that cleans arguments too.
func (p BorderPool) BeginTx(ctx context.Context, opts *sql.TxOptions) (gorm.ConnPool, error) {
	tx, err := p.Pool.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &BorderTx{tx}, nil
}

// BorderTx is a transaction that cleans arguments.
type BorderTx struct{ *sql.Tx }

// ExecContext is that of the transaction below, with clean arguments.
func (t *BorderTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.Tx.ExecContext(ctx, query, Clean(args)...)
}

// QueryContext is that of the transaction below, with clean arguments.
func (t *BorderTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.Tx.QueryContext(ctx, query, Clean(args)...)
}

// QueryRowContext is that of the transaction below, with clean arguments.
func (t *BorderTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.Tx.QueryRowContext(ctx, query, Clean(args)...)
}
