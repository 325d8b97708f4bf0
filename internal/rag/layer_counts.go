package rag

import "github.com/rag-workbench/workbench/internal/rag/search"

// Layer says how often one layer of the work of several configurations is done: what configurations share is done once.
type Layer struct {
	Name        string `json:"layer"` // cut | vectors | postings | ranking | rerank | answer
	Different   int    `json:"different"`
	PerQuestion bool   `json:"per_question"` // as often for each question; otherwise once for the corpus
}

// LayersOf counts the layers of configurations over corpora, which are named one for each configuration. Answers are counted at most:
// configurations that find the same share one. A system that runs elsewhere has none but its answers.
func LayersOf(configs []Config, corpora []string) []Layer {
	found := map[string]map[string]bool{}
	see := func(layer string, parts ...any) {
		if found[layer] == nil {
			found[layer] = map[string]bool{}
		}
		found[layer][StageKey(layer, "1", parts...)] = true
	}
	for i, written := range configs {
		see("answer", corpora[i], written)
		if written.IsOutside() {
			continue
		}
		c := written.Effective()
		if c.Index == nil {
			see("cut", corpora[i], c.Chunk.cutting())
		}
		if c.Index == nil && c.Retrieve.vectors() {
			see("vectors", corpora[i], c.Chunk.cutting(), c.Chunk.Header, c.Embedding)
		}
		if c.Index == nil && c.Retrieve.words() {
			see("postings", corpora[i], c.Chunk.cutting(), c.Chunk.Header, c.Retrieve.BM25.Analyzer)
		}
		ranking, after := c.Retrieve, c.Retrieve
		ranking.K, ranking.MinScore, ranking.PerDocument, ranking.MMR, ranking.Neighbours = 0, nil, 0, search.MMR{}, 0
		see("ranking", corpora[i], c.Chunk.cutting(), c.Chunk.Header, c.Embedding, c.Rewrite, ranking)
		if c.Rerank.Mode == "none" {
			continue
		}
		if c.Rerank.Depth == 0 && c.Rerank.Mode != RerankAPI {
			c.Rerank.Depth = 4 * after.K
		}
		after.K, after.Neighbours, c.Rerank.MinScore = 0, 0, nil
		see("rerank", corpora[i], c.Chunk, c.Embedding, c.Rewrite, after, c.Rerank)
	}
	var out []Layer
	for _, name := range []string{"cut", "vectors", "postings", "ranking", "rerank", "answer"} {
		if n := len(found[name]); n > 0 {
			out = append(out, Layer{Name: name, Different: n, PerQuestion: name == "ranking" || name == "rerank" || name == "answer"})
		}
	}
	return out
}
