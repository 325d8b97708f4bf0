package stats

import (
	"fmt"
	"math"
)

// tie is the distance within which two statistics count as equal, so that rounding does not decide who is extreme.
const tie = 1e-12

// ExactFlips is the largest number of units whose sign patterns are all enumerated by [SignFlip]; MaxFlips the largest
// that can be when asked for.
const (
	ExactFlips = 12
	MaxFlips   = 24
)

// Flips says which sign patterns a permutation test compares with the observed one. Draws of 0 means all 2^units
// patterns, at most [MaxFlips] units; otherwise so many random patterns from the stream of Seed, one sign for each
// unit in order, to which the observed pattern is added.
type Flips struct {
	Seed  uint64
	Draws int
}

// FlipsFor is the recommended choice: all patterns up to [ExactFlips] units, else 9999 draws.
func FlipsFor(units int, seed uint64) Flips {
	if units <= ExactFlips {
		return Flips{}
	}
	return Flips{Seed: seed, Draws: 9999}
}

// SignFlipTest is the outcome of [SignFlip].
type SignFlipTest struct {
	Mean     float64 `json:"mean"`
	Units    int     `json:"units"` // that were flipped as a whole
	TwoSided float64 `json:"p_two_sided"`
	Less     float64 `json:"p_less"`    // one-sided, for a mean below 0
	Greater  float64 `json:"p_greater"` // one-sided, for a mean above 0
}

// SignFlip is the permutation test of a mean difference of 0: were baseline and candidate exchangeable, each difference
// could as well have the other sign. With cluster labels, one for each difference, clusters are flipped as a whole; nil
// means that every difference stands alone. The p value is the share of patterns at least as extreme as the observed
// one, which is among them. It fails without differences, on values that are not finite, on labels of another length
// and on too many units for an enumeration.
func SignFlip(diffs []float64, clusters []int, flips Flips) (SignFlipTest, error) {
	if err := sample("sign flip test", diffs, 1); err != nil {
		return SignFlipTest{}, err
	}
	sums := diffs
	if clusters != nil {
		if len(clusters) != len(diffs) {
			return SignFlipTest{}, fmt.Errorf("sign flip test: %d differences but %d cluster labels", len(diffs), len(clusters))
		}
		sums = nil
		for _, members := range groupsOf(clusters) {
			sum := 0.0
			for _, i := range members {
				sum += diffs[i]
			}
			sums = append(sums, sum)
		}
	}
	n := float64(len(diffs))
	r := SignFlipTest{Units: len(sums)}
	for _, s := range sums {
		r.Mean += s / n
	}
	var two, less, greater float64
	all, err := eachPattern(len(sums), flips, func(signs []float64) {
		mean := 0.0
		for i, s := range sums {
			mean += signs[i] * s / n
		}
		two += indicator(math.Abs(mean) >= math.Abs(r.Mean)-tie)
		less += indicator(mean <= r.Mean+tie)
		greater += indicator(mean >= r.Mean-tie)
	})
	r.TwoSided, r.Less, r.Greater = two/all, less/all, greater/all
	return r, err
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// eachPattern calls visit with the observed pattern of signs, all +1, and with those that flips asks for. It returns
// how many there were.
func eachPattern(units int, flips Flips, visit func(signs []float64)) (float64, error) {
	signs := make([]float64, units)
	if flips.Draws > 0 {
		for i := range signs {
			signs[i] = 1
		}
		visit(signs)
		random := NewSplitMix64(flips.Seed)
		for range flips.Draws {
			for i := range signs {
				signs[i] = random.Sign()
			}
			visit(signs)
		}
		return float64(flips.Draws + 1), nil
	}
	if units > MaxFlips {
		return math.NaN(), fmt.Errorf("permutation test: %d units are too many to try all signs; ask for random draws", units)
	}
	for pattern := range 1 << units {
		for i := range signs {
			signs[i] = 1 - 2*float64(pattern>>i&1)
		}
		visit(signs)
	}
	return float64(int(1) << units), nil
}

// SliceTest is the test of one slice by [MaxT].
type SliceTest struct {
	N        int     `json:"n"`
	Mean     float64 `json:"mean"`
	T        float64 `json:"t"`          // of the mean difference; NaN with fewer than two differences
	Adjusted float64 `json:"p_adjusted"` // corrected for having looked at all slices
}

// MaxT tests all slices of the differences at once: the adjusted p value of a slice is the share of sign patterns in
// which any slice has a |t| at least as large (Westfall and Young 1993), so the chance of any false alarm is bounded,
// however the slices overlap. Slices hold places in diffs. With cluster labels clusters are flipped as a whole. Of two
// slices whose differences are all the same, which makes both |t| infinite, that with more units is the larger: it is so
// by chance more rarely, in 2 of 2^units patterns. Slices with fewer than two differences get NaN and take no part. It
// fails on values that are not finite, on places outside diffs and as [SignFlip] does.
func MaxT(diffs []float64, slices [][]int, clusters []int, flips Flips) ([]SliceTest, error) {
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

// unitsOf numbers the units that are flipped as a whole: the clusters, or every difference for itself.
func unitsOf(n int, clusters []int) (unit []int, units int, err error) {
	if clusters != nil && len(clusters) != n {
		return nil, 0, fmt.Errorf("permutation test: %d differences but %d cluster labels", n, len(clusters))
	}
	unit = make([]int, n)
	if clusters == nil {
		for i := range unit {
			unit[i] = i
		}
		return unit, n, nil
	}
	groups := groupsOf(clusters)
	for u, members := range groups {
		for _, i := range members {
			unit[i] = u
		}
	}
	return unit, len(groups), nil
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
