package stats

import (
	"fmt"
	"math"
	"slices"
)

// Distance says how far apart two ratings are, for [KrippendorffAlpha].
type Distance string

// The distances.
const (
	Nominal      Distance = "nominal"  // 0 when equal, else 1
	Ordinal      Distance = "ordinal"  // squared number of ratings between the two
	IntervalDist Distance = "interval" // squared difference
)

// KrippendorffAlpha is the agreement of any number of raters with missing ratings (Krippendorff 2004): ratings[i] holds
// the ratings of item i, NaN for a missing one. Items with fewer than two ratings do not count. It is NaN when there is
// no pair or no variation, and fails on an infinite rating or an unknown distance.
func KrippendorffAlpha(ratings [][]float64, distance Distance) (float64, error) {
	var units [][]float64
	var all []float64
	for i, row := range ratings {
		present := slices.DeleteFunc(slices.Clone(row), math.IsNaN)
		if err := finite("Krippendorff's alpha", present); err != nil {
			return 0, fmt.Errorf("item %d: %w", i, err)
		}
		if len(present) > 1 {
			units, all = append(units, present), append(all, present...)
		}
	}
	values := slices.Compact(slices.Sorted(slices.Values(all)))
	place := func(v float64) int { i, _ := slices.BinarySearch(values, v); return i }
	counts := make([]float64, len(values))
	for _, v := range all {
		counts[place(v)]++
	}
	apart, err := distances(values, counts, distance)
	if err != nil {
		return 0, err
	}
	observed, expected := 0.0, 0.0
	for _, unit := range units {
		sum := 0.0
		for _, a := range unit {
			for _, b := range unit {
				sum += apart[place(a)][place(b)]
			}
		}
		observed += sum / float64(len(unit)-1)
	}
	for a := range values {
		for b := range values {
			expected += counts[a] * counts[b] * apart[a][b]
		}
	}
	if len(all) > 1 {
		expected /= float64(len(all) - 1)
	}
	return beyond(observed, expected), nil
}

// distances tabulates the squared distances of the values, given how often each was rated.
func distances(values, counts []float64, distance Distance) ([][]float64, error) {
	apart := make([][]float64, len(values))
	for a := range values {
		apart[a] = make([]float64, len(values))
		for b := range values {
			d := 0.0
			switch distance {
			case Nominal:
				d = indicator(a != b)
			case Ordinal:
				low, high := min(a, b), max(a, b)
				for g := low; g <= high; g++ {
					d += counts[g]
				}
				d -= (counts[low] + counts[high]) / 2
			case IntervalDist:
				d = values[a] - values[b]
			default:
				return nil, fmt.Errorf("alpha of Krippendorff: the distance %q is not known", distance)
			}
			apart[a][b] = d * d
		}
	}
	return apart, nil
}

// VarianceAnalysis is the one-way analysis of variance of replicates within items, from [OneWay].
type VarianceAnalysis struct {
	Between   float64 `json:"ms_between"` // mean square between items
	Within    float64 `json:"ms_within"`  // mean square within items: the noise variance
	DFBetween int     `json:"df_between"`
	DFWithin  int     `json:"df_within"`
	ICC1      float64 `json:"icc1"`   // ICC(1,1): reliability of one replicate
	ICC1K     float64 `json:"icc1_k"` // ICC(1,k): reliability of the mean of an item's replicates
}

// OneWay analyses replicates[i], the scores of item i; items may have different numbers of them, and empty ones do not
// count. What the data cannot tell is NaN: Within without an item of two, Between with fewer than two items.
func OneWay(replicates [][]float64) VarianceAnalysis {
	var all []float64
	items, sizes2, within := 0, 0.0, 0.0
	for _, row := range replicates {
		if len(row) == 0 {
			continue
		}
		items++
		sizes2 += float64(len(row)) * float64(len(row))
		within += squares(row)
		all = append(all, row...)
	}
	n := float64(len(all))
	r := VarianceAnalysis{DFBetween: max(0, items-1), DFWithin: len(all) - items}
	between, mean := 0.0, Mean(all)
	for _, row := range replicates {
		if len(row) > 0 {
			d := Mean(row) - mean
			between += float64(len(row)) * d * d
		}
	}
	if allEqual(all) {
		between = 0
	}
	r.Between, r.Within = quotient(between, float64(r.DFBetween)), quotient(within, float64(r.DFWithin))
	k := quotient(n-sizes2/n, float64(r.DFBetween)) // the number of replicates, or its mean for this purpose
	r.ICC1 = quotient(r.Between-r.Within, r.Between+(k-1)*r.Within)
	r.ICC1K = quotient(r.Between-r.Within, r.Between)
	return r
}

// quotient is a/b, NaN when b is 0.
func quotient(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// ICC2 is ICC(2,1) of a complete table of items by raters (Shrout and Fleiss 1979): the reliability of one rater drawn
// from many, with their different severity counted as error. It is NaN without variance, and fails on a table that is
// not rectangular or smaller than 2 by 2.
func ICC2(table [][]float64) (float64, error) {
	cells, err := twoWay("ICC(2,1)", table)
	if err != nil {
		return 0, err
	}
	n, k := float64(len(table)), float64(len(table[0]))
	rows, columns := cells.rows/(n-1), cells.columns/(k-1)
	rest := cells.residual / ((n - 1) * (k - 1))
	return quotient(rows-rest, rows+(k-1)*rest+k*(columns-rest)/n), nil
}

// sumsOfSquares splits a table without replicates by the additive model.
type sumsOfSquares struct{ rows, columns, residual float64 }

func twoWay(method string, table [][]float64) (sumsOfSquares, error) {
	if len(table) < 2 || len(table[0]) < 2 {
		return sumsOfSquares{}, fmt.Errorf("%s: the table must have at least 2 rows and 2 columns", method)
	}
	n, k := len(table), len(table[0])
	columns, rows, grand := make([]float64, k), make([]float64, n), 0.0
	for i, row := range table {
		if len(row) != k {
			return sumsOfSquares{}, fmt.Errorf("%s: row %d has %d values, row 0 has %d", method, i, len(row), k)
		}
		if err := finite(method, row); err != nil {
			return sumsOfSquares{}, err
		}
		rows[i] = Mean(row)
		grand += rows[i] / float64(n)
		for j, v := range row {
			columns[j] += v / float64(n)
		}
	}
	var r sumsOfSquares
	for i, row := range table {
		r.rows += float64(k) * (rows[i] - grand) * (rows[i] - grand)
		for j, v := range row {
			e := v - rows[i] - columns[j] + grand
			r.residual += e * e
		}
	}
	for _, c := range columns {
		r.columns += float64(n) * (c - grand) * (c - grand)
	}
	return r, nil
}
