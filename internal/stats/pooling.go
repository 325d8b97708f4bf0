package stats

// Pooled is the outcome of [PartialPool]. The lists have one entry for each effect.
type Pooled struct {
	Fixed      float64   `json:"fixed_mean"`  // mean weighted by 1/se^2
	Q          float64   `json:"q"`           // Cochran's heterogeneity
	Tau2       float64   `json:"tau2"`        // variance between the true effects
	Random     float64   `json:"random_mean"` // mean weighted by 1/(se^2 + tau2)
	Shrunk     []float64 `json:"shrunk"`      // posterior means
	ShrunkSE   []float64 `json:"shrunk_se"`   // posterior standard deviations
	BelowZero  []float64 `json:"prob_below_zero"`
	Shrinkages []float64 `json:"shrinkage"` // weight of the random mean in each posterior mean, in [0, 1]
}

// Standardised is the outcome of [Standardise]. Differences are candidate minus baseline.
type Standardised struct {
	Raw      float64 `json:"raw"`          // difference of the overall means, each with its own composition
	Diff     float64 `json:"standardised"` // difference under the composition of the baseline
	Reversal bool    `json:"reversal"`     // the two have opposite signs (Simpson's paradox)
}
