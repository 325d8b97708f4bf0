package stats

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
	Low         float64 `json:"ci_low"`      // Bonett-Price interval of Diff at 95 %
	High        float64 `json:"ci_high"`     //
	Discordance float64 `json:"discordance"` // share of pairs that changed
}
