package causes

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// unlimited is the value of a parameter that no longer holds hits back.
const unlimited = "none"

// limits are the parts of a configuration that hold hits back, each taken away by itself: where that brings the evidence, the limit was
// the cause.
func limits(c rag.Config) []intervention {
	var out []intervention
	add := func(set bool, param string, from any) {
		if set {
			out = append(out, intervention{component: Retriever, param: param, from: from,
				changes: []Change{{Param: param, Value: unlimited}}})
		}
	}
	r := c.Retrieve
	add(len(r.Filter) > 0, "retrieve.filter", map[string]any(r.Filter))
	add(r.MinScore != nil, "retrieve.min_score", r.MinScore)
	add(r.PerDocument > 0, "retrieve.per_document", r.PerDocument)
	add(r.MMR != (search.MMR{}), "retrieve.mmr", r.MMR)
	add(c.Rerank.MinScore != nil, "rerank.min_score", c.Rerank.MinScore)
	return out
}

// lifts reports whether a repair takes away a limit.
func (r Repair) lifts() bool {
	return r.To == unlimited && slices.Contains([]string{"retrieve.filter", "retrieve.min_score", "retrieve.per_document", "retrieve.mmr",
		"rerank.min_score"}, r.Param)
}

// Sizes of what is handed on beside what was found.
const (
	windowSentences = 3 // each side, as in LlamaIndex and Haystack
	parentTimes     = 2 // a larger piece is so many times as long as a chunk
)

// spaceInterventions are changes that configurations could not say before there was more to choose from. cut says that a chunk border
// cuts the evidence: then another way of cutting, and what hands on more than was found, stand first.
func spaceInterventions(c rag.Config, cut bool) []intervention {
	var out []intervention
	add := func(fits bool, param string, from, to any) {
		if fits {
			out = append(out, intervention{component: Retriever, param: param, from: from, changes: []Change{{Param: param, Value: to}}})
		}
	}
	parent := c.Chunk.Parent.Mode
	alone := parent == "" || parent == unlimited
	if cut {
		add(c.Chunk.By == "chars", "chunk.by", c.Chunk.By, rag.ByRecursive)
		add(alone && c.Chunk.By == "sentences", "chunk.parent", unlimited, map[string]any{"mode": rag.ParentWindow, "n": windowSentences})
		add(alone && (c.Chunk.By == "chars" || c.Chunk.By == rag.ByRecursive), "chunk.parent", unlimited,
			map[string]any{"mode": rag.ParentSize, "size": parentTimes * c.Chunk.Size})
		add(c.Retrieve.Neighbours == 0, "retrieve.neighbours", 0, 1)
	}
	words := c.Retrieve.Mode != "dense"
	add(c.Rerank.Mode == "none", "rerank", "none", "lexical")
	add(words && !c.SaysMore(), "retrieve.bm25", unlimited, map[string]any{"k1": search.DefaultBM25().K1, "b": search.DefaultBM25().B})
	add(c.Retrieve.Mode == "hybrid" && c.Retrieve.Fusion != search.FusionConvex, "retrieve.fusion", search.FusionRRF, search.FusionConvex)
	add(c.Retrieve.Fusion == search.FusionConvex, "retrieve.fusion", search.FusionConvex, search.FusionRRF)
	add(c.Chunk.Header == "" || c.Chunk.Header == unlimited, "chunk.header", unlimited, rag.HeaderPath)
	return out
}

// possible takes out changes that no configuration can make beside what it says: a threshold where rankings are fused by rank, and what
// an index of the team's decides.
func (x widening) possible(interventions []intervention) []intervention {
	interventions = slices.DeleteFunc(interventions, func(r intervention) bool { return indexDecides(x.config, r.param) })
	if x.config.IsOutside() || x.config.Validate() != nil {
		return interventions
	}
	return slices.DeleteFunc(interventions, func(r intervention) bool { _, err := x.changed(r.changes); return err != nil })
}

// presentSpace is the value of a limit that a wider search takes away.
func presentSpace(c rag.Config, param string) any {
	for _, r := range limits(c) {
		if r.param == param {
			return r.from
		}
	}
	return nil
}
