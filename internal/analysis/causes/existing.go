package causes

import (
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// indexDecides reports whether a parameter is decided by an index that the team has already: how documents are cut, which embedder made
// the vectors, and how words are weighed. To change one of them would take an index of our own, which nobody asked about.
func indexDecides(c rag.Config, param string) bool {
	return c.Index != nil && (strings.HasPrefix(param, "chunk") || strings.HasPrefix(param, "embedding") || param == "retrieve.bm25")
}

// thorough are the search parameters of the index's engine with which it misses less, each changed by itself.
func thorough(c rag.Config) []intervention {
	if c.Index == nil || c.Retrieve.Mode == "bm25" {
		return nil
	}
	var out []intervention
	most := c.Index.Thorough()
	for _, name := range slices.Sorted(maps.Keys(most)) {
		from := c.Retrieve.Params[name]
		if from == most[name] || numberOf(from) > numberOf(most[name]) {
			continue
		}
		if from == nil {
			from = enginesOwn
		}
		param := "retrieve.params." + name
		out = append(out, intervention{component: Retriever, param: param, from: from,
			changes: []Change{{Param: param, Value: most[name]}}})
	}
	return out
}

// enginesOwn stands for a search parameter that the run leaves to the engine.
const enginesOwn = "default"

// untried says which changes were left out of a diagnosis, and why; nothing where none was.
func untried(c rag.Config, method CauseMethod) experiments.Rationale {
	if c.Index == nil || method != Tested && method != "" {
		return experiments.Rationale{}
	}
	return experiments.Rationale{
		EN: "The team's index decides how documents are cut and embedded, so other chunks and embedders were not tried.",
		JA: "文書の分割方法と埋め込みは既存のインデックスで決まっているため、チャンクと埋め込みモデルの変更は試していません。",
	}
}

// unplaced reports whether the index does not know where its rows stand in their documents.
func (x *diagnosing) unplaced() bool {
	return x.config.Index != nil && x.config.Index.Offset == rag.OffsetsNone
}
