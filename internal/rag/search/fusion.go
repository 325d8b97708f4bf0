package search

import (
	"math"
	"slices"
)

// The ways of joining two rankings.
const (
	FusionRRF    = "rrf"
	FusionConvex = "convex"
)

// RRFConstant is the constant of Cormack, Clarke and Büttcher (2009).
const RRFConstant = 60

// Fuse merges rankings by reciprocal rank: the sum of weight / (constant + rank), ranks counted from 1. A chunk that a ranking does
// not hold gets nothing from it. No weights are equal ones.
func Fuse(n, constant int, weights []float64, rankings ...[]Ranked) []Ranked {
	scores := map[int]float64{}
	for i, ranking := range rankings {
		weight := 1.0
		if i < len(weights) {
			weight = weights[i]
		}
		for rank, r := range ranking {
			scores[r.Chunk] += weight / float64(constant+rank+1)
		}
	}
	return best(n, scores)
}

func best(n int, scores map[int]float64) []Ranked {
	all := make([]Ranked, 0, len(scores))
	for chunk, score := range scores {
		all = append(all, Ranked{Chunk: chunk, Score: score})
	}
	return Top(all, n)
}

// The ways of bringing the scores of two rankings to one scale.
const (
	NormMinMax      = "min-max"     // the best is 1 and the worst 0
	NormZ           = "z"           // in standard deviations from the mean
	NormTheoretical = "theoretical" // like min-max, with the least score there can be: 0 of BM25, −1 of a cosine
)

// Convex is alpha · dense + (1 − alpha) · words, over normalised scores (Bruch, Gai, Ingber 2023). A chunk that a ranking does not
// hold gets 0 from it.
func Convex(n int, alpha float64, norm string, dense, words []Ranked) []Ranked {
	scores := map[int]float64{}
	add := func(weight, least float64, ranking []Ranked) {
		for i, v := range normalised(norm, least, ranking) {
			scores[ranking[i].Chunk] += weight * v
		}
	}
	add(alpha, -1, dense)
	add(1-alpha, 0, words)
	return best(n, scores)
}

// normalised are the scores of a ranking on a common scale. Equal scores, and a single one, are 1 under min-max: ranx gives 0, as if
// nothing had been found.
func normalised(norm string, least float64, ranking []Ranked) []float64 {
	if len(ranking) == 0 {
		return nil
	}
	out := make([]float64, len(ranking))
	for i, r := range ranking {
		out[i] = r.Score
	}
	if norm == NormZ {
		return standardised(out)
	}
	low, high := slices.Min(out), slices.Max(out)
	if norm == NormTheoretical {
		low = least
	}
	for i, v := range out {
		out[i] = 1
		if high > low {
			out[i] = (v - low) / (high - low)
		}
	}
	return out
}

func standardised(values []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		square += (v - mean) * (v - mean) / float64(len(values))
	}
	deviation := math.Sqrt(square)
	for i, v := range values {
		values[i] = 0
		if deviation > 0 {
			values[i] = (v - mean) / deviation
		}
	}
	return values
}
