package text

import "testing"

// TestNumbersAreReadAsPeopleWriteThem: one number, whatever stands before its decimals, and nothing that may be two. A percentage is a
// share, and no number beside others.
func TestNumbersAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	near := func(a, b float64) bool { return a > b-1e-12 && a < b+1e-12 }
	for s, want := range map[string]float64{
		"0.3": 0.3, "0,3": 0.3, " 3,5 ": 3.5, "-1.5": -1.5, "−1,5": -1.5, "7": 7, ".5": 0.5, "３": 3, "1e-3": 0.001, "0,125": 0.125,
		"1.250": 1.25, "12,50": 12.5,
	} {
		if got, ok := ReadNumber(s); !ok || !near(got, want) {
			t.Errorf("%q: %g %v, want %g", s, got, ok, want)
		}
		if got, ok := ReadShare(s); !ok || !near(got, want) {
			t.Errorf("%q as a share: %g %v, want %g", s, got, ok, want)
		}
	}
	for s, want := range map[string]float64{"30%": 0.3, "30 %": 0.3, "2,5%": 0.025, "３０％": 0.3, "100%": 1} {
		if got, ok := ReadShare(s); !ok || !near(got, want) {
			t.Errorf("%q: %g %v, want %g", s, got, ok, want)
		}
		if got, ok := ReadNumber(s); ok {
			t.Errorf("%q is read as %g", s, got)
		}
	}
	for _, s := range []string{"", "x", "1,250", "1,2,3", "1.2.3", "NaN", "Inf", "0x1p3", "3 5", "%", "30%%", "1e999", "1_000", "4/5"} {
		if got, ok := ReadShare(s); ok {
			t.Errorf("%q is read as %g", s, got)
		}
	}
}
