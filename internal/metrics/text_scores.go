package metrics

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// textScore compares the answer with the reference and its other accepted wordings; the best one counts. White space at the
// ends and citations belong to neither: marks such as [2] that point to a context which exists. Both sides are treated alike, so an answer
// equal to an accepted wording scores 1 whatever brackets it holds.
func (b *evaluation) textScore(alike func(answer, reference string) float64) (Score, error) {
	accepted := make([]string, 0, 1+len(b.sample.References))
	for _, r := range append([]string{b.sample.Reference}, b.sample.References...) {
		if !textual.NoText(r) {
			accepted = append(accepted, strings.TrimSpace(r))
		}
	}
	switch {
	case len(accepted) == 0 && !b.sample.Answerable:
		return notApplicable("unanswerable"), nil
	case len(accepted) == 0:
		return notApplicable("no_reference"), nil
	case textual.NoText(b.sample.Answer):
		return scored(0, b.say("the answer is empty", "回答が空である")), nil
	}
	answer := textual.WithoutCited(b.sample.Answer, len(b.sample.Contexts))
	best := 0.0
	for _, r := range accepted {
		if r == strings.TrimSpace(b.sample.Answer) {
			return scored(1, ""), nil
		}
		best = max(best, alike(answer, textual.WithoutCited(r, len(b.sample.Contexts))))
	}
	return scored(best, ""), nil
}

// quotedSpans looks for the answer's quotations in the contexts.
func (b *evaluation) quotedSpans(context.Context) (Score, error) {
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	return reduced(formula.QuotedSpans(textual.ProfileFixed,
		textual.CountQuotes(textual.ProfileFixed, textual.QuoteDefaults, b.sample.Answer, texts(b.sample.Contexts))), ""), nil
}
