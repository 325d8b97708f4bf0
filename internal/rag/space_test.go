package rag

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// The keys under which retrievals of every configuration that could be written before there were more parameters are stored. They
// were recorded by the program that had no others: a changed one loses what people bought.
func TestStoredKeysStay(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	r.providers["offline"] = &elsewhere{Provider: offlineProvider(), origin: "6"} // the version of then: it is part of the keys
	for _, c := range []struct{ mode, by, key string }{
		{"dense", "chars", "789a5911a5af40db3794b66501528f26d6a1ab11033197bb5ccf3190d890f737"},
		{"dense", "tokens", "3650cd45f5048ac629ec32a78468005c361780c55e761639c6d49345478e70db"},
		{"dense", "sentences", "c8cac69dc6ee979bad8610cb3ba36a3af882519ca3cee09b6614590b7feae53b"},
		{"dense", "paragraphs", "4c15a1c035112578511921120b366e8a73615b3dab8744069039c0a9091817c5"},
		{"bm25", "chars", "64aea67fa5b949620462194b097a5a814919d0cd8145fc9f424142ec18d34987"},
		{"bm25", "tokens", "4d93e6b84d3f408144e1e824cebe708597437b8a0d946280428811a3304825e1"},
		{"bm25", "sentences", "78864f971581cab08163186340dae0c8519c84a2892bdb2e7712bd29fd4f35cb"},
		{"bm25", "paragraphs", "9800b69bcc05ed73c0266802a904a13aeda8ae7f8ab886f1f8c3908d3c4a1a74"},
		{"hybrid", "chars", "5d5eddde7d2bb61d24e3379ac123ca80cd3d4ebb59278ec1275b6b21c042f1d8"},
		{"hybrid", "tokens", "d87f165ef81547594df010eb160a3b07faecff8673c84f47dd8c4730e7f53ef0"},
		{"hybrid", "sentences", "94baaa0ed221eb68b31b1f0798855b2810dcb1a10c5e60659d4d477afabce13d"},
		{"hybrid", "paragraphs", "6a7639e70dc502a5571ba8661641ef4490f789cbbd8ad688ed502bb694ba0047"},
	} {
		s := r.open(t, func(config *Config) {
			config.Chunk, config.Retrieve = Chunking{By: c.by, Size: 40, Overlap: 10}, Retrieve{Mode: c.mode, K: 3}
		})
		if _, key, err := s.Retrieve(t.Context(), askJA); err != nil || key != c.key {
			t.Errorf("%s by %s: key %s, stored is %s (%v)", c.mode, c.by, key, c.key, err)
		}
	}
	s := r.open(t, func(c *Config) { c.Rerank, c.Rewrite = Rerank{Mode: "lexical"}, Rewrite{Mode: "expand"} })
	if _, key, _ := s.Retrieve(t.Context(), askJA); key != "388f8e7ca562d4601dbfc0eced0aec08635e379a34732dfae4c03359fad03126" {
		t.Errorf("reranked by words: key %s", key)
	}
	a := r.answer(t, askJA, func(c *Config) { c.Rerank = Rerank{Mode: "llm", Model: Model{"offline", "m"}} })
	if a.RetrievalKey != "908050565e80974df6c58b8eb71cbcde60abb3de91ecf86b7554abc2e8e28e59" ||
		a.GenerationKey != "05c4452798b324abc56dab6bafc07a80cd99e885a99d8dac83e3adf017ee019d" {
		t.Errorf("reranked by a model: keys %s and %s", a.RetrievalKey, a.GenerationKey)
	}
}

// found are the documents of the hits, best first.
func (r *rig) found(t *testing.T, question string, change func(*Config)) []string {
	t.Helper()
	got, _, err := r.open(t, change).Retrieve(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]string, len(got.Hits))
	for i, h := range got.Hits {
		ids[i] = h.DocID
	}
	return ids
}

func yearly() []Document {
	var docs []Document
	for _, d := range []struct{ id, year, text string }{
		{"y2023", "2023", "The fee is 10 euros. The fee is due in May. The fee is small."},
		{"y2024", "2024", "The fee is 12 euros. It is due in June."},
		{"y2025", "2025", "The fee is 15 euros."},
	} {
		docs = append(docs, Document{ID: d.id, Lang: "en", Text: d.text, Metadata: map[string]string{"year": d.year}})
	}
	return docs
}

