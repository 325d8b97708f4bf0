package stats

import (
	"fmt"
	"math"
)

// Winner is the best of several candidates, with its score shrunk, from [ShrunkWinner].
type Winner struct {
	Means  []float64 `json:"means"`
	Noise  float64   `json:"noise_var"` // variance of each mean by noise: two-way residual variance over items
	Factor float64   `json:"factor"`    // share of the spread of the means that is not noise, in [0, 1]
	Index  int       `json:"winner"`    // the first candidate with the highest mean
	Raw    float64   `json:"raw"`       // its mean: too high, because it was chosen for being high
	Shrunk float64   `json:"shrunk"`    // its mean pulled to the mean of all by 1 - Factor
}

// ShrunkWinner picks the best candidate of scores[candidate][item] and corrects its mean for the selection: the factor
// is max(0, 1 - noise/variance of the means with ddof 1). It fails unless all candidates have a score for each of at
// least two items, on fewer than two candidates and on values that are not finite.
func ShrunkWinner(scores [][]float64) (Winner, error) {
	cells, err := twoWay("winner", scores)
	if err != nil {
		return Winner{}, err
	}
	n, k := float64(len(scores[0])), float64(len(scores))
	r := Winner{Noise: cells.residual / ((n - 1) * (k - 1)) / n}
	for i, row := range scores {
		r.Means = append(r.Means, Mean(row))
		if r.Means[i] > r.Means[r.Index] {
			r.Index = i
		}
	}
	if spread := Variance(r.Means, 1); spread > 0 {
		r.Factor = max(0, 1-r.Noise/spread)
	}
	r.Raw = r.Means[r.Index]
	grand := Mean(r.Means)
	r.Shrunk = grand + r.Factor*(r.Raw-grand)
	return r, nil
}

// ParetoFront returns the places, ascending, of the points that no other point dominates: is at least as good in every
// coordinate and better in one. better[c] is +1 when coordinate c is better high, -1 when better low. Equal points do
// not dominate each other. It fails on points of another length and on NaN.
func ParetoFront(points [][]float64, better []float64) ([]int, error) {
	for i, p := range points {
		if len(p) != len(better) {
			return nil, fmt.Errorf("front of Pareto: point %d has %d coordinates, not %d", i, len(p), len(better))
		}
		for c, v := range p {
			if math.IsNaN(v) {
				return nil, fmt.Errorf("front of Pareto: coordinate %d of point %d is not a number", c, i)
			}
		}
	}
	dominates := func(a, b []float64) bool {
		ahead := false
		for c, sign := range better {
			x, y := sign*a[c], sign*b[c]
			if x < y {
				return false
			}
			ahead = ahead || x > y
		}
		return ahead
	}
	var front []int
	for i, p := range points {
		beaten := false
		for _, other := range points {
			beaten = beaten || dominates(other, p)
		}
		if !beaten {
			front = append(front, i)
		}
	}
	return front, nil
}

// FriedmanTest is the outcome of [Friedman].
type FriedmanTest struct {
	Statistic float64   `json:"statistic"` // chi-square with columns-1 degrees of freedom, corrected for ties
	P         float64   `json:"p"`
	RankSums  []float64 `json:"rank_sums"` // of the columns; the highest value of a row has the highest rank
}

// Rung is one step of a race: so many candidates are scored on the first Items items.
type Rung struct {
	Candidates int `json:"candidates"`
	Items      int `json:"items"`
}

// HalvingSchedule plans successive halving: each rung keeps 1/eta of the candidates, rounded up, and gives the rest eta
// times the items, until the last rung has all of them. There are floor(log_eta candidates) rungs, at least one, and the
// first has items/eta^(rungs-1) items, rounded up. Scores of earlier items are kept, so the evaluations to pay are
// [Evaluations]. It fails without candidates or items and on an eta below 2.
func HalvingSchedule(candidates, items, eta int) ([]Rung, error) {
	if candidates < 1 || items < 1 || eta < 2 {
		return nil, fmt.Errorf("successive halving: %d candidates, %d items, factor %d", candidates, items, eta)
	}
	rungs, scale := 1, 1
	for c := candidates / eta; c >= eta; c /= eta {
		rungs, scale = rungs+1, scale*eta
	}
	var plan []Rung
	n := (items + scale - 1) / scale
	for i := range rungs {
		if i == rungs-1 {
			n = items
		}
		plan = append(plan, Rung{candidates, min(n, items)})
		candidates, n = (candidates+eta-1)/eta, n*eta
	}
	return plan, nil
}

// Evaluations is the number of scores a race buys: every rung pays only for the items that its candidates have not seen.
func Evaluations(plan []Rung) int {
	sum, seen := 0, 0
	for _, r := range plan {
		sum += r.Candidates * max(0, r.Items-seen)
		seen = r.Items
	}
	return sum
}
