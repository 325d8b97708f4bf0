package stats

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bruteForce is the model written as its definition: sums over all pairs of qualities.
func bruteForce(s *GuardScale, mix GuardMix, drop float64, baseline, candidate []float64) (pi [3]float64, sigma []float64, meanB,
	meanC float64) {
	likelihood := func(scores []float64, t, k int) float64 {
		p := 1.0
		for _, x := range scores {
			c, _ := s.cell(x)
			p *= math.Exp(s.logs[t][k][c])
		}
		return p
	}
	region := func(b, c int) int {
		switch d := s.Value[b] - s.Value[c]; {
		case d >= drop-1e-9:
			return 1
		case -d >= drop-1e-9:
			return 2
		}
		return 0
	}
	var reach [3]float64
	for b := range s.Theta {
		for c := range s.Theta {
			reach[region(b, c)] += mix.Theta[b] * mix.Theta[c]
		}
	}
	sigma, total := make([]float64, len(s.Sigmas)), 0.0
	for t := range s.Sigmas {
		for b := range s.Theta {
			for c := range s.Theta {
				both := mix.Sigma[t] * likelihood(baseline, t, b) * likelihood(candidate, t, c) * mix.Theta[b]
				add := func(kind int, p float64) {
					pi[kind] += p
					sigma[t] += p
					total += p
					meanB += p * s.Value[b]
					meanC += p * s.Value[c]
				}
				if b == c {
					add(0, mix.Pi[0]*both)
				}
				if r := region(b, c); r > 0 {
					add(r, mix.Pi[r]*both*mix.Theta[c]/reach[r])
				}
			}
		}
	}
	for k := range pi {
		pi[k] /= total
	}
	for t := range sigma {
		sigma[t] /= total
	}
	return pi, sigma, meanB / total, meanC / total
}

func randomWeights(r *SplitMix64, n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.05 + r.Float64()
	}
	normalise(w)
	return w
}

func randomScore(r *SplitMix64, s *GuardScale) float64 { return s.perCell[r.Below(len(s.perCell))] }

func scales() []*GuardScale { return []*GuardScale{BinaryScale(), OrdinalScale(5), UnitScale()} }

func TestGuardPosteriorsAreTheDefinition(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(3)
	for _, s := range scales() {
		for range 25 {
			mix := GuardMix{Theta: randomWeights(r, len(s.Theta)), Sigma: randomWeights(r, len(s.Sigmas))}
			copy(mix.Pi[:], randomWeights(r, 3))
			drop := s.Drop * (0.5 + r.Float64())
			var b, c []float64
			for range r.Below(4) {
				b = append(b, randomScore(r, s))
			}
			for range r.Below(4) {
				c = append(c, randomScore(r, s))
			}
			got, err := GuardPosteriors(s, mix, drop, [][]float64{b}, [][]float64{c})
			if err != nil {
				t.Fatal(err)
			}
			pi, sigma, meanB, meanC := bruteForce(s, mix, drop, b, c)
			near(t, s.Name+" null", got[0].Null, pi[0])
			near(t, s.Name+" regression", got[0].Regression, pi[1])
			near(t, s.Name+" improvement", got[0].Improvement, pi[2])
			near(t, s.Name+" baseline", got[0].Baseline, meanB)
			near(t, s.Name+" candidate", got[0].Candidate, meanC)
			for i := range sigma {
				near(t, s.Name+" sigma", got[0].Sigma[i], sigma[i])
			}
		}
	}
}

// Learning may only raise the posterior density of the weights; here the prior is flat enough to compare likelihoods.
func TestGuardLearningRaisesTheLikelihood(t *testing.T) {
	t.Parallel()
	for _, s := range scales() {
		r := NewSplitMix64(8)
		var b, c [][]float64
		for range 30 {
			x := randomScore(r, s)
			b, c = append(b, []float64{x, x, randomScore(r, s)}), append(c, []float64{x, randomScore(r, s)})
		}
		m, err := newGuardModel(s, s.Drop)
		if err != nil {
			t.Fatal(err)
		}
		items, err := m.patterns(b, c)
		if err != nil {
			t.Fatal(err)
		}
		m.mix = FlatMix(s, [3]float64{0.8, 0.1, 0.1})
		none := guardPrior{theta: make([]float64, len(s.Theta)), sigma: make([]float64, len(s.Sigmas))}
		likelihood := func() float64 {
			sum, one := 0.0, m.newShares()
			fallen, risen := m.reach()
			for _, p := range items {
				m.respond(p, fallen, risen, one)
				sum += math.Log(one.total)
			}
			return sum
		}
		start := likelihood()
		m.learn(items, none, 25)
		if end := likelihood(); !(end > start) {
			t.Errorf("%s: the log likelihood went from %v to %v", s.Name, start, end)
		}
		for name, w := range map[string][]float64{"pi": m.mix.Pi[:], "theta": m.mix.Theta, "sigma": m.mix.Sigma} {
			sum := 0.0
			for _, v := range w {
				sum += v
			}
			near(t, s.Name+" sum of "+name, sum, 1)
		}
	}
}

