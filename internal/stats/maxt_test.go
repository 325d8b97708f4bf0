package stats

import (
	"fmt"
	"math"
)

// The test of slices that the shared cases state. The program weighs slices by StepDown since docs/adr/0069; what both have in common, the
// patterns of signs and the units, is held to the shared cases by this one.

// maxT tests all slices of the differences at once: the adjusted p value of a slice is the share of sign patterns in
// which any slice has a |t| at least as large (Westfall and Young 1993), so the chance of any false alarm is bounded,
// however the slices overlap. Slices hold places in diffs. With cluster labels clusters are flipped as a whole. Of two
// slices whose differences are all the same, which makes both |t| infinite, that with more units is the larger: it is so
// by chance more rarely, in 2 of 2^units patterns. Slices with fewer than two differences get NaN and take no part. It
// fails on values that are not finite, on places outside diffs and as [SignFlip] does.
func maxT(diffs []float64, slices [][]int, clusters []int, flips Flips) ([]SliceTest, error) {
	if err := sample("max-t test", diffs, 1); err != nil {
		return nil, err
	}
	unit, units, err := unitsOf(len(diffs), clusters)
	if err != nil {
		return nil, err
	}
	for s, places := range slices {
		for _, i := range places {
			if i < 0 || i >= len(diffs) {
				return nil, fmt.Errorf("max-t test: slice %d names difference %d of %d", s, i, len(diffs))
			}
		}
	}
	signs := make([]float64, units)
	for i := range signs {
		signs[i] = 1
	}
	tests := make([]SliceTest, len(slices))
	for s, places := range slices {
		tests[s].N = len(places)
		tests[s].Mean, tests[s].T = flippedT(diffs, places, unit, signs)
	}
	summed := make([]summedSlice, len(slices))
	for s, places := range slices {
		summed[s] = sumSlice(diffs, places, unit)
	}
	extreme, under := make([]float64, len(slices)), make([]float64, len(slices))
	all, err := eachPattern(units, flips, func(signs []float64) {
		most, alike := 0.0, 0 // the units of the largest slice whose differences are all the same
		for s := range summed {
			under[s] = summed[s].flipped(diffs, unit, signs)
			most = max(most, under[s])
			if math.IsInf(under[s], 1) {
				alike = max(alike, len(summed[s].units))
			}
		}
		for s := range tests {
			if t := math.Abs(tests[s].T); math.Abs(most-t+tie) < tie/2+rounding*t { // the shortcut does not decide who is extreme
				most = mostExactly(diffs, unit, signs, summed, under, most-2*tie-rounding*most)
				break
			}
		}
		for s := range tests {
			if math.IsInf(tests[s].T, 0) {
				extreme[s] += indicator(alike >= len(summed[s].units))
				continue
			}
			extreme[s] += indicator(most >= math.Abs(tests[s].T)-tie)
		}
	})
	for s := range tests {
		tests[s].Adjusted = extreme[s] / all
		if math.IsNaN(tests[s].T) {
			tests[s].Adjusted = math.NaN()
		}
	}
	return tests, err
}

// flippedT is the mean and the t statistic of some differences under a pattern of signs.
func flippedT(diffs []float64, places, unit []int, signs []float64) (mean, t float64) {
	n := float64(len(places))
	if len(places) < 2 {
		if len(places) == 1 {
			mean = diffs[places[0]]
		} else {
			mean = math.NaN()
		}
		return mean, math.NaN()
	}
	for _, i := range places {
		mean += signs[unit[i]] * diffs[i]
	}
	mean /= n
	sum := 0.0
	for _, i := range places {
		d := signs[unit[i]]*diffs[i] - mean
		sum += d * d
	}
	if math.Sqrt(sum/n) <= tie*math.Abs(mean) { // all equal but for rounding
		sum = 0
	}
	return mean, ratio(mean, math.Sqrt(sum/(n-1)/n))
}

// rounding is how far the shortcut may be from the statistic, as a share of it.
const rounding = 1e-14

// mostExactly is the largest |t| of the slices that reach a bound by the shortcut, without it.
func mostExactly(diffs []float64, unit []int, signs []float64, summed []summedSlice, under []float64, bound float64) float64 {
	most := 0.0
	for s := range summed {
		if under[s] < bound {
			continue
		}
		if _, t := flippedT(diffs, summed[s].places, unit, signs); math.Abs(t) > most {
			most = math.Abs(t)
		}
	}
	return most
}

// summedSlice has of a slice what a pattern of signs needs: the sum of the differences of each unit, and of all squares, which no sign
// changes.
type summedSlice struct {
	places  []int
	units   []int
	sums    []float64
	squares float64
}

func sumSlice(diffs []float64, places, unit []int) summedSlice {
	s := summedSlice{places: places}
	at := map[int]int{}
	for _, i := range places {
		if diffs[i] == 0 {
			continue
		}
		k, known := at[unit[i]]
		if !known {
			k = len(s.units)
			at[unit[i]] = k
			s.units, s.sums = append(s.units, unit[i]), append(s.sums, 0)
		}
		s.sums[k] += diffs[i]
		s.squares += diffs[i] * diffs[i]
	}
	return s
}

// flipped is the size of the t statistic under a pattern of signs, equal to that of [flippedT] but for rounding; 0 where there is none.
func (s *summedSlice) flipped(diffs []float64, unit []int, signs []float64) float64 {
	if len(s.places) < 2 || s.squares == 0 {
		return 0
	}
	sum := 0.0
	for k, u := range s.units {
		sum += signs[u] * s.sums[k]
	}
	n := float64(len(s.places))
	left := s.squares - sum*sum/n
	if left < s.squares/4 { // too little to be told from rounding
		_, t := flippedT(diffs, s.places, unit, signs)
		return math.Abs(t)
	}
	return math.Abs(sum) / n / math.Sqrt(left/(n-1)/n)
}
