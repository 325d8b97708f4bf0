package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
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
	CILow    float64 `json:"ci_low"` // 95 % confidence interval of MeanDiff
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
		r.P = studentTwoSided(r.T, r.DF)
	case mean == 0:
		r.P = 1
	default:
		r.T = math.Inf(1)
		if mean < 0 {
			r.T = math.Inf(-1)
		}
	}
	half := r.SE * studentQuantile(r.DF)
	r.CILow, r.CIHigh = mean-half, mean+half
	return r, nil
}

// studentTwoSided is the probability that |T| exceeds |t|. Of the two equal forms of the incomplete beta function it
// takes the one whose argument is not close to 1, where digits would be lost.
func studentTwoSided(t float64, df int) float64 {
	v, t2 := float64(df), t*t
	if t2 < v {
		return 1 - mathext.RegIncBeta(0.5, v/2, t2/(v+t2))
	}
	return mathext.RegIncBeta(v/2, 0.5, v/(v+t2))
}

// studentQuantile is the t that |T| exceeds with probability 0.05. The root is found by bisection until no number lies
// between the bounds, because the quantile function of the library is wrong in the ninth digit.
func studentQuantile(df int) float64 {
	low, high := 1.0, 20.0 // 1.96 at infinite, 12.7 at one degree of freedom
	for {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			return mid
		}
		if studentTwoSided(mid, df) > 0.05 {
			low = mid
		} else {
			high = mid
		}
	}
}
