package stats

import (
	"math"
	"testing"
)

// TestCohenKappa on the worked example of two doctors and 50 cases: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no gives 0.4.
func TestCohenKappa(t *testing.T) {
	t.Parallel()
	var a, b []int
	for pair, n := range map[[2]int]int{{1, 1}: 20, {1, 0}: 5, {0, 1}: 10, {0, 0}: 15} {
		for range n {
			a, b = append(a, pair[0]), append(b, pair[1])
		}
	}
	if k, err := CohenKappa(a, b); err != nil || math.Abs(k-0.4) > 1e-12 {
		t.Errorf("%v, %v", k, err)
	}
	if k, err := CohenKappa([]int{2, 2}, []int{2, 2}); err != nil || k != 1 {
		t.Errorf("always the same: %v, %v", k, err)
	}
	if _, err := CohenKappa([]int{1}, nil); err == nil {
		t.Error("lists of different length have a kappa")
	}
}
