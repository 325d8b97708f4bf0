package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Mean is the arithmetic mean; NaN without values.
func Mean(values []float64) float64 { return floats.Sum(values) / float64(len(values)) }

// Variance is the sum of squared distances from the mean over n-ddof: ddof 1 estimates the variance of the source of a
// sample, ddof 0 is the variance of the values themselves. It is NaN when n-ddof is below 1.
func Variance(values []float64, ddof int) float64 {
	if len(values)-ddof < 1 {
		return math.NaN()
	}
	return squares(values) / float64(len(values)-ddof)
}

// Covariance is the sum of products of the distances from the two means over n-ddof; NaN when the lists differ in length
// or n-ddof is below 1.
func Covariance(a, b []float64, ddof int) float64 {
	if len(a) != len(b) || len(a)-ddof < 1 {
		return math.NaN()
	}
	meanA, meanB, sum := Mean(a), Mean(b), 0.0
	for i := range a {
		sum += (a[i] - meanA) * (b[i] - meanB)
	}
	return sum / float64(len(a)-ddof)
}

// Quantile is the p-quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). The
// values may come in any order and are not changed. It is NaN without values, with NaN among them, or for p outside
// [0, 1].
func Quantile(values []float64, p float64) float64 {
	return quantileOfSorted(slices.Sorted(slices.Values(values)), p)
}

func quantileOfSorted(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || math.IsNaN(sorted[0]) || !(p >= 0 && p <= 1) { // NaN sorts first
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	next := min(i+1, len(sorted)-1)
	if sorted[i] == sorted[next] { // also spares infinite values the difference
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[next]-sorted[i])
}

// squares is the sum of squared distances from the mean. Equal values give exactly 0, although their computed mean may
// be off by a rounding.
func squares(values []float64) float64 {
	if len(values) == 0 || allEqual(values) {
		return 0
	}
	mean, sum := Mean(values), 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return sum
}

func allEqual[T comparable](values []T) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// finite fails, naming the method and the place, when a value is NaN or infinite.
func finite(method string, values []float64) error {
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: value %d is not finite (%v)", method, i, v)
		}
	}
	return nil
}

// sample fails unless there are at least n values, all of them finite.
func sample(method string, values []float64, n int) error {
	if len(values) < n {
		return fmt.Errorf("%s: %d values, at least %d are needed", method, len(values), n)
	}
	return finite(method, values)
}

// level fails unless p lies strictly between 0 and 1.
func level(method, name string, p float64) error {
	if !(p > 0 && p < 1) {
		return fmt.Errorf("%s: %s is %v, and must lie between 0 and 1", method, name, p)
	}
	return nil
}

// groupsOf returns the places of equal labels, in ascending order of the label.
func groupsOf(labels []int) [][]int {
	members := map[int][]int{}
	for i, l := range labels {
		members[l] = append(members[l], i)
	}
	groups := make([][]int, 0, len(members))
	for _, l := range slices.Sorted(maps.Keys(members)) {
		groups = append(groups, members[l])
	}
	return groups
}
