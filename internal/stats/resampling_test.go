package stats

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

func someDiffs(r *SplitMix64, n int) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = math.Round(20*(r.Float64()-0.45)) / 10
	}
	return d
}

// The distributions of sign patterns, by going through all of them.
func TestSignPatternsByBruteForce(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(1)
	for range 30 {
		d := someDiffs(r, 2+r.Below(9))
		used := slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
		sizes := make([]float64, len(used))
		for i, v := range used {
			sizes[i] = math.Abs(v)
		}
		ranks := Ranks(sizes)
		w, err := Wilcoxon(d)
		if err != nil {
			t.Fatal(err)
		}
		var exact, greater, all float64
		for pattern := range 1 << len(used) {
			plus, minus := 0.0, 0.0
			for i, rank := range ranks {
				if pattern>>i&1 == 1 {
					plus += rank
				} else {
					minus += rank
				}
			}
			all++
			exact += indicator(min(plus, minus) <= min(w.Plus, w.Minus))
			greater += indicator(plus >= w.Plus)
		}
		near(t, "exact p", w.Exact, exact/all)
		near(t, "one-sided p", w.Greater, greater/all)

		sum, two, less, patterns := 0.0, 0.0, 0.0, float64(int(1)<<len(d))
		for _, v := range d {
			sum += v
		}
		for pattern := range 1 << len(d) {
			flipped := 0.0
			for i, v := range d {
				flipped += v * (1 - 2*float64(pattern>>i&1))
			}
			two += indicator(math.Abs(flipped) >= math.Abs(sum)-1e-9)
			less += indicator(flipped <= sum+1e-9)
		}
		p, err := SignFlip(d, nil, Flips{})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "flip p", p.TwoSided, two/patterns)
		near(t, "one-sided flip p", p.Less, less/patterns)
	}
}

