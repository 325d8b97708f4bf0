package app

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// facts reads what the judge found in answers beyond their grades, out of the replies that are stored. It buys nothing; where a reply is
// not stored any more, or cannot be read, a comparison goes without it.
func (w *Workbench) facts(ctx context.Context) compare.FactsReader {
	return func(_ compare.Arm, r *experiments.Result) (compare.AnswerFacts, bool) {
		e, err := metrics.Explain(ctx, w.Store, r.Scores)
		if err != nil {
			return compare.AnswerFacts{}, false
		}
		return compare.FactsOf(e)
	}
}
