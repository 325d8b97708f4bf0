package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestFallsAreCountedFromScores: that no answer became less correct is said only where no score fell, whatever the verdicts are.
func TestFallsAreCountedFromScores(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		before, after []float64
		want, ja      string
	}{
		{"rises only", []float64{3, 3, 3}, []float64{3, 4, 5}, "No answer became less correct.", "回答はありません"},
		{"one falls by one vote", []float64{3, 3, 3}, []float64{2, 5, 5},
			"1 answer scored lower by Correctness (q00); none of these falls is confirmed as worse: 1 needs a check. Only repeated votes can " +
				"confirm the one that needs a check.",
			"1件ありますが（q00）、悪化と確定した低下はありません（要確認1件）"},
		{"two fall", []float64{5, 3, 3}, []float64{4, 2, 5},
			"2 answers scored lower by Correctness (q00, q01); none of these falls is confirmed as worse: 2 need a check.",
			"2件ありますが（q00、q01）、悪化と確定した低下はありません（要確認2件）"},
		{"seven fall", []float64{5, 3, 3, 3, 3, 3, 3}, []float64{4, 2, 2, 2, 2, 2, 2},
			"7 answers scored lower by Correctness (q00, q01, q02, q03, q04 and 2 more); none of these falls",
			"（q00、q01、q02、q03、q04ほか2問）"},
	} {
		before, after := scored("old", false, map[string][]float64{"correctness": c.before}),
			scored("new", false, map[string][]float64{"correctness": c.after})
		before.Run.Setup.Settled, after.Run.Setup.Settled = false, false
		compared, err := compare.CompareWith(before, after, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := FallsText(compared, [2]experiments.Evaluation{before, after})
		if !strings.HasPrefix(said.In("en"), c.want) || !strings.Contains(said.In("ja"), c.ja) {
			t.Errorf("%s: %s / %s", c.name, said.In("en"), said.In("ja"))
		}
	}
}