func TestSignFlipProperties(t *testing.T) {
	t.Parallel()
	d := someDiffs(NewSplitMix64(9), 12)
	exact, err := SignFlip(d, nil, FlipsFor(12, 1))
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := SignFlip(d, nil, Flips{Seed: 3, Draws: 20000})
	if err != nil {
		t.Fatal(err)
	}
	within(t, "drawn p", drawn.TwoSided, exact.TwoSided, 0.02)
	alone := make([]int, len(d))
	for i := range alone {
		alone[i] = 100 - i
	}
	clusters, err := SignFlip(d, alone, Flips{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "clusters of one", clusters.TwoSided, exact.TwoSided)
	together, err := SignFlip(d, make([]int, len(d)), Flips{})
	if err != nil || together.TwoSided != 1 || together.Units != 1 {
		t.Errorf("one cluster can prove nothing: %+v, %v", together, err)
	}
	if f := FlipsFor(13, 5); f.Draws != 9999 || f.Seed != 5 {
		t.Errorf("13 units: %+v", f)
	}
	for name, run := range map[string]func() (SignFlipTest, error){
		"none":     func() (SignFlipTest, error) { return SignFlip(nil, nil, Flips{}) },
		"NaN":      func() (SignFlipTest, error) { return SignFlip([]float64{math.NaN()}, nil, Flips{}) },
		"labels":   func() (SignFlipTest, error) { return SignFlip(d, []int{1}, Flips{}) },
		"too many": func() (SignFlipTest, error) { return SignFlip(make([]float64, MaxFlips+1), nil, Flips{}) },
	} {
		if _, err := run(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestMaxT(t *testing.T) {
	t.Parallel()
	d := someDiffs(NewSplitMix64(21), 11)
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	one, err := maxT(d, [][]int{all}, nil, Flips{})
	if err != nil {
		t.Fatal(err)
	}
	// |t| grows with |mean| under sign flips, so one slice of everything is the plain flip test.
	flip, err := SignFlip(d, nil, Flips{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "one slice", one[0].Adjusted, flip.TwoSided)
	plain, err := PairedT(make([]float64, len(d)), d)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "t", one[0].T, plain.T)
	three, err := maxT(d, [][]int{all, all[:5], all[5:], {3}, {}}, nil, Flips{})
	if err != nil {
		t.Fatal(err)
	}
	if three[0].Adjusted < one[0].Adjusted {
		t.Errorf("looking at more slices made p smaller: %v from %v", three[0].Adjusted, one[0].Adjusted)
	}
	if !math.IsNaN(three[3].Adjusted) || !math.IsNaN(three[4].T) {
		t.Errorf("slices of one and none: %+v", three[3:])
	}
	if _, err := maxT(d, [][]int{{11}}, nil, Flips{}); err == nil {
		t.Error("a place outside the differences was taken")
	}
	same, err := maxT([]float64{0.1, 0.1, 0.1, 0.1}, [][]int{{0, 1, 2, 3}}, nil, Flips{})
	if err != nil || !math.IsInf(same[0].T, 1) || same[0].Adjusted != 0.125 {
		t.Errorf("equal differences: %+v, %v", same, err)
	}
}

// TestMaxTOfEqualDifferences: with all differences the same, a slice of n units is as it is in 2 of 2^n patterns, and only larger slices,
// not smaller ones, are as extreme by chance. The smaller ones count how often they or a larger one are all alike, by bits.
func TestMaxTOfEqualDifferences(t *testing.T) {
	t.Parallel()
	for _, of := range []float64{-4, .1, 1.0 / 3} {
		for units := 3; units <= 12; units++ {
			for _, clustered := range []bool{false, true} {
				n, clusters := units, []int(nil)
				if clustered {
					n, clusters = 3*units, make([]int, 3*units)
					for i := range clusters {
						clusters[i] = i % units
					}
				}
				diffs, all, two := make([]float64, n), make([]int, n), []int(nil)
				for i := range diffs {
					diffs[i], all[i] = of, i
					if i%units < 2 {
						two = append(two, i)
					}
				}
				got, err := maxT(diffs, [][]int{two, all}, clusters, Flips{})
				if err != nil {
					t.Fatal(err)
				}
				wants := [2]float64{.5, math.Pow(2, float64(1-units))} // the first two units have one sign in half of the patterns
				for s, want := range wants {
					if !math.IsInf(got[s].T, int(math.Copysign(1, of))) || got[s].Adjusted != want {
						t.Errorf("%v, %d units, clustered %t, slice %d: %+v, want p %v", of, units, clustered, s, got[s], want)
					}
				}
			}
		}
	}
	// Too many to try all: none of the random patterns has one sign for all.
	diffs, all := make([]float64, 198), make([]int, 198)
	for i := range diffs {
		diffs[i], all[i] = -4, i
	}
	got, err := maxT(diffs, [][]int{all[:3], all}, nil, Flips{Seed: 5, Draws: 999})
	if err != nil || got[1].Adjusted != 1.0/1000 || math.Abs(got[0].Adjusted-.25) > .05 {
		t.Errorf("198 alike: %+v, %v", got, err)
	}
}

func TestExactBootstrapByBruteForce(t *testing.T) {
	t.Parallel()
	values := []float64{0.3, -0.1, 0.25, 0.7}
	var means []float64
	for code := range 256 {
		sum := 0.0
		for i := range 4 {
			sum += values[code>>(2*i)&3]
		}
		means = append(means, sum/4)
	}
	d, err := ExactBootstrap(values)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "resamples", d.Resamples, 256)
	for _, p := range []float64{0, 0.025, 0.3, 0.5, 0.975, 1} {
		near(t, "quantile", d.Quantile(p), Quantile(means, p))
	}
	near(t, "standard deviation", d.SD(), math.Sqrt(Variance(values, 0)/4))
	if _, err := ExactBootstrap(make([]float64, 30)); err == nil {
		t.Error("30^30 resamples were tried")
	}
}

func TestBootstrapEdges(t *testing.T) {
	t.Parallel()
	same := []float64{0.5, 0.5, 0.5}
	means, err := BootstrapMeans(same, 1, 50)
	if err != nil {
		t.Fatal(err)
	}
	b, err := BCa(same, means, 0.95)
	if err != nil || b.Low != 0.5 || b.High != 0.5 || b.Acceleration != 0 {
		t.Errorf("equal values: %+v, %v", b, err)
	}
	if b, err := BCa([]float64{1, 2, 3}, []float64{5, 6}, 0.95); err != nil || b.Low != 5 || b.High != 5 {
		t.Errorf("all means above the mean: %+v, %v", b, err)
	}
	for name, run := range map[string]func() error{
		"none":         func() error { _, err := BootstrapMeans(nil, 1, 5); return err },
		"no resamples": func() error { _, err := BootstrapMeans(same, 1, 0); return err },
		"NaN":          func() error { _, err := BootstrapMeans([]float64{math.NaN()}, 1, 5); return err },
		"labels":       func() error { _, err := ClusterBootstrapMeans(same, []int{1}, 1, 5); return err },
		"level":        func() error { _, err := BCa(same, means, 1); return err },
	} {
		if run() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestClusterRobustProperties(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(6)
	d := someDiffs(r, 24)
	alone, pairs := make([]int, 24), make([]int, 24)
	for i := range d {
		alone[i], pairs[i] = i, i%12
	}
	one, err := ClusterRobust(d, alone, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := PairedT(make([]float64, 24), d)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "clusters of one: error", one.SE, plain.SE)
	near(t, "clusters of one: p", one.P, plain.P)
	near(t, "clusters of one: lower bound", one.Low, plain.CILow)
	near(t, "clusters of one: design effect", one.DesignEffect, 1)

	// Every difference twice in the same cluster is as good as once; labels and order do not matter.
	twice, err := ClusterRobust(append(slices.Clone(d), d...), append(slices.Clone(alone), alone...), 0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "doubled: error", twice.SE, one.SE)
	near(t, "doubled: bound", twice.High, one.High)
	order := r.Permutation(24)
	var mixed []float64
	var labels []int
	for _, i := range order {
		mixed, labels = append(mixed, d[i]), append(labels, 7*(11-pairs[i]))
	}
	a, err := ClusterRobust(d, pairs, 0.95)
	b, err2 := ClusterRobust(mixed, labels, 0.95)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	near(t, "mixed: error", b.SE, a.SE)

	constant, err := ClusterRobust([]float64{0.1, 0.1, 0.1}, []int{1, 2, 2}, 0.95)
	if err != nil || constant.SE != 0 || constant.P != 0 || !math.IsNaN(constant.DesignEffect) {
		t.Errorf("equal differences: %+v, %v", constant, err)
	}
	if _, err := ClusterRobust(d, make([]int, 24), 0.95); err == nil {
		t.Error("one cluster: no error")
	}
	near(t, "ICC of pure clusters", IntraclusterCorrelation([]float64{1, 1, 5, 5, 3, 3}, []int{0, 0, 1, 1, 2, 2}), 1)
}

// TestMaxTShortcut: what the sums of units say of many slices is what every difference says, for ties too.
func TestMaxTShortcut(t *testing.T) {
	t.Parallel()
	random := NewSplitMix64(7)
	const n, tags = 600, 12
	diffs, clusters, members := make([]float64, n), make([]int, n), make([][]int, tags+1)
	for i := range diffs {
		clusters[i] = i / 15
		members[i%tags] = append(members[i%tags], i)
		if random.Uint64()%4 == 0 {
			diffs[i] = float64(int(random.Uint64()%9)-4) / 4
		}
		if i%tags == 5 && i != 5 { // |t| is the same under every pattern
			diffs[i] = 0
		}
	}
	members[tags] = []int{3, 4} // and here it is none
	diffs[3], diffs[4] = 0, 0
	got, err := maxT(diffs, members, clusters, Flips{Seed: 3, Draws: 400})
	if err != nil {
		t.Fatal(err)
	}
	unit, units, err := unitsOf(n, clusters)
	if err != nil {
		t.Fatal(err)
	}
	extreme := make([]float64, len(members))
	all, err := eachPattern(units, Flips{Seed: 3, Draws: 400}, func(signs []float64) {
		most := 0.0
		for _, places := range members {
			if _, v := flippedT(diffs, places, unit, signs); math.Abs(v) > most {
				most = math.Abs(v)
			}
		}
		for s := range extreme {
			extreme[s] += indicator(most >= math.Abs(got[s].T)-tie)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for s := range extreme {
		if want := extreme[s] / all; got[s].Adjusted != want {
			t.Errorf("slice %d: p %v, want %v", s, got[s].Adjusted, want)
		}
	}
}

// TestStepDownByItsDefinition: over generated slices, clusters and ties the adjusted p values are those that
// bench/stepdown_reference.py counts.
func TestStepDownByItsDefinition(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/stepdown.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Diffs    []float64
		Slices   [][]int
		Clusters []int
		Adjusted []float64
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) < 50 {
		t.Fatal(len(cases), err)
	}
	for i, c := range cases {
		for _, scale := range []float64{1, .1, 1.0 / 3} { // ties are ties whatever rounding does to them
			diffs := make([]float64, len(c.Diffs))
			for k, d := range c.Diffs {
				diffs[k] = scale * d
			}
			got, err := StepDown(diffs, c.Slices, c.Clusters, Flips{})
			if err != nil {
				t.Fatal(err)
			}
			for s, want := range c.Adjusted {
				if got[s].Adjusted != want {
					t.Errorf("case %d by %v, slice %d: %v, want %v", i, scale, s, got[s].Adjusted, want)
				}
			}
		}
	}
}

// TestStepDownEdges: what is too small takes no part, what cannot be is refused, and one slice is the plain test of its mean.
func TestStepDownEdges(t *testing.T) {
	t.Parallel()
	d := someDiffs(NewSplitMix64(21), 11)
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	got, err := StepDown(d, [][]int{all, {3}, {}}, nil, Flips{})
	if err != nil || !math.IsNaN(got[1].Adjusted) || !math.IsNaN(got[2].Adjusted) {
		t.Fatalf("%+v, %v", got, err)
	}
	flip, err := SignFlip(d, nil, Flips{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "one slice", got[0].Adjusted, flip.TwoSided)
	near(t, "its mean", got[0].Mean, flip.Mean)
	still, err := StepDown(make([]float64, 11), [][]int{all}, nil, Flips{})
	if err != nil || still[0].Adjusted != 1 {
		t.Errorf("nothing moved: %+v, %v", still, err)
	}
	for name, run := range map[string]func() error{
		"place":  func() error { _, err := StepDown(d, [][]int{{11}}, nil, Flips{}); return err },
		"NaN":    func() error { _, err := StepDown([]float64{math.NaN()}, nil, nil, Flips{}); return err },
		"labels": func() error { _, err := StepDown(d, nil, []int{1}, Flips{}); return err },
		"units":  func() error { _, err := StepDown(make([]float64, MaxFlips+1), nil, nil, Flips{}); return err },
	} {
		if run() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
