package notebooks

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestLowScoresOfAComparisonThatCannotBeTold: where nothing rates the answers of a run, a compare cell says no number of low scores.
func TestLowScoresOfAComparisonThatCannotBeTold(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][2]string{"en": {"0 → 0", "cannot be told"}, "ja": {"0 → 0", "判断できません"}} {
		for i, untold := range []bool{false, true} {
			var block ReadingBlock
			block.comparison(document.Comparison{Matched: 3, LowUntold: untold}, lang)
			if got := block.Figures[len(block.Figures)-1].Value; got != want[i] {
				t.Errorf("%s, untold %t: %q, want %q", lang, untold, got, want[i])
			}
		}
	}
}
