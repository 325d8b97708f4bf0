package stats

import "errors"

// CohenKappa is the agreement of two raters beyond chance on the same items: (observed − expected) / (1 − expected), with what chance
// would give from how often each rater uses each category (Cohen 1960). It is 1 where both always say the same. It fails on lists of
// different length or without items.
func CohenKappa(a, b []int) (float64, error) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, errors.New("kappa needs the same items from both raters, and at least one")
	}
	n := float64(len(a))
	same, first, second := 0.0, map[int]float64{}, map[int]float64{}
	for i := range a {
		if a[i] == b[i] {
			same++
		}
		first[a[i]]++
		second[b[i]]++
	}
	chance := 0.0
	for category, k := range first {
		chance += k * second[category] / (n * n)
	}
	if chance == 1 {
		return 1, nil
	}
	return (same/n - chance) / (1 - chance), nil
}
