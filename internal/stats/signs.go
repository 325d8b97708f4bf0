package stats

import (
	"fmt"
	"math"
)

// SignTestResult is the outcome of [SignTest].
type SignTestResult struct {
	TwoSided float64 `json:"p_two_sided"` // against "worse and better are equally likely"
	Worse    float64 `json:"p_worse"`     // one-sided, against the same, for "worse is more likely"
}

// McNemarTest is the outcome of [McNemar]. Diff is candidate minus baseline.
type McNemarTest struct {
	Exact       float64 `json:"p_exact"`     // two-sided binomial
	MidP        float64 `json:"p_mid"`       // Exact less half of the probability of the observed table on each side
	ChiSquare   float64 `json:"chi2"`        // with 1 degree of freedom
	P           float64 `json:"p_chi2"`      // of ChiSquare
	Corrected   float64 `json:"chi2_cc"`     // with continuity correction
	PCorrected  float64 `json:"p_chi2_cc"`   // of Corrected
	Diff        float64 `json:"diff"`        // difference of the pass rates
	Low         float64 `json:"ci_low"`      // Bonett-Price interval of Diff at 95%
	High        float64 `json:"ci_high"`     //
	Discordance float64 `json:"discordance"` // share of pairs that changed
}

// McNemar tests pairs of yes-no outcomes: of n pairs, fell passed in the baseline only and rose in the candidate only.
// The interval is that of Bonett and Price (2012), which adds one to both counts. When fell equals rose the mid-p value
// is 1; without any change all p values are 1. It fails unless 0 <= fell + rose <= n and n is at least 1.
func McNemar(fell, rose, n int) (McNemarTest, error) {
	if fell < 0 || rose < 0 || n < 1 || fell+rose > n {
		return McNemarTest{}, fmt.Errorf("McNemar test: %d fell and %d rose of %d pairs", fell, rose, n)
	}
	changed, total := float64(fell+rose), float64(n)
	r := McNemarTest{MidP: 1, Diff: float64(rose-fell) / total, Discordance: changed / total}
	r.Exact = min(1, 2*BinomialCDF(min(fell, rose), fell+rose, 0.5))
	if fell != rose {
		r.MidP = r.Exact - BinomialPMF(min(fell, rose), fell+rose, 0.5)
	}
	gap := math.Abs(float64(rose - fell))
	r.ChiSquare = ratio(gap*gap, changed)
	corrected := max(0, gap-1)
	r.Corrected = ratio(corrected*corrected, changed)
	r.P, r.PCorrected = ChiSquareTail(r.ChiSquare, 1), ChiSquareTail(r.Corrected, 1)
	down, up := float64(fell+1)/(total+2), float64(rose+1)/(total+2)
	half := NormalQuantile(0.975) * math.Sqrt((down+up-(up-down)*(up-down))/(total+2))
	r.Low, r.High = max(-1, up-down-half), min(1, up-down+half)
	return r, nil
}

// BinomialCDF is the probability of at most k successes in n >= 0 independent trials that each succeed with probability
// p in [0, 1]; NaN for other n and p.
func BinomialCDF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return BetaCDF(1-p, float64(n-k), float64(k+1))
}

// BinomialPMF is the probability of exactly k successes in n >= 0 independent trials that each succeed with probability
// p in [0, 1]; NaN for other n and p.
func BinomialPMF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0 || k > n:
		return 0
	case p == 0 || p == 1:
		if float64(k) == p*float64(n) {
			return 1
		}
		return 0
	}
	x, m := float64(k), float64(n)
	return math.Exp(logChoose(n, k) + x*math.Log(p) + (m-x)*math.Log1p(-p))
}
