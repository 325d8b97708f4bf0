package stats

import (
	"fmt"
	"math"
	"slices"
)

// Agreement is how far two raters agree beyond chance, from [TwoRaters]. Coefficients are 1 for full agreement and 0 for
// chance; they are NaN where chance alone would agree fully.
type Agreement struct {
	N         int     `json:"n"`
	Percent   float64 `json:"percent_agreement"`        // share of equal ratings
	Kappa     float64 `json:"cohen_kappa"`              // Cohen 1960
	Linear    float64 `json:"weighted_kappa_linear"`    // disagreement grows with the distance of the levels
	Quadratic float64 `json:"weighted_kappa_quadratic"` // disagreement grows with its square
	AC1       float64 `json:"gwet_ac1"`                 // Gwet 2008; stable when one level is rare
	PABAK     float64 `json:"pabak"`                    // kappa adjusted for prevalence and bias
}

// TwoRaters compares the ratings that two raters gave the same items. Ratings are numbers of levels: any integers, whose
// distances are the weights of the weighted kappas. Levels is how many there are, which AC1 and PABAK need; a number
// below that of the levels seen is raised to it. It fails without items and on lists of different lengths.
func TwoRaters(a, b []int, levels int) (Agreement, error) {
	if len(a) != len(b) || len(a) == 0 {
		return Agreement{}, fmt.Errorf("agreement: %d ratings of one rater and %d of the other; both must rate the same items",
			len(a), len(b))
	}
	n := float64(len(a))
	countA, countB, equal := map[int]float64{}, map[int]float64{}, 0.0
	seenLinear, seenQuadratic := 0.0, 0.0
	for i := range a {
		countA[a[i]]++
		countB[b[i]]++
		gap := math.Abs(float64(a[i] - b[i]))
		equal += indicator(gap == 0)
		seenLinear, seenQuadratic = seenLinear+gap, seenQuadratic+gap*gap
	}
	seen := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	q := float64(max(levels, len(seen)))
	r := Agreement{N: len(a), Percent: equal / n}
	byChance, gwet, linear, quadratic := 0.0, 0.0, 0.0, 0.0
	for _, u := range seen {
		byChance += countA[u] * countB[u] / (n * n)
		share := (countA[u] + countB[u]) / (2 * n)
		gwet += share * (1 - share)
		for _, v := range seen {
			gap, weight := math.Abs(float64(u-v)), countA[u]*countB[v]/n
			linear, quadratic = linear+weight*gap, quadratic+weight*gap*gap
		}
	}
	r.Kappa = beyond(1-r.Percent, 1-byChance)
	if len(seen) == 1 {
		r.Kappa = math.NaN() // not left to rounding
	}
	r.Linear, r.Quadratic = beyond(seenLinear, linear), beyond(seenQuadratic, quadratic)
	r.AC1, r.PABAK = math.NaN(), math.NaN()
	if q > 1 {
		r.AC1 = beyond(1-r.Percent, 1-gwet/(q-1))
		r.PABAK = (q*r.Percent - 1) / (q - 1)
	}
	return r, nil
}

// beyond is 1 - observed/expected disagreement; NaN when none is expected.
func beyond(observed, expected float64) float64 {
	if expected <= 0 {
		return math.NaN()
	}
	return 1 - observed/expected
}

// Confusion counts yes-no verdicts against the truth.
type Confusion struct {
	TP int `json:"tp"` // truth yes, verdict yes
	FP int `json:"fp"` // truth no, verdict yes
	FN int `json:"fn"` // truth yes, verdict no
	TN int `json:"tn"` // truth no, verdict no
}

// SpearmanBrown predicts the reliability of k parallel measurements from that of one: k r / (1 + (k-1) r).
func SpearmanBrown(r, k float64) float64 { return k * r / (1 + (k-1)*r) }
