package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNumbersThatDifferLookDifferent: whatever they are, two numbers beside each other are written alike only where they are the same, with
// equal decimals, and with no more than usual where these are enough.
func TestNumbersThatDifferLookDifferent(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 109))
		most := r.IntN(4)
		a := math.Round(r.Float64()*5*math.Pow10(r.IntN(8))) / math.Pow10(r.IntN(8))
		b := a
		switch r.IntN(4) {
		case 0:
			b = a + (r.Float64()-.5)*math.Pow10(-r.IntN(8))
		case 1:
			b = 5 * r.Float64()
		case 2:
			b = math.Round(5 * r.Float64())
		}
		was, is := Pair(a, b, most)
		if (was == is) != (Difference(a, b) == 0) {
			t.Errorf("seed %d: %v and %v are %s and %s", seed, a, b, was, is)
		}
		_, x, _ := strings.Cut(was, ".")
		_, y, _ := strings.Cut(is, ".")
		if len(x) != len(y) || len(x) > most && Fixed(a, most) != Fixed(b, most) {
			t.Errorf("seed %d: %v and %v are %s and %s with at most %d decimals", seed, a, b, was, is, most)
		}
		if decimals := DecimalsApart(a, b, most); decimals < most || decimals > most && Fixed(a, decimals-1) != Fixed(b, decimals-1) {
			t.Errorf("seed %d: %v and %v are told apart with %d decimals, at least %d", seed, a, b, decimals, most)
		}
	}
}
