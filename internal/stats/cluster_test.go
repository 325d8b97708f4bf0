package stats

import (
	"math"
	"testing"
)

// unevenClusters are numbers of items in clusters, from few of one size to one that holds most.
var unevenClusters = [][]int{
	{20, 20, 20}, {45, 45}, {40, 5, 5}, {50, 8, 8, 8, 8, 8}, {60, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {20, 10, 10, 5, 2, 2, 1}, {30, 30, 30, 1},
	{45, 15},
}

func labelsOf(sizes []int) (labels []int) {
	for g, size := range sizes {
		for range size {
			labels = append(labels, g)
		}
	}
	return labels
}

// byMatrices is the error and the degrees of freedom of the mean as they are defined, by the matrix that makes residuals: of a cluster's
// block of it the inverse root corrects the residuals, and the degrees of freedom are (trace B)^2 / trace B^2 of B = G'G, whose
// column of a cluster is what its corrected residuals give to the mean.
func byMatrices(diffs []float64, labels []int, clusters int) (se, df float64) {
	n := len(diffs)
	mean := Mean(diffs)
	columns, variance := make([][]float64, clusters), 0.0
	for g := range columns {
		size := 0.0
		for _, l := range labels {
			if l == g {
				size++
			}
		}
		// The block I - J/n of a cluster has the eigenvalue 1 - size/n along the ones and 1 across, so that its inverse root takes the
		// ones to the ones by the root of that.
		root := 1 / math.Sqrt(1-size/float64(n))
		sum, column := 0.0, make([]float64, n)
		for i, l := range labels {
			if l != g {
				continue
			}
			sum += root * (diffs[i] - mean)
			for k := range column {
				residual := -1 / float64(n)
				if k == i {
					residual++
				}
				column[k] += root * residual / float64(n)
			}
		}
		columns[g] = column
		variance += sum * sum
	}
	trace, square := 0.0, 0.0
	for a := range columns {
		for b := range columns {
			dot := 0.0
			for k := range n {
				dot += columns[a][k] * columns[b][k]
			}
			square += dot * dot
			if a == b {
				trace += dot
			}
		}
	}
	return math.Sqrt(variance) / float64(n), trace * trace / square
}

// TestClusterRobustIsWhatItsMatricesSay: the closed form has the error and the degrees of freedom of the definition, which are the
// textbook's where all clusters are of one size, and never more of freedom than that.
func TestClusterRobustIsWhatItsMatricesSay(t *testing.T) {
	t.Parallel()
	r := NewSplitMix64(81)
	for _, sizes := range unevenClusters {
		labels := labelsOf(sizes)
		diffs := someDiffs(r, len(labels))
		got, err := ClusterRobust(diffs, labels, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		se, df := byMatrices(diffs, labels, len(sizes))
		near(t, "error", got.SE, se)
		near(t, "degrees of freedom", got.DF, df)
		book, err := ClusterCR1(diffs, labels, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		one := sizes[0] == sizes[len(sizes)-1]
		same := math.Abs(got.SE-book.SE) < 1e-12 && math.Abs(got.DF-book.DF) < 1e-9
		if same != one || got.DF > book.DF+1e-9 || got.DF < 1-1e-9 {
			t.Errorf("%v: %v with %v, the textbook %v with %v", sizes, got.SE, got.DF, book.SE, book.DF)
		}
	}
}

// TestUnevenClustersFindNoDifferenceThatIsNotThere: at a nominal 5%, whatever the sizes and however much clusters agree within, no more
// than 7% of comparisons of equals find a difference. The textbook's form finds one in more than four of ten of the worst.
func TestUnevenClustersFindNoDifferenceThatIsNotThere(t *testing.T) {
	t.Parallel()
	const worlds = 1000
	worst := 0.0
	for k, sizes := range unevenClusters {
		labels := labelsOf(sizes)
		for _, within := range []float64{0, 0.3} {
			r := NewSplitMix64(uint64(k) + 7)
			ours, book := 0.0, 0.0
			for range worlds {
				diffs, own := make([]float64, len(labels)), make([]float64, len(sizes))
				for g := range own {
					own[g] = math.Sqrt(within) * NormalDraw(r)
				}
				for i, g := range labels {
					diffs[i] = own[g] + math.Sqrt(1-within)*NormalDraw(r)
				}
				got, err := ClusterRobust(diffs, labels, 0.95)
				old, err2 := ClusterCR1(diffs, labels, 0.95)
				if err != nil || err2 != nil {
					t.Fatal(err, err2)
				}
				if got.Low > 0 || got.High < 0 {
					ours += 1. / worlds
				}
				if old.Low > 0 || old.High < 0 {
					book += 1. / worlds
				}
			}
			if worst = max(worst, book); ours > 0.07 {
				t.Errorf("%v, alike within by %v: %.3f of equals differ", sizes, within, ours)
			}
		}
	}
	if worst < 0.4 {
		t.Errorf("the textbook's form is wrong in %.3f of its worst worlds: nothing is shown by these", worst)
	}
}
