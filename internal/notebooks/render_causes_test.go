package notebooks

import (
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestCausesAreReadAFactALine: the facts of a diagnosis are lines; a cell that ran before they were kept has its paragraph.
func TestCausesAreReadAFactALine(t *testing.T) {
	t.Parallel()
	x := document.CauseSet{Summary: document.Words{EN: "3 are low. 2 by search.", JA: "3件が低い。2件は検索。"}}
	var before ReadingBlock
	before.causes(x, "ja")
	if before.Text != "3件が低い。2件は検索。" || len(before.Found) > 0 {
		t.Errorf("without facts: %+v", before)
	}
	x.Facts = []document.Words{{EN: "3 are low.", JA: "3件が低い。"}, {EN: "2 by search.", JA: "2件は検索。"}}
	for lang, want := range map[string][]string{"en": {"3 are low.", "2 by search."}, "ja": {"3件が低い。", "2件は検索。"}} {
		var p ReadingBlock
		p.causes(x, lang)
		if p.Text != "" || len(p.Found) != 1 || !slices.Equal(p.Found[0].Lines, want) {
			t.Errorf("%s: %q %+v", lang, p.Text, p.Found)
		}
	}
}
