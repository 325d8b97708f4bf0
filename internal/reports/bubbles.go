package reports

import (
	"slices"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
)

// steps is the number of scores of correctness and of trust.
const steps = 5

// grid counts answers by score: grid[t-1][c-1] is the number of answers with trust t and correctness c. A square holds
// either only low-score answers or none.
type grid [steps][steps]int

// grid counts the answers that have both scores.
func (s side) grid(threshold float64) (g grid, shown int) {
	for _, r := range s.rows {
		c, okC := r.result.Value(correctness)
		t, okT := r.result.Value(trust)
		if okC && okT {
			g[analysiscompare.Square(t, threshold)-1][analysiscompare.Square(c, threshold)-1]++
			shown++
		}
	}
	return g, shown
}

// lowSquare reports whether the answers of a square are low-score answers.
func lowSquare(correctness, trust int, threshold float64) bool {
	return float64(correctness) <= threshold || float64(trust) <= threshold
}

func (g grid) largest() int {
	most := 0
	for _, line := range g {
		most = max(most, slices.Max(line[:]))
	}
	return most
}

// bubble is one circle of the chart.
type bubble struct{ correctness, trust, count int }

// bubbles lists the squares that hold answers, low-score ones apart from the rest.
func (g grid) bubbles(threshold float64) (low, rest []bubble) {
	for t := 1; t <= steps; t++ {
		for c := 1; c <= steps; c++ {
			n := g[t-1][c-1]
			switch {
			case n == 0:
			case lowSquare(c, t, threshold):
				low = append(low, bubble{c, t, n})
			default:
				rest = append(rest, bubble{c, t, n})
			}
		}
	}
	return low, rest
}
