package rag

import (
	"github.com/rag-workbench/workbench/internal/rag/search"
	"strings"
	"testing"
)

// Every rule of a registration names the field and both values.
func TestRulesOfARegistrationShowBothValues(t *testing.T) {
	t.Parallel()
	low := 0.3
	for name, c := range map[string]struct {
		change func(*Config)
		says   []string // the field, its value, and what it stands against
	}{
		"overlap": {func(c *Config) { c.Chunk.Size, c.Chunk.Overlap = 400, 400 },
			[]string{"chunk.overlap is 400", "chunk.size, which is 400"}},
		"parent": {func(c *Config) { c.Chunk.Parent = Parent{Mode: ParentSize, Size: 900} },
			[]string{"chunk.parent.size is 900", "chunk.size, which is 1000"}},
		"window": {func(c *Config) { c.Chunk.Parent = Parent{Mode: ParentWindow} },
			[]string{"chunk.parent.mode is window", "chunk.by sentences, which is chars"}},
		"depth": {func(c *Config) { c.Rerank = Rerank{Mode: "lexical", Depth: 2} },
			[]string{"rerank.depth is 2", "retrieve.k, which is 3"}},
		"fetch_k": {func(c *Config) { c.Retrieve.MMR = search.MMR{Lambda: 0.5, FetchK: 2} },
			[]string{"retrieve.mmr.fetch_k is 2", "retrieve.k, which is 3"}},
		"fuse depth of mmr": {func(c *Config) { c.Retrieve.MMR = search.MMR{Lambda: 0.5, FetchK: 1025} },
			[]string{"retrieve.mmr.fetch_k is 1025", "at most 1000"}},
		"fuse depth of reranking": {func(c *Config) { c.Rerank = Rerank{Mode: "lexical", Depth: 1025} },
			[]string{"rerank.depth is 1025", "at most 1000"}},
		"input": {func(c *Config) { c.Chunk.By, c.Embedding.Model = "tokens", Model{"local", "intfloat/e5-base"} },
			[]string{"chunk.size is 1000", "at most 512 tokens", "e5-base"}},
		"min_score": {func(c *Config) { c.Retrieve.Mode, c.Retrieve.MinScore = "hybrid", &low },
			[]string{"retrieve.min_score is 0.3", "rrf"}},
		"mmr": {func(c *Config) { c.Retrieve.Mode, c.Retrieve.MMR = "bm25", search.DefaultMMR() },
			[]string{"retrieve.mmr is {lambda: 0.5, fetch_k: 20}", "retrieve.mode is bm25"}},
		"alpha": {func(c *Config) { c.Retrieve.Mode, c.Retrieve.Alpha = "hybrid", &low },
			[]string{"retrieve.alpha is 0.3", "retrieve.fusion convex; it is rrf"}},
		"dimensions": {func(c *Config) {
			c.Embedding.Model, c.Embedding.Dimensions = Model{"openai", "text-embedding-3-small"}, 3072
		},
			[]string{"embedding.dimensions is 3072", "at most 1536", "text-embedding-3-small"}},
		"ef_search": {func(c *Config) {
			c.Rerank, c.Retrieve.Engine = Rerank{Mode: "lexical"}, EnginePGVector
			c.Retrieve.PGVector = PGVector{Index: IndexHNSW, EFSearch: 11}
		}, []string{"retrieve.pgvector.ef_search is 11", "at least 12"}},
		"batch": {func(c *Config) { c.Rerank = Rerank{Mode: RerankAPI, Model: Model{"p", "m"}, Batch: 1001} },
			[]string{"rerank.batch is 1001", "1 to 1000"}},
	} {
		config := DefaultConfig()
		c.change(&config)
		said := ""
		if err := config.Validate(); err != nil {
			said = err.Error()
		}
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in %q", name, want, said)
			}
		}
	}
	if fuseDepth < 1000 { // largest rerank.depth and mmr.fetch_k
		t.Errorf("rankings are fused down to %d, and 1000 may be chosen from", fuseDepth)
	}
}

// An embedder whose vectors have another length than those of a team's index is refused, with both lengths.
func TestAnEmbedderOfAnotherLengthIsRefused(t *testing.T) {
	t.Parallel()
	m := IndexMapping{Table: "kb", Dimensions: 384}
	if err := m.fits("embed-1", 384); err != nil {
		t.Error(err)
	}
	err := m.fits("embed-1", 1536)
	if err == nil || !strings.Contains(err.Error(), "vectors of embed-1 have 1536 dimensions, those of index kb have 384") {
		t.Errorf("%v", err)
	}
}

// What is possible and probably not meant is said with both values, and stops nobody.
func TestDoubtsShowBothValues(t *testing.T) {
	t.Parallel()
	if all := DefaultConfig().Doubts(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	if all := NewConfig().Doubts(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	for field, c := range map[string]struct {
		change func(*Config)
		says   []string
	}{
		"chunk.overlap": {func(c *Config) { c.Chunk.Size, c.Chunk.Overlap = 400, 300 }, []string{"300", "400", "4.0"}},
		"chunk.size": {func(c *Config) {
			c.Embedding.Model = Model{"local", "multilingual-e5-large"}
			c.Embedding.QueryPrefix, c.Embedding.PassagePrefix = "auto", "none"
		}, []string{"1000", "512", "multilingual-e5-large"}},
		"embedding.query_prefix": {
			func(c *Config) { c.Embedding.Model, c.Embedding.PassagePrefix = Model{"local", "ruri-v3-310m"}, "auto" },
			[]string{"ruri-v3-310m", "検索クエリ: ", "検索文書: ", "passage_prefix", "none"}},
		"retrieve.k": {func(c *Config) { c.Chunk.By, c.Chunk.Size, c.Retrieve.K, c.Retrieve.Neighbours = "tokens", 1000, 50, 1 },
			[]string{"retrieve.k", "50", "3000", "150000", "128000"}},
		"rerank.batch": {func(c *Config) {
			c.Rerank = Rerank{Mode: RerankAPI, Model: Model{"p", "m"}, Dialect: "tei", Batch: 64}
		}, []string{"64", "32", "--max-client-batch-size"}},
	} {
		config := DefaultConfig()
		c.change(&config)
		if err := config.Validate(); err != nil {
			t.Errorf("%s: %v", field, err)
		}
		all := config.Doubts()
		if len(all) != 1 || all[0].Field != field {
			t.Errorf("%s: %+v", field, all)
			continue
		}
		for _, lang := range []string{"en", "ja"} {
			for _, want := range append(c.says, field) {
				if !strings.Contains(all[0].In(lang), want) {
					t.Errorf("%s: %q is not in %q", field, want, all[0].In(lang))
				}
			}
		}
	}
}
