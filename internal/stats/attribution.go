package stats

import (
	"fmt"
	"math"
	"math/bits"
)

// Shapley splits the gain of replacing all of n factors at once among them, fairly: a factor gets its mean contribution
// over all orders in which the factors could be replaced. The value of a set of replaced factors stands at the index
// whose bit i says whether factor i is replaced, so there are 2^n values; for two factors the order is none, first,
// second, both. The shares sum to the gain of all over none. It fails when their number is no power of two, above 2^20,
// and on values that are not finite.
func Shapley(values []float64) ([]float64, error) {
	n := bits.Len(uint(len(values))) - 1
	if n < 0 || len(values) != 1<<n || n > 20 {
		return nil, fmt.Errorf("Shapley shares: %d values; 2^n are needed for n factors", len(values))
	}
	if err := finite("Shapley shares", values); err != nil {
		return nil, err
	}
	shares := make([]float64, n)
	for i := range shares {
		for set := range values {
			if set>>i&1 == 1 {
				continue
			}
			// Orders in which exactly this set comes before i: size! (n-1-size)! of n!.
			weight := 1 / (float64(n) * math.Exp(logChoose(n-1, bits.OnesCount(uint(set)))))
			shares[i] += weight * (values[set|1<<i] - values[set])
		}
	}
	return shares, nil
}

// LiftProbability is the posterior probability that one success rate exceeds another by at least lift, after hits of
// trials on each side, under uniform priors. It fails unless 0 <= hits <= trials, and on a lift outside [-1, 1].
func LiftProbability(hits, trials, baseHits, baseTrials int, lift float64) (float64, error) {
	if hits < 0 || hits > trials || baseHits < 0 || baseHits > baseTrials {
		return 0, fmt.Errorf("lift: %d of %d against %d of %d", hits, trials, baseHits, baseTrials)
	}
	if !(lift >= -1 && lift <= 1) {
		return 0, fmt.Errorf("lift: %v is not within [-1, 1]", lift)
	}
	a, b := float64(hits+1), float64(trials-hits+1)
	c, d := float64(baseHits+1), float64(baseTrials-baseHits+1)
	// P(p - base >= lift) = E over p of P(base <= p - lift). The integrand is a piecewise polynomial, with its seams at
	// lift and 1 + lift, so Gauss-Legendre panels between them are exact up to rounding.
	low, high := max(0, lift), min(1, 1+lift)
	logBeta := lgamma(a) + lgamma(b) - lgamma(a+b)
	sum := integrate(low, high, func(p float64) float64 {
		return math.Exp((a-1)*math.Log(p)+(b-1)*math.Log1p(-p)-logBeta) * BetaCDF(p-lift, c, d)
	})
	if high < 1 { // above it the base is below p - lift for sure
		sum += 1 - BetaCDF(high, a, b)
	}
	return max(0, min(1, sum)), nil
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// integrate sums f over [low, high] in panels of eight-point Gauss-Legendre quadrature.
func integrate(low, high float64, f func(float64) float64) float64 {
	const panels = 64
	nodes := [4][2]float64{ // of the half panel, with weights; Abramowitz and Stegun, table 25.4
		{0.1834346424956498, 0.3626837833783620},
		{0.5255324099163290, 0.3137066458778873},
		{0.7966664774136267, 0.2223810344533745},
		{0.9602898564975363, 0.1012285362903763},
	}
	sum, half := 0.0, (high-low)/(2*panels)
	for i := range panels {
		centre := low + float64(2*i+1)*half
		for _, node := range nodes {
			sum += node[1] * half * (f(centre-node[0]*half) + f(centre+node[0]*half))
		}
	}
	return sum
}
