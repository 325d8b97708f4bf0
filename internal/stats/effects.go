package stats

import (
	"fmt"
	"math"
)

// MainEffects fits the additive model score = sum of one effect for each factor's level, and returns the least-squares
// mean of every level: what the model predicts when all levels of the other factors count alike. design[i][f] is the
// level, from 0, of factor f in run i. On a complete design these are the plain means by level; on a fraction of one
// they correct for what was left out. It fails when the design cannot tell the levels apart, on lists of different
// lengths and on values that are not finite.
func MainEffects(design [][]int, scores []float64) ([][]float64, error) {
	const method = "main effects"
	if err := sample(method, scores, 1); err != nil {
		return nil, err
	}
	levels, err := levelsOf(design, len(scores))
	if err != nil {
		return nil, err
	}
	// Effects are coded to sum to 0 over the levels of a factor: the last level is minus the sum of the others.
	columns := 1
	for _, l := range levels {
		columns += l - 1
	}
	normal := make([][]float64, columns) // the normal equations, with the right side as last column
	for c := range normal {
		normal[c] = make([]float64, columns+1)
	}
	for i, run := range design {
		row := coded(run, levels, columns)
		for a, x := range row {
			for b, y := range row {
				normal[a][b] += x * y
			}
			normal[a][columns] += x * scores[i]
		}
	}
	solution, ok := solve(normal)
	if !ok {
		return nil, fmt.Errorf("%s: the design cannot tell the levels of the factors apart; add runs", method)
	}
	means, at := make([][]float64, len(levels)), 1
	for f, l := range levels {
		rest := 0.0
		for _, effect := range solution[at : at+l-1] {
			means[f] = append(means[f], solution[0]+effect)
			rest -= effect
		}
		means[f] = append(means[f], solution[0]+rest)
		at += l - 1
	}
	return means, nil
}

// levelsOf is the number of levels of each factor.
func levelsOf(design [][]int, runs int) ([]int, error) {
	if len(design) != runs || len(design[0]) == 0 {
		return nil, fmt.Errorf("main effects: %d runs but %d scores, or no factors", len(design), runs)
	}
	levels := make([]int, len(design[0]))
	for i, run := range design {
		if len(run) != len(levels) {
			return nil, fmt.Errorf("main effects: run %d has %d factors, run 0 has %d", i, len(run), len(levels))
		}
		for f, l := range run {
			if l < 0 || l > 10_000 {
				return nil, fmt.Errorf("main effects: run %d has level %d of factor %d", i, l, f)
			}
			levels[f] = max(levels[f], l+1)
		}
	}
	return levels, nil
}

func coded(run, levels []int, columns int) []float64 {
	row := make([]float64, columns)
	row[0] = 1
	at := 1
	for f, l := range levels {
		if run[f] < l-1 {
			row[at+run[f]] = 1
		} else {
			for c := range l - 1 {
				row[at+c] = -1
			}
		}
		at += l - 1
	}
	return row
}

// solve eliminates a square system with its right side as last column, with pivoting; false when it is singular.
func solve(system [][]float64) ([]float64, bool) {
	n := len(system)
	for c := range n {
		pivot := c
		for r := c + 1; r < n; r++ {
			if math.Abs(system[r][c]) > math.Abs(system[pivot][c]) {
				pivot = r
			}
		}
		if math.Abs(system[pivot][c]) < 1e-9 {
			return nil, false
		}
		system[c], system[pivot] = system[pivot], system[c]
		for r := range n {
			if r == c {
				continue
			}
			factor := system[r][c] / system[c][c]
			for k := c; k <= n; k++ {
				system[r][k] -= factor * system[c][k]
			}
		}
	}
	solution := make([]float64, n)
	for c := range n {
		solution[c] = system[c][n] / system[c][c]
	}
	return solution, true
}
