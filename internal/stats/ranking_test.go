package stats

import (
	"math"
	"testing"
)

// near fails when got is not within 1e-9 of want.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

func TestNDCG(t *testing.T) {
	t.Parallel()
	log3 := math.Log2(3)
	cases := []struct {
		name         string
		gains, ideal []float64
		want         float64
	}{
		{"best order", []float64{3, 2, 1}, []float64{1, 2, 3}, 1},
		{"worst of two", []float64{0, 1}, []float64{1, 0}, 1 / log3},
		{"linear gains", []float64{1, 2}, []float64{2, 1}, (1 + 2/log3) / (2 + 1/log3)},
		{"one of two found", []float64{1}, []float64{1, 1}, 1 / (1 + 1/log3)},
		{"nothing retrieved", nil, []float64{1}, 0},
		{"nothing relevant", []float64{0, 0}, []float64{0}, math.NaN()},
		{"nothing at all", nil, nil, math.NaN()},
		// The example of a widely read encyclopedia article: gains 3 2 3 0 1 2, and two more documents with 3 and 2.
		{"six of eight", []float64{3, 2, 3, 0, 1, 2}, []float64{3, 3, 3, 2, 2, 2}, 6.861126688593502 / 8.740262365546284},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			near(t, "nDCG", NDCG(c.gains, c.ideal), c.want)
		})
	}
	ideal := []float64{1, 3, 2}
	NDCG(nil, ideal)
	if ideal[0] != 1 || ideal[1] != 3 {
		t.Errorf("the argument was reordered: %v", ideal)
	}
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name      string
		target    [2]int
		intervals [][2]int
		want      float64
	}{
		{"none", [2]int{0, 10}, nil, 0},
		{"whole", [2]int{0, 10}, [][2]int{{-5, 20}}, 1},
		{"overlapping, out of order", [2]int{0, 10}, [][2]int{{4, 8}, {0, 5}, {4, 8}}, 0.8},
		{"gap", [2]int{0, 10}, [][2]int{{0, 2}, {8, 10}}, 0.4},
		{"inside another", [2]int{0, 10}, [][2]int{{0, 9}, {2, 3}, {8, 10}}, 1},
		{"touching from outside", [2]int{5, 10}, [][2]int{{0, 5}, {10, 12}}, 0},
		{"empty and reversed intervals", [2]int{0, 10}, [][2]int{{3, 3}, {9, 4}}, 0},
		{"empty target", [2]int{4, 4}, [][2]int{{0, 9}}, math.NaN()},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			near(t, "coverage", Coverage(c.target, c.intervals), c.want)
		})
	}
}

func TestUndefinedRankings(t *testing.T) {
	t.Parallel()
	near(t, "precision of nothing", Precision(nil), math.NaN())
	near(t, "recall of nothing", Recall([]bool{false}, 0), math.NaN())
	near(t, "average precision of nothing", AveragePrecision(nil, 0), math.NaN())
	near(t, "ranked precision of nothing", RankedPrecision(nil), 0)
	near(t, "reciprocal rank of nothing", ReciprocalRank(nil), 0)
}
