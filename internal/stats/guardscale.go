package stats

import (
	"fmt"
	"math"
	"slices"
)

// GuardScale is a kind of score as the regression guard sees it: a grid of true qualities, the noise scales an item may
// have, and the probability of every observable score given both. Make one with [BinaryScale], [OrdinalScale] or
// [UnitScale]; it is not changed afterwards.
type GuardScale struct {
	Name   string
	Theta  []float64 // grid of true qualities, ascending
	Value  []float64 // what each of them is worth, on the scale of the scores; not descending
	Sigmas []float64 // noise scales; one item has one, in both arms
	Drop   float64   // default size of a regression, in units of Value

	cell    func(score float64) (int, bool)
	logs    [][][]float64 // [sigma][theta][cell]
	perCell []float64     // the score of each cell
}

// contamination is the share of scores that the kernels of graded scales spread evenly over all cells.
const contamination = 0.03

// BinaryScale is for scores that are 0 or 1: the quality is the probability of a 1. A regression is a fall by 0.30.
func BinaryScale() *GuardScale {
	theta := []float64{0.005, 0.02}
	for k := 1; k <= 19; k++ {
		theta = append(theta, float64(5*k)/100)
	}
	theta = append(theta, 0.98, 0.995)
	s, err := BinaryScaleOn(theta)
	if err != nil {
		panic(err) // the grid above is ascending
	}
	return s
}

// BinaryScaleOn is [BinaryScale] on another grid of probabilities, ascending within (0, 1).
func BinaryScaleOn(theta []float64) (*GuardScale, error) {
	kernel := make([][]float64, len(theta))
	for k, p := range theta {
		if !(p > 0 && p < 1) || k > 0 && p <= theta[k-1] {
			return nil, fmt.Errorf("guard scale: quality %d is %v; the grid must rise from above 0 to below 1", k, p)
		}
		kernel[k] = []float64{1 - p, p}
	}
	return &GuardScale{
		Name: "binary", Theta: slices.Clone(theta), Value: slices.Clone(theta), Sigmas: []float64{1}, Drop: 0.30,
		cell:    func(score float64) (int, bool) { return int(score), score == 0 || score == 1 },
		perCell: []float64{0, 1}, logs: logarithms([][][]float64{kernel}),
	}, nil
}

// OrdinalScale is for whole scores from 1 to levels, such as a rubric of 5: normal noise around the quality, cut at half
// integers, the end cells taking the tails. Qualities reach half a step beyond both ends but are worth at most the end.
// A regression is a fall by one level. Levels below 2 count as 2.
func OrdinalScale(levels int) *GuardScale {
	levels = max(2, levels)
	s := &GuardScale{Name: "ordinal", Sigmas: []float64{0.12, 0.3, 0.5, 0.8, 1.2}, Drop: 1}
	for k := 0; k <= 4*levels; k++ {
		theta := 0.5 + 0.25*float64(k)
		s.Theta = append(s.Theta, theta)
		s.Value = append(s.Value, max(1, min(float64(levels), theta)))
	}
	for c := range levels {
		s.perCell = append(s.perCell, float64(c+1))
	}
	s.cell = func(score float64) (int, bool) {
		return int(score) - 1, score == math.Trunc(score) && score >= 1 && score <= float64(levels)
	}
	s.logs = logarithms(s.normalKernels(0.5))
	return s
}

// UnitScale is for scores in [0, 1], such as shares: they fall into 21 cells, floor(20 score + 1/2), with normal noise
// around the quality. A regression is a fall by 0.20.
func UnitScale() *GuardScale {
	s := &GuardScale{Name: "unit", Sigmas: []float64{0.02, 0.06, 0.12, 0.2, 0.32}, Drop: 0.20}
	for k := range 21 {
		s.Theta = append(s.Theta, float64(k)/20)
	}
	s.Value, s.perCell = s.Theta, s.Theta
	s.cell = func(score float64) (int, bool) { return int(math.Floor(20*score + 0.5)), score >= 0 && score <= 1 }
	s.logs = logarithms(s.normalKernels(0.025))
	return s
}

func (s *GuardScale) normalKernels(half float64) [][][]float64 {
	kernels := make([][][]float64, len(s.Sigmas))
	for t, sigma := range s.Sigmas {
		for _, theta := range s.Theta {
			kernels[t] = append(kernels[t], NormalKernel(theta, sigma, s.perCell, half, contamination))
		}
	}
	return kernels
}

// NormalKernel is the probability of each cell for a score that is normal around theta with standard deviation sigma,
// cut into cells at their centres plus and minus half a width; the end cells take the tails. A share spread of the
// probability goes to all cells evenly.
func NormalKernel(theta, sigma float64, centres []float64, half, spread float64) []float64 {
	row, last := make([]float64, len(centres)), len(centres)-1
	for c, centre := range centres {
		// Whichever tail is nearer keeps its digits.
		upper, lower := (centre+half-theta)/sigma, (centre-half-theta)/sigma
		if c == last {
			upper = math.Inf(1)
		}
		if c == 0 {
			lower = math.Inf(-1)
		}
		p := NormalCDF(upper) - NormalCDF(lower)
		if lower > 0 {
			p = NormalCDF(-lower) - NormalCDF(-upper)
		}
		row[c] = (1-spread)*p + spread/float64(len(centres))
	}
	return row
}

func logarithms(kernels [][][]float64) [][][]float64 {
	for _, rows := range kernels {
		for _, row := range rows {
			for c := range row {
				row[c] = math.Log(row[c])
			}
		}
	}
	return kernels
}

// counts sorts scores into cells; it fails on a score that the scale does not have.
func (s *GuardScale) counts(scores []float64) ([]uint16, error) {
	counts := make([]uint16, len(s.perCell))
	for _, score := range scores {
		c, ok := s.cell(score)
		if !ok {
			return nil, fmt.Errorf("the score %v is not on the %s scale", score, s.Name)
		}
		counts[c]++
	}
	return counts, nil
}

// likelihood is the probability of counted scores at each sigma and theta, up to a common factor: the largest is 1, so
// that any number of scores stays clear of underflow.
func (s *GuardScale) likelihood(counts []uint16) [][]float64 {
	table, most := make([][]float64, len(s.Sigmas)), math.Inf(-1)
	for t := range table {
		table[t] = make([]float64, len(s.Theta))
		for k := range table[t] {
			sum := 0.0
			for c, n := range counts {
				if n > 0 {
					sum += float64(n) * s.logs[t][k][c]
				}
			}
			table[t][k] = sum
			most = max(most, sum)
		}
	}
	for _, row := range table {
		for k := range row {
			row[k] = math.Exp(row[k] - most)
		}
	}
	return table
}
