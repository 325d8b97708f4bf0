package stats

import (
	"fmt"
	"math"
)

// Interval is a closed interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Wilson is the score interval of a proportion of x successes in n trials at a two-sided level such as 0.95 (Wilson
// 1927): the default for pass rates. It lies within [0, 1]. Like the other intervals of proportions it fails unless
// 0 <= x <= n, n is at least 1 and the level lies between 0 and 1.
func Wilson(x, n int, confidence float64) (Interval, error) {
	if err := proportion("Wilson interval", x, n, confidence); err != nil {
		return Interval{}, err
	}
	z := NormalQuantile(0.5 + confidence/2)
	p, m := float64(x)/float64(n), float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	r := Interval{max(0, centre-half), min(1, centre+half)}
	if x == 0 {
		r.Low = 0
	}
	if x == n {
		r.High = 1
	}
	return r, nil
}

func proportion(method string, x, n int, confidence float64) error {
	if n < 1 || x < 0 || x > n {
		return fmt.Errorf("%s: %d successes in %d trials", method, x, n)
	}
	return level(method, "level", confidence)
}
