package pgvector

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Columns name the columns of a table that a team fills. ID, Text and Vector are needed; one that is "" is not read.
type Columns struct {
	Table                                         string // may have a schema: kb.chunks
	ID, Document, Text, Start, End, Title, Vector string
}

// TheirRow is a row of a team's table. Start and End are -1 where it has none.
type TheirRow struct {
	ID, Document, Text, Title string
	Start, End                int
	Score                     float64 // of a search; see [Distance.Score]
}

// Theirs is a table that a team fills. It is read in transactions that can change nothing.
type Theirs struct {
	server  *Server
	columns Columns
	kind    string // type of the vectors, as SQL writes it
}

// statementTimeout ends a statement that would go on for ever, in milliseconds.
const statementTimeout = "300000"

// Theirs finds a team's table and the type of its vectors.
func (s *Server) Theirs(ctx context.Context, c Columns) (*Theirs, error) {
	t := &Theirs{server: s, columns: c}
	err := s.Read(ctx, nil, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "SELECT atttypid::regtype::text FROM pg_attribute WHERE attrelid = $1::text::regclass AND attname = $2",
			name(c.Table), c.Vector).Scan(&t.kind)
	})
	if err == nil && !strings.HasSuffix(t.kind, "vector") && !strings.HasSuffix(t.kind, "halfvec") {
		err = fmt.Errorf("column %s is of type %s, and not vector or halfvec", c.Vector, t.kind)
	}
	return t, err
}

// name is an identifier of SQL that may have a schema.
func name(said string) string { return pgx.Identifier(strings.Split(said, ".")).Sanitize() }

// Version is that of the extension.
func (t *Theirs) Version() Version { return t.server.version }

// Close closes the connections to the table's server.
func (t *Theirs) Close() { t.server.Close() }

// list are the columns that are read, in the order of [scan].
func (t *Theirs) list() string {
	text := func(column string) string {
		if column == "" {
			return "''"
		}
		return "coalesce(" + pgx.Identifier{column}.Sanitize() + "::text, '')"
	}
	number := func(column string) string {
		if column == "" {
			return "-1::bigint"
		}
		return "coalesce(" + pgx.Identifier{column}.Sanitize() + "::bigint, -1)"
	}
	c := t.columns
	return strings.Join([]string{text(c.ID), text(c.Document), text(c.Text), text(c.Title), number(c.Start), number(c.End)}, ", ")
}

// Size is the number of rows with a vector, and the length of their vectors; 0 where there are none.
func (t *Theirs) Size(ctx context.Context) (rows, dimensions int, err error) {
	vector := pgx.Identifier{t.columns.Vector}.Sanitize()
	err = t.server.Read(ctx, []Setting{{"statement_timeout", statementTimeout}}, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "SELECT count(*), coalesce(max(vector_dims("+vector+")), 0) FROM "+name(t.columns.Table)+" WHERE "+vector+
			" IS NOT NULL").Scan(&rows, &dimensions)
	})
	return rows, dimensions, err
}

// All shows every row that has a vector.
func (t *Theirs) All(ctx context.Context, visit func(TheirRow) error) error {
	return t.query(ctx, nil, "SELECT "+t.list()+", 0::float8 FROM "+name(t.columns.Table)+" WHERE "+
		pgx.Identifier{t.columns.Vector}.Sanitize()+" IS NOT NULL", visit)
}

// Nearest returns the n nearest rows, best first, under the settings.
func (t *Theirs) Nearest(ctx context.Context, d Distance, vector []float32, n int, settings []Setting) ([]TheirRow, error) {
	column := pgx.Identifier{t.columns.Vector}.Sanitize()
	distance := column + " " + d.Operator() + " $1::text::" + t.kind
	var out []TheirRow
	err := t.query(ctx, settings, "SELECT "+t.list()+", "+distance+" FROM "+name(t.columns.Table)+" WHERE "+column+" IS NOT NULL ORDER BY "+
		distance+" LIMIT $2",
		func(r TheirRow) error {
			r.Score = d.Score(r.Score)
			out = append(out, r)
			return nil
		}, Literal(vector), n)
	return out, err
}

func (t *Theirs) query(ctx context.Context, settings []Setting, sql string, visit func(TheirRow) error, args ...any) error {
	settings = append([]Setting{{"statement_timeout", statementTimeout}}, settings...)
	return t.server.Read(ctx, settings, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r TheirRow
			if err := rows.Scan(&r.ID, &r.Document, &r.Text, &r.Title, &r.Start, &r.End, &r.Score); err != nil {
				return err
			}
			if err := visit(r); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
