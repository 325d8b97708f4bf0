package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Adjusted p values: an hypothesis is rejected at a level when its adjusted p value is at most that level. They are in
// the order of the input, monotone in the p values, and at most 1. All functions fail when a p value is outside [0, 1].

// BenjaminiHochberg bounds the expected share of false rejections for independent or positively dependent tests
// (Benjamini and Hochberg 1995).
func BenjaminiHochberg(p []float64) ([]float64, error) {
	return stepwise("Benjamini-Hochberg", p, true, func(rank int) float64 { return float64(len(p)) / float64(rank) })
}

// stepwise multiplies the p value of each rank, from 1 for the smallest, by a factor and makes the products monotone:
// downwards from the largest p value or upwards from the smallest.
func stepwise(method string, p []float64, fromLargest bool, factor func(rank int) float64) ([]float64, error) {
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("%s: p value %d is %v", method, i, v)
		}
	}
	order, adjusted := ascending(p), make([]float64, len(p))
	for rank, i := range order {
		adjusted[i] = min(1, factor(rank+1)*p[i])
	}
	if fromLargest {
		for k := len(order) - 2; k >= 0; k-- {
			adjusted[order[k]] = min(adjusted[order[k]], adjusted[order[k+1]])
		}
	} else {
		for k := 1; k < len(order); k++ {
			adjusted[order[k]] = max(adjusted[order[k]], adjusted[order[k-1]])
		}
	}
	return adjusted, nil
}

// ascending returns the places of the values from the smallest to the largest, equal ones in order.
func ascending(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return order
}

// LocalFDRSet selects by local false discovery rates: the largest prefix of the ascending rates whose mean is at most q,
// less those above limit. The sum of the selected rates is the expected number of false selections. It returns the
// selected places, ascending, and the running means of the sorted rates; it fails on a rate outside [0, 1].
func LocalFDRSet(rates []float64, q, limit float64) (selected []int, running []float64, err error) {
	for i, v := range rates {
		if !(v >= 0 && v <= 1) {
			return nil, nil, fmt.Errorf("local false discovery rates: rate %d is %v", i, v)
		}
	}
	order, prefix, sum := ascending(rates), 0, 0.0
	for k, i := range order {
		sum += rates[i]
		running = append(running, sum/float64(k+1))
		if running[k] <= q {
			prefix = k + 1
		}
	}
	for _, i := range order[:prefix] {
		if rates[i] <= limit {
			selected = append(selected, i)
		}
	}
	slices.Sort(selected)
	return selected, running, nil
}
