package stats

import (
	"math"
	"testing"
)

// The worlds are those in which the guard was designed: most items are judged the same every time and a few are coin
// flips. Bounds are the design figures with their Monte Carlo error.

// world draws the votes of both arms for one run; changed says which items are true regressions.
type world struct {
	scale   *GuardScale
	vote    func(r *SplitMix64, quality, rate float64) float64
	quality [2][]float64
	rates   []float64
	worse   []bool
}

// betaBelow1 draws from a beta distribution with both parameters below 1 (Jöhnk 1964).
func betaBelow1(r *SplitMix64, a, b float64) float64 {
	for {
		x, y := math.Pow(r.Float64(), 1/a), math.Pow(r.Float64(), 1/b)
		if x+y <= 1 && x+y > 0 {
			return x / (x + y)
		}
	}
}

// unevenRates are flip rates with mean f, most of them close to 0 and none above 1/2.
func unevenRates(r *SplitMix64, n int, f float64) []float64 {
	rates := make([]float64, n)
	for i := range rates {
		rates[i] = 0.5 * betaBelow1(r, 2*f, 1-2*f)
	}
	return rates
}

func rubricVote(r *SplitMix64, quality, rate float64) float64 {
	switch u := r.Float64(); {
	case u < rate/2:
		quality--
	case u < rate:
		quality++
	}
	if quality < 1 {
		return 2
	}
	if quality > 5 {
		return 4
	}
	return quality
}

func rubricWorld(r *SplitMix64, n, regressions int, f float64) world {
	w := world{scale: OrdinalScale(5), vote: rubricVote, rates: unevenRates(r, n, f), worse: make([]bool, n)}
	for range n {
		u, level := r.Float64(), 1.0
		for _, share := range []float64{0.08, 0.10, 0.12, 0.25} {
			if u -= share; u >= 0 {
				level++
			}
		}
		w.quality[0] = append(w.quality[0], level)
	}
	w.quality[1] = append(w.quality[1], w.quality[0]...)
	for _, i := range r.Permutation(n) {
		if regressions == 0 {
			break
		}
		if w.quality[0][i] >= 3 {
			u, drop := r.Float64(), 1.0
			if u >= 0.4 {
				drop++
			}
			if u >= 0.75 {
				drop++
			}
			w.quality[1][i] = max(1, w.quality[0][i]-drop)
			w.worse[i], regressions = true, regressions-1
		}
	}
	return w
}

func binaryWorld(r *SplitMix64, n, regressions int, f float64) world {
	w := world{scale: BinaryScale(), rates: unevenRates(r, n, f), worse: make([]bool, n)}
	w.vote = func(r *SplitMix64, quality, rate float64) float64 {
		if r.Float64() < rate {
			return 1 - quality
		}
		return quality
	}
	for range n {
		w.quality[0] = append(w.quality[0], indicator(r.Float64() < 0.8))
	}
	w.quality[1] = append(w.quality[1], w.quality[0]...)
	for _, i := range r.Permutation(n) {
		if regressions == 0 {
			break
		}
		if w.quality[0][i] == 1 && w.rates[i] <= 0.35 {
			w.quality[1][i], w.worse[i], regressions = 0, true, regressions-1
		}
	}
	return w
}

// outcome sums what happened over many runs.
type outcome struct{ runs, found, wrong, naive, spent float64 }

func (o *outcome) play(t *testing.T, r *SplitMix64, w world) {
	t.Helper()
	votes := func(arm int) [][]float64 {
		out := make([][]float64, len(w.rates))
		for i, rate := range w.rates {
			for range 9 {
				out[i] = append(out[i], w.vote(r, w.quality[arm][i], rate))
			}
		}
		return out
	}
	b, c := votes(0), votes(1)
	g, _, err := Replay(w.scale, DefaultGuardRules(len(b)), r.Uint64(), b, c)
	if err != nil {
		t.Fatal(err)
	}
	o.runs++
	o.spent += float64(g.Summary().Spent)
	for i, v := range g.Verdicts() {
		o.naive += indicator(c[i][0] < b[i][0] && !w.worse[i])
		o.found += indicator(v.Label == Confirmed && w.worse[i])
		o.wrong += indicator(v.Label == Confirmed && !w.worse[i])
	}
}

// simulated is the number of runs of each simulation.
const simulated = 100

func TestGuardOnUnchangedSystems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		draw         func(*SplitMix64) world
		wrong, naive float64 // bound of false confirmations, and lower first scores by noise alone
	}{
		"rubric, 153 items": {func(r *SplitMix64) world { return rubricWorld(r, 153, 0, 0.10) }, 0.05, 11.2},
		"binary, 200 items": {func(r *SplitMix64) world { return binaryWorld(r, 200, 0, 0.10) }, 0.10, 14.0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var o outcome
			r := NewSplitMix64(2026)
			for range simulated {
				o.play(t, r, c.draw(r))
			}
			t.Logf("for each of %v runs: %.2f confirmed, %.1f lower on the first score, %.0f further scores", o.runs, o.wrong/o.runs,
				o.naive/o.runs, o.spent/o.runs)
			if o.wrong/o.runs > c.wrong {
				t.Errorf("%.2f false confirmations for each run, at most %v", o.wrong/o.runs, c.wrong)
			}
			if math.Abs(o.naive/o.runs-c.naive) > 1 {
				t.Errorf("%.1f lower first scores for each run, designed %v: the world is not the one it was made for",
					o.naive/o.runs, c.naive)
			}
		})
	}
}

func TestGuardFindsRegressions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		draw                     func(*SplitMix64) world
		power, margin, falseMost float64
	}{
		"rubric": {func(r *SplitMix64) world { return rubricWorld(r, 200, 10, 0.10) }, 0.84, 0.05, 0.05},
		"binary": {func(r *SplitMix64) world { return binaryWorld(r, 200, 10, 0.10) }, 0.77, 0.06, 0.07},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var o outcome
			r := NewSplitMix64(99)
			for range simulated {
				o.play(t, r, c.draw(r))
			}
			power, share := o.found/(10*o.runs), o.wrong/max(1, o.wrong+o.found)
			t.Logf("over %v runs: power %.3f, false share %.3f, %.0f further scores", o.runs, power, share, o.spent/o.runs)
			if math.Abs(power-c.power) > c.margin {
				t.Errorf("power %.3f, designed %v within %v", power, c.power, c.margin)
			}
			if share > c.falseMost {
				t.Errorf("false share %.3f, at most %v", share, c.falseMost)
			}
		})
	}
}

func BenchmarkGuard(b *testing.B) {
	r := NewSplitMix64(1)
	for name, s := range map[string]*GuardScale{"binary": BinaryScale(), "ordinal": OrdinalScale(5), "unit": UnitScale()} {
		before, after := make([][]float64, 10_000), make([][]float64, 10_000)
		for i := range before {
			x := randomScore(r, s)
			for range 9 {
				before[i], after[i] = append(before[i], x), append(after[i], x)
			}
			if i%10 == 0 {
				after[i][0], after[i][1] = randomScore(r, s), randomScore(r, s)
			}
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Replay(s, DefaultGuardRules(len(before)), 1, before, after); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
