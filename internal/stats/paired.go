package stats

import (
	"fmt"
	"math"
)

// PairedTest is the outcome of [PairedT]. Differences are candidate minus baseline.
type PairedTest struct {
	N        int     `json:"n"`         // pairs
	MeanDiff float64 `json:"mean_diff"` // above 0: the candidate is higher
	SD       float64 `json:"sd_diff"`   // of the differences, with n-1
	SE       float64 `json:"se"`        // of MeanDiff
	T        float64 `json:"t"`
	DF       int     `json:"df"`
	P        float64 `json:"p_two_sided"`
	CILow    float64 `json:"ci_low"` // 95% confidence interval of MeanDiff
	CIHigh   float64 `json:"ci_high"`
}

// PairedT is Student's t test on pairs: value i of both lists belongs to the same item. When all differences are equal
// their standard error is 0: then P is 1 if they are all 0 (T is 0) and 0 otherwise (T is infinite), and the interval
// is a point. It fails on lists of different lengths, on fewer than two pairs and on values that are not finite.
func PairedT(baseline, candidate []float64) (PairedTest, error) {
	n := len(baseline)
	if n != len(candidate) {
		return PairedTest{}, fmt.Errorf("paired t test: %d baseline values but %d candidate values", n, len(candidate))
	}
	if n < 2 {
		return PairedTest{}, fmt.Errorf("paired t test: %d pairs, at least 2 are needed", n)
	}
	mean := 0.0
	for i := range n {
		d := candidate[i] - baseline[i]
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return PairedTest{}, fmt.Errorf("paired t test: pair %d is not finite (%v, %v)", i, baseline[i], candidate[i])
		}
		mean += d
	}
	mean /= float64(n)
	squares := 0.0
	for i := range n {
		d := candidate[i] - baseline[i] - mean
		squares += d * d
	}
	r := PairedTest{N: n, MeanDiff: mean, DF: n - 1}
	r.SD = math.Sqrt(squares / float64(r.DF))
	r.SE = r.SD / math.Sqrt(float64(n))
	switch {
	case r.SE > 0:
		r.T = mean / r.SE
		r.P = StudentTwoSided(r.T, float64(r.DF))
	case mean == 0:
		r.P = 1
	default:
		r.T = math.Inf(1)
		if mean < 0 {
			r.T = math.Inf(-1)
		}
	}
	half := r.SE * StudentQuantile(0.975, float64(r.DF))
	r.CILow, r.CIHigh = mean-half, mean+half
	return r, nil
}

// CohenDz is the standardised effect size MeanDiff / SD; NaN when all differences are equal.
func (r PairedTest) CohenDz() float64 {
	if r.SD == 0 {
		return math.NaN()
	}
	return r.MeanDiff / r.SD
}

// HedgesGz is [PairedTest.CohenDz] times 1 - 3/(4 DF - 1), which removes most of its bias in small samples.
func (r PairedTest) HedgesGz() float64 { return r.CohenDz() * (1 - 3/(4*float64(r.DF)-1)) }
