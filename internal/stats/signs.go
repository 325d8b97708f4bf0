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

// SignTest is the exact binomial test of worse against better; ties are left out by the caller. Without any change both
// p values are 1. It fails on negative counts.
func SignTest(worse, better int) (SignTestResult, error) {
	if worse < 0 || better < 0 {
		return SignTestResult{}, fmt.Errorf("sign test: the counts %d and %d must not be negative", worse, better)
	}
	n := worse + better
	return SignTestResult{
		TwoSided: min(1, 2*BinomialCDF(min(worse, better), n, 0.5)),
		Worse:    BinomialCDF(better, n, 0.5), // at least worse of one kind are at most better of the other
	}, nil
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
	Low         float64 `json:"ci_low"`      // Bonett-Price interval of Diff at 95 %
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
