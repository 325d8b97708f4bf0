package stats

import (
	"encoding/json"
	"flag"
	"fmt"
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
				t.Errorf("the share %v is written %s %%", v, got)
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
		Percent string  `json:"percent"` // none
	}
	const file = "testdata/shown.json"
	if *updateShown {
		var cases []shownCase
		random := NewSplitMix64(11)
		add := func(v float64) { cases = append(cases, shownCase{v, Fixed(v, 2), Fixed(v, 3), Percent(v, 0)}) }
		for _, v := range []float64{0, 3.625, 4.975, 1.005, -0.001, -0.005, 0.145, 0.285, 2.675, 1.0 / 3, 2.0 / 3, 29.0 / 8, 199.0 / 40} {
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
		if got := (shownCase{c.Value, Fixed(c.Value, 2), Fixed(c.Value, 3), Percent(c.Value, 0)}); got != c {
			t.Errorf("got %v, want %v", got, c)
		}
	}
}

// TestShownDifferencesAgree with the numbers that they stand beside, whatever those were before they were rounded.
func TestShownDifferencesAgree(t *testing.T) {
	t.Parallel()
	if got := Signed(ShownDifference(0.0751, 0.7349, 2), 2); got != "+0.65" { // 0.08 → 0.73, and not +0.66
		t.Errorf("0.08 → 0.73 is shown as %s", got)
	}
	random := NewSplitMix64(7)
	for range 2000 {
		before, after := float64(random.Uint64()%50000)/1e4, float64(random.Uint64()%50000)/1e4
		for decimals := range 4 {
			read := func(v float64) (out float64) {
				if _, err := fmt.Sscan(Fixed(v, decimals), &out); err != nil {
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
