package rag

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/rag-workbench/workbench/internal/pgvector"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// Words of an engine, which keeps and compares vectors.
const (
	EngineMemory   = "memory"
	EnginePGVector = "pgvector"
	IndexHNSW      = "hnsw"
)

// PGVector says where and how the engine pgvector searches.
type PGVector struct {
	Connection     string `json:"connection,omitempty" yaml:"connection"`           // name in the configuration file; pgvector when empty
	Index          string `json:"index,omitempty" yaml:"index"`                     // none (default: every vector is compared) | hnsw
	M              int    `json:"m,omitempty" yaml:"m"`                             // of hnsw: links of a node, 2–100; 16 when 0
	EFConstruction int    `json:"ef_construction,omitempty" yaml:"ef_construction"` // of hnsw: up to 1000, at least 2 × m; 64 when 0
	EFSearch       int    `json:"ef_search,omitempty" yaml:"ef_search"`             // of hnsw: up to 1000; when 0 as docs/retrieval.md says
	HalfVec        bool   `json:"halfvec,omitempty" yaml:"halfvec"`                 // of hnsw: the index holds numbers of 16 bits
}

// ConnectionName is the connection that is used.
func (p PGVector) ConnectionName() string {
	if p.Connection == "" {
		return EnginePGVector
	}
	return p.Connection
}

// Approximates reports whether a search may miss what is nearest.
func (r Retrieve) Approximates() bool {
	return r.vectors() && r.Engine == EnginePGVector && r.PGVector.Index == IndexHNSW
}

// engine is the part that says where vectors are kept and how they are compared, without what has no effect.
func (r Retrieve) engine() (string, PGVector) {
	if r.Engine != EnginePGVector || !r.vectors() {
		return "", PGVector{}
	}
	p := r.PGVector
	if p.Connection == EnginePGVector {
		p.Connection = ""
	}
	if p.Index != IndexHNSW {
		return r.Engine, PGVector{Connection: p.Connection}
	}
	if p.M == 0 {
		p.M = 16
	}
	if p.EFConstruction == 0 {
		p.EFConstruction = 64
	}
	return r.Engine, p
}

func (r Retrieve) engineChecks(c Config) []check {
	p := r.PGVector
	_, set := r.engine()
	least := c.Asked()
	return []check{
		{oneOf(r.Engine, "", EngineMemory, EnginePGVector), "retrieve.engine", r.Engine, "memory or pgvector"},
		{oneOf(p.Index, "", "none", IndexHNSW), "retrieve.pgvector.index", p.Index, "none or hnsw"},
		{p.M == 0 || p.M >= 2 && p.M <= 100, "retrieve.pgvector.m", p.M, "a number from 2 to 100"},
		{p.EFConstruction >= 0 && p.EFConstruction <= 1000, "retrieve.pgvector.ef_construction", p.EFConstruction,
			"a number from 4 to 1000"},
		{set.Index == "" || set.EFConstruction >= 2*set.M, "retrieve.pgvector.ef_construction", set.EFConstruction,
			fmt.Sprintf("at least twice retrieve.pgvector.m, which is %d", set.M)},
		{p.EFSearch >= 0 && p.EFSearch <= pgvector.MostEF, "retrieve.pgvector.ef_search", p.EFSearch, "a number from 1 to 1000"},
		{set.Index == "" || p.EFSearch == 0 || p.EFSearch >= least, "retrieve.pgvector.ef_search", p.EFSearch,
			fmt.Sprintf("at least %d, which are as many hits as are asked of the index", least)},
	}
}

// Databases finds a PostgreSQL server by the name that an experiment file uses. It returns a *problem.Problem where there is none.
type Databases interface {
	Server(ctx context.Context, name string) (*pgvector.Server, error)
}

// ties is how many further results are read of a database at first, so that equal scores at the border are ordered by us.
const ties = 10

// denseSearch finds chunks by their vectors. rows are the vectors of chunks.
type denseSearch interface {
	Search(ctx context.Context, query []float32, allowed []bool, n int) ([]search.Ranked, error)
	Rows(ctx context.Context, chunks []int) ([][]float32, error)
}

