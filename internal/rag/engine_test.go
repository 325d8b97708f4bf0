package rag

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/pgvector"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// database is the connection of every name.
type database struct{ server *pgvector.Server }

func (d database) Server(context.Context, string) (*pgvector.Server, error) { return d.server, nil }

func inPostgreSQL(t *testing.T, docs ...Document) *rig {
	t.Helper()
	server, err := pgvector.Connect(t.Context(), "pgvector", pgtest.Vectors(t), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	r := newRig(docs...)
	r.indexes.Databases = database{server}
	return r
}

// many are documents of made-up words, each of a few chunks.
func many(n int) []Document {
	random := rand.New(rand.NewPCG(3, 4))
	docs := make([]Document, n)
	for i := range docs {
		var b strings.Builder
		for range 30 {
			fmt.Fprintf(&b, "w%d ", random.IntN(400))
		}
		docs[i] = Document{ID: fmt.Sprintf("d%d", i), Text: b.String(), Lang: []string{"en", "ja"}[i%2]}
	}
	return docs
}

// Searched exactly, PostgreSQL gives the hits of memory, in their order and with their scores, whatever is done with them.
func TestExactInPostgreSQLIsThatOfMemory(t *testing.T) {
	t.Parallel()
	r := inPostgreSQL(t, append(manual(), many(60)...)...)
	for name, change := range map[string]func(*Config){
		"dense":  func(*Config) {},
		"hybrid": func(c *Config) { c.Retrieve.Mode, c.Retrieve.BM25 = "hybrid", search.DefaultBM25() },
		"filter": func(c *Config) { c.Retrieve.Filter = Filter{"lang": "ja"} },
		"mmr":    func(c *Config) { c.Retrieve.MMR = search.DefaultMMR() },
		"hyde":   func(c *Config) { c.Rewrite = Rewrite{Mode: prompts.HyDE, Model: Model{"offline", "m"}} },
		"deep":   func(c *Config) { c.Retrieve.K, c.Retrieve.PerDocument = 40, 1 },
	} {
		for _, question := range []string{askJA, "How long does a refund take?", "w17 w300 w5"} {
			var found [2]Retrieval
			for i, engine := range []string{EngineMemory, EnginePGVector} {
				var err error
				found[i], _, err = r.open(t, func(c *Config) {
					c.Chunk.Size, c.Retrieve.K, c.Retrieve.Engine = 60, 10, engine
					change(c)
				}).Retrieve(t.Context(), question)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if diff := cmp.Diff(found[0], found[1]); diff != "" {
				t.Errorf("%s, %s (-memory +pgvector):\n%s", name, question, diff)
			}
		}
	}
}

// An approximate search says how much of what is nearest it found, and what it did not.
func TestAnApproximateSearchIsMeasured(t *testing.T) {
	t.Parallel()
	r := inPostgreSQL(t, many(400)...)
	graph := func(ef int, filter Filter) func(*Config) {
		return func(c *Config) {
			c.Chunk.Size = 40
			c.Retrieve = Retrieve{Mode: "dense", K: 5, Engine: EnginePGVector, Filter: filter,
				PGVector: PGVector{Index: IndexHNSW, M: 2, EFConstruction: 4, EFSearch: ef, HalfVec: true}} // 2,048 dimensions
		}
	}
	missed := 0
	for i := range 30 {
		question := fmt.Sprintf("w%d w%d w%d", i, 3*i+1, 7*i+2)
		narrow, narrowKey, err := r.open(t, graph(5, nil)).Retrieve(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		wide, wideKey, err := r.open(t, graph(1000, nil)).Retrieve(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		if narrowKey == wideKey {
			t.Fatal("ef_search is not in the key")
		}
		for _, found := range []Retrieval{narrow, wide} {
			a := found.Approximate
			if a == nil || a.Depth != 5 || len(a.Missed) > 5 || (a.Recall < 1) != (len(a.Missed) > 0) {
				t.Fatalf("%s: %+v", question, a)
			}
		}
		missed += len(narrow.Approximate.Missed)
		if len(wide.Approximate.Missed) > len(narrow.Approximate.Missed) {
			t.Errorf("%s: a wider search misses more: %+v, %+v", question, narrow.Approximate, wide.Approximate)
		}
	}
	if missed == 0 {
		t.Error("a graph of two links a node, searched with 5 candidates, misses nothing: this test cannot tell")
	}
	few, _, err := r.open(t, graph(5, Filter{"doc_id": "d7"})).Retrieve(t.Context(), "w17")
	if err != nil {
		t.Fatal(err)
	}
	left, _, err := r.open(t, graph(0, Filter{"lang": "ja"})).Retrieve(t.Context(), "w17 w300 w5")
	if err != nil || left.Approximate.Recall != 1 || len(left.Hits) != 5 {
		t.Errorf("what a filter leaves is few and compared: %+v, %v", left.Approximate, err)
	}
	all := r.found(t, "w17", func(c *Config) { c.Chunk.Size, c.Retrieve.K, c.Retrieve.Filter = 40, 5, Filter{"doc_id": "d7"} })
	if few.Approximate == nil || few.Approximate.Short != len(all)-len(few.Hits) {
		t.Errorf("of one document of %d chunks: %d hits, %+v", len(all), len(few.Hits), few.Approximate)
	}
}

// What stands in PostgreSQL is not embedded again, by whoever asks.
func TestVectorsInPostgreSQLAreEmbeddedOnce(t *testing.T) {
	t.Parallel()
	r := inPostgreSQL(t, manual()...)
	onTable := func(c *Config) { c.Retrieve.Engine = EnginePGVector }
	before, _, err := r.open(t, onTable).Retrieve(t.Context(), askJA)
	if err != nil {
		t.Fatal(err)
	}
	again := newRig(manual()...) // another process
	again.indexes.Databases = r.indexes.Databases
	embedder := &counted{Provider: offlineProvider()}
	again.providers["offline"] = embedder
	after, _, err := again.open(t, onTable).Retrieve(t.Context(), askJA)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" || embedder.batches.Load() != 1 {
		t.Errorf("%d batches were embedded, want the question only\n%s", embedder.batches.Load(), diff)
	}
}

// The engine that was always there says nothing in a key; of the other every parameter that changes what is found is in it.
func TestKeysOfEngines(t *testing.T) {
	t.Parallel()
	corpus := NewCorpus("test", manual())
	key := func(change func(*Retrieve)) string {
		c := DefaultConfig()
		c.Retrieve.Mode = "hybrid"
		change(&c.Retrieve)
		k, err := indexKey(c, corpus, offlineOnly())
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	unsaid := key(func(*Retrieve) {})
	for name, change := range map[string]func(*Retrieve){
		"memory":                 func(r *Retrieve) { r.Engine = EngineMemory },
		"memory, with a table's": func(r *Retrieve) { r.PGVector = PGVector{Index: IndexHNSW, M: 8} },
	} {
		if key(change) != unsaid {
			t.Errorf("%s has another key", name)
		}
	}
	seen := map[string]string{unsaid: "unsaid"}
	hnsw := func(p PGVector) func(*Retrieve) {
		p.Index = IndexHNSW
		return func(r *Retrieve) { r.Engine, r.PGVector = EnginePGVector, p }
	}
	for name, change := range map[string]func(*Retrieve){
		"exact": func(r *Retrieve) { r.Engine = EnginePGVector }, "hnsw": hnsw(PGVector{}), "m": hnsw(PGVector{M: 8}),
		"ef_construction": hnsw(PGVector{EFConstruction: 100}), "ef_search": hnsw(PGVector{EFSearch: 100}),
		"halfvec": hnsw(PGVector{HalfVec: true}), "connection": hnsw(PGVector{Connection: "kb"}),
	} {
		k := key(change)
		if other, taken := seen[k]; taken {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[k] = name
	}
	if key(hnsw(PGVector{M: 16, EFConstruction: 64, Connection: "pgvector"})) != key(hnsw(PGVector{})) {
		t.Error("what is said and what is meant have two keys")
	}
}

func TestImpossibleEnginesAreRefused(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*Config){
		"retrieve.engine":                   func(c *Config) { c.Retrieve.Engine = "faiss" },
		"retrieve.pgvector.index":           func(c *Config) { c.Retrieve.PGVector.Index = "ivf" },
		"retrieve.pgvector.m":               func(c *Config) { c.Retrieve.PGVector.M = 1 },
		"retrieve.pgvector.ef_construction": func(c *Config) { c.Retrieve.PGVector.M, c.Retrieve.PGVector.EFConstruction = 40, 64 },
		"retrieve.pgvector.ef_search":       func(c *Config) { c.Retrieve.PGVector.EFSearch = 11 },
	} {
		c := DefaultConfig()
		c.Rerank = Rerank{Mode: "lexical"} // it asks for 12
		c.Retrieve.Engine, c.Retrieve.PGVector.Index = EnginePGVector, IndexHNSW
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&c)
		if err := c.Validate(); err == nil || problem.From(err).Params["field"] != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
