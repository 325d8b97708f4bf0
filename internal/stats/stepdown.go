package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// alikePrior is how many further units without any effect the variance of a slice counts, as large as its own are on average.
const alikePrior = 4

// StepDown tests all slices of the differences at once: the adjusted p value of a slice is the share of sign patterns in which any slice
// that is no more extreme has a |t| at least as large (Westfall and Young 1993, step down), so the chance of any false alarm is bounded,
// however the slices overlap. The t is that of the sums of the slice's units, with a variance that counts some units without effect.
// Without these a slice of few units that are all alike, as they are by chance once in a while, has an infinite t and hides what larger
// ones show.
// Places are those of the slices in diffs; with cluster labels clusters are flipped as a whole. Slices with fewer than two differences get
// NaN and take no part. It fails on values that are not finite, on places outside diffs and as [SignFlip] does.
func StepDown(diffs []float64, places [][]int, clusters []int, flips Flips) ([]SliceTest, error) {
	if err := sample("test of slices", diffs, 1); err != nil {
		return nil, err
	}
	unit, units, err := unitsOf(len(diffs), clusters)
	if err != nil {
		return nil, err
	}
	tests, sums, order := make([]SliceTest, len(places)), make([]unitSums, len(places)), []int{}
	observed := slices.Repeat([]float64{1}, units)
	for s, own := range places {
		if slices.ContainsFunc(own, func(i int) bool { return i < 0 || i >= len(diffs) }) {
			return nil, fmt.Errorf("test of slices: slice %d names a place outside the %d differences", s, len(diffs))
		}
		tests[s] = SliceTest{N: len(own), Mean: meanAt(diffs, own), T: math.NaN(), Adjusted: math.NaN()}
		if len(own) < 2 {
			continue
		}
		sums[s] = sumUnits(diffs, own, unit)
		tests[s].T = sums[s].t(observed)
		order = append(order, s)
	}
	slices.SortStableFunc(order, func(a, b int) int { return -cmp.Compare(math.Abs(tests[a].T), math.Abs(tests[b].T)) })
	const rounding = 1e-9 // of what is the same
	extreme := make([]float64, len(places))
	all, err := eachPattern(units, flips, func(signs []float64) {
		most := 0.0
		for _, s := range slices.Backward(order) {
			most = max(most, math.Abs(sums[s].t(signs)))
			extreme[s] += indicator(most >= math.Abs(tests[s].T)*(1-rounding))
		}
	})
	largest := 0.0 // none is surer than one that is more extreme
	for _, s := range order {
		largest = max(largest, extreme[s]/all)
		tests[s].Adjusted = largest
	}
	return tests, err
}

// meanAt is the mean of some differences; NaN of none.
func meanAt(diffs []float64, places []int) float64 {
	sum := 0.0
	for _, i := range places {
		sum += diffs[i]
	}
	return sum / float64(len(places))
}

// unitSums are the sums of a slice's differences by the units that are flipped as a whole.
type unitSums struct {
	units   []int // whose sum is not 0
	sums    []float64
	squares float64 // of the sums, which no sign changes
	size    float64 // number of units, with those whose sum is 0
}

func sumUnits(diffs []float64, places, unit []int) unitSums {
	at := map[int]int{}
	var all unitSums
	for _, i := range places {
		k, known := at[unit[i]]
		if !known {
			k = len(all.units)
			at[unit[i]] = k
			all.units, all.sums = append(all.units, unit[i]), append(all.sums, 0)
		}
		all.sums[k] += diffs[i]
	}
	out := unitSums{size: float64(len(all.units))}
	for k, s := range all.sums {
		if s != 0 {
			out.units, out.sums, out.squares = append(out.units, all.units[k]), append(out.sums, s), out.squares+s*s
		}
	}
	return out
}

// t is the moderated t statistic under a pattern of signs; 0 where nothing moved.
func (u unitSums) t(signs []float64) float64 {
	if u.squares == 0 {
		return 0
	}
	sum := 0.0
	for k, place := range u.units {
		sum += signs[place] * u.sums[k]
	}
	return sum * math.Sqrt((alikePrior+u.size-1)/((alikePrior+u.size)*u.squares-sum*sum))
}
