package pgvector_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rag-workbench/workbench/internal/pgvector"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// made are n random vectors of length about 1, with a document for every ten.
func made(n, dimensions int) (documents []int32, vectors [][]float32) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		v := make([]float32, dimensions)
		for j := range v {
			v[j] = float32(random.NormFloat64())
		}
		documents, vectors = append(documents, int32(i/10)), append(vectors, v)
	}
	return documents, vectors
}

func connect(t *testing.T) *pgvector.Server {
	t.Helper()
	s, err := pgvector.Connect(t.Context(), "kb", pgtest.Vectors(t), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func filled(t *testing.T, s *pgvector.Server, n int) (*pgvector.Table, [][]float32) {
	t.Helper()
	documents, vectors := made(n, 8)
	table, err := s.Fill(t.Context(), strings.Repeat("a1", 32), documents, vectors)
	if err != nil {
		t.Fatal(err)
	}
	return table, vectors
}

func chunks(found []pgvector.Found) []int {
	out := make([]int, len(found))
	for i, f := range found {
		out[i] = f.Chunk
	}
	slices.Sort(out)
	return out
}

func TestVectorsComeBackAsTheyWere(t *testing.T) {
	s := connect(t)
	table, vectors := filled(t, s, 50)
	again, err := s.Fill(t.Context(), strings.Repeat("a1", 32), nil, nil) // it is there: nothing is written
	if err != nil || again.Chunks() != 50 || table.Dimensions() != 8 {
		t.Fatalf("%d chunks, %v", again.Chunks(), err)
	}
	found, err := again.Exact(t.Context(), vectors[7], nil, 50)
	if err != nil || len(found) != 50 {
		t.Fatalf("%d found, %v", len(found), err)
	}
	for _, f := range found {
		if !slices.Equal(f.Vector, vectors[f.Chunk]) {
			t.Fatalf("chunk %d is %v, was %v", f.Chunk, f.Vector, vectors[f.Chunk])
		}
	}
	found, err = again.Exact(t.Context(), vectors[7], []int32{1, 3}, 50)
	if err != nil || !slices.Equal(chunks(found), []int{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39}) {
		t.Fatalf("of documents 1 and 3: %v, %v", chunks(found), err)
	}
}

// A graph finds nearly all, whatever other graphs the table has, and goes on where a filter takes most away.
func TestGraphs(t *testing.T) {
	s := connect(t)
	table, vectors := filled(t, s, 2000)
	for _, h := range []pgvector.HNSW{{M: 4, EFConstruction: 16}, {M: 16, EFConstruction: 64}, {M: 16, EFConstruction: 64, Half: true}} {
		for range 2 { // the second time it is there
			if err := table.Index(t.Context(), h); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := pgvector.HNSW{M: 16, EFConstruction: 64, Half: true}
	same := 0
	for q := range 20 {
		exact, err := table.Exact(t.Context(), vectors[q], nil, 10)
		if err != nil {
			t.Fatal(err)
		}
		near, err := table.Approximate(t.Context(), h, 100, vectors[q], nil, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chunks(near) {
			if slices.Contains(chunks(exact), c) {
				same++
			}
		}
	}
	if same < 190 {
		t.Errorf("%d of 200 of the nearest were found", same)
	}
	few, err := table.Approximate(t.Context(), h, 40, vectors[0], []int32{3, 70}, 10)
	if err != nil || !s.Version().Older(pgvector.Iterative) && len(few) != 10 {
		t.Errorf("of 2 documents of 200: %d found, %v", len(few), err)
	}
	if deep, err := table.Approximate(t.Context(), h, 40, vectors[0], nil, 100); err != nil || len(deep) != 100 {
		t.Errorf("beyond ef_search: %d found, %v", len(deep), err)
	}
}

// Which index a statement goes through is decided by how the graph was asked to be built.
func TestTheGraphThatWasAskedForIsRead(t *testing.T) {
	s := connect(t)
	table, vectors := filled(t, s, 300)
	for _, h := range []pgvector.HNSW{{M: 4, EFConstruction: 16}, {M: 4, EFConstruction: 20}, {M: 4, EFConstruction: 20, Half: true}} {
		if err := table.Index(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []pgvector.HNSW{{M: 4, EFConstruction: 16}, {M: 4, EFConstruction: 20}, {M: 4, EFConstruction: 20, Half: true}} {
		plan, err := table.Plan(t.Context(), &h, 100, vectors[0], []int32{1, 2})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plan, "Index Scan using "+table.IndexName(h)+" ") {
			t.Errorf("%+v is read by\n%s", h, plan)
		}
	}
	plan, err := table.Plan(t.Context(), nil, 0, vectors[0], nil)
	if err != nil || !strings.Contains(plan, "Seq Scan") {
		t.Errorf("exact: %v\n%s", err, plan)
	}
}

func TestOldTablesAreDropped(t *testing.T) {
	s := connect(t)
	if dropped, err := s.Prune(t.Context(), 0, false); err != nil || len(dropped) != 0 {
		t.Fatalf("before anything is written: %v, %v", dropped, err)
	}
	filled(t, s, 20)
	for _, step := range []struct {
		seconds int
		dry     bool
		dropped int
	}{{3600, false, 0}, {0, true, 1}, {0, false, 1}, {0, false, 0}} {
		dropped, err := s.Prune(t.Context(), time.Duration(step.seconds)*time.Second, step.dry)
		if err != nil || len(dropped) != step.dropped {
			t.Fatalf("%+v: %v, %v", step, dropped, err)
		}
		if len(dropped) > 0 && dropped[0].Bytes < 8192 {
			t.Errorf("its size is %d", dropped[0].Bytes)
		}
	}
	if table, err := s.Find(t.Context(), strings.Repeat("a1", 32)); table != nil || err != nil {
		t.Errorf("it is still there: %v, %v", table, err)
	}
}

// What is begun and cannot be finished leaves nothing.
func TestAFaultyTableIsNotThere(t *testing.T) {
	s := connect(t)
	documents, vectors := made(20, 8)
	vectors[19] = vectors[19][:7]
	if _, err := s.Fill(t.Context(), strings.Repeat("b2", 32), documents, vectors); problem.CodeOf(err) != "pgvector_failed" {
		t.Fatalf("%v", err)
	}
	if table, err := s.Find(t.Context(), strings.Repeat("b2", 32)); table != nil || err != nil {
		t.Errorf("%v, %v", table, err)
	}
}

func TestTooManyDimensionsForAnIndex(t *testing.T) {
	s := connect(t)
	documents, vectors := made(2, 2001)
	table, err := s.Fill(t.Context(), strings.Repeat("c3", 32), documents, vectors)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Index(t.Context(), pgvector.HNSW{M: 4, EFConstruction: 16}); problem.CodeOf(err) != "pgvector_dimensions" {
		t.Errorf("%v", err)
	}
	if err := table.Index(t.Context(), pgvector.HNSW{M: 4, EFConstruction: 16, Half: true}); err != nil {
		t.Errorf("half: %v", err)
	}
}

// Each thing that can be missing is said with what to do, and no address is shown.
func TestConnecting(t *testing.T) {
	pgtest.NeedVectors(t)
	bare := pgtest.Empty(t)
	const secret = "hunter2"
	for name, c := range map[string]struct{ address, code string }{
		"no URL":       {"host=x password=" + secret, "connection_address"},
		"nobody there": {"postgres://u:" + secret + "@127.0.0.1:1/x?sslmode=disable", "connection_failed"},
		"no extension": {bare, "pgvector_missing"},
	} {
		_, err := pgvector.Connect(t.Context(), "kb", c.address, false)
		if problem.CodeOf(err) != c.code || strings.Contains(err.Error(), secret) || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, err := pgvector.Connect(t.Context(), "kb", bare, true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Version().Older(pgvector.Version{Minor: 5}) {
		t.Errorf("version %s", s.Version())
	}
}

func TestMayNotMakeASchema(t *testing.T) {
	address := pgtest.Vectors(t)
	guest := fmt.Sprintf("workbench_guest_%d", os.Getpid())
	pgtest.DoAt(t, address, "CREATE ROLE "+guest+" LOGIN")
	t.Cleanup(func() { pgtest.DoAt(t, address, "DROP ROLE "+guest) })
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(guest)
	s, err := pgvector.Connect(t.Context(), "kb", u.String(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = s.Fill(t.Context(), strings.Repeat("d4", 32), []int32{0}, [][]float32{{1}})
	if problem.CodeOf(err) != "pgvector_schema" || !strings.Contains(problem.From(err).Hint, "CREATE SCHEMA "+pgvector.Schema) {
		t.Errorf("%v", err)
	}
}

// A mapping onto somebody else's table reads it with the same parts.
func TestReadingIsAllThatReadDoes(t *testing.T) {
	s := connect(t)
	err := s.Read(t.Context(), pgvector.Exactly(), func(tx pgx.Tx) error {
		var score float64
		ask := "SELECT $1::text::vector " + pgvector.Cosine.Operator() + " $2::text::vector"
		err := tx.QueryRow(context.Background(), ask, pgvector.Literal([]float32{1, 2}), pgvector.Literal([]float32{-2, 1})).Scan(&score)
		if err != nil || pgvector.Cosine.Score(score) != 0 {
			t.Errorf("%v, %v", score, err)
		}
		_, err = tx.Exec(context.Background(), "CREATE TABLE x ()")
		return err
	})
	if err == nil {
		t.Error("a table was made")
	}
}
