package stats

import "math"

// NoiseFloor is how much the scores of unchanged items differ between replicates, from [Noise].
type NoiseFloor struct {
	Within       float64 `json:"pooled_within_variance"`
	DF           int     `json:"df"`           // replicates less items
	Disagreement float64 `json:"disagreement"` // mean over items of the share of unequal pairs
	FlipRate     float64 `json:"flip_rate"`    // of yes-no scores, see [FlipRate]
	Smallest     float64 `json:"smallest"`     // a change of one item below this is within noise
}

// Noise pools replicates[i], the scores of item i under equal conditions. Items with fewer than two replicates tell
// nothing and do not count; without any other the figures are NaN.
func Noise(replicates [][]float64) NoiseFloor {
	r := NoiseFloor{}
	sum, items, apart := 0.0, 0.0, 0.0
	for _, row := range replicates {
		if len(row) < 2 {
			continue
		}
		r.DF += len(row) - 1
		sum += squares(row)
		unequal, pairs := 0.0, 0.0
		for i, a := range row {
			for _, b := range row[:i] {
				unequal, pairs = unequal+indicator(a != b), pairs+1
			}
		}
		items, apart = items+1, apart+unequal/pairs
	}
	r.Within, r.Disagreement = quotient(sum, float64(r.DF)), quotient(apart, items)
	r.FlipRate, r.Smallest = FlipRate(r.Disagreement), SmallestChange(r.Within)
	return r
}

// FlipRate is the f at which two yes-no verdicts that each flip with probability f disagree with the given probability:
// the solution of 2 f (1-f) = disagreement, and 1/2 from a disagreement of 1/2 on.
func FlipRate(disagreement float64) float64 {
	return (1 - math.Sqrt(max(0, 1-2*disagreement))) / 2
}

// SmallestChange is the change of one item's score that noise of the given variance exceeds in one direction with
// probability 0.05: 1.645 sqrt(2 variance), with the quantile in full precision.
func SmallestChange(variance float64) float64 { return NormalQuantile(0.95) * math.Sqrt(2*variance) }

// ModeratedVariance shrinks a variance with df degrees of freedom to a prior one that counts as priorDF: noise vanishes
// at the ends of a scale, so levels differ, but each has few replicates. A df of 0 gives the prior.
func ModeratedVariance(prior, priorDF, variance, df float64) float64 {
	if df == 0 {
		return prior
	}
	return (priorDF*prior + df*variance) / (priorDF + df)
}

// NestedVariance splits the variance of scores[item][generation][judgement], from [NestedANOVA].
type NestedVariance struct {
	MSJudge       float64 `json:"ms_judge"`
	MSGeneration  float64 `json:"ms_generation"`
	MSItem        float64 `json:"ms_question"`
	VarJudge      float64 `json:"var_judge"`      // between judgements of one generation
	VarGeneration float64 `json:"var_generation"` // between generations of one item; not below 0
	VarItem       float64 `json:"var_question"`   // between items; not below 0
}
