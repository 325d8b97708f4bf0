package metrics

import (
	"fmt"
	"strings"
)

// compared are the text metrics: how alike answer and accepted wording are, in [0, 1].
var compared = map[string]func(answer, reference string) float64{
	"exact_match":             exactMatch,
	"string_presence":         stringPresence,
	"levenshtein_similarity":  levenshteinSimilarity,
	"hamming_similarity":      hammingSimilarity,
	"jaro_similarity":         jaroSimilarity,
	"jaro_winkler_similarity": jaroWinklerSimilarity,
	"token_f1":                tokenF1,
	"rouge_1":                 func(a, r string) float64 { return rouge1(ProfileFixed, rougeFMeasure, a, r) },
	"rouge_l":                 func(a, r string) float64 { return rougeL(ProfileFixed, rougeFMeasure, a, r) },
	"bleu":                    func(a, r string) float64 { return bleu(ProfileFixed, a, r) },
	"chrf":                    chrF,
}

// textScore compares the answer with the reference and its other accepted wordings; the best one counts. White space at the
// ends and citations belong to neither: marks such as [2] that point to a context which exists. Both sides are treated alike, so an answer
// equal to an accepted wording scores 1 whatever brackets it holds.
func (b *bench) textScore(id string) (Score, error) {
	if id == "quoted_spans" {
		if noText(b.sample.Answer) {
			return notApplicable("no_answer"), nil
		}
		return reduced(reduceQuotedSpans(ProfileFixed, countQuotes(ProfileFixed, quoteDefaults, b.sample.Answer, texts(b.sample.Contexts))), ""), nil
	}
	compare, ok := compared[id]
	if !ok {
		return Score{}, fmt.Errorf("text metric %q has no formula", id)
	}
	accepted := make([]string, 0, 1+len(b.sample.References))
	for _, r := range append([]string{b.sample.Reference}, b.sample.References...) {
		if !noText(r) {
			accepted = append(accepted, strings.TrimSpace(r))
		}
	}
	switch {
	case len(accepted) == 0 && !b.sample.Answerable:
		return notApplicable("unanswerable"), nil
	case len(accepted) == 0:
		return notApplicable("no_reference"), nil
	case noText(b.sample.Answer):
		return scored(0, b.say("the answer is empty", "回答が空である")), nil
	}
	answer := withoutCited(b.sample.Answer, len(b.sample.Contexts))
	best := 0.0
	for _, r := range accepted {
		if r == strings.TrimSpace(b.sample.Answer) {
			return scored(1, ""), nil
		}
		best = max(best, compare(answer, withoutCited(r, len(b.sample.Contexts))))
	}
	return scored(best, ""), nil
}