// full gives every item all its votes at once, so that no choice of the guard depends on the order.
func full(t *testing.T, s *GuardScale, baseline, candidate [][]float64) []GuardVerdict {
	t.Helper()
	rules := DefaultGuardRules(len(baseline))
	rules.Budget = 0
	// The weights are otherwise learned from the baseline first, which treats the arms differently.
	flat := FlatMix(s, [3]float64{0.9, 0.05, 0.05})
	rules.History = &flat
	g, err := NewGuard(s, rules, 1, baseline, candidate)
	if err != nil {
		t.Fatal(err)
	}
	if !g.Next().Empty() {
		t.Fatal("a guard without budget asks for scores")
	}
	return g.Verdicts()
}

func TestGuardSymmetries(t *testing.T) {
	t.Parallel()
	for _, s := range scales() {
		r := NewSplitMix64(11)
		b, c := rubricLike(r, s, 60, 4)
		verdicts := full(t, s, b, c)
		order := r.Permutation(len(b))
		var movedB, movedC [][]float64
		for _, i := range order {
			movedB, movedC = append(movedB, b[i]), append(movedC, c[i])
		}
		moved := full(t, s, movedB, movedC)
		for k, i := range order {
			if diff := cmp.Diff(verdicts[i], moved[k]); diff != "" {
				t.Errorf("%s: item %d changed with the order of the items:\n%s", s.Name, i, diff)
			}
		}
		for i, v := range full(t, s, c, b) {
			near(t, s.Name+" improvement after exchanging the arms", v.Improvement, verdicts[i].Regression)
			near(t, s.Name+" regression after exchanging the arms", v.Regression, verdicts[i].Improvement)
			if (v.Label == Confirmed) != (verdicts[i].Label == Improved) {
				t.Errorf("%s: item %d was %s and is %s after exchanging the arms", s.Name, i, verdicts[i].Label, v.Label)
			}
		}
		confirmed, improved := 0, 0
		for _, v := range verdicts {
			confirmed += int(indicator(v.Label == Confirmed))
			improved += int(indicator(v.Label == Improved))
		}
		if confirmed == 0 || improved == 0 {
			t.Errorf("%s: %d confirmed and %d improved; the example must have both", s.Name, confirmed, improved)
		}
	}
}

// rubricLike makes mostly unchanged items with little noise; every sixth falls and every tenth rises by the whole range.
func rubricLike(r *SplitMix64, s *GuardScale, n, votes int) (b, c [][]float64) {
	low, high := s.perCell[0], s.perCell[len(s.perCell)-1]
	for i := range n {
		x, y := high, high
		switch {
		case i%6 == 0:
			y = low
		case i%10 == 1:
			x = low
		case i%4 == 0:
			x, y = low, low
		}
		var before, after []float64
		for range votes {
			noisy := func(v float64) float64 {
				if r.Float64() < 0.03 {
					return low + high - v
				}
				return v
			}
			before, after = append(before, noisy(x)), append(after, noisy(y))
		}
		b, c = append(b, before), append(c, after)
	}
	return b, c
}

func TestGuardSteps(t *testing.T) {
	t.Parallel()
	s := BinaryScale()
	b, c := rubricLike(NewSplitMix64(4), s, 50, 9)
	g, steps, err := Replay(s, DefaultGuardRules(50), 7, b, c)
	if err != nil {
		t.Fatal(err)
	}
	again, stepsAgain, err := Replay(s, DefaultGuardRules(50), 7, b, c)
	if err != nil || !slices.EqualFunc(steps, stepsAgain, func(x, y GuardStep) bool { return cmp.Equal(x, y) }) ||
		!cmp.Equal(g.Verdicts(), again.Verdicts()) {
		t.Errorf("the same votes and seed gave other steps or verdicts: %v", err)
	}
	if len(steps) < 2 || len(steps[0].Baseline) != 10 || len(steps[0].Candidate) != 0 {
		t.Fatalf("steps %v: first come ten calibration scores of the baseline", steps)
	}
	spent := 0
	for _, step := range steps {
		spent += len(step.Baseline) + len(step.Candidate)
	}
	summary := g.Summary()
	if summary.Spent != spent || summary.Rounds != len(steps)-1 {
		t.Errorf("summary %+v after %d scores in %d steps", summary, spent, len(steps))
	}
	missed, wrong := 0.0, 0.0
	for i, v := range g.Verdicts() {
		near(t, "sum of probabilities", v.Null+v.Regression+v.Improvement, 1)
		if v.BaselineN > 9 || v.Scores > 9 {
			t.Errorf("item %d has %d and %d scores", i, v.BaselineN, v.Scores)
		}
		if v.Label == Confirmed {
			wrong += v.LocalFDR
			if v.BaselineN < 3 || v.Scores < 3 || v.LocalFDR > 0.2 {
				t.Errorf("item %d is confirmed: %+v", i, v)
			}
		} else {
			missed += v.Regression
		}
	}
	near(t, "expected false flags", summary.ExpectedFalse, wrong)
	near(t, "expected missed regressions", summary.ExpectedMissed, missed)
	if err := g.Add(nil, []float64{1}); err == nil {
		t.Error("a score that no step asks for was taken")
	}
}

