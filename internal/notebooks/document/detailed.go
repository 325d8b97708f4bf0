package document

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
)

// choices are what the fields of a configuration can be, by their places: forms offer these, and nothing else is read. The configuration
// refuses the same (see the test): it is asked with every one of them.
func choices() map[string][]string {
	plain := map[string]string{
		"chunk.encoding": "o200k_base cl100k_base", "chunk.count": "chars tokens", "chunk.keep": "end start", "chunk.tables": "keep split",
		"chunk.lists": "keep split", "chunk.heading": "none path", "chunk.header": "none title path",
		"chunk.parent.mode":    "none window section size merge",
		"embedding.input_type": "none auto", "embedding.similarity": "cosine dot",
		"rewrite.mode":  "none expand damage llm multi_query hyde decompose step_back",
		"retrieve.mode": "dense bm25 hybrid", "retrieve.engine": "memory pgvector", "retrieve.fusion": "rrf convex",
		"retrieve.norm":  "min-max z theoretical",
		"rerank.mode":    "none lexical llm api",
		"rerank.dialect": "cohere voyage tei",
	}
	out := map[string][]string{"chunk.by": rag.ChunkUnitNames(), "judge.explain_lang": {"en", "ja"}}
	for place, words := range plain {
		out[place] = strings.Fields(words)
	}
	return out
}

// bounds are the least and greatest of numbers of a configuration, by their places; a greatest of 0 is none.
var bounds = map[string][2]float64{
	"chunk.size": {1, 0}, "chunk.overlap": {0, 0}, "chunk.min": {0, 0}, "chunk.parent.n": {1, 0}, "chunk.parent.size": {1, 0},
	"chunk.overlap_share": {0, 99}, "embedding.dimensions": {1, 0}, "retrieve.k": {1, 100}, "retrieve.alpha": {0, 1},
	"rerank.depth":         {1, 0},
	"generate.temperature": {0, 2}, "generate.max_tokens": {1, 0}, "retrieve.per_document": {0, 0}, "retrieve.neighbours": {0, 0},
}

// detailed gives the fields below a place their choices, bounds and the registered names that they take.
func detailed(place string, fields []Field) []Field {
	known := choices()
	for i := range fields {
		f := &fields[i]
		here := place + "." + f.Name
		f.Choices = known[here]
		if b, ok := bounds[here]; ok {
			if f.Min = &b[0]; b[1] > 0 {
				f.Max = &b[1]
			}
		}
		if f.Name == "provider" || f.Name == "model" {
			f.Pick = f.Name
		}
		f.Fields = detailed(here, f.Fields)
	}
	return fields
}
