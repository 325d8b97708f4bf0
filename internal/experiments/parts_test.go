package experiments

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// A block begins with its defaults, what is said is laid over them, and a sweep's point changes nothing of its base.
func TestBlocksOfAConfiguration(t *testing.T) {
	t.Parallel()
	base, err := WithParts(rag.DefaultConfig(), Said{"retrieve", "{mode: hybrid, k: 5, bm25: {b: 0}, fusion: convex, alpha: 0.2, filter: {lang: ja}}"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (search.BM25{K1: 1.2, B: 0, Analyzer: "auto"}); base.Retrieve.BM25 != want {
		t.Errorf("bm25 %+v, want %+v", base.Retrieve.BM25, want)
	}
	for name, value := range map[string]any{"retrieve.alpha": 0.9, "retrieve.filter": map[string]any{"year": 2024}, "retrieve.bm25.k1": 2.0,
		"retrieve.mmr": map[string]any{"fetch_k": 30}} {
		changed, err := withParam(base, name, value)
		if err != nil {
			t.Fatal(err)
		}
		switch name {
		case "retrieve.filter":
			if len(changed.Retrieve.Filter) != 1 {
				t.Errorf("filter %v", changed.Retrieve.Filter)
			}
		case "retrieve.mmr":
			if changed.Retrieve.MMR != (search.MMR{Lambda: 0.5, FetchK: 30}) {
				t.Errorf("mmr %+v", changed.Retrieve.MMR)
			}
		}
	}
	if r := base.Retrieve; *r.Alpha != 0.2 || r.Filter["lang"] != "ja" || len(r.Filter) != 1 || r.BM25.K1 != 1.2 {
		t.Errorf("the base has become %+v", r)
	}
}

// Impossible pairs are refused with the field and both values.
func TestImpossiblePairs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{mode: hybrid, min_score: 0.3}":              "retrieve.min_score is 0.3; it must be left out when hybrid rankings are fused by rrf",
		"{mode: bm25, mmr: {}}":                       "retrieve.mmr is {lambda: 0.5, fetch_k: 20}; it must be left out where retrieve.mode is bm25",
		"{mode: dense, k: 9, mmr: {fetch_k: 5}}":      "retrieve.mmr.fetch_k is 5; it must be at least retrieve.k, which is 9",
		"{mode: hybrid, alpha: 0.3}":                  "retrieve.alpha is 0.3; it must be left out, or used with retrieve.fusion convex; it is rrf",
		"{mode: hybrid, weights: [1]}":                "retrieve.weights is [1]",
		"{mode: bm25, bm25: {k1: 11}}":                "retrieve.bm25.k1 is 11; it must be a number from 0 to 10",
		"{mode: bm25, bm25: {b: 2}}":                  "retrieve.bm25.b is 2",
		"{mode: bm25, bm25: {analyzer: klingon}}":     "retrieve.bm25.analyzer is klingon",
		"{mode: hybrid, fusion: best}":                "retrieve.fusion is best",
		"{mode: hybrid, fusion: convex, norm: rank}":  "retrieve.norm is rank",
		"{mode: dense, filter: {year: {above: 2}}}":   "retrieve.filter.year is above",
		"{mode: dense, neighbours: 21}":               "retrieve.neighbours is 21",
		"{mode: dense, per_document: -1}":             "retrieve.per_document is -1",
		"{mode: dense, k: 3, bm25: {k2: 1}}":          "there is no field \"retrieve.bm25.k2\"",
		"{mode: hybrid, fusion: convex, alpha: 1.01}": "retrieve.alpha is 1.01",
	} {
		if _, err := WithParts(rag.DefaultConfig(), Said{"retrieve", text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A limit that a sweep calls none holds nothing back.
func TestALimitCanBeNone(t *testing.T) {
	t.Parallel()
	base := rag.DefaultConfig()
	low := 0.2
	base.Retrieve.MMR, base.Retrieve.MinScore, base.Retrieve.PerDocument = search.DefaultMMR(), &low, 2
	base.Retrieve.Filter = rag.Filter{"lang": "ja"}
	for _, name := range []string{"mmr", "min_score", "per_document", "filter"} {
		after, err := withParam(base, "retrieve."+name, "none")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		base = after
	}
	if diff := cmp.Diff(rag.DefaultConfig(), base); diff != "" {
		t.Errorf("what is left of the limits (-want +got):\n%s", diff)
	}
}
