package app

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Comparing are the choices of every comparison, whichever door asks for it: what the judge found in answers, and which of two answers that
// tie it prefers. It buys nothing: a judge that is free is asked, of another its stored replies are read.
func (w *Workbench) Comparing(ctx context.Context, setup experiments.Setup) compare.Options {
	return compare.Options{Facts: w.facts(ctx), Preferences: w.preferences(ctx, setup), Holds: w.holds(ctx, setup.Corpus)}
}

// holds looks for texts in the documents of a corpus, which are read when the first one is looked for.
func (w *Workbench) holds(ctx context.Context, ref experiments.Ref) func(quote string) (holds, known bool) {
	corpus := sync.OnceValues(func() (*rag.Corpus, error) { return w.Store.Corpus(ctx, ref.String()) })
	return func(quote string) (holds, known bool) {
		c, err := corpus()
		if err != nil {
			return false, false
		}
		return slices.ContainsFunc(c.Documents, func(d rag.Document) bool { return strings.Contains(d.Text, quote) }), true
	}
}

// preferences read comparisons of two answers; nil where the setup turned them off, or its judge is not configured here any more.
func (w *Workbench) preferences(ctx context.Context, setup experiments.Setup) func(experiments.Question, *experiments.Result,
	*experiments.Result) (compare.Movement, bool) {
	if setup.Pairwise == experiments.PairwiseOff {
		return nil
	}
	provider, err := w.Providers.Provider(setup.Judge.Provider)
	if err != nil {
		return nil
	}
	stages := rag.Stages(w.Store)
	if provider.Info().Free {
		stages = &Memory{} // computed anew where it is looked at: reading writes nothing
	}
	suite, err := metrics.NewSuite(nil, setup.Judge, w.Providers, stages)
	if err != nil {
		return nil
	}
	offline := provider.Info().Kind == "offline"
	return func(q experiments.Question, before, after *experiments.Result) (compare.Movement, bool) {
		if before.Answer == nil || after.Answer == nil {
			return compare.Level, true
		}
		sample, b, a := q.Sample(nil, rag.Answer{}), before.Answer.Text, after.Answer.Text
		if offline && before.Cover != nil && after.Cover != nil && before.Cover.Of(sample, b) && after.Cover.Of(sample, a) {
			return compare.MovementOf(before.Cover.Against(*after.Cover)), true // measured when the runs closed
		}
		if provider.Info().Free {
			p, err := suite.Prefer(ctx, sample, b, a)
			return compare.MovementOf(p), err == nil
		}
		p, known, err := suite.Preferred(ctx, sample, b, a)
		return compare.MovementOf(p), known && err == nil
	}
}
