package rag

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

// The keys under which retrievals of every configuration that could be written before there were more parameters are stored. They
// were recorded by the program that had no others: a changed one loses what people bought. [llm.OfflineVersion] is part of those that embed
// or ask offline; they were taken anew for 8.
func TestStoredKeysStay(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	r.providers["offline"] = &elsewhere{Provider: offlineProvider(), origin: "6"} // the version of then: it is part of the keys
	for _, c := range []struct{ mode, by, key string }{
		{"dense", "chars", "525708b9d4a5b36148fad166571f480e88a606ef89957d29bba31e81223d6bd0"},
		{"dense", "tokens", "886aa2ca313a5a99d1625ec1c010e672a1cad533a533b8d6d391331d77777ff3"},
		{"dense", "sentences", "b89d229b4412ba6f639d23541b48b52e562c6b3e339c6547a990bc4a99a9860a"},
		{"dense", "paragraphs", "e5d10f1d844e64b0984ad7c96d6914aa35a98bb65da03a45176291b6a119d710"},
		{"bm25", "chars", "64aea67fa5b949620462194b097a5a814919d0cd8145fc9f424142ec18d34987"},
		{"bm25", "tokens", "4d93e6b84d3f408144e1e824cebe708597437b8a0d946280428811a3304825e1"},
		{"bm25", "sentences", "78864f971581cab08163186340dae0c8519c84a2892bdb2e7712bd29fd4f35cb"},
		{"bm25", "paragraphs", "9800b69bcc05ed73c0266802a904a13aeda8ae7f8ab886f1f8c3908d3c4a1a74"},
		{"hybrid", "chars", "df08a730e8ccc25f5aaa7dae8f83a2635a5ce52ace833641784087fdc0e132bb"},
		{"hybrid", "tokens", "b8a10ef0ab753216305748fbeba999b69ed1534f806c7e532b423a02d1e5e28a"},
		{"hybrid", "sentences", "83d7f0a1527cd5058d97ea5907348f85d1bb4f134620cdd782eec40149b720ab"},
		{"hybrid", "paragraphs", "b17f60879eccf516347a411049800044e9be8e289cdbce784508b60e6b2a377d"},
	} {
		s := r.open(t, func(config *Config) {
			config.Chunk, config.Retrieve = Chunking{By: c.by, Size: 40, Overlap: 10}, Retrieve{Mode: c.mode, K: 3}
		})
		if _, key, err := s.Retrieve(t.Context(), askJA); err != nil || key != c.key {
			t.Errorf("%s by %s: key %s, stored is %s (%v)", c.mode, c.by, key, c.key, err)
		}
	}
	s := r.open(t, func(c *Config) { c.Rerank, c.Rewrite = Rerank{Mode: "lexical"}, Rewrite{Mode: "expand"} })
	if _, key, _ := s.Retrieve(t.Context(), askJA); key != "64a2d2a022cfbb7d9a03819f6e2afc25f1776fc0981eb12b7f2e04d987f942b0" {
		t.Errorf("reranked by words: key %s", key)
	}
	a := r.answer(t, askJA, func(c *Config) { c.Rerank = Rerank{Mode: "llm", Model: Model{"offline", "m"}} })
	if a.RetrievalKey != "fc4cedce25250ae188789b327ec99e2e005c90d3b4f886ec536a992fa20fc142" ||
		a.GenerationKey != "ea28c35cd29b0ad37b46d4b7c754e24a41db78fcc421650517d2d15c3d67d95b" {
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
	c.Retrieve = Retrieve{Mode: "bm25", K: 4, BM25: DefaultBM25()}
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
	same := r.found(t, askJA, func(c *Config) { c.Retrieve.K, c.Retrieve.MMR = 4, MMR{Lambda: 1, FetchK: 10} })
	if diff := cmp.Diff(plain, same); diff != "" {
		t.Errorf("lambda 1 is another order:\n%s", diff)
	}
	varied := r.found(t, askJA, func(c *Config) { c.Retrieve.K, c.Retrieve.MMR = 4, MMR{Lambda: 0, FetchK: 10} })
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
		"k1 with dense":          {Retrieve{Mode: "dense", K: 3}, Retrieve{Mode: "dense", K: 3, BM25: BM25{K1: 2, Analyzer: AnalyzerAuto}}},
		"alpha with rrf":         {hybrid(Retrieve{BM25: DefaultBM25()}), hybrid(Retrieve{BM25: DefaultBM25(), Alpha: &other})},
		"what files said before": {hybrid(Retrieve{}), hybrid(Retrieve{Fusion: FusionRRF, RRFK: 60, BM25: DefaultBM25()})},
		"alpha by default": {hybrid(Retrieve{Fusion: FusionConvex}),
			hybrid(Retrieve{Fusion: FusionConvex, Alpha: &half, Norm: NormMinMax, RRFK: 10})},
	} {
		x, y := DefaultConfig(), DefaultConfig()
		x.Retrieve, y.Retrieve = c.a, c.b
		if diff := cmp.Diff(x.Effective(), y.Effective()); (diff != "") != (name == "what files said before") {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
