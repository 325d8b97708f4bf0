package stats

import (
	"math"
	"testing"
)

// TestFiniteTotalCovers goes through every group of up to 24, every total and every size of a draw: what the interval says is possible,
// and it holds the total in at least 95% of all draws.
func TestFiniteTotalCovers(t *testing.T) {
	t.Parallel()
	choose := func(n, k int) float64 {
		out := 1.
		for i := range k {
			out = out * float64(n-i) / float64(i+1)
		}
		return out
	}
	for all := 1; all <= 24; all++ {
		for drawn := 0; drawn <= all; drawn++ {
			for total := 0; total <= all; total++ {
				covered := 0.
				for with := max(0, drawn-(all-total)); with <= min(drawn, total); with++ {
					least, most, err := FiniteTotal(with, drawn, all, .95)
					if err != nil || least < with || most > with+all-drawn || least > most {
						t.Fatalf("%d of %d drawn of %d: %d to %d, %v", with, drawn, all, least, most, err)
					}
					if drawn == all && least != most {
						t.Errorf("all %d drawn: %d to %d", all, least, most)
					}
					if least <= total && total <= most {
						covered += choose(total, with) * choose(all-total, drawn-with) / choose(all, drawn)
					}
				}
				if covered < .95-1e-9 {
					t.Errorf("%d of %d, %d drawn: %g of all draws are covered", total, all, drawn, covered)
				}
			}
		}
	}
}

// TestFiniteTotalOfMany: of a group without end it is the exact interval of a share, which Clopper and Pearson tabled: 10 of 100 are
// 4.9 to 17.6%.
func TestFiniteTotalOfMany(t *testing.T) {
	t.Parallel()
	const all = 10_000_000
	least, most, err := FiniteTotal(10, 100, all, .95)
	if err != nil || math.Abs(float64(least)/all-.0490) > 1e-3 || math.Abs(float64(most)/all-.1762) > 1e-3 {
		t.Errorf("%g to %g, %v", float64(least)/all, float64(most)/all, err)
	}
	for _, c := range [][3]int{{-1, 2, 3}, {3, 2, 3}, {1, 4, 3}} {
		if _, _, err := FiniteTotal(c[0], c[1], c[2], .95); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
}
