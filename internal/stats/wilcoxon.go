package stats

import (
	"cmp"
	"math"
	"slices"
)

// exactRanks is the largest sample whose rank sums are counted exactly; the table of sums grows with its square.
const exactRanks = 200

// SignedRankTest is the outcome of [Wilcoxon].
type SignedRankTest struct {
	Plus    float64 `json:"w_plus"`  // sum of the ranks of positive differences
	Minus   float64 `json:"w_minus"` // sum of the ranks of negative differences
	N       int     `json:"n_used"`  // differences that are not 0
	Zeros   int     `json:"n_zero"`  // differences left out because they are 0
	Exact   float64 `json:"p_exact_two_sided"`
	Greater float64 `json:"p_exact_greater"` // one-sided, for positive differences
	Less    float64 `json:"p_exact_less"`    // one-sided, for negative differences
	// Z is the normal approximation with the variance corrected for ties, P its two-sided p value; ZCorrected and
	// PCorrected are the same with continuity correction. Z is 0 without differences.
	Z          float64 `json:"z"`
	P          float64 `json:"p_normal"`
	ZCorrected float64 `json:"z_cc"`
	PCorrected float64 `json:"p_normal_cc"`
}

// Wilcoxon is the signed rank test. Differences of 0 are left out; equal sizes share their average rank. The exact p
// values count all 2^N ways to give the ranks signs, with ties as they are; the two-sided one is the probability that
// the smaller of the two rank sums is at most the observed one. Above 200 differences the exact values are NaN and the
// normal ones are to be used. Without any difference every p value is 1. It fails on values that are not finite.
func Wilcoxon(diffs []float64) (SignedRankTest, error) {
	if err := finite("signed rank test", diffs); err != nil {
		return SignedRankTest{}, err
	}
	used := slices.DeleteFunc(slices.Clone(diffs), func(d float64) bool { return d == 0 })
	sizes := make([]float64, len(used))
	for i, d := range used {
		sizes[i] = math.Abs(d)
	}
	ranks := Ranks(sizes)
	r := SignedRankTest{N: len(used), Zeros: len(diffs) - len(used)}
	variance := 0.0
	for i, d := range used {
		variance += ranks[i] * ranks[i] / 4 // the tie correction falls out of the average ranks
		if d > 0 {
			r.Plus += ranks[i]
		} else {
			r.Minus += ranks[i]
		}
	}
	gap := (r.Plus - r.Minus) / 2 // Plus less its mean
	r.Z = ratio(gap, math.Sqrt(variance))
	r.ZCorrected = math.Copysign(ratio(max(0, math.Abs(gap)-0.5), math.Sqrt(variance)), gap)
	r.P, r.PCorrected = 2*NormalCDF(-math.Abs(r.Z)), 2*NormalCDF(-math.Abs(r.ZCorrected))
	r.Exact, r.Greater, r.Less = math.NaN(), math.NaN(), math.NaN()
	if len(used) <= exactRanks {
		below := rankSumCDF(ranks)
		r.Exact = min(1, 2*below(min(r.Plus, r.Minus)))
		r.Greater, r.Less = below(r.Minus), below(r.Plus) // the distribution is symmetric
		if r.Plus == r.Minus {
			r.Exact = 1
		}
	}
	return r, nil
}

// rankSumCDF returns the distribution of the sum of the ranks that a fair coin each keeps. Ranks are multiples of 1/2.
func rankSumCDF(ranks []float64) func(float64) float64 {
	mass := []float64{1} // by twice the sum
	for _, r := range ranks {
		step := int(2 * r)
		next := make([]float64, len(mass)+step)
		for s, p := range mass {
			next[s] += p / 2
			next[s+step] += p / 2
		}
		mass = next
	}
	return func(sum float64) float64 {
		total := 0.0
		for s := 0; s < len(mass) && s <= int(2*sum); s++ {
			total += mass[s]
		}
		return min(1, total)
	}
}

// Ranks are the places of the values in ascending order, from 1; equal values share the average of their places.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && values[order[end]] == values[order[start]] {
			end++
		}
		for _, i := range order[start:end] {
			ranks[i] = float64(start+end+1) / 2
		}
		start = end
	}
	return ranks
}
