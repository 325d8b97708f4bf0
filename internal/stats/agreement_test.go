package stats

import (
	"math"
	"testing"
)

func within(t *testing.T, what string, got, want, digits float64) {
	t.Helper()
	if !(math.Abs(got-want) <= digits) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// The reliability data of Krippendorff's "Computing Krippendorff's Alpha-Reliability" (2011), part E, with its results.
func TestKrippendorffPublishedExample(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	raters := [][]float64{
		{1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan},
		{1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3},
		{nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan},
		{1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan},
	}
	units := transposed(raters)
	for distance, want := range map[Distance]float64{Nominal: 0.743, Ordinal: 0.815, IntervalDist: 0.849} {
		got, err := KrippendorffAlpha(units, distance)
		if err != nil {
			t.Fatal(err)
		}
		within(t, string(distance), got, want, 5e-4)
		// Neither the order of raters nor an item with one rating changes it.
		mixed := [][]float64{{nan, 3, nan, nan}}
		for _, u := range units {
			mixed = append(mixed, []float64{u[2], u[0], u[3], u[1]})
		}
		again, err := KrippendorffAlpha(mixed, distance)
		if err != nil {
			t.Fatal(err)
		}
		near(t, string(distance)+" after mixing", again, got)
	}
	if _, err := KrippendorffAlpha(units, "ratio"); err == nil {
		t.Error("an unknown distance was taken")
	}
	if _, err := KrippendorffAlpha([][]float64{{1, math.Inf(1)}}, Nominal); err == nil {
		t.Error("an infinite rating was taken")
	}
	for name, table := range map[string][][]float64{"nothing": nil, "no pair": {{1}, {2}}, "no variation": {{1, 1}, {1, 1}}} {
		if got, err := KrippendorffAlpha(table, Nominal); err != nil || !math.IsNaN(got) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Fleiss' table of 14 raters and 10 items as printed in the encyclopedia, kappa 0.210.
func TestFleissPublishedExample(t *testing.T) {
	t.Parallel()
	table := [][]int{
		{0, 0, 0, 0, 14},
		{0, 2, 6, 4, 2},
		{0, 0, 3, 5, 6},
		{0, 3, 9, 2, 0},
		{2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0},
		{3, 2, 6, 3, 0},
		{2, 5, 3, 2, 2},
		{6, 5, 2, 1, 0},
		{0, 2, 2, 3, 7},
	}
	got, err := FleissKappa(table)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "kappa", got, 0.210, 5e-4)
	for name, bad := range map[string][][]int{"uneven": {{1, 1}, {2, 1}}, "one rater": {{1, 0}}, "none": nil, "negative": {{3, -1}},
		"ragged": {{2, 0}, {2}}} {
		if _, err := FleissKappa(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if got, err := FleissKappa([][]int{{3, 0}, {3, 0}}); err != nil || !math.IsNaN(got) {
		t.Errorf("one category: %v, %v", got, err)
	}
}

// The table of Shrout and Fleiss (1979), with their coefficients.
func TestIntraclassPublishedExample(t *testing.T) {
	t.Parallel()
	table := [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}}
	v := OneWay(table)
	within(t, "ICC(1,1)", v.ICC1, 0.17, 5e-3)
	within(t, "ICC(1,4)", v.ICC1K, 0.44, 5e-3)
	near(t, "Spearman-Brown", SpearmanBrown(v.ICC1, 4), v.ICC1K)
	icc2, err := ICC2(table)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "ICC(2,1)", icc2, 0.29, 5e-3)
	if _, err := ICC2([][]float64{{1, 2}, {3}}); err == nil {
		t.Error("a ragged table was taken")
	}
	if v := OneWay([][]float64{{1}, {2}, {3}}); !math.IsNaN(v.Within) || !math.IsNaN(v.ICC1) {
		t.Errorf("no replicates: %+v", v)
	}
}

func TestTwoRatersProperties(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(5)
	for range 50 {
		n, levels := 5+r.Below(30), 2+r.Below(4)
		a, b := make([]int, n), make([]int, n)
		for i := range a {
			a[i], b[i] = 1+r.Below(levels), 1+r.Below(levels)
		}
		x, err := TwoRaters(a, b, levels)
		y, err2 := TwoRaters(b, a, levels)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		near(t, "kappa with exchanged raters", x.Kappa, y.Kappa)
		near(t, "AC1 with exchanged raters", x.AC1, y.AC1)
		for name, v := range map[string]float64{"kappa": x.Kappa, "linear": x.Linear, "quadratic": x.Quadratic, "AC1": x.AC1,
			"PABAK": x.PABAK} {
			if v > 1 || v < -1.5 {
				t.Errorf("%s = %v", name, v)
			}
		}
		if levels == 2 { // weights do not matter with two levels
			near(t, "linear", x.Linear, x.Kappa)
			near(t, "quadratic", x.Quadratic, x.Kappa)
		}
		self, err := TwoRaters(a, a, levels)
		if err != nil {
			t.Fatal(err)
		}
		if !allEqual(a) && (self.Kappa != 1 || self.Quadratic != 1 || self.AC1 != 1) {
			t.Errorf("a rater with itself: %+v", self)
		}
	}
	one, err := TwoRaters([]int{2, 2, 2}, []int{2, 2, 2}, 1)
	if err != nil || !math.IsNaN(one.Kappa) || one.Percent != 1 {
		t.Errorf("one level: %+v, %v", one, err)
	}
	if _, err := TwoRaters(nil, nil, 2); err == nil {
		t.Error("no items: no error")
	}
	if _, err := NewConfusion([]bool{true}, nil); err == nil {
		t.Error("lists of different lengths: no error")
	}
	c, err := NewConfusion([]bool{true, true}, []bool{true, false})
	if err != nil || !math.IsNaN(c.MCC()) || !math.IsNaN(c.Specificity()) || c.Accuracy() != 0.5 {
		t.Errorf("truth without a no: %+v, %v", c, err)
	}
}

// AUROC by counting pairs, and what rank correlations must do under monotone and reversing maps.
func TestCorrelationProperties(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(17)
	for range 40 {
		n := 4 + r.Below(20)
		label, score, other, up := make([]bool, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range label {
			label[i], score[i], other[i] = r.Float64() < 0.5, float64(r.Below(6)), float64(r.Below(6))
			up[i] = math.Exp(score[i])
		}
		wins, pairs := 0.0, 0.0
		for i := range label {
			for j := range label {
				if label[i] && !label[j] {
					pairs++
					wins += indicator(score[i] > score[j]) + indicator(score[i] == score[j])/2
				}
			}
		}
		got, err := AUROC(label, score)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "AUROC", got, quotient(wins, pairs))
		near(t, "Spearman after a monotone map", Spearman(up, other), Spearman(score, other))
		near(t, "tau after a monotone map", KendallTauB(up, other), KendallTauB(score, other))
		near(t, "tau of the other order", KendallTauB(other, score), KendallTauB(score, other))
	}
	for name, v := range map[string]float64{
		"Pearson": Pearson([]float64{1, 1}, []float64{1, 2}), "Spearman": Spearman([]float64{1, math.NaN()}, []float64{1, 2}),
		"tau": KendallTauB([]float64{1}, []float64{1}), "lengths": Pearson([]float64{1, 2}, []float64{1}),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s of nothing = %v", name, v)
		}
	}
	if _, err := Brier([]bool{true}, []float64{1.5}); err == nil {
		t.Error("a prediction above 1 was taken")
	}
	if _, err := CalibrationError([]bool{true}, []float64{0.5}, 0); err == nil {
		t.Error("no bins: no error")
	}
	if e, err := CalibrationError([]bool{true, false}, []float64{1, 0}, 5); err != nil || e != 0 {
		t.Errorf("perfect predictions: %v, %v", e, err)
	}
}
