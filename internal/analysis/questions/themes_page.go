package questions

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// pageOf are the titles under which the evidence of a question stands, the document's first: what the people who wrote the documents
// call its subject. Empty where there is no evidence, or no corpus at hand.
func pageOf(q experiments.Question, corpus *rag.Corpus) []string {
	var out []string
	if corpus == nil {
		return nil
	}
	add := func(title string) {
		if title = clipTo(title, 200); title != "" && !slices.Contains(out, title) {
			out = append(out, title)
		}
	}
	for _, e := range q.Evidence {
		d, ok := corpus.Document(e.DocID)
		if !ok {
			continue
		}
		for _, title := range d.TitlesAt(e.Start) {
			add(title)
		}
	}
	return out[:min(len(out), 4)]
}
