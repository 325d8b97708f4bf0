package notebooks

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestTriedChangesTellNoForecast: the trial stands in the reason, and "expected" stands beside it for what was not tried alone.
func TestTriedChangesTellNoForecast(t *testing.T) {
	t.Parallel()
	for _, tried := range []bool{false, true} {
		for _, lang := range []string{"en", "ja"} {
			var p ReadingBlock
			p.repaired(document.Repaired{Names: []string{"k-6"}, Repairs: 10, LowScores: 117, AtRisk: 3, Tried: tried,
				Reason: document.Words{EN: "Tried on 100, it repaired 14.", JA: "100件で試した結果、14件が改善しました。"}}, lang)
			forecast := false
			for _, f := range p.Figures {
				forecast = forecast || strings.Contains(strings.Join([]string{f.Name, f.Value}, " "), "10")
			}
			if forecast == tried || !strings.Contains(p.Text, "14") {
				t.Errorf("%s, tried %v: %q %v", lang, tried, p.Text, p.Figures)
			}
		}
	}
}
