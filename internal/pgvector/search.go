package pgvector

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rag-workbench/workbench/internal/problem"
)

// HNSW says how a graph over the vectors is built and searched.
type HNSW struct {
	M              int  // links of a node, 2–100
	EFConstruction int  // candidates while building, at least 2 × M, at most 1000
	Half           bool // the index holds numbers of 16 bits: half the memory, and up to 4,000 dimensions
}

// Most dimensions that an index can have.
const (
	MostDimensions     = 2000
	MostDimensionsHalf = 4000
)

// MostEF is the largest hnsw.ef_search.
const MostEF = 1000

// Found is a chunk with its vector, as it was stored.
type Found struct {
	Chunk  int
	Vector []float32
}

func (h HNSW) kind() string {
	if h.Half {
		return "halfvec"
	}
	return "vector"
}

// mark tells one index of a table from others that differ only in how they were built: PostgreSQL cannot be told which index to use, but
// it uses a partial one only where the statement repeats its condition. No chunk has a negative number, so the condition always holds.
func (h HNSW) mark() string { return fmt.Sprintf("chunk <> -%d", h.M*10_000+h.EFConstruction) }

// IndexName is what the index of a graph is called.
func (t *Table) IndexName(h HNSW) string {
	return fmt.Sprintf("%s_%s_%d_%d", t.name, h.kind()[:1], h.M, h.EFConstruction)
}

func (t *Table) operand(h HNSW) string {
	if h.Half {
		return fmt.Sprintf("(embedding::halfvec(%d))", t.dimensions)
	}
	return "embedding"
}

// Index builds the graph where it is not there yet. Inner products are compared: of vectors of length 1 that is the cosine.
func (t *Table) Index(ctx context.Context, h HNSW) error {
	most := MostDimensions
	if h.Half {
		most = MostDimensionsHalf
	}
	if t.dimensions > most {
		return problem.New(problem.Invalid, "pgvector_dimensions", "an HNSW index over %s holds up to %d dimensions, and these vectors have %d",
			h.kind(), most, t.dimensions).With("kind", h.kind()).With("most", most).With("dimensions", t.dimensions).
			WithHint("say retrieve.pgvector.halfvec: true (up to %d), retrieve.pgvector.index: none, or fewer embedding.dimensions",
				MostDimensionsHalf)
	}
	name := t.IndexName(h)
	err := pgx.BeginFunc(ctx, t.server.pool, func(tx pgx.Tx) error {
		if err := lock(ctx, tx, name); err != nil {
			return err
		}
		var there bool
		err := tx.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", pgx.Identifier{Schema, name}.Sanitize()).Scan(&there)
		if err != nil || there {
			return err
		}
		// A graph that outgrows this memory is built many times slower.
		if _, err := tx.Exec(ctx, `SELECT set_config('maintenance_work_mem', $1 || 'kB', true) FROM pg_settings
			WHERE name = 'maintenance_work_mem' AND setting::bigint < $1::bigint`, fmt.Sprint(t.graphKB(h))); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, fmt.Sprintf("CREATE INDEX %s ON %s USING hnsw (%s %s) WITH (m = %d, ef_construction = %d) WHERE %s",
			pgx.Identifier{name}.Sanitize(), t.full(), t.operand(h), InnerProduct.Class(h.kind()), h.M, h.EFConstruction, h.mark()))
		return err
	})
	if err != nil {
		return t.server.failed("build index "+name, err)
	}
	return nil
}

// graphKB is about what building takes, at most 2 GB.
func (t *Table) graphKB(h HNSW) int {
	return min(2<<20, 65_536+t.chunks*(4*t.dimensions+24*h.M+200)/1024)
}

// Exact returns the n chunks with the largest inner products with the query, of the documents that are allowed; nil allows all. Every
// row is compared. Chunks whose products agree to the last digits may come in any order, so whoever needs an order asks for some more
// and sorts.
func (t *Table) Exact(ctx context.Context, query []float32, documents []int32, n int) ([]Found, error) {
	return t.read(ctx, t.exact(query, documents, n))
}

// Approximate returns chunks by way of the graph, in no order, at most n: fewer, although more are allowed, where the search ended before
// it had seen them. What [Table.Reads] denies is for [Table.Exact].
func (t *Table) Approximate(ctx context.Context, h HNSW, ef int, query []float32, documents []int32, n int) ([]Found, error) {
	return t.read(ctx, t.approximate(h, ef, query, documents, n))
}

// Vectors returns the vectors of chunks, in their order.
func (t *Table) Vectors(ctx context.Context, chunks []int) ([][]float32, error) {
	sql := "SELECT chunk, vector_send(embedding) FROM " + t.full() + " WHERE chunk = ANY($1)"
	found, err := t.read(ctx, statement{sql: sql, args: []any{chunks}})
	if err != nil {
		return nil, err
	}
	of := make(map[int][]float32, len(found))
	for _, f := range found {
		of[f.Chunk] = f.Vector
	}
	out := make([][]float32, len(chunks))
	for i, c := range chunks {
		out[i] = of[c]
	}
	return out, nil
}

// Reads reports whether the graph can give what is asked: before [Iterative] a search gives no more than ef rows, and a filter takes some
// of those away.
func (t *Table) Reads(ef int, filtered bool, n int) bool {
	return !filtered && n <= ef || !t.server.version.Older(Iterative)
}

// Plan is how PostgreSQL goes through a search, in its words: exact where h is nil.
func (t *Table) Plan(ctx context.Context, h *HNSW, ef int, query []float32, documents []int32) (string, error) {
	s := t.exact(query, documents, 10)
	if h != nil {
		s = t.approximate(*h, ef, query, documents, 10)
	}
	var lines []string
	err := t.server.Read(ctx, s.settings, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, "EXPLAIN "+s.sql, s.args...)
		if err != nil {
			return err
		}
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return strings.Join(lines, "\n"), err
}

// statement is a search with the settings it needs.
type statement struct {
	settings []Setting
	sql      string
	args     []any
}

func (t *Table) exact(query []float32, documents []int32, n int) statement {
	return t.statement(Exactly(), "embedding <#> $2::text::vector, chunk", "TRUE", query, documents, n)
}

func (t *Table) approximate(h HNSW, ef int, query []float32, documents []int32, n int) statement {
	order := fmt.Sprintf("%s <#> $2::text::%s(%d)", t.operand(h), h.kind(), t.dimensions)
	return t.statement(Approximately(ef, documents != nil || n > ef), order, h.mark(), query, documents, n)
}

func (t *Table) statement(settings []Setting, order, where string, query []float32, documents []int32, n int) statement {
	args := []any{n, Literal(query)}
	if documents != nil {
		where += " AND document = ANY($3)"
		args = append(args, documents)
	}
	return statement{settings: settings, args: args, sql: fmt.Sprintf(`SELECT chunk, vector_send(embedding) FROM
		(SELECT chunk, embedding FROM %s WHERE %s ORDER BY %s LIMIT $1) AS found`, t.full(), where, order)}
}

func (t *Table) read(ctx context.Context, s statement) (out []Found, err error) {
	err = t.server.Read(ctx, s.settings, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, s.sql, s.args...)
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (f Found, err error) {
			var sent []byte
			err = row.Scan(&f.Chunk, &sent)
			f.Vector = readVector(sent)
			return f, err
		})
		return err
	})
	if err != nil {
		return nil, t.server.failed("search table "+t.full(), err)
	}
	return out, nil
}
