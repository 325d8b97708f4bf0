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

// ExponentialGains are 2^gain - 1, for an [NDCG] that rewards the most relevant items much more than the others. Pass
// both of its arguments through it.
func ExponentialGains(gains []float64) []float64 {
	grown := make([]float64, len(gains))
	for i, g := range gains {
		grown[i] = math.Exp2(g) - 1
	}
	return grown
}

// DCG is the sum of gain/log2(rank+1) over a ranking, with ranks from 1.
func DCG(gains []float64) float64 { return discounted(gains) }

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

// Precision is the share of retrieved items that are relevant; NaN when nothing was retrieved.
func Precision(relevant []bool) float64 {
	return float64(count(relevant)) / float64(len(relevant))
}

// Recall is the share of all relevant items that were retrieved, given how many there are; NaN when there are none.
func Recall(relevant []bool, total int) float64 {
	return float64(count(relevant)) / float64(total)
}

// AveragePrecision sums the precision at every rank that holds a relevant item and divides by the number of all
// relevant items, retrieved or not. It is in [0, 1], and NaN when there are none.
func AveragePrecision(relevant []bool, total int) float64 {
	return precisions(relevant) / float64(total)
}

// RankedPrecision is [AveragePrecision] over the retrieved items alone: it says whether the relevant ones come first,
// not whether all were found. It is 0 when none is relevant.
func RankedPrecision(relevant []bool) float64 {
	n := count(relevant)
	if n == 0 {
		return 0
	}
	return precisions(relevant) / float64(n)
}

// precisions is the sum of the precision at every rank that holds a relevant item.
func precisions(relevant []bool) float64 {
	sum, hits := 0.0, 0
	for i, r := range relevant {
		if r {
			hits++
			sum += float64(hits) / float64(i+1)
		}
	}
	return sum
}

func count(relevant []bool) int {
	n := 0
	for _, r := range relevant {
		if r {
			n++
		}
	}
	return n
}

// Coverage is the share of the half-open interval target that the union of the intervals covers, in [0, 1]. Intervals
// may overlap, repeat, be empty and come in any order. It is NaN when target is empty.
func Coverage(target [2]int, intervals [][2]int) float64 {
	length := target[1] - target[0]
	if length <= 0 {
		return math.NaN()
	}
	sorted := slices.SortedFunc(slices.Values(intervals), func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	covered, reached := 0, target[0]
	for _, in := range sorted {
		start, end := max(in[0], reached), min(in[1], target[1])
		if end > start {
			covered += end - start
			reached = end
		}
	}
	return float64(covered) / float64(length)
}
