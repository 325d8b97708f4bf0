package stats

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAdjustedPValues(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(12)
	for range 40 {
		p := make([]float64, 1+r.Below(12))
		for i := range p {
			p[i] = math.Round(r.Float64()*r.Float64()*50) / 50
		}
		bonferroni, err1 := Bonferroni(p)
		holm, err2 := Holm(p)
		hochberg, err3 := Hochberg(p)
		bh, err4 := BenjaminiHochberg(p)
		by, err5 := BenjaminiYekutieli(p)
		simes, err6 := Simes(p)
		for _, err := range []error{err1, err2, err3, err4, err5, err6} {
			if err != nil {
				t.Fatal(err)
			}
		}
		least := 1.0
		for i := range p {
			// Each method is at least as strict as the next.
			for k, chain := range [][]float64{{bonferroni[i], holm[i]}, {holm[i], hochberg[i]}, {hochberg[i], bh[i]}, {bh[i], p[i]},
				{by[i], bh[i]}, {1, by[i]}} {
				if chain[0] < chain[1]-1e-12 {
					t.Errorf("p %v: step %d of %d: %v", p, k, i, chain)
				}
			}
			least = min(least, bh[i])
			// The definition of the step-up procedure: the least over all p values not below this one.
			want := 1.0
			for _, q := range p {
				if q >= p[i] {
					rank := 0.0
					for _, s := range p {
						rank += indicator(s <= q)
					}
					want = min(want, float64(len(p))*q/rank)
				}
			}
			near(t, "Benjamini-Hochberg", bh[i], want)
		}
		near(t, "Simes", simes, least)
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := Holm([]float64{0.5, bad}); err == nil {
			t.Errorf("p value %v was taken", bad)
		}
	}
	if got, err := BenjaminiHochberg(nil); err != nil || len(got) != 0 {
		t.Errorf("no p values: %v, %v", got, err)
	}
	if _, err := Simes(nil); err == nil {
		t.Error("Simes of nothing")
	}
}

func TestSelections(t *testing.T) {
	t.Parallel()
	none, err := EBH([]float64{0, 1, 2}, 0.1)
	if err != nil || len(none) != 0 {
		t.Errorf("small e-values: %v, %v", none, err)
	}
	all, err := EBH([]float64{10, 10, math.Inf(1)}, 0.1)
	if err != nil || !cmp.Equal(all, []int{0, 1, 2}) {
		t.Errorf("exactly at the bound: %v, %v", all, err)
	}
	if _, err := EBH([]float64{math.NaN()}, 0.1); err == nil {
		t.Error("NaN was taken")
	}
	// The prefix may go through a rate above q as long as the mean holds, and the cap then drops it.
	selected, running, err := LocalFDRSet([]float64{0.09, 0, 0, 0.21}, 0.1, 0.2)
	if err != nil || !cmp.Equal(selected, []int{0, 1, 2}) || len(running) != 4 {
		t.Errorf("%v, %v, %v", selected, running, err)
	}
	if selected, _, err := LocalFDRSet(nil, 0.05, 0.2); err != nil || len(selected) != 0 {
		t.Errorf("nothing: %v, %v", selected, err)
	}
	if _, _, err := LocalFDRSet([]float64{math.NaN()}, 0.05, 0.2); err == nil {
		t.Error("NaN was taken")
	}
	if e, err := BettingE(nil, BettingLambdas()); err != nil || e != 1 {
		t.Errorf("no bets: %v, %v", e, err)
	}
	if _, err := BettingE([]float64{1.5}, BettingLambdas()); err == nil {
		t.Error("a drop of more than the range was taken")
	}
}

