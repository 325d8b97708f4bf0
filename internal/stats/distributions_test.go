package stats

import (
	"math"
	"testing"
)

func TestDistributionsAgreeWithSums(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 5, 40, 300} {
		for _, p := range []float64{0.01, 0.3, 0.5, 0.99} {
			sum := 0.0
			for k := range n + 1 {
				sum += BinomialPMF(k, n, p)
				within(t, "binomial", BinomialCDF(k, n, p), sum, 1e-10)
			}
			near(t, "total", sum, 1)
		}
	}
	for _, x := range []float64{0.01, 0.7, 3, 20} {
		near(t, "chi-square with 2 degrees of freedom", ChiSquareTail(x, 2), math.Exp(-x/2))
		near(t, "chi-square with 1 degree of freedom", ChiSquareTail(x, 1), 2*NormalCDF(-math.Sqrt(x)))
		near(t, "t with 1 degree of freedom", StudentCDF(x, 1), 0.5+math.Atan(x)/math.Pi)
		near(t, "t of -x", StudentCDF(-x, 7), 1-StudentCDF(x, 7))
		within(t, "t on both sides of the change of method", StudentCDF(x, 1e6), StudentCDF(x, 1e6+1), 1e-10)
		near(t, "t with many degrees of freedom", StudentCDF(x, 1e12), NormalCDF(x))
	}
	// I_x(1, b) and I_x(a, 1) have closed forms.
	for _, x := range []float64{0.05, 0.4, 0.95} {
		near(t, "beta", BetaCDF(x, 1, 3.5), 1-math.Pow(1-x, 3.5))
		near(t, "beta", BetaCDF(x, 2.5, 1), math.Pow(x, 2.5))
	}
}

func TestQuantilesInvert(t *testing.T) {
	t.Parallel()
	for _, p := range []float64{1e-6, 0.025, 0.3, 0.5, 0.77, 0.975, 1 - 1e-6} {
		within(t, "normal", NormalCDF(NormalQuantile(p)), p, 1e-14)
		for _, df := range []float64{1, 2, 4.5, 49, 5000} {
			within(t, "t", StudentCDF(StudentQuantile(p, df), df), p, 1e-13)
		}
		for _, ab := range [][2]float64{{0.5, 0.5}, {3, 9}, {30, 1}, {0.1, 5}} {
			within(t, "beta", BetaCDF(BetaQuantile(p, ab[0], ab[1]), ab[0], ab[1]), p, 1e-10)
		}
	}
	if StudentQuantile(0.5, 3) != 0 || !math.IsInf(NormalQuantile(0), -1) || !math.IsInf(NormalQuantile(1), 1) ||
		!math.IsInf(StudentQuantile(1, 3), 1) {
		t.Error("ends and middle of the quantiles")
	}
	for name, v := range map[string]float64{
		"normal": NormalQuantile(1.1), "normal NaN": NormalQuantile(math.NaN()), "t": StudentQuantile(0.5, 0),
		"t p":  StudentQuantile(-1, 3),
		"beta": BetaQuantile(0.5, 0, 1), "chi-square": ChiSquareTail(1, -1), "binomial": BinomialCDF(1, -1, 0.5),
		"mass":  BinomialPMF(1, 2, 2),
		"t NaN": StudentCDF(math.NaN(), 3), "beta NaN": BetaCDF(math.NaN(), 1, 1),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s outside its range = %v", name, v)
		}
	}
}

func TestQuantileOfValues(t *testing.T) {
	t.Parallel()
	values := []float64{4, 1, 3, 2}
	for p, want := range map[float64]float64{0: 1, 0.5: 2.5, 1: 4, 0.1: 1.3} {
		near(t, "quantile", Quantile(values, p), want)
	}
	if values[0] != 4 {
		t.Error("the values were sorted in place")
	}
	for name, v := range map[string]float64{"none": Quantile(nil, 0.5), "NaN": Quantile([]float64{1, math.NaN()}, 0.5),
		"p": Quantile(values, 1.5)} {
		if !math.IsNaN(v) {
			t.Errorf("%s: %v", name, v)
		}
	}
}

func TestSplitMix64(t *testing.T) {
	t.Parallel()
	if got := NewSplitMix64(0).Uint64(); got != 0xE220A8397B1DCDAF {
		t.Errorf("first number of seed 0 = %#x, published as 0xe220a8397b1dcdaf", got)
	}
	r, seen := NewSplitMix64(4), map[int]int{}
	for range 6000 {
		seen[r.Below(6)]++
	}
	for face := range 6 {
		if seen[face] < 850 || seen[face] > 1150 {
			t.Errorf("face %d came %d times in 6000", face, seen[face])
		}
	}
	if len(seen) != 6 || r.Below(0) != 0 || len(r.Permutation(-1)) != 0 {
		t.Errorf("faces %v", seen)
	}
}