// tableIndex finds chunks by the dot product of vectors that stand in PostgreSQL. The database says which are found; their scores are
// computed here, as those of [search.Vectors] are.
type tableIndex struct {
	table     *pgvector.Table
	set       PGVector
	documents []int32 // by chunk: the number of its document
}

func (x *tableIndex) graph() pgvector.HNSW {
	return pgvector.HNSW{M: x.set.M, EFConstruction: x.set.EFConstruction, Half: x.set.HalfVec}
}

func (x *tableIndex) ef(n int) int { return x.set.ef(n) }

// ef is how many candidates a search for n keeps. Unsaid, it is what found 95 % of the nearest among 100,000 chunks (docs/retrieval.md).
func (p PGVector) ef(n int) int {
	if p.EFSearch > 0 {
		return p.EFSearch
	}
	return min(max(20*n, 200), pgvector.MostEF)
}

// Asked is how many hits are asked of the index: k, or what is reranked or chosen from. No search may keep fewer candidates.
func (c Config) Asked() int { return max(c.depth(), c.Retrieve.MMR.FetchK) }

// Candidates is how many candidates an approximate search of the configuration keeps, 1–1000: what it says, or what holds unsaid.
func (c Config) Candidates() int { return c.Retrieve.PGVector.ef(c.Asked()) }

// fewAllowed is how many chunks a filter may leave for all of them to be compared, unless the file says ef_search: through the graph as
// many would be read, to find fewer.
const fewAllowed = 20_000

// reads reports whether a search goes through the graph.
func (x *tableIndex) reads(allowed []bool, n int) bool {
	if x.set.Index != IndexHNSW || !x.table.Reads(x.ef(n), allowed != nil, n) {
		return false
	}
	if allowed == nil || x.set.EFSearch > 0 {
		return true
	}
	left := 0
	for _, yes := range allowed {
		if yes {
			left++
		}
	}
	return left > fewAllowed
}

// filteredMore is how many times as many hits are read as are wanted where a filter takes candidates away: those that come first of a
// search that reads on are not the nearest.
const filteredMore = 5

func (x *tableIndex) Search(ctx context.Context, query []float32, allowed []bool, n int) ([]search.Ranked, error) {
	documents := x.allowed(allowed)
	if x.reads(allowed, n) {
		read := n
		if documents != nil {
			read *= filteredMore
		}
		found, err := x.table.Approximate(ctx, x.graph(), x.ef(n), query, documents, read)
		return scored(query, found, n), err
	}
	return x.exact(ctx, query, documents, n)
}

// exact compares all. Some more are read than are wanted, since the database may see another order among equals.
func (x *tableIndex) exact(ctx context.Context, query []float32, documents []int32, n int) ([]search.Ranked, error) {
	found, err := x.table.Exact(ctx, query, documents, n+ties)
	return scored(query, found, n), err
}

func scored(query []float32, found []pgvector.Found, n int) []search.Ranked {
	q := blas32.Vector{N: len(query), Inc: 1, Data: query}
	all := make([]search.Ranked, len(found))
	for i, f := range found {
		all[i] = search.Ranked{Chunk: f.Chunk, Score: float64(blas32.Dot(blas32.Vector{N: len(f.Vector), Inc: 1, Data: f.Vector}, q))}
	}
	return search.Top(all, n)
}

func (x *tableIndex) Rows(ctx context.Context, chunks []int) ([][]float32, error) {
	return x.table.Vectors(ctx, chunks)
}

// allowed are the numbers of the documents of the chunks that are allowed; nil where all are.
func (x *tableIndex) allowed(chunks []bool) []int32 {
	if chunks == nil {
		return nil
	}
	documents := []int32{}
	for i, yes := range chunks {
		if n := len(documents); yes && (n == 0 || documents[n-1] != x.documents[i]) {
			documents = append(documents, x.documents[i])
		}
	}
	return documents
}

// documentNumbers are the numbers of the documents that chunks are from, in the order of the chunks.
func (l *cutLayer) documentNumbers() []int32 {
	numbers := make([]int32, len(l.chunks))
	for i := 1; i < len(l.chunks); i++ {
		numbers[i] = numbers[i-1]
		if l.chunks[i].DocID != l.chunks[i-1].DocID {
			numbers[i]++
		}
	}
	return numbers
}

