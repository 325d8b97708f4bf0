package studies

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/notebooks"
)

// TestACellRefusesTargetsThatAnAgreementRefuses: a target outside its metric's scale, or of no metric, is told at the cell and never met.
func TestACellRefusesTargetsThatAnAgreementRefuses(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, "name: sure\nbase:\n  retrieve: {mode: bm25, k: 2}\n")
	for target, fine := range map[string]bool{
		"{metric: low_score_share, target: 5}": false, "{metric: low_scores, target: 1}": false, "{metric: correctness, target: 9}": false,
		"{metric: low_score_share, target: 0.05}": true, "{metric: correctness, target: 4}": true,
	} {
		n := notebook(w, t, "---\nragnb: 1\n---\n```rag agreement a\nof: run:"+run.ID+"\ntargets: ["+target+"]\n```\n")
		v, err := n.Evaluate(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		cell := v.Cell("a")
		if (cell.State == notebooks.Fresh) != fine || !fine && !strings.Contains(cell.Error.Message, "targets (entry 1)") {
			t.Errorf("%s: %s, %v", target, cell.State, cell.Error)
		}
	}
}
