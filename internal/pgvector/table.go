package pgvector

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Schema is where our tables stand.
const Schema = "workbench_vectors"

// registry lists our tables with the key they are named by and when one was last opened.
const registry = Schema + ".tables"

// Table holds the vectors of the chunks of one corpus, by the number of the chunk and of its document.
type Table struct {
	server     *Server
	name       string // in Schema
	chunks     int
	dimensions int
}

// Chunks is the number of rows.
func (t *Table) Chunks() int { return t.chunks }

// Dimensions is the length of every vector.
func (t *Table) Dimensions() int { return t.dimensions }

// tableName is the name of the table for a key, which is a digest in hexadecimal.
func tableName(key string) string { return "v_" + key[:min(40, len(key))] }

func (t *Table) full() string { return pgx.Identifier{Schema, t.name}.Sanitize() }

// Find opens the table for a key. It is nil where there is none.
func (s *Server) Find(ctx context.Context, key string) (*Table, error) {
	t := &Table{server: s, name: tableName(key)}
	err := s.pool.QueryRow(ctx, "UPDATE "+registry+" SET used_at = now() WHERE name = $1 RETURNING chunks, dimensions", t.name).
		Scan(&t.chunks, &t.dimensions)
	if errors.Is(err, pgx.ErrNoRows) || isCode(err, undefinedTable) {
		return nil, nil
	}
	if err != nil {
		return nil, s.failed("open table "+t.full(), err)
	}
	return t, nil
}

// Fill makes the table for a key, or opens it when another process was faster. documents[i] is the number of the document that chunk i
// is from; all vectors have one length. What was begun and not finished leaves nothing behind.
func (s *Server) Fill(ctx context.Context, key string, documents []int32, vectors [][]float32) (*Table, error) {
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	t := &Table{server: s, name: tableName(key), chunks: len(vectors)}
	if len(vectors) > 0 {
		t.dimensions = len(vectors[0])
	}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lock(ctx, tx, t.name); err != nil {
			return err
		}
		var there bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+registry+" WHERE name = $1)", t.name).Scan(&there); err != nil || there {
			return err
		}
		create := fmt.Sprintf("CREATE TABLE %s (chunk integer PRIMARY KEY, document integer NOT NULL, embedding vector(%d) NOT NULL)",
			t.full(), max(1, t.dimensions))
		if _, err := tx.Exec(ctx, create); err != nil {
			return err
		}
		if err := t.copy(ctx, tx, documents, vectors); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO "+registry+" (name, key, chunks, dimensions) VALUES ($1, $2, $3, $4)", t.name, key, t.chunks,
			t.dimensions)
		return err
	})
	if err != nil {
		return nil, s.failed("write table "+t.full(), err)
	}
	return s.Find(ctx, key)
}

// prepare makes the schema and the list of tables.
func (s *Server) prepare(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var there bool
		err := tx.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", registry).Scan(&there)
		if err != nil || there {
			return err
		}
		if err := lock(ctx, tx, Schema); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+Schema)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "CREATE TABLE IF NOT EXISTS "+registry+` (name text PRIMARY KEY, key text NOT NULL, chunks integer NOT NULL,
			dimensions integer NOT NULL, made_at timestamptz NOT NULL DEFAULT now(), used_at timestamptz NOT NULL DEFAULT now())`)
		return err
	})
	if isCode(err, insufficientPrivilege) {
		return problem.New(problem.Conflict, "pgvector_schema", "connection %s may not create the schema %s", s.name, Schema).
			With("connection", s.name).With("schema", Schema).Because(err).
			WithHint("have the owner of the database run once: CREATE SCHEMA %s AUTHORIZATION, and the user of the connection", Schema)
	}
	if err != nil {
		return s.failed("make schema "+Schema, err)
	}
	return nil
}

// failed is what the database refused, by the connection and what was to be done.
func (s *Server) failed(doing string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return problem.New(problem.Unavailable, "pgvector_failed", "connection %s: PostgreSQL did not %s", s.name, doing).
		With("connection", s.name).Because(err).
		WithHint("the detail is what PostgreSQL says; what is finished is kept, so start again when it is repaired")
}

