package stats

import (
	"fmt"
	"testing"
)

// TestShownDifferencesAgree with the numbers that they stand beside, whatever those were before they were rounded.
func TestShownDifferencesAgree(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprintf("%+.2f", ShownDifference(0.0751, 0.7349, 2)); got != "+0.65" { // 0.08 → 0.73, and not +0.66
		t.Errorf("0.08 → 0.73 is shown as %s", got)
	}
	random := NewSplitMix64(7)
	for range 2000 {
		before, after := float64(random.Uint64()%50000)/1e4, float64(random.Uint64()%50000)/1e4
		for decimals := range 4 {
			read := func(v float64) (out float64) {
				if _, err := fmt.Sscan(fmt.Sprintf("%.*f", decimals, v), &out); err != nil {
					t.Fatal(err)
				}
				return out
			}
			got := fmt.Sprintf("%+.*f", decimals, ShownDifference(before, after, decimals))
			if want := fmt.Sprintf("%+.*f", decimals, read(after)-read(before)); got != want {
				t.Errorf("%.*f → %.*f is shown as %s, want %s", decimals, before, decimals, after, got, want)
			}
		}
	}
}
