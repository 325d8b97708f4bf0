package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWhatMovedMostStandsFirst: of answers that got worse, or that scored lower and need a check, the one that fell most stands first; of
// those that got better, or scored higher and need a check, the one that rose most; and what scored lower stands before what scored higher.
func TestWhatMovedMostStandsFirst(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 127))
		all := make([]QuestionVerdict, 2+r.IntN(40))
		for i := range all {
			v := &all[i]
			v.QuestionID, v.Verdict = fmt.Sprint("q", i), []Label{Worse, NeedsCheck, Better}[r.IntN(3)]
			v.Critical = r.IntN(4) == 0
			switch v.First.Gain = float64(r.IntN(9)) / 8; {
			case v.Verdict == Worse, v.Verdict == NeedsCheck && r.IntN(2) == 0:
				v.First.Gain = -v.First.Gain
			}
		}
		slices.SortFunc(all, func(a, b QuestionVerdict) int { return Severity(&a, &b) })
		for i := range len(all) - 1 {
			a, b := all[i], all[i+1]
			if a.Verdict != b.Verdict {
				continue
			}
			switch x, y := a.First.Gain, b.First.Gain; {
			case x > 0 && y <= 0 && a.Verdict == NeedsCheck, x > 0 && y > x, x <= 0 && y <= 0 && y < x:
				t.Errorf("seed %d: %s, %v before %v", seed, a.Verdict, x, y)
			}
		}
	}
}
