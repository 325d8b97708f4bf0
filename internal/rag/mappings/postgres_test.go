package mappings

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/pgvector"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/mappings/mappingstest"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// TestPgvectorLive reads a table that a team fills, with a column of either type.
func TestPgvectorLive(t *testing.T) {
	t.Parallel()
	address := pgtest.Vectors(t)
	corpus, questions := library()
	chunking, embed := rag.Chunking{By: "chars", Size: 50}, rag.Model{Provider: "offline", Name: mappingstest.Model}
	rows := mappingstest.Rows(t, corpus, chunking)
	fill := func(kind string) rag.IndexMapping {
		table := "kb.chunks_" + kind
		var sql strings.Builder
		fmt.Fprintf(&sql,
			"CREATE SCHEMA IF NOT EXISTS kb; CREATE TABLE %s (no text PRIMARY KEY, source text, body text, a int, b int, emb %s(%d));",
			table, kind, len(rows[0].Vector))
		for _, r := range rows {
			fmt.Fprintf(&sql, "INSERT INTO %s VALUES ('%s', '%s', '%s', %d, %d, '%s');", table, r.ID, r.DocID, r.Text, r.Start, r.End,
				pgvector.Literal(r.Vector))
		}
		fmt.Fprintf(&sql, "INSERT INTO %s (no) VALUES ('without a vector');", table)
		pgtest.DoAt(t, address, sql.String())
		if kind == "halfvec" { // of a vector, an index takes 2,000 dimensions
			pgtest.DoAt(t, address, "CREATE INDEX ON "+table+" USING hnsw (emb halfvec_cosine_ops)")
		}
		return rag.IndexMapping{Engine: "pgvector", Table: table, Fields: rag.MappedFields{ID: "no", Text: "body", DocID: "source",
			Start: "a", End: "b", Vector: "emb"}}.Normalised()
	}
	for _, kind := range []string{"vector", "halfvec"} {
		m := fill(kind)
		engine, err := Open(m, address, nil, http.DefaultClient)
		if err != nil {
			t.Fatal(err)
		}
		reader := engine.(*postgres) //nolint:forcetypeassert // what Open makes of pgvector
		t.Cleanup(func() { reader.theirs.Close() })
		facts, err := engine.Facts(t.Context())
		if err != nil || facts.Rows != len(rows) || facts.Dimensions != len(rows[0].Vector) || facts.Server == "" {
			t.Errorf("%s: %+v, %v", kind, facts, err)
		}
		if kind == "vector" { // numbers of half the length may order what is nearly equal in another way
			m.Params = map[string]any{"exact": true}
			sameRecall(t, m, engine, corpus, questions, chunking, embed)
		}
		found, err := engine.Nearest(t.Context(), rows[7].Vector, 5, map[string]any{"ef_search": 100.0})
		if err != nil || !slices.ContainsFunc(found, func(r rag.MappedRow) bool { return r.ID == rows[7].ID && r.Score > 0.99 }) {
			t.Errorf("%s, ef_search 100: %v, %v", kind, found, err)
		}
		m.Table = "kb.missing"
		if engine, err = Open(m, address, nil, http.DefaultClient); err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Facts(t.Context()); problem.CodeOf(err) != "index_refused" {
			t.Errorf("a table that is not there: %v", err)
		}
	}
}
