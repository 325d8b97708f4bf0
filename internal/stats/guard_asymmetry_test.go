package stats

import "testing"

// TestGuardAsksAboutFallsAlone: the guard spends its further scores on answers that may have fallen. One that rose as far gets none, so
// that with one score in each arm a fall ends confirmed and the same rise stays open; with the arms exchanged it is the other way round.
func TestGuardAsksAboutFallsAlone(t *testing.T) {
	t.Parallel()
	s := OrdinalScale(5)
	for seed := range uint64(30) {
		r := NewSplitMix64(seed)
		const n = 60
		var baseline, candidate [][]float64
		moved := make([]int, n) // -1 fell, 1 rose
		for i := range n {
			quality := float64(3 + r.Below(2))
			before, after := quality, quality
			switch {
			case i%10 == 0:
				moved[i], before, after = -1, 5, float64(1+r.Below(2))
			case i%10 == 5:
				moved[i], before, after = 1, float64(1+r.Below(2)), 5
			}
			baseline, candidate = append(baseline, []float64{before}), append(candidate, []float64{after})
		}
		for _, side := range []struct {
			b, c [][]float64
			fell int
		}{{baseline, candidate, -1}, {candidate, baseline, 1}} {
			asked, verdicts := guarded(t, s, side.b, side.c)
			falls := 0
			for i, v := range verdicts {
				switch {
				case moved[i] == side.fell:
					if falls += asked[i]; v.Label != Confirmed {
						t.Fatalf("seed %d: item %d fell and is %s after %d scores", seed, i, v.Label, asked[i])
					}
				case moved[i] == -side.fell && (asked[i] > 0 || v.Label == Improved):
					t.Fatalf("seed %d: item %d rose, was asked about %d times and is %s", seed, i, asked[i], v.Label)
				}
			}
			if falls == 0 {
				t.Fatalf("seed %d: nothing was asked about falls", seed)
			}
		}
	}
}

// guarded plays a guard to its end over systems that always score the same, and counts the further scores of each item.
func guarded(t *testing.T, s *GuardScale, baseline, candidate [][]float64) ([]int, []GuardVerdict) {
	t.Helper()
	rules := DefaultGuardRules(len(baseline))
	history := FlatMix(s, [3]float64{0.9, 0.05, 0.05}) // no calibration, which looks at the baseline alone
	rules.History = &history
	g, err := NewGuard(s, rules, 1, baseline, candidate)
	if err != nil {
		t.Fatal(err)
	}
	asked := make([]int, len(baseline))
	first := func(all [][]float64, items []int) (out []float64) {
		for _, i := range items {
			asked[i]++
			out = append(out, all[i][0])
		}
		return out
	}
	for step := g.Next(); !step.Empty(); step = g.Next() {
		if err := g.Add(first(baseline, step.Baseline), first(candidate, step.Candidate)); err != nil {
			t.Fatal(err)
		}
	}
	return asked, g.Verdicts()
}
