package stats

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Adjusted p values: an hypothesis is rejected at a level when its adjusted p value is at most that level. They are in
// the order of the input, monotone in the p values, and at most 1. All functions fail when a p value is outside [0, 1].

// Bonferroni multiplies each p value by their number; it bounds the chance of any false rejection.
func Bonferroni(p []float64) ([]float64, error) {
	return stepwise("Bonferroni", p, false, func(int) float64 { return float64(len(p)) })
}

// Holm is [Bonferroni] stepwise from the smallest p value on, under the same guarantee (Holm 1979).
func Holm(p []float64) ([]float64, error) {
	return stepwise("Holm", p, false, func(rank int) float64 { return float64(len(p) - rank + 1) })
}

// Hochberg is stepwise from the largest p value on; it needs independent or positively dependent tests (Hochberg 1988).
func Hochberg(p []float64) ([]float64, error) {
	return stepwise("Hochberg", p, true, func(rank int) float64 { return float64(len(p) - rank + 1) })
}

// BenjaminiHochberg bounds the expected share of false rejections for independent or positively dependent tests
// (Benjamini and Hochberg 1995).
func BenjaminiHochberg(p []float64) ([]float64, error) {
	return stepwise("Benjamini-Hochberg", p, true, func(rank int) float64 { return float64(len(p)) / float64(rank) })
}

// BenjaminiYekutieli is [BenjaminiHochberg] for any dependence: the factor grows by 1 + 1/2 + … + 1/n (Benjamini and
// Yekutieli 2001).
func BenjaminiYekutieli(p []float64) ([]float64, error) {
	harmonic := 0.0
	for i := range p {
		harmonic += 1 / float64(i+1)
	}
	return stepwise("Benjamini-Yekutieli", p, true, func(rank int) float64 { return harmonic * float64(len(p)) / float64(rank) })
}

// Simes is the p value against "no hypothesis is false": the least of n p/rank (Simes 1986). It fails without p values.
func Simes(p []float64) (float64, error) {
	if len(p) == 0 {
		return 0, errors.New("test of Simes: there are no p values")
	}
	adjusted, err := BenjaminiHochberg(p)
	if err != nil {
		return 0, err
	}
	return slices.Min(adjusted), nil
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

// EBH rejects the k largest e-values, where k is the largest number such that the k-th largest e-value is at least
// n/(q k); it bounds the expected share of false rejections by q under any dependence (Wang and Ramdas 2022). It returns
// the places of the rejected ones, ascending, and fails on a q outside (0, 1) or an e-value that is negative or NaN.
func EBH(e []float64, q float64) ([]int, error) {
	if err := level("e-BH", "q", q); err != nil {
		return nil, err
	}
	for i, v := range e {
		if !(v >= 0) {
			return nil, fmt.Errorf("e-BH: e-value %d is %v", i, v)
		}
	}
	order := ascending(e)
	slices.Reverse(order)
	rejected := 0
	for k := 1; k <= len(order); k++ {
		if e[order[k-1]]*q*float64(k) >= float64(len(e))*(1-tie) {
			rejected = k
		}
	}
	return slices.Sorted(slices.Values(order[:rejected])), nil
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
