package stats

import (
	"errors"
	"fmt"
	"math"
)

// BettingLambdas are the recommended stakes of [BettingE].
func BettingLambdas() []float64 { return []float64{0.3, 0.6, 0.9} }

// BettingE is an e-value against "no drop on average": the wealth that bets of a share lambda on each drop in turn make
// of 1, averaged over the lambdas. Drops are baseline minus candidate over the range of the score, in [-1, 1]. It is
// valid under any dependence and stopping rule when it is read once, at the end; see [EBH] for many items. Without drops
// it is 1. It fails on drops outside [-1, 1], and without lambdas or on one outside [0, 1].
func BettingE(drops, lambdas []float64) (float64, error) {
	if len(lambdas) == 0 {
		return 0, errors.New("betting e-value: there are no lambdas")
	}
	for i, d := range drops {
		if !(math.Abs(d) <= 1) {
			return 0, fmt.Errorf("betting e-value: drop %d is %v, and must lie within [-1, 1]", i, d)
		}
	}
	sum := 0.0
	for _, lambda := range lambdas {
		if !(lambda >= 0 && lambda <= 1) {
			return 0, fmt.Errorf("betting e-value: lambda is %v, and must lie within [0, 1]", lambda)
		}
		wealth := 1.0
		for _, d := range drops {
			wealth *= 1 + lambda*d
		}
		sum += wealth
	}
	return sum / float64(len(lambdas)), nil
}
