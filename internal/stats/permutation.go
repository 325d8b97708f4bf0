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

// SliceTest is the test of one slice by [StepDown].
type SliceTest struct {
	N        int     `json:"n"`
	Mean     float64 `json:"mean"`
	T        float64 `json:"t"`          // moderated, of the sums of its units; NaN with fewer than two differences
	Adjusted float64 `json:"p_adjusted"` // corrected for having looked at all slices
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