func bySentence(c *Config) {
	c.Chunk = Chunking{By: "sentences", Size: 1}
	c.Retrieve = Retrieve{Mode: "bm25", K: 4, BM25: search.DefaultBM25()}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	r := newRig(yearly()...)
	for _, c := range []struct {
		filter Filter
		want   []string
	}{
		{Filter{"year": 2025.0}, []string{"y2025"}},
		{Filter{"year": map[string]any{"gte": 2024.0}}, []string{"y2024", "y2025"}},
		{Filter{"year": map[string]any{"gt": 2023.0, "lt": 2025.0}}, []string{"y2024"}},
		{Filter{"year": []any{"2023", "2025"}, "lang": "en"}, []string{"y2023", "y2025"}},
		{Filter{"year": map[string]any{"ne": []any{"2023", "2024"}}}, []string{"y2025"}},
		{Filter{"lang": "ja"}, nil},
	} {
		for _, mode := range []string{"bm25", "dense", "hybrid"} {
			got := map[string]bool{}
			for _, id := range r.found(t, "fee", func(config *Config) {
				bySentence(config)
				config.Retrieve.Mode, config.Retrieve.Filter = mode, c.filter
			}) {
				got[id] = true
			}
			for _, id := range c.want {
				if !got[id] {
					t.Errorf("%s %v did not find %s", mode, c.filter, id)
				}
			}
			if len(got) != len(c.want) {
				t.Errorf("%s %v found %v", mode, c.filter, got)
			}
		}
	}
	for _, f := range []Filter{{"yaer": 2024.0}, {"year": map[string]any{"above": 1.0}}, {"year": nil}} {
		config := DefaultConfig()
		config.Retrieve.Filter = f
		if _, err := Open(t.Context(), config, r.corpus, r.providers, r.indexes, r.stages); !problem.Is(err, problem.Invalid) {
			t.Errorf("%v: %v", f, err)
		}
	}
}

func TestLimitsOfHits(t *testing.T) {
	t.Parallel()
	r := newRig(yearly()...)
	all := r.found(t, "fee", bySentence)
	if len(all) != 4 {
		t.Fatalf("found %v", all)
	}
	limited := r.found(t, "fee", func(c *Config) { bySentence(c); c.Retrieve.PerDocument = 1 })
	if diff := cmp.Diff(3, len(limited)); diff != "" {
		t.Errorf("one of each document: %v", limited)
	}
	two := r.found(t, "fee", func(c *Config) { bySentence(c); c.Retrieve.PerDocument, c.Retrieve.K = 1, 2 })
	if diff := cmp.Diff(limited[:2], two); diff != "" {
		t.Errorf("the best two are not the first of three:\n%s", diff)
	}
	least := 1000.0
	if none := r.found(t, "fee", func(c *Config) { bySentence(c); c.Retrieve.MinScore = &least }); len(none) != 0 {
		t.Errorf("below the least score: %v", none)
	}
	a := r.answer(t, "fee", func(c *Config) { bySentence(c); c.Retrieve.MinScore = &least })
	if a.Text == "" || len(a.Hits) != 0 {
		t.Errorf("with nothing found the answer is %q", a.Text)
	}
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	r := newRig(yearly()...)
	a := r.answer(t, "due in May", func(c *Config) { bySentence(c); c.Retrieve.K, c.Retrieve.Neighbours = 1, 1 })
	if len(a.Hits) != 1 || a.Hits[0].Text != yearly()[0].Text {
		t.Errorf("the hit and its neighbours: %+v", a.Hits)
	}
	// Every sentence of the document is a hit, and what overlaps is one.
	a = r.answer(t, "fee", func(c *Config) { bySentence(c); c.Retrieve.K, c.Retrieve.Neighbours = 3, 2 })
	texts := map[string]bool{}
	for _, h := range a.Hits {
		if texts[h.DocID] {
			t.Errorf("%s is shown twice", h.DocID)
		}
		texts[h.DocID] = true
	}
}

func TestVarietyReadsTheSameFirst(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	plain := r.found(t, askJA, func(c *Config) { c.Retrieve.K = 4 })
	same := r.found(t, askJA, func(c *Config) { c.Retrieve.K, c.Retrieve.MMR = 4, search.MMR{Lambda: 1, FetchK: 10} })
	if diff := cmp.Diff(plain, same); diff != "" {
		t.Errorf("lambda 1 is another order:\n%s", diff)
	}
	varied := r.found(t, askJA, func(c *Config) { c.Retrieve.K, c.Retrieve.MMR = 4, search.MMR{Lambda: 0, FetchK: 10} })
	if varied[0] != plain[0] || strings.Join(varied, " ") == strings.Join(plain, " ") {
		t.Errorf("lambda 0 found %v, plain %v", varied, plain)
	}
}

// Two that search alike are equal, whatever they say of what has no effect.
func TestEffective(t *testing.T) {
	t.Parallel()
	half, other := 0.5, 0.9
	hybrid := func(r Retrieve) Retrieve { r.Mode, r.K = "hybrid", 3; return r }
	for name, c := range map[string]struct{ a, b Retrieve }{
		"k1 with dense": {Retrieve{Mode: "dense", K: 3},
			Retrieve{Mode: "dense", K: 3, BM25: search.BM25{K1: 2, Analyzer: search.AnalyzerAuto}}},
		"alpha with rrf": {hybrid(Retrieve{BM25: search.DefaultBM25()}),
			hybrid(Retrieve{BM25: search.DefaultBM25(), Alpha: &other})},
		"what files said before": {hybrid(Retrieve{}), hybrid(Retrieve{Fusion: search.FusionRRF, RRFK: 60, BM25: search.DefaultBM25()})},
		"alpha by default": {hybrid(Retrieve{Fusion: search.FusionConvex}),
			hybrid(Retrieve{Fusion: search.FusionConvex, Alpha: &half, Norm: search.NormMinMax, RRFK: 10})},
	} {
		x, y := DefaultConfig(), DefaultConfig()
		x.Retrieve, y.Retrieve = c.a, c.b
		if diff := cmp.Diff(x.Effective(), y.Effective()); (diff != "") != (name == "what files said before") {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
