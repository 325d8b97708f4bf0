package stats

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// vectorGroup reads one group of the statistics vectors of this repository.
func vectorGroup[T any](t *testing.T, group string) []T {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "cases", "stat_vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups map[string]json.RawMessage `json:"groups"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	var cases []T
	if err := json.Unmarshal(file.Groups[group], &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("group %s is empty", group)
	}
	return cases
}

// near fails when got is not within 1e-9 of want.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

type retrievalCase struct {
	Name  string
	Input struct {
		Rel    [][]int
		Total  []int    `json:"total_relevant"`
		Spans  [][3]int // document, start, end
		Chunks [][3]int
	}
	Expected struct {
		AP        []float64
		MAP       float64
		RR        []float64
		MRR       float64
		Recall    []float64 `json:"recall_at_5"`
		Precision []float64 `json:"precision_at_5"`
		Ranked    []float64 `json:"context_precision_retrieved_only"`
		Covered   []bool
		Coverage  []float64 `json:"coverage_fraction"`
		Mean      float64   `json:"mean_coverage"`
	}
}

func TestRankingVectors(t *testing.T) {
	t.Parallel()
	rankings, spans := 0, 0
	for _, c := range vectorGroup[retrievalCase](t, "retrieval") {
		mapSum, mrrSum := 0.0, 0.0
		for i, row := range c.Input.Rel {
			relevant := make([]bool, len(row))
			for j, r := range row {
				relevant[j] = r == 1
			}
			ap, rr := AveragePrecision(relevant, c.Input.Total[i]), ReciprocalRank(relevant)
			near(t, "average precision", ap, c.Expected.AP[i])
			near(t, "reciprocal rank", rr, c.Expected.RR[i])
			near(t, "recall", Recall(relevant, c.Input.Total[i]), c.Expected.Recall[i])
			near(t, "precision", Precision(relevant), c.Expected.Precision[i])
			near(t, "ranked precision", RankedPrecision(relevant), c.Expected.Ranked[i])
			mapSum, mrrSum = mapSum+ap, mrrSum+rr
			rankings++
		}
		if n := float64(len(c.Input.Rel)); n > 0 {
			near(t, "MAP", mapSum/n, c.Expected.MAP)
			near(t, "MRR", mrrSum/n, c.Expected.MRR)
		}
		for i, s := range c.Input.Spans {
			var intervals [][2]int
			for _, chunk := range c.Input.Chunks {
				if chunk[0] == s[0] {
					intervals = append(intervals, [2]int{chunk[1], chunk[2]})
				}
			}
			got := Coverage([2]int{s[1], s[2]}, intervals)
			near(t, "coverage", got, c.Expected.Coverage[i])
			if (got == 1) != c.Expected.Covered[i] {
				t.Errorf("span %d is covered: %t", i, got == 1)
			}
			spans++
		}
	}
	if rankings == 0 || spans == 0 {
		t.Fatalf("the vectors hold %d rankings and %d spans; both must be there", rankings, spans)
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
