package stats

import (
	"fmt"
	"math"
	"slices"
)

// Pearson is the linear correlation of two lists, in [-1, 1]; NaN when they differ in length, are shorter than two, or
// one of them is constant.
func Pearson(x, y []float64) float64 {
	if len(x) != len(y) || len(x) < 2 || allEqual(x) || allEqual(y) {
		return math.NaN()
	}
	r := Covariance(x, y, 0) / math.Sqrt(Variance(x, 0)*Variance(y, 0))
	return max(-1, min(1, r))
}

// Spearman is the correlation of the ranks, equal values sharing theirs; NaN as [Pearson], and for NaN among the values.
func Spearman(x, y []float64) float64 {
	if slices.ContainsFunc(x, math.IsNaN) || slices.ContainsFunc(y, math.IsNaN) {
		return math.NaN()
	}
	return Pearson(Ranks(x), Ranks(y))
}

// AUROC is the probability that a random positive item scores higher than a random negative one, ties counting half;
// NaN without both kinds or with NaN among the scores. It fails on lists of different lengths.
func AUROC(positive []bool, scores []float64) (float64, error) {
	if len(positive) != len(scores) {
		return 0, fmt.Errorf("AUROC: %d labels but %d scores", len(positive), len(scores))
	}
	if slices.ContainsFunc(scores, math.IsNaN) {
		return math.NaN(), nil
	}
	sum, yes := 0.0, 0.0
	for i, r := range Ranks(scores) {
		if positive[i] {
			sum, yes = sum+r, yes+1
		}
	}
	return quotient(sum-yes*(yes+1)/2, yes*(float64(len(scores))-yes)), nil
}
