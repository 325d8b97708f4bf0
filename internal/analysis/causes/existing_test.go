package causes

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestAnIndexDecides: over an index that a team has only that is tried which the index leaves open, with its engine's own parameters.
func TestAnIndexDecides(t *testing.T) {
	t.Parallel()
	for engine, c := range map[string]struct {
		params map[string]any
		want   []string // beside rewrite and rerank
	}{
		"chroma":        {nil, nil},
		"qdrant":        {nil, []string{"retrieve.params.exact"}},
		"pgvector":      {map[string]any{"exact": true}, nil},
		"opensearch":    {map[string]any{"ef_search": 64.0}, []string{"retrieve.mode", "retrieve.mode", "retrieve.params.ef_search"}},
		"elasticsearch": {map[string]any{"num_candidates": 5000.0}, []string{"retrieve.mode", "retrieve.mode"}},
		"weaviate":      {nil, []string{"retrieve.mode", "retrieve.mode"}},
	} {
		m := rag.IndexMapping{Engine: engine, Table: "kb", Offset: rag.OffsetsFields, Params: c.params,
			Fields: rag.MappedFields{ID: "id", Text: "body", DocID: "doc", Start: "from", End: "to", Vector: "v"}}.Normalised()
		base := rag.DefaultConfig()
		base.Retrieve = rag.Retrieve{Mode: "dense", K: 3}
		config, err := m.In(base)
		if err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		x := &diagnosing{config: config, powers: LabPowers{Retrieval: true}, rules: CauseRules{
			Embedders: []rag.Model{{Provider: "offline", Name: "hash"}, {Provider: "elsewhere", Name: "large"}}, MaxK: 30}}
		var got []string
		for _, r := range append(x.widening().interventions(), x.widening().possible(spaceInterventions(config, true))...) {
			if r.param != "rewrite" && r.param != "rerank" && r.param != "retrieve.neighbours" {
				got = append(got, r.param)
			}
			if !experiments.NamesParam(r.param) {
				t.Errorf("%s: %s has no words", engine, r.param)
			}
		}
		if !slices.Equal(got, c.want) || len(x.widening().largerChunks()) > 0 {
			t.Errorf("%s: %v are tried, want %v", engine, got, c.want)
		}
		if _, err := ChangedConfig(config, widerSearch(config, 30)); err != nil {
			t.Errorf("%s: the deepest search is refused: %v", engine, err)
		}
	}
}
