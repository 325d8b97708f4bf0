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

// ClopperPearson is the exact interval of a proportion, which covers at least as often as its level says (Clopper and
// Pearson 1934): the one for safety claims.
func ClopperPearson(x, n int, confidence float64) (Interval, error) {
	if err := proportion("Clopper-Pearson interval", x, n, confidence); err != nil {
		return Interval{}, err
	}
	r, tail := Interval{0, 1}, (1-confidence)/2
	if x > 0 {
		r.Low = BetaQuantile(tail, float64(x), float64(n-x+1))
	}
	if x < n {
		r.High = BetaQuantile(1-tail, float64(x+1), float64(n-x))
	}
	return r, nil
}

// Jeffreys is the interval between the quantiles of the posterior of a proportion under the prior Beta(1/2, 1/2); its
// ends are 0 at x = 0 and 1 at x = n.
func Jeffreys(x, n int, confidence float64) (Interval, error) {
	if err := proportion("Jeffreys interval", x, n, confidence); err != nil {
		return Interval{}, err
	}
	r, tail := Interval{0, 1}, (1-confidence)/2
	a, b := float64(x)+0.5, float64(n-x)+0.5
	if x > 0 {
		r.Low = BetaQuantile(tail, a, b)
	}
	if x < n {
		r.High = BetaQuantile(1-tail, a, b)
	}
	return r, nil
}

// ZeroFailureBound is the one-sided upper bound of a failure rate after n trials without a failure: 1 - (1-level)^(1/n),
// of which 3/n is the common rule of thumb. It is 1 without trials.
func ZeroFailureBound(n int, confidence float64) (float64, error) {
	if err := proportion("zero-failure bound", 0, max(n, 1), confidence); err != nil {
		return 0, err
	}
	if n < 1 {
		return 1, nil
	}
	return -math.Expm1(math.Log1p(-confidence) / float64(n)), nil
}

func proportion(method string, x, n int, confidence float64) error {
	if n < 1 || x < 0 || x > n {
		return fmt.Errorf("%s: %d successes in %d trials", method, x, n)
	}
	return level(method, "level", confidence)
}