// A provider that is down must not make the guard ask forever.
func TestGuardEndsWithoutScores(t *testing.T) {
	t.Parallel()
	s := BinaryScale()
	b, c := rubricLike(NewSplitMix64(4), s, 40, 1)
	g, err := NewGuard(s, DefaultGuardRules(40), 7, b, c)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		step := g.Next()
		if step.Empty() {
			for _, v := range g.Verdicts() {
				if v.Label == Confirmed {
					t.Errorf("confirmed on one score: %+v", v)
				}
			}
			return
		}
		nothing := func(items []int) []float64 {
			return slices.Repeat([]float64{math.NaN()}, len(items))
		}
		if err := g.Add(nothing(step.Baseline), nothing(step.Candidate)); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("after 100 steps without a score the guard still asks")
}

func TestGuardRefuses(t *testing.T) {
	t.Parallel()
	s, rules := OrdinalScale(5), DefaultGuardRules(1)
	one := [][]float64{{3}}
	for name, lists := range map[string][2][][]float64{
		"other lengths": {one, nil}, "no score": {one, {{}}}, "off the scale": {one, {{6}}},
		"between levels": {one, {{2.5}}}, "NaN": {one, {{math.NaN()}}},
	} {
		if _, err := NewGuard(s, rules, 1, lists[0], lists[1]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := GuardPosteriors(s, GuardMix{}, 1, one, one); err == nil {
		t.Error("weights that do not fit the scale: no error")
	}
	if _, err := GuardPosteriors(s, FlatMix(s, [3]float64{1, 0, 0}), 0, one, one); err == nil {
		t.Error("a drop of 0: no error")
	}
	empty, err := NewGuard(s, rules, 1, nil, nil)
	if err != nil || !empty.Next().Empty() || len(empty.Verdicts()) != 0 {
		t.Errorf("no items: %v, %v", empty.Next(), err)
	}
	far, err := GuardPosteriors(s, FlatMix(s, [3]float64{0.9, 0.05, 0.05}), 9, one, one)
	if err != nil || far[0].Regression != 0 || far[0].Improvement != 0 {
		t.Errorf("a drop beyond the scale: %+v, %v", far, err)
	}
	many := [][]float64{slices.Repeat([]float64{5, 1}, 2000)}
	post, err := GuardPosteriors(s, FlatMix(s, [3]float64{0.9, 0.05, 0.05}), 1, many, many)
	if err != nil || math.IsNaN(post[0].Regression) {
		t.Errorf("thousands of scores: %+v, %v", post, err)
	}
}

func TestGuardLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p                float64
		flagged, improve bool
		want             GuardLabel
	}{
		{0.99, true, false, Confirmed},
		{0.99, false, false, Suspected},
		{0.5, false, false, Suspected},
		{0.49, false, false, Unresolved},
		{0.2, false, true, Unresolved},
		{0.19, false, false, NoRegression},
		{0.01, false, true, Improved},
	} {
		if got := LabelOf(c.p, c.flagged, c.improve); got != c.want {
			t.Errorf("P %v, flagged %t, improved %t: %s, want %s", c.p, c.flagged, c.improve, got, c.want)
		}
	}
}

func TestGuardFlaky(t *testing.T) {
	t.Parallel()
	s := BinaryScale()
	var b, c [][]float64
	for range 30 {
		b, c = append(b, []float64{1, 1, 1, 1}), append(c, []float64{1, 1, 1, 1})
	}
	for range 10 {
		b, c = append(b, []float64{1, 0, 1, 0, 1, 0, 1, 0}), append(c, []float64{0, 1, 0, 1, 1, 0, 1, 0})
	}
	for i, v := range full(t, s, b, c) {
		if v.Flaky != (i >= 30) {
			t.Errorf("item %d: flaky %t with candidate %v", i, v.Flaky, v.Candidate)
		}
	}
}
