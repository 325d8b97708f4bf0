package stats

import (
	"fmt"
	"math"
)

// Decision is the outcome of a non-inferiority test. There are three and never two: too little data is no verdict.
type Decision string

// The decisions.
const (
	Pass         Decision = "PASS"         // worse by less than the margin
	Fail         Decision = "FAIL"         // worse by more than the margin
	Inconclusive Decision = "INCONCLUSIVE" // the interval holds the margin
)

// NonInferiorityTest is the outcome of [NonInferiority].
type NonInferiorityTest struct {
	N        int      `json:"n"`
	Mean     float64  `json:"mean"` // of the differences, candidate minus baseline
	SE       float64  `json:"se"`   // of Mean
	T        float64  `json:"t"`    // (Mean + margin) / SE
	P        float64  `json:"p"`    // one-sided, against "worse by the margin or more"
	Lower    float64  `json:"lower"`
	Upper    float64  `json:"upper"` // Lower and Upper are one-sided bounds, each at 1-alpha
	Decision Decision `json:"decision"`
}

// NonInferiority asks whether the candidate is worse than the baseline by less than a margin >= 0, on the scale of the
// differences. With one-sided bounds at 1-alpha from Student's t, the decision is [Pass] when the lower one is above
// -margin, [Fail] when the upper one is below -margin, and [Inconclusive] otherwise. With equal differences the bounds
// are the mean. It fails on fewer than two differences, on values that are not finite and on an alpha outside (0, 1).
func NonInferiority(diffs []float64, margin, alpha float64) (NonInferiorityTest, error) {
	const method = "non-inferiority test"
	if err := sample(method, diffs, 2); err != nil {
		return NonInferiorityTest{}, err
	}
	if err := level(method, "alpha", alpha); err != nil {
		return NonInferiorityTest{}, err
	}
	if !(margin >= 0) || math.IsInf(margin, 1) {
		return NonInferiorityTest{}, fmt.Errorf("%s: the margin is %v, and must be a number that is not negative", method, margin)
	}
	n, df := float64(len(diffs)), float64(len(diffs)-1)
	r := NonInferiorityTest{N: len(diffs), Mean: Mean(diffs), SE: math.Sqrt(Variance(diffs, 1) / n)}
	r.T = ratio(r.Mean+margin, r.SE)
	switch {
	case math.IsInf(r.T, 1):
		r.P = 0
	case math.IsInf(r.T, -1):
		r.P = 1
	default:
		r.P = StudentCDF(-r.T, df)
	}
	half := r.SE * StudentQuantile(1-alpha, df)
	r.Lower, r.Upper, r.Decision = r.Mean-half, r.Mean+half, Inconclusive
	switch {
	case r.Lower > -margin:
		r.Decision = Pass
	case r.Upper < -margin:
		r.Decision = Fail
	}
	return r, nil
}

// ratio is a/b, infinite with the sign of a when b is 0, and 0 when both are.
func ratio(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}
