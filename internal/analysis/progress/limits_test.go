package progress

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestATrendMarksWhereItsLimitsChanged: exactly the decisions that go by other limits than the one before them of the same schedule, with
// both; what decided nothing, or by limits that nobody knows, is passed over.
func TestATrendMarksWhereItsLimitsChanged(t *testing.T) {
	t.Parallel()
	marked := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 13))
		points := make([]TrendPoint, 2+r.IntN(12))
		for i := range points {
			points[i] = TrendPoint{Gate: []string{"", "PASS", "FAIL"}[r.IntN(3)], Schedule: []string{"a", "b"}[r.IntN(2)]}
			if by := []string{"", "usual", "5%", "10%"}[r.IntN(4)]; by != "" {
				points[i].By = text.Said{EN: by, JA: by + "以下"}
			}
		}
		Series(points, nil)
		for i, p := range points {
			var want *LimitsMove
			before := slices.Clone(points[:i])
			slices.Reverse(before)
			if k := slices.IndexFunc(before, func(q TrendPoint) bool {
				return q.Schedule == p.Schedule && q.Gate != "" && q.By.EN != ""
			}); k >= 0 && p.Gate != "" && p.By.EN != "" && before[k].By != p.By {
				want, marked = &LimitsMove{From: before[k].By, To: p.By}, marked+1
			}
			if (want == nil) != (p.Limits == nil) || want != nil && *want != *p.Limits ||
				(want != nil) != slices.Contains(p.Changes, ChangedLimits) {
				t.Errorf("seed %d, point %d of %+v: %+v, want %+v", seed, i, points, p.Limits, want)
			}
		}
	}
	if marked < 100 {
		t.Errorf("only %d changes were tried", marked)
	}
}
