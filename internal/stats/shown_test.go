package stats

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"testing"
)

var updateShown = flag.Bool("update-shown", false, "write testdata/shown.json anew")

// TestNumbersAreRoundedAsTheyAreWritten: half away from zero, whatever the nearest binary number is.
func TestNumbersAreRoundedAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for n := range 6000 {
		sign, v := "", float64(n)/1000
		cents := (n + 5) / 10
		for _, v := range []float64{v, -v} {
			want := fmt.Sprintf("%d.%02d", cents/100, cents%100)
			signed := want
			if v > 0 && cents > 0 {
				signed = "+" + want
			}
			if v < 0 && cents > 0 {
				sign = "-"
				signed = "-" + want
			}
			if got := Fixed(v, 2); got != sign+want {
				t.Errorf("%v is written %s, want %s", v, got, sign+want)
			}
			if got := Signed(v, 2); got != signed {
				t.Errorf("%v is written %s, want %s", v, got, signed)
			}
			if got := Percent(v, 0); got != sign[:min(len(sign), (n+5)/10)]+fmt.Sprint(cents) {
				t.Errorf("the share %v is written %s%%", v, got)
			}
		}
	}
}

// TestPagesRoundAlike keeps the table of which frontend/src/parts/format.test.ts asks the same texts.
func TestPagesRoundAlike(t *testing.T) {
	t.Parallel()
	type shownCase struct {
		Value   float64 `json:"value"`
		Mean    string  `json:"mean"`    // two decimals
		Fixed   string  `json:"fixed"`   // three
		Percent string  `json:"percent"` // none, with its sign
	}
	const file = "testdata/shown.json"
	if *updateShown {
		var cases []shownCase
		random := NewSplitMix64(11)
		add := func(v float64) { cases = append(cases, shownCase{v, Fixed(v, 2), Fixed(v, 3), PerCent(v, 0)}) }
		for _, v := range []float64{0, 3.625, 4.975, 1.005, -0.001, -0.005, 0.145, 0.285, 2.675, 1.0 / 3, 2.0 / 3, 29.0 / 8, 199.0 / 40,
			0.996, 0.004, 0.995, 0.005} {
			add(v)
		}
		for range 150 {
			add(float64(random.Uint64()%10000)/1000 - 5)
			add(float64(random.Uint64()%1000) / float64(1+random.Uint64()%200))
		}
		raw, err := json.MarshalIndent(cases, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(raw, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []shownCase
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) < 300 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		if got := (shownCase{c.Value, Fixed(c.Value, 2), Fixed(c.Value, 3), PerCent(c.Value, 0)}); got != c {
			t.Errorf("got %v, want %v", got, c)
		}
	}
}

// TestNumbersBesideTheirDifferenceAgree: the difference is that of the numbers as they are, rounded once, and whoever subtracts what stands
// beside it finds it, or is off by one in the last digit where two more do not help. frontend/src/parts/format.test.ts asks the same texts.
func TestNumbersBesideTheirDifferenceAgree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after       float64
		was, is, difference string
	}{
		{0.0751, 0.7349, "0.075", "0.735", "+0.660"}, // with two decimals 0.08 → 0.73, and not +0.66
		{3.2, 0.41, "3.20", "0.41", "-2.79"}, {0.676, 2.044, "0.676", "2.044", "+1.368"}, {1.001, 1.002, "1.00", "1.00", "0.00"},
		{0.1, 0.3, "0.10", "0.30", "+0.20"}, {0, 1.0 / 19, "0.00", "0.05", "+0.05"}, {0.4444444, 1.0035555, "0.44", "1.00", "+0.56"},
		{0.4454444, 1.0045555, "0.45", "1.00", "+0.56"},
	} {
		if was, is, difference := Beside(c.before, c.after, 2); was != c.was || is != c.is || difference != c.difference {
			t.Errorf("%v → %v is written %s → %s, %s; want %s → %s, %s", c.before, c.after, was, is, difference, c.was, c.is, c.difference)
		}
	}
	random := NewSplitMix64(7)
	for range 2000 {
		before, after := float64(random.Uint64()%50000)/1e4, float64(random.Uint64()%50000)/1e4
		for decimals := range 4 {
			was, is, difference := Beside(before, after, decimals)
			var read [3]float64
			for i, s := range []string{was, is, difference} {
				if _, err := fmt.Sscan(s, &read[i]); err != nil {
					t.Fatal(err)
				}
			}
			n := DecimalsBeside(before, after, decimals)
			off := math.Abs(read[1]-read[0]-read[2]) * math.Pow(10, float64(n)) // in units of the last digit
			if n > decimals && off > 0.01 || off > 1.01 || n < decimals || difference != Signed(Difference(before, after), n) {
				t.Errorf("%s → %s is shown as %s", was, is, difference)
			}
		}
	}
}

// TestSignificantDigitsAreThoseOfFixed: a number with so many digits is what Fixed makes of it, whatever its size, and no nearer binary
// number decides.
func TestSignificantDigitsAreThoseOfFixed(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]float64{
		"1.28": 1.275, "-1.28": -1.275, "0.0375": 0.0375, "0.0376": 0.03755, "-0.0376": -0.03755, "1300": 1300, "1235": 1234.6,
		"0": 0, "0.1": 0.1, "10": 9.996, "4.18": 4.175, "0.000123": 0.00012345,
		"100": 99.96,
	} {
		if got := Significant(v, 3); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}
