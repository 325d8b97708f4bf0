package main

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/stats"
)

// planted is the number of answers that get worse in a comparison.
const planted = 10

// row is what one way to tell did over all comparisons: with planted drops (0) and with nothing changed (1).
type row struct {
	name                string
	found, wrong, extra [2]float64
}

func (r *row) add(alike int, worse, flagged []bool, extra int) {
	for i, f := range flagged {
		switch {
		case f && worse[i]:
			r.found[alike]++
		case f:
			r.wrong[alike]++
		}
	}
	r.extra[alike] += float64(extra)
}

// play draws comparisons whose votes are ratings that the answers really got.
func play(ratings [][]float64, runs int, seed uint64) ([]row, int, error) {
	rows := []row{{name: "any drop"}, {name: "mean of three"}, {name: "guard"}}
	for alike := range 2 {
		for run := range runs {
			r := stats.NewSplitMix64(stats.NewSplitMix64(seed + uint64(alike)<<32 + uint64(run)).Uint64())
			fall := make([]float64, len(ratings))
			if alike == 0 {
				if err := plant(r, ratings, fall); err != nil {
					return nil, 0, err
				}
			}
			if err := compare(r, ratings, fall, alike, rows); err != nil {
				return nil, 0, err
			}
		}
	}
	return rows, len(ratings), nil
}

// plant chooses answers rated 3 or better on average and takes one or two points from their ratings.
func plant(r *stats.SplitMix64, ratings [][]float64, fall []float64) error {
	left := planted
	for _, i := range r.Permutation(len(ratings)) {
		if left > 0 && stats.Mean(ratings[i]) >= 3 {
			fall[i] = 1 + float64(r.Below(2))
			left--
		}
	}
	if left > 0 {
		return fmt.Errorf("only %d answers are good enough to get worse", planted-left)
	}
	return nil
}

func compare(r *stats.SplitMix64, ratings [][]float64, fall []float64, alike int, rows []row) error {
	n := len(ratings)
	vote := func(arm, i int) float64 {
		v := ratings[i][r.Below(len(ratings[i]))]
		if arm == 1 {
			v = max(1, v-fall[i])
		}
		return v
	}
	var three [2][][]float64
	start := [2][][]float64{make([][]float64, n), make([][]float64, n)}
	worse, any1, mean3, guard := make([]bool, n), make([]bool, n), make([]bool, n), make([]bool, n)
	for arm := range three {
		for i := range n {
			three[arm] = append(three[arm], []float64{vote(arm, i), vote(arm, i), vote(arm, i)})
			start[arm][i] = three[arm][i][:1]
		}
	}
	for i := range n {
		worse[i] = fall[i] > 0
		any1[i] = three[1][i][0] < three[0][i][0]
		mean3[i] = stats.Mean(three[0][i])-stats.Mean(three[1][i]) >= 1-1e-9
	}
	g, err := stats.NewGuard(stats.OrdinalScale(levels), stats.DefaultGuardRules(n), r.Uint64(), start[0], start[1])
	if err != nil {
		return err
	}
	for step := g.Next(); !step.Empty(); step = g.Next() {
		var votes [2][]float64
		for arm, items := range [2][]int{step.Baseline, step.Candidate} {
			for _, i := range items {
				votes[arm] = append(votes[arm], vote(arm, i))
			}
		}
		if err := g.Add(votes[0], votes[1]); err != nil {
			return err
		}
	}
	for i, v := range g.Verdicts() {
		guard[i] = v.Label == stats.Confirmed
	}
	rows[0].add(alike, worse, any1, 0)
	rows[1].add(alike, worse, mean3, 4*n)
	rows[2].add(alike, worse, guard, g.Summary().Spent)
	return nil
}
