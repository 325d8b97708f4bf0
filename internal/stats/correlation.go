package stats

import (
	"cmp"
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

// KendallTauB is the excess of pairs in the same over those in opposite order, corrected for ties on either side
// (Kendall 1945); NaN as [Spearman]. Its time grows with the square of the length.
func KendallTauB(x, y []float64) float64 {
	if len(x) != len(y) || slices.ContainsFunc(x, math.IsNaN) || slices.ContainsFunc(y, math.IsNaN) {
		return math.NaN()
	}
	excess, orderedX, orderedY := 0.0, 0.0, 0.0
	for i := range x {
		for j := range i {
			a, b := cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])
			excess += float64(a * b)
			orderedX += float64(a * a)
			orderedY += float64(b * b)
		}
	}
	return quotient(excess, math.Sqrt(orderedX*orderedY))
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

// Brier is the mean squared distance of predicted probabilities from what happened; NaN without predictions. It fails on
// lists of different lengths and on a probability outside [0, 1].
func Brier(happened []bool, predicted []float64) (float64, error) {
	if err := predictions("Brier score", happened, predicted); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, p := range predicted {
		d := p - indicator(happened[i])
		sum += d * d
	}
	return quotient(sum, float64(len(predicted))), nil
}

// CalibrationError is the expected calibration error: predictions fall into bins of equal width, bin floor(bins*p), and
// the distances between mean prediction and observed share are averaged with the sizes of the bins. It is NaN without
// predictions and fails as [Brier], and without bins.
func CalibrationError(happened []bool, predicted []float64, bins int) (float64, error) {
	if err := predictions("calibration error", happened, predicted); err != nil {
		return 0, err
	}
	if bins < 1 {
		return 0, fmt.Errorf("calibration error: %d bins, at least 1 is needed", bins)
	}
	gaps := make([]float64, bins) // sum of prediction less outcome
	for i, p := range predicted {
		gaps[min(bins-1, int(float64(bins)*p))] += p - indicator(happened[i])
	}
	sum := 0.0
	for _, g := range gaps {
		sum += math.Abs(g)
	}
	return quotient(sum, float64(len(predicted))), nil
}

func predictions(method string, happened []bool, predicted []float64) error {
	if len(happened) != len(predicted) {
		return fmt.Errorf("%s: %d outcomes but %d predictions", method, len(happened), len(predicted))
	}
	for i, p := range predicted {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("%s: prediction %d is %v, and must be a probability", method, i, p)
		}
	}
	return nil
}
