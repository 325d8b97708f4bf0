package laboratory

import "testing"

// TestATrialEstimatesWhatIsPossible: of a group, no fewer answers are low than were seen, and no more than those and all that were not
// tried; where all were tried, nothing is estimated.
func TestATrialEstimatesWhatIsPossible(t *testing.T) {
	t.Parallel()
	for _, all := range []int{1, 5, 46, 51, 147} {
		for tried := 1; tried <= all; tried++ {
			for bad := 0; bad <= tried; bad++ {
				got := shareOf(bad, tried, all)
				seen, possible := float64(bad), float64(bad+all-tried)
				if got.least < seen || got.most > possible || got.value < got.least-1e-9 || got.value > got.most+1e-9 {
					t.Fatalf("%d of %d tried of %d: %+v", bad, tried, all, got)
				}
			}
		}
	}
	if got := shareOf(8, 46, 51); got.least < 8 || got.most > 13 {
		t.Errorf("8 of 46 tried of 51: %+v", got)
	}
}