// addTable has the vectors under a key searched in PostgreSQL. Those that stand there are not embedded again. The plan of a run has no
// databases: what it counts is the same with vectors in memory.
func (b *indexBuild) addTable(x *Index, key string, embed func() ([][]float32, error)) (err error) {
	set := b.config.Retrieve.PGVector
	server, err := b.layers.Databases.Server(b.ctx, set.ConnectionName())
	if err != nil {
		return err
	}
	x.vectors, err = layerOf(b, StageKey("layer", EnginePGVector, key, set), func(func(int64) error) (*vectorLayer, error) {
		t := &tableIndex{set: set, documents: x.documentNumbers()}
		if t.table, err = server.Find(b.ctx, key); err == nil && t.table == nil {
			var vectors [][]float32
			if vectors, err = embed(); err != nil {
				return nil, err
			}
			t.table, err = server.Fill(b.ctx, key, t.documents, vectors)
		}
		if err == nil && set.Index == IndexHNSW {
			err = t.table.Index(b.ctx, t.graph())
		}
		return &vectorLayer{dense: t}, err
	})
	if err == nil && set.Index == IndexHNSW { // what a graph gives depends on the program that searches it
		x.key = StageKey("index", "2", x.key, server.Version().String())
	}
	return err
}

// NearEnough is the recall below which an approximate search is flagged.
const NearEnough = 0.95

// Approximation is how much of what is nearest an approximate search found.
type Approximation struct {
	Depth  int     `json:"depth"`            // how many were asked of the index
	Recall float64 `json:"recall"`           // share of the nearest of that number that were found, 0–1
	Short  int     `json:"short,omitempty"`  // how many fewer were found than are there
	Missed []Span  `json:"missed,omitempty"` // the nearest chunks that were not found
}

// approximation compares what the index gives for a vector with what is nearest; nil where every search is exact. A chunk that is as near
// as the last of the nearest counts as one of them.
func (x *Index) approximation(ctx context.Context, vector func() ([]float32, error), n int) (*Approximation, error) {
	if !x.retrieve.Approximates() || len(x.chunks) == 0 {
		return nil, nil
	}
	table, ok := x.vectors.dense.(*tableIndex)
	if !ok {
		return nil, nil
	}
	query, err := vector()
	if err != nil {
		return nil, err
	}
	found, err := table.Search(ctx, query, x.allowed, n)
	if err != nil {
		return nil, err
	}
	nearest, err := table.exact(ctx, query, table.allowed(x.allowed), n)
	if err != nil || len(nearest) == 0 {
		return nil, err
	}
	out := &Approximation{Depth: n, Short: len(nearest) - len(found)}
	near := 0
	for _, f := range found {
		if f.Score >= nearest[len(nearest)-1].Score {
			near++
		}
	}
	out.Recall = float64(near) / float64(len(nearest))
	for _, r := range nearest {
		if near < len(nearest) && !slices.ContainsFunc(found, func(f search.Ranked) bool { return f.Chunk == r.Chunk }) {
			out.Missed = append(out.Missed, x.chunks[r.Chunk].Span)
		}
	}
	return out, nil
}

// queried is the vector of a query, for [Index.approximation].
func (x *Index) queried(ctx context.Context, query string) func() ([]float32, error) {
	return func() ([]float32, error) { return x.embed(ctx, query) }
}

// joinedApproximation is that of several searches for one question: the mean of their recalls, and all that they missed; nil where none
// was approximate.
func joinedApproximation(searches []Retrieval) *Approximation {
	var out *Approximation
	n := 0
	for _, s := range searches {
		if s.Approximate == nil {
			continue
		}
		if out == nil {
			out = &Approximation{}
		}
		n++
		out.Depth = max(out.Depth, s.Approximate.Depth)
		out.Short += s.Approximate.Short
		out.Recall += s.Approximate.Recall
		out.Missed = append(out.Missed, s.Approximate.Missed...)
	}
	if out != nil {
		out.Recall /= float64(n)
	}
	return out
}

// searchMeasured searches, and says how well an approximate search did.
func (x *Index) searchMeasured(ctx context.Context, query string, n int) ([]Hit, *Approximation, error) {
	hits, err := x.search(ctx, query, n)
	if err != nil {
		return hits, nil, err
	}
	near, err := x.approximation(ctx, x.queried(ctx, query), n)
	return hits, near, err
}