func TestProportionIntervals(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 7, 60} {
		for x := range n + 1 {
			exact, err1 := ClopperPearson(x, n, 0.9)
			wilson, err2 := Wilson(x, n, 0.9)
			jeffreys, err3 := Jeffreys(x, n, 0.9)
			mirror, err4 := Wilson(n-x, n, 0.9)
			if err1 != nil || err2 != nil || err3 != nil || err4 != nil {
				t.Fatal(err1, err2, err3, err4)
			}
			near(t, "mirrored", mirror.Low, 1-wilson.High)
			share := float64(x) / float64(n)
			for name, r := range map[string]Interval{"exact": exact, "Wilson": wilson, "Jeffreys": jeffreys} {
				if r.Low < 0 || r.High > 1 || r.Low > share || r.High < share {
					t.Errorf("%s of %d/%d: %+v", name, x, n, r)
				}
			}
			if jeffreys.Low < exact.Low-1e-12 || jeffreys.High > exact.High+1e-12 {
				t.Errorf("%d/%d: Jeffreys %+v is not within the exact %+v", x, n, jeffreys, exact)
			}
			if x > 0 { // by definition, the lower end makes x or more as likely as the tail
				near(t, "lower tail", 1-BinomialCDF(x-1, n, exact.Low), 0.05)
			}
		}
	}
	for _, c := range [][2]int{{-1, 5}, {6, 5}, {0, 0}} {
		if _, err := Wilson(c[0], c[1], 0.95); err == nil {
			t.Errorf("%d of %d was taken", c[0], c[1])
		}
	}
	if _, err := Jeffreys(1, 2, 1); err == nil {
		t.Error("level 1 was taken")
	}
	if b, err := ZeroFailureBound(0, 0.95); err != nil || b != 1 {
		t.Errorf("no trials: %v, %v", b, err)
	}
}

func TestCountTests(t *testing.T) {
	t.Parallel()
	none, err := SignTest(0, 0)
	if err != nil || none.TwoSided != 1 || none.Worse != 1 {
		t.Errorf("no change: %+v, %v", none, err)
	}
	if _, err := SignTest(-1, 2); err == nil {
		t.Error("a negative count was taken")
	}
	still, err := McNemar(0, 0, 10)
	if err != nil || still.Exact != 1 || still.MidP != 1 || still.P != 1 || still.PCorrected != 1 || still.Low >= 0 || still.High <= 0 {
		t.Errorf("no change: %+v, %v", still, err)
	}
	a, err1 := McNemar(7, 2, 40)
	b, err2 := McNemar(2, 7, 40)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	near(t, "mid-p of the mirror", b.MidP, a.MidP)
	near(t, "interval of the mirror", b.Low, -a.High)
	if _, err := McNemar(6, 5, 10); err == nil {
		t.Error("more changes than pairs were taken")
	}
	if w, err := Wilcoxon([]float64{0, 0}); err != nil || w.Exact != 1 || w.P != 1 || w.PCorrected != 1 || w.Zeros != 2 {
		t.Errorf("only zeros: %+v, %v", w, err)
	}
	if _, err := Wilcoxon([]float64{math.NaN()}); err == nil {
		t.Error("NaN was taken")
	}
	long := someDiffs(NewSplitMix64(2), 150)
	w, err := Wilcoxon(long)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "normal against exact", w.PCorrected, w.Exact, 2e-3)
}

func TestNonInferiorityDecisions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		diffs  []float64
		margin float64
		want   Decision
	}{
		{[]float64{0, 0, 0}, 0.05, Pass},
		{[]float64{0, 0}, 0, Inconclusive},
		{[]float64{-1, -1}, 0.5, Fail},
		{[]float64{-0.3, 0.3, 0, 0.1}, 0.05, Inconclusive},
		{[]float64{-0.05, -0.05}, 0.05, Inconclusive},
	} {
		r, err := NonInferiority(c.diffs, c.margin, 0.05)
		if err != nil || r.Decision != c.want || !(r.P >= 0 && r.P <= 1) {
			t.Errorf("%v within %v: %+v, %v; want %s", c.diffs, c.margin, r, err, c.want)
		}
	}
	for name, run := range map[string]func() (NonInferiorityTest, error){
		"one":    func() (NonInferiorityTest, error) { return NonInferiority([]float64{1}, 0.05, 0.05) },
		"NaN":    func() (NonInferiorityTest, error) { return NonInferiority([]float64{1, math.NaN()}, 0.05, 0.05) },
		"margin": func() (NonInferiorityTest, error) { return NonInferiority([]float64{1, 2}, -1, 0.05) },
		"alpha":  func() (NonInferiorityTest, error) { return NonInferiority([]float64{1, 2}, 0.1, 0) },
	} {
		if _, err := run(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