// lock waits until nobody else makes or drops what has this name, until the transaction ends.
func lock(ctx context.Context, tx pgx.Tx, name string) error {
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", Schema+"."+name)
	return err
}

// copy writes the rows in the binary form of COPY: that of a vector is its length, a zero, and its numbers.
func (t *Table) copy(ctx context.Context, tx pgx.Tx, documents []int32, vectors [][]float32) error {
	rows := &rows{documents: documents, vectors: vectors, dimensions: t.dimensions}
	rows.left = append(rows.left, "PGCOPY\n\xff\r\n\x00"+"\x00\x00\x00\x00"+"\x00\x00\x00\x00"...) // no flags, no extension
	_, err := tx.Conn().PgConn().CopyFrom(ctx, rows, "COPY "+t.full()+" (chunk, document, embedding) FROM STDIN (FORMAT binary)")
	return err
}

// rows reads as the rows of a table, one after the other.
type rows struct {
	documents  []int32
	vectors    [][]float32
	dimensions int
	next       int    // -1 after the last
	left       []byte // of what comes next
}

func (r *rows) Read(into []byte) (int, error) {
	for len(r.left) < len(into) && r.next >= 0 {
		if r.next == len(r.vectors) {
			r.left, r.next = append(r.left, "\xff\xff"...), -1
			break
		}
		v := r.vectors[r.next]
		if len(v) != r.dimensions {
			return 0, fmt.Errorf("vector %d has %d dimensions, the first has %d", r.next, len(v), r.dimensions)
		}
		r.left = binary.BigEndian.AppendUint16(r.left, 3)
		r.left = appendInteger(appendInteger(r.left, int32(r.next)), r.documents[r.next])
		r.left = appendVector(binary.BigEndian.AppendUint32(r.left, uint32(4+4*len(v))), v)
		r.next++
	}
	if len(r.left) == 0 {
		return 0, io.EOF
	}
	n := copy(into, r.left)
	r.left = append(r.left[:0], r.left[n:]...)
	return n, nil
}

func appendInteger(row []byte, n int32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(row, 4), uint32(n))
}

func appendVector(row []byte, v []float32) []byte {
	row = binary.BigEndian.AppendUint16(row, uint16(len(v)))
	row = binary.BigEndian.AppendUint16(row, 0)
	for _, f := range v {
		row = binary.BigEndian.AppendUint32(row, math.Float32bits(f))
	}
	return row
}

// readVector reads what the server sends for a vector.
func readVector(sent []byte) []float32 {
	if len(sent) < 4 {
		return nil
	}
	v := make([]float32, min(int(binary.BigEndian.Uint16(sent)), (len(sent)-4)/4))
	for i := range v {
		v[i] = math.Float32frombits(binary.BigEndian.Uint32(sent[4+4*i:]))
	}
	return v
}

// Dropped is a table that was dropped.
type Dropped struct {
	Name  string
	Bytes int64 // with its indexes
}

// Prune drops our tables that nobody opened for an age, or with dry only says which they are.
func (s *Server) Prune(ctx context.Context, age time.Duration, dry bool) ([]Dropped, error) {
	var out []Dropped
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, "SELECT name, pg_total_relation_size(format('%I.%I', $2::text, name)::regclass) FROM "+registry+
			" WHERE used_at <= now() - make_interval(secs => $1) ORDER BY name FOR UPDATE", age.Seconds(), Schema)
		if err != nil {
			return err
		}
		if out, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Dropped]); err != nil || dry {
			return err
		}
		for _, d := range out {
			t := Table{name: d.Name}
			if _, err := tx.Exec(ctx, "DROP TABLE "+t.full()); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "DELETE FROM "+registry+" WHERE name = $1", d.Name); err != nil {
				return err
			}
		}
		return nil
	})
	if isCode(err, undefinedTable) {
		return nil, nil // nothing was ever written here
	}
	if err != nil {
		return nil, s.failed("drop old tables of "+Schema, err)
	}
	return out, nil
}
