package app

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// facts reads what the judge found in answers beyond their grades, out of the replies that are stored. It buys nothing; where a reply is
// not stored any more, or cannot be read, a comparison goes without it.
func (w *Workbench) facts(ctx context.Context) compare.FactsReader {
	return func(_ compare.Arm, r *experiments.Result) (compare.AnswerFacts, bool) {
		g, err := r.Found(ctx, w.Store)
		if err != nil {
			return compare.AnswerFacts{}, false
		}
		return compare.FactsOf(g)
	}
}
