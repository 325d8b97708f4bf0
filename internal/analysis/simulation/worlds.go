package simulation

import (
	"math"

	"github.com/rag-workbench/workbench/internal/stats"
)

// ScoreKind is the kind of scores that the judge of a simulated world gives.
type ScoreKind string

// The kinds of scores.
const (
	YesNoScores    ScoreKind = "binary"   // 0 or 1
	RubricScores   ScoreKind = "rubric"   // 1 to 5
	FractionScores ScoreKind = "fraction" // the share of 3 to 8 claims that is supported
)

// NoiseWorld is a made-up pair of runs whose truth is known: some questions really got worse, some better, and the judge
// errs at a known rate.
type NoiseWorld struct {
	Scores       ScoreKind `json:"scores"`
	Even         bool      `json:"even_noise"` // every question is misjudged alike; else most never and a few half of the time
	Flip         float64   `json:"flip"`       // mean share of misjudged votes, in [0, 0.5)
	Questions    int       `json:"questions"`
	Regressions  int       `json:"regressions"`
	Improvements int       `json:"improvements"`
	Pinned       int       `json:"pinned"` // votes that the baseline has from the start; 0 is 1
}

// simulated is one draw of a world.
type simulated struct {
	scale     *stats.GuardScale
	delta     float64 // a smaller fall is none
	worse     []bool  // by question
	vote      func(r *stats.SplitMix64, arm, question int) float64
	questions int
}

// draw draws the truth of a world.
func (w NoiseWorld) draw(r *stats.SplitMix64) simulated {
	rates := make([]float64, w.Questions)
	for i := range rates {
		rates[i] = w.Flip
		if !w.Even && w.Flip > 0 {
			rates[i] = 0.5 * betaBelow1(r, 2*w.Flip, 1-2*w.Flip)
		}
	}
	switch w.Scores {
	case RubricScores:
		return w.drawRubric(r, rates)
	case FractionScores:
		return w.drawFraction(r, rates)
	case YesNoScores:
	}
	return w.drawYesNo(r, rates)
}

// betaBelow1 draws from a beta distribution with both parameters below 1 (Jöhnk 1964).
func betaBelow1(r *stats.SplitMix64, a, b float64) float64 {
	for {
		x, y := math.Pow(r.Float64(), 1/a), math.Pow(r.Float64(), 1/b)
		if sum := x + y; sum <= 1 && sum > 0 {
			return x / sum
		}
	}
}

// change draws which questions get worse and which better, among those that can; each gets one change at most.
func (w NoiseWorld) change(r *stats.SplitMix64, canFall, canRise func(i int) bool, fall, rise func(i int)) []bool {
	worse := make([]bool, w.Questions)
	down, up := w.Regressions, w.Improvements
	for _, i := range r.Permutation(w.Questions) {
		switch {
		case down > 0 && canFall(i):
			fall(i)
			worse[i], down = true, down-1
		case up > 0 && canRise(i):
			rise(i)
			up--
		}
	}
	return worse
}

// drawYesNo has 80% good answers; what gets worse or better turns round, unless the judge hardly knows it (above 35%).
func (w NoiseWorld) drawYesNo(r *stats.SplitMix64, rates []float64) simulated {
	good := [2][]bool{make([]bool, w.Questions), make([]bool, w.Questions)}
	for i := range good[0] {
		good[0][i] = r.Float64() < 0.8
		good[1][i] = good[0][i]
	}
	turn := func(i int) { good[1][i] = !good[1][i] }
	known := func(i int) bool { return rates[i] <= 0.35 }
	worse := w.change(r, func(i int) bool { return good[0][i] && known(i) },
		func(i int) bool { return !good[0][i] && known(i) }, turn, turn)
	return simulated{scale: stats.BinaryScale(), delta: 0.30, worse: worse, questions: w.Questions,
		vote: func(r *stats.SplitMix64, arm, i int) float64 {
			if (r.Float64() < rates[i]) != good[arm][i] {
				return 1
			}
			return 0
		}}
}

// drawRubric has mostly good levels; a vote moves one level, reflected at the ends. Answers fall by one to three levels from
// level 3 on and rise by one or two up to level 3.
func (w NoiseWorld) drawRubric(r *stats.SplitMix64, rates []float64) simulated {
	level := [2][]float64{make([]float64, w.Questions), make([]float64, w.Questions)}
	for i := range level[0] {
		level[0][i] = 1 + float64(pick(r, 0.08, 0.10, 0.12, 0.25))
		level[1][i] = level[0][i]
	}
	worse := w.change(r, func(i int) bool { return level[0][i] >= 3 }, func(i int) bool { return level[0][i] <= 3 },
		func(i int) { level[1][i] = max(1, level[0][i]-1-float64(pick(r, 0.40, 0.35))) },
		func(i int) { level[1][i] = level[0][i] + 1 + float64(pick(r, 0.5)) })
	return simulated{scale: stats.OrdinalScale(5), delta: 1, worse: worse, questions: w.Questions,
		vote: func(r *stats.SplitMix64, arm, i int) float64 {
			v := level[arm][i]
			switch u := r.Float64(); {
			case u < rates[i]/2:
				v--
			case u < rates[i]:
				v++
			}
			if v < 1 {
				return 2
			}
			if v > 5 {
				return 4
			}
			return v
		}}
}

// pick is the number of the first share that a draw falls into, and their number when it falls into none.
func pick(r *stats.SplitMix64, shares ...float64) int {
	u := r.Float64()
	for i, s := range shares {
		if u -= s; u < 0 {
			return i
		}
	}
	return len(shares)
}

// drawFraction has answers of 3 to 8 claims, of which one more or fewer is seen in a vote; each claim's verdict errs by
// itself. Six of ten answers are wholly supported. What gets worse loses 0.4 to 0.8 of its support.
func (w NoiseWorld) drawFraction(r *stats.SplitMix64, rates []float64) simulated {
	claims := make([]int, w.Questions)
	share := [2][]float64{make([]float64, w.Questions), make([]float64, w.Questions)}
	for i := range claims {
		claims[i] = 3 + r.Below(6)
		share[0][i] = 1
		if r.Float64() >= 0.6 {
			share[0][i] = 0.2 + 0.8*r.Float64()
		}
		share[1][i] = share[0][i]
	}
	step := func() float64 { return 0.4 + 0.4*r.Float64() }
	worse := w.change(r, func(i int) bool { return share[0][i] >= 0.5 }, func(i int) bool { return share[0][i] <= 0.6 },
		func(i int) { share[1][i] = max(0, share[0][i]-step()) }, func(i int) { share[1][i] = min(1, share[0][i]+step()) })
	return simulated{scale: stats.UnitScale(), delta: 0.20, worse: worse, questions: w.Questions,
		vote: func(r *stats.SplitMix64, arm, i int) float64 {
			n := claims[i] + r.Below(3) - 1
			held := int(math.Round(share[arm][i] * float64(n)))
			seen := 0
			for c := range n {
				if (r.Float64() < rates[i]) != (c < held) {
					seen++
				}
			}
			return float64(seen) / float64(n)
		}}
}
