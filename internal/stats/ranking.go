package stats

import (
	"cmp"
	"math"
	"slices"
)

// NDCG is the normalised discounted cumulative gain of a ranking: the sum of gain/log2(rank+1), with ranks from 1, over
// the same sum for the best possible ranking. Gains count linearly.
//
// Gains holds the gains of the retrieved items in order; ideal those of everything that could have been retrieved, in
// any order. For NDCG at n the caller cuts gains to n and passes the n best gains as ideal. The value is in [0, 1] as
// long as no ranking beats ideal, and NaN when ideal has no gain, because then no ranking is better than another.
func NDCG(gains, ideal []float64) float64 {
	best := slices.SortedFunc(slices.Values(ideal), func(a, b float64) int { return cmp.Compare(b, a) })
	most := discounted(best)
	if most <= 0 {
		return math.NaN()
	}
	return discounted(gains) / most
}

func discounted(gains []float64) float64 {
	sum := 0.0
	for i, g := range gains {
		sum += g / math.Log2(float64(i+2))
	}
	return sum
}

// ReciprocalRank is 1 over the rank of the first relevant item, ranks from 1; 0 when none is relevant.
func ReciprocalRank(relevant []bool) float64 {
	if i := slices.Index(relevant, true); i >= 0 {
		return 1 / float64(i+1)
	}
	return 0
}
