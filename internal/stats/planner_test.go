package stats

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlanIsConsistent(t *testing.T) {
	t.Parallel()
	for _, deff := range []float64{0, 1, 2.5} {
		p := Plan{Alpha: 0.05, Power: 0.8, DesignEffect: deff}
		n, err := p.ItemsFor(0.05, 0.35)
		if err != nil {
			t.Fatal(err)
		}
		at, err1 := p.Detectable(0.35, n)
		before, err2 := p.Detectable(0.35, n-1)
		if err1 != nil || err2 != nil || at > 0.05 || before <= 0.05 {
			t.Errorf("design effect %v: %d items detect %v, one fewer %v", deff, n, at, before)
		}
		// The other tail adds next to nothing at this power.
		within(t, "power", PowerFor(at, 0.35*math.Sqrt(p.inflation()/float64(n)), 0.05), 0.8, 1e-5)
	}
	near(t, "power without an effect", PowerFor(0, 1, 0.05), 0.05)
	near(t, "power without noise", PowerFor(1, 0, 0.05), 1)
	near(t, "design effect", DesignEffect(5, 0.3), 2.2)
	for name, p := range map[string]Plan{"alpha": {Power: 0.8}, "power": {Alpha: 0.05, Power: 1}, "design effect": {0.05, 0.8, -1}} {
		if _, err := p.Detectable(1, 10); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	usual := Plan{Alpha: 0.05, Power: 0.8}
	if _, err := usual.ItemsFor(0, 1); err == nil {
		t.Error("an effect of 0 was planned for")
	}
	if _, err := usual.ItemsFor(1e-9, 1); err == nil {
		t.Error("an endless run was planned")
	}
	if _, err := usual.ItemsForNonInferiority(0.05, -0.05, 1); err == nil {
		t.Error("a candidate at the margin was planned for")
	}
	if _, err := usual.Detectable(1, 0); err == nil {
		t.Error("no items: no error")
	}
}

func TestNoiseProperties(t *testing.T) {
	t.Parallel()
	for _, f := range []float64{0, 0.01, 0.1, 0.3, 0.45} {
		near(t, "flip rate", FlipRate(2*f*(1-f)), f)
	}
	near(t, "flip rate of more than chance", FlipRate(0.7), 0.5)
	if n := Noise([][]float64{{1}, {0}, nil}); !math.IsNaN(n.Within) || !math.IsNaN(n.FlipRate) || n.DF != 0 {
		t.Errorf("no replicates: %+v", n)
	}
	if n := Noise([][]float64{{3, 3}, {5, 5, 5}}); n.Within != 0 || n.FlipRate != 0 || n.Smallest != 0 {
		t.Errorf("no noise: %+v", n)
	}
	near(t, "moderated", ModeratedVariance(1, 6, 3, 2), 1.5)
	near(t, "moderated without data", ModeratedVariance(1, 6, math.NaN(), 0), 1)
	near(t, "best replicates", BestReplicates(8, 1, 0.5, 1), 2)
	// Without differences between generations or items their variances are 0, not below.
	v, err := NestedANOVA([][][]float64{{{1, 2}, {2, 1}}, {{1, 2}, {2, 1}}})
	if err != nil || v.VarGeneration != 0 || v.VarItem != 0 || v.VarJudge != 0.5 {
		t.Errorf("judge noise only: %+v, %v", v, err)
	}
	for name, bad := range map[string][][][]float64{"empty": nil, "uneven": {{{1, 2}}, {{1}}}, "generations": {{{1}}, {{1}, {2}}},
		"NaN": {{{math.NaN()}}}} {
		if _, err := NestedANOVA(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPPIProperties(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(31)
	var y, f, u []float64
	for range 40 {
		truth := indicator(r.Float64() < 0.8)
		y, f = append(y, truth), append(f, truth)
	}
	for range 400 {
		u = append(u, indicator(r.Float64() < 0.8))
	}
	zero, err := PPI(y, f, u, 0, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lambda 0", zero.Estimate, Mean(y))
	one, err := PPI(y, f, u, 1, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "a perfect judge", one.Estimate, Mean(u))
	tuned, err := PPIPlusPlus(y, f, u, 0.95)
	if err != nil || tuned.SE > zero.SE || tuned.Lambda < 0 || tuned.Lambda > 1 {
		t.Errorf("tuned %+v, labels alone %+v, %v", tuned, zero, err)
	}
	cross, lambdas, err := CrossFitPPI(y, f, u, 0.95)
	if err != nil || len(lambdas) != len(y) || lambdas[0] != lambdas[5] {
		t.Errorf("cross-fitted: %+v, %v, %v", cross, lambdas, err)
	}
	dull := make([]float64, len(y))
	flat, err := PPIPlusPlus(y, dull, dull, 0.95)
	if err != nil || flat.Lambda != 0 {
		t.Errorf("a judge that says one thing only: %+v, %v", flat, err)
	}
	for name, run := range map[string]func() error{
		"lengths":       func() error { _, err := PPI(y, f[1:], u, 1, 0.95); return err },
		"few labels":    func() error { _, _, err := CrossFitPPI(y[:3], f[:3], u, 0.95); return err },
		"no unlabelled": func() error { _, err := PPIPlusPlus(y, f, nil, 0.95); return err },
		"NaN":           func() error { _, err := PPI(y, f, []float64{1, math.NaN()}, 1, 0.95); return err },
	} {
		if run() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPooling(t *testing.T) {
	t.Parallel()
	same, err := PartialPool([]float64{0.1, 0.1, 0.1}, []float64{0.1, 0.2, 0.3})
	if err != nil || same.Tau2 != 0 || math.Abs(same.Shrunk[2]-0.1) > 1e-12 || same.BelowZero[0] != 0 {
		t.Errorf("equal effects: %+v, %v", same, err)
	}
	p, err := PartialPool([]float64{-1, 0, 1, 0.5}, []float64{0.1, 0.3, 0.1, 0.2})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range []float64{-1, 0, 1, 0.5} {
		low, high := min(e, p.Random), max(e, p.Random)
		if p.Shrunk[i] < low || p.Shrunk[i] > high || p.ShrunkSE[i] > []float64{0.1, 0.3, 0.1, 0.2}[i] {
			t.Errorf("effect %v was shrunk to %v of %v", e, p.Shrunk[i], p.Random)
		}
	}
	if _, err := PartialPool([]float64{1}, []float64{0}); err == nil {
		t.Error("an error of 0 was taken")
	}
	// Each part got better, the whole worse: the candidate has more of the hard part.
	s, err := Standardise([]float64{0.9, 0.3}, []float64{80, 20}, []float64{0.95, 0.4}, []float64{20, 80})
	if err != nil || !s.Reversal || s.Raw >= 0 {
		t.Errorf("Simpson: %+v, %v", s, err)
	}
	near(t, "standardised", s.Diff, 0.06)
	if _, err := Standardise([]float64{1}, []float64{0}, []float64{1}, []float64{1}); err == nil {
		t.Error("an arm without weight was taken")
	}
}

func TestDrift(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]float64{0.5, 0.75}, EWMA([]float64{1, 1}, 0.5)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0, 1, 0}, CUSUMDown([]float64{1, -1.5, 2}, 0.5)); diff != "" {
		t.Error(diff)
	}
	if len(EWMA(nil, 0.3)) != 0 || len(CUSUMDown(nil, 0.3)) != 0 {
		t.Error("an empty series made values")
	}
}
