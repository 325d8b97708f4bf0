package app

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// facts reads what the judge found in answers beyond their grades, out of the replies that are stored. It buys nothing; where a reply is
// not stored any more, or cannot be read, a comparison goes without it.
func (w *Workbench) facts(ctx context.Context) analysis.FactsReader {
	return func(_ analysis.Arm, r *experiments.Result) (analysis.AnswerFacts, bool) {
		e, err := metrics.Explain(ctx, w.Store, r.Scores)
		if err != nil {
			return analysis.AnswerFacts{}, false
		}
		return analysis.FactsOf(e)
	}
}
