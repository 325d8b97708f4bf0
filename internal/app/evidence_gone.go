package app

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// EvidenceGone says of which questions of some jobs the marked evidence does not stand in the documents that will be searched; nil where
// all of it does, and where the documents are kept elsewhere. Before the money is spent it can still be put right.
func (w *Workbench) EvidenceGone(ctx context.Context, jobs []Job) (*findings.Text, error) {
	marked, looked, gone := map[string]bool{}, map[experiments.Ref]bool{}, []string{}
	for _, job := range jobs {
		if looked[job.Setup.Corpus] { // configurations of a sweep ask the same
			continue
		}
		looked[job.Setup.Corpus] = true
		corpus, err := w.CorpusOf(ctx, job.Setup)
		if err != nil {
			return nil, err
		}
		if corpus == nil {
			continue
		}
		for _, q := range job.Questions {
			if len(q.Evidence) == 0 {
				continue
			}
			marked[q.ID] = true
			lost := slices.ContainsFunc(q.EvidenceIn(corpus), func(span rag.Span) bool { return span.DocID == "" })
			if lost && !slices.Contains(gone, q.ID) {
				gone = append(gone, q.ID)
			}
		}
	}
	return findings.EvidenceGone(len(marked), gone), nil
}
