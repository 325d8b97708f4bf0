package stats

import (
	"fmt"
	"math"
)

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

// PartialPool estimates several effects, each with its standard error, as draws from one normal distribution
// (DerSimonian and Laird 1986) and shrinks each of them to the common mean by as much as its error is large. With no
// spread beyond the errors (Tau2 is 0) every posterior is the common mean without any width. It fails without effects,
// on lists of different lengths, on values that are not finite and on errors that are not above 0.
func PartialPool(effects, errors []float64) (Pooled, error) {
	const method = "partial pooling"
	if len(effects) != len(errors) {
		return Pooled{}, fmt.Errorf("%s: %d effects but %d standard errors", method, len(effects), len(errors))
	}
	if err := sample(method, effects, 1); err != nil {
		return Pooled{}, err
	}
	weights := make([]float64, len(errors))
	sum, sum2 := 0.0, 0.0
	for i, se := range errors {
		if !(se > 0) || math.IsInf(se, 1) {
			return Pooled{}, fmt.Errorf("%s: standard error %d is %v, and must be above 0", method, i, se)
		}
		weights[i] = 1 / (se * se)
		sum, sum2 = sum+weights[i], sum2+weights[i]*weights[i]
	}
	r := Pooled{Fixed: weightedMean(effects, weights)}
	for i, e := range effects {
		r.Q += weights[i] * (e - r.Fixed) * (e - r.Fixed)
	}
	if len(effects) > 1 {
		r.Tau2 = max(0, (r.Q-float64(len(effects)-1))/(sum-sum2/sum))
	}
	for i, se := range errors {
		weights[i] = 1 / (se*se + r.Tau2)
	}
	r.Random = weightedMean(effects, weights)
	for i, e := range effects {
		own := r.Tau2 * weights[i] // weight of the effect itself
		mean, sd := own*e+(1-own)*r.Random, math.Sqrt(own)*errors[i]
		r.Shrunk, r.ShrunkSE = append(r.Shrunk, mean), append(r.ShrunkSE, sd)
		r.Shrinkages = append(r.Shrinkages, 1-own)
		r.BelowZero = append(r.BelowZero, NormalCDF(ratio(-mean, sd)))
	}
	return r, nil
}

func weightedMean(values, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range values {
		sum, total = sum+weights[i]*v, total+weights[i]
	}
	return sum / total
}

// Standardised is the outcome of [Standardise]. Differences are candidate minus baseline.
type Standardised struct {
	Raw      float64 `json:"raw"`          // difference of the overall means, each with its own composition
	Diff     float64 `json:"standardised"` // difference under the composition of the baseline
	Reversal bool    `json:"reversal"`     // the two have opposite signs (Simpson's paradox)
}

// Standardise compares two overall means whose parts have different shares: it gives the parts of the candidate the
// weights of the baseline. Weights are counts or shares; a part must be known in both arms, so it fails when a weighted
// part of the baseline has no mean in the candidate, and on lists of different lengths, negative weights and values
// that are not finite.
func Standardise(baselineMeans, baselineWeights, candidateMeans, candidateWeights []float64) (Standardised, error) {
	const method = "standardisation"
	n := len(baselineMeans)
	if n == 0 || len(baselineWeights) != n || len(candidateMeans) != n || len(candidateWeights) != n {
		return Standardised{}, fmt.Errorf("%s: the lists hold %d, %d, %d and %d parts", method, n, len(baselineWeights), len(candidateMeans), len(candidateWeights))
	}
	totalB, totalC := 0.0, 0.0
	for _, list := range [][]float64{baselineMeans, baselineWeights, candidateMeans, candidateWeights} {
		if err := finite(method, list); err != nil {
			return Standardised{}, err
		}
	}
	for i := range n {
		if baselineWeights[i] < 0 || candidateWeights[i] < 0 {
			return Standardised{}, fmt.Errorf("%s: part %d has a negative weight", method, i)
		}
		totalB, totalC = totalB+baselineWeights[i], totalC+candidateWeights[i]
	}
	if totalB == 0 || totalC == 0 {
		return Standardised{}, fmt.Errorf("%s: an arm has no weight at all", method)
	}
	before := weightedMean(baselineMeans, baselineWeights)
	r := Standardised{
		Raw:  weightedMean(candidateMeans, candidateWeights) - before,
		Diff: weightedMean(candidateMeans, baselineWeights) - before,
	}
	r.Reversal = r.Raw*r.Diff < 0
	return r, nil
}
