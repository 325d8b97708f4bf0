package main

import (
	"fmt"
	"math"

	"github.com/rag-workbench/workbench/internal/stats"
)

// levels is the number of points that people gave.
const levels = 4

// fit is how well the guard's model of noise predicts by how much two people differ.
type fit struct {
	items               int
	sd, icc, p          float64
	observed, predicted [levels]float64 // shares of pairs that differ by 0, 1, 2, 3
	drawn               float64         // disagreement of two ratings drawn with replacement
}

// fitKernel learns the weights of qualities and noise scales from each half of the answers and predicts the other half. The
// test takes one pair of each answer, so that pairs are independent; the shares take all pairs, each answer weighing the same.
func fitKernel(ratings [][]float64, seed uint64) (fit, error) {
	if len(ratings) < 20 {
		return fit{}, fmt.Errorf("%d answers have two ratings; at least 20 are needed", len(ratings))
	}
	floor := stats.Noise(ratings)
	f := fit{items: len(ratings), sd: math.Sqrt(floor.Within), icc: stats.OneWay(ratings).ICC1}
	r := stats.NewSplitMix64(seed)
	order := r.Permutation(len(ratings))
	var counts, expected [levels]float64
	for half := range 2 {
		var train, test [][]float64
		for place, i := range order {
			if place%2 == half {
				test = append(test, ratings[i])
			} else {
				train = append(train, ratings[i])
			}
		}
		predicted, err := predict(train)
		if err != nil {
			return f, err
		}
		for _, own := range test {
			pair := r.Permutation(len(own))
			counts[distance(own[pair[0]], own[pair[1]])]++
			for d := range levels {
				expected[d] += predicted[d]
				f.predicted[d] += predicted[d] / float64(len(ratings))
			}
			addPairs(&f, own, 1/float64(len(ratings)))
		}
	}
	f.p = chiSquare(counts, expected)
	return f, nil
}

// addPairs adds the shares of an answer's pairs by distance, and the chance that two draws with replacement differ.
func addPairs(f *fit, own []float64, weight float64) {
	n := float64(len(own))
	for i, a := range own {
		for _, b := range own[:i] {
			f.observed[distance(a, b)] += weight * 2 / (n * (n - 1))
			if a != b {
				f.drawn += weight * 2 / (n * n)
			}
		}
	}
}

func distance(a, b float64) int { return int(math.Abs(a - b)) }

// predict is the distribution of the difference between two ratings of the same answer under the weights that the guard
// learns from these ratings.
func predict(ratings [][]float64) ([levels]float64, error) {
	var out [levels]float64
	scale := stats.OrdinalScale(levels)
	rules := stats.DefaultGuardRules(len(ratings))
	rules.Calibration = 0
	first, rest := make([][]float64, len(ratings)), make([][]float64, len(ratings))
	for i, own := range ratings {
		first[i], rest[i] = own[1:], own[:1]
	}
	g, err := stats.NewGuard(scale, rules, 0, first, rest)
	if err != nil {
		return out, err
	}
	mix := g.Summary().Mix
	centres := []float64{1, 2, 3, 4}
	for t, sigma := range scale.Sigmas {
		for k, theta := range scale.Theta {
			row := stats.NormalKernel(theta, sigma, centres, 0.5, 0.03)
			for a, p := range row {
				for b, q := range row {
					out[distance(float64(a), float64(b))] += mix.Sigma[t] * mix.Theta[k] * p * q
				}
			}
		}
	}
	return out, nil
}

// chiSquare tests counts against expectations; cells that expect fewer than five go to the one before.
func chiSquare(counts, expected [levels]float64) float64 {
	var seen, awaited []float64
	for d := range counts {
		if last := len(seen) - 1; last >= 0 && expected[d] < 5 {
			seen[last], awaited[last] = seen[last]+counts[d], awaited[last]+expected[d]
			continue
		}
		seen, awaited = append(seen, counts[d]), append(awaited, expected[d])
	}
	x := 0.0
	for i := range seen {
		x += (seen[i] - awaited[i]) * (seen[i] - awaited[i]) / awaited[i]
	}
	return stats.ChiSquareTail(x, float64(len(seen)-1))
}
