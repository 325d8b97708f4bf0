package formula

import "github.com/rag-workbench/workbench/internal/metrics/textual"

// ContextPrecision is the average precision of the ranking: the mean, over the useful contexts, of the share of useful
// ones down to each. Context utilization is the same with the answer in place of the reference. No useful context gives 0.
//
// Fixed divides by the useful contexts; no contexts at all give 0. Ragas adds 1e-10 below the line, so that a perfect ranking
// stays under 1; its collections reckon with the judge's integers as they are, and fail without contexts.
func ContextPrecision(p textual.Profile, contexts VerdictList) Reduction {
	switch {
	case p == textual.ProfileFixed && !contexts.complete():
		return reducedFailed("verdicts_missing")
	case p == textual.ProfileCollections && len(contexts.Verdicts) == 0:
		return reducedFailed("no_contexts")
	}
	gains := make([]int, len(contexts.Verdicts))
	for i, v := range contexts.Verdicts {
		if gains[i] = v; p != textual.ProfileCollections && v != 0 {
			gains[i] = 1
		}
	}
	return reducedTo(averagePrecision(p, gains))
}

// averagePrecision is the formula behind every ranked precision. Gains are 0 and 1, other integers only under the collections.
func averagePrecision(p textual.Profile, gains []int) float64 {
	sum, total := 0, 0.0
	for i, g := range gains {
		sum += g
		total += float64(sum) / float64(i+1) * float64(g)
	}
	if p != textual.ProfileFixed {
		return total / (float64(sum) + ragasRankTerm)
	}
	if sum == 0 {
		return 0
	}
	return total / float64(sum)
}

// ContextShare is the share of the retrieved contexts that are useful, whatever their order (RAGChecker's context
// precision); 0 when nothing was retrieved.
func ContextShare(useful []bool) Reduction {
	return reducedTo(textual.RatioOrZero(VerdictsOf(useful).Yes(), len(useful)))
}

// similarEnough is how alike two contexts must be to count as the same one.
const similarEnough = 0.5

// ContextPrecisionByText is the average precision of the retrieved contexts where one is useful when it is like any
// reference context, by a string similarity in [0, 1]. Nothing retrieved gives 0; without reference contexts fixed is not
// applicable and Ragas fails.
func ContextPrecisionByText(p textual.Profile, retrieved, reference []string, like func(a, b string) float64) Reduction {
	if len(retrieved) > 0 && len(reference) == 0 || p == textual.ProfileFixed && len(reference) == 0 {
		return withoutTexts(p, "no_reference_contexts")
	}
	gains := make([]int, len(retrieved))
	for i, r := range retrieved {
		if mostAlike(r, reference, like) >= similarEnough {
			gains[i] = 1
		}
	}
	return reducedTo(averagePrecision(p, gains))
}

// ContextRecallByText is the share of the reference contexts that are like any retrieved one. At a similarity of exactly
// 0.5 fixed counts it, as precision does, and Ragas does not. Nothing retrieved gives 0 in fixed and a failure in Ragas.
func ContextRecallByText(p textual.Profile, retrieved, reference []string, like func(a, b string) float64) Reduction {
	switch {
	case len(reference) == 0:
		return reducedNA("no_reference_contexts")
	case len(retrieved) == 0 && p != textual.ProfileFixed:
		return reducedFailed("no_contexts")
	}
	hits := 0
	for _, r := range reference {
		s := mostAlike(r, retrieved, like)
		if s > similarEnough || p == textual.ProfileFixed && s == similarEnough {
			hits++
		}
	}
	return reducedTo(float64(hits) / float64(len(reference)))
}

func withoutTexts(p textual.Profile, code string) Reduction {
	if p == textual.ProfileFixed {
		return reducedNA(code)
	}
	return reducedFailed(code)
}

func mostAlike(s string, list []string, like func(a, b string) float64) float64 {
	best := 0.0
	for _, other := range list {
		best = max(best, like(s, other))
	}
	return best
}

// ContextPrecisionByID is the share of the retrieved ids that are among the reference ids. Duplicates and order do not
// count; without retrieved ids it is not applicable.
func ContextPrecisionByID(retrieved, reference []string) Reduction {
	return sharedIDs(retrieved, reference, "no_contexts")
}

// ContextRecallByID is the share of the reference ids that were retrieved; not applicable without reference ids.
func ContextRecallByID(retrieved, reference []string) Reduction {
	return sharedIDs(reference, retrieved, "no_reference_contexts")
}

func sharedIDs(of, in []string, none string) Reduction {
	as := func(s string) string { return s }
	want, have := foldedSet(of, as), foldedSet(in, as)
	if len(want) == 0 {
		return reducedNA(none)
	}
	hits := 0
	for id := range want {
		if have[id] {
			hits++
		}
	}
	return reducedTo(float64(hits) / float64(len(want)))
}

// QuotedSpans is the share of the answer's quotations that stand in the contexts. Without a quotation fixed is not
// applicable; the legacy metric of Ragas gives 0 then, its collections 1.
func QuotedSpans(p textual.Profile, n textual.QuoteCount) Reduction {
	switch {
	case n.Total > 0:
		return reducedTo(float64(n.Found) / float64(n.Total))
	case p == textual.ProfileLegacy:
		return reducedTo(0)
	case p == textual.ProfileCollections:
		return reducedTo(1)
	default:
		return reducedNA("no_quotations")
	}
}
