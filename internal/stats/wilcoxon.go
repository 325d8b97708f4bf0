package stats

import (
	"cmp"
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
