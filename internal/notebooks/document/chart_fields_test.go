package document

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/charts"
)

// TestChoicesOfAChartHaveWords in both languages, each its own.
func TestChoicesOfAChartHaveWords(t *testing.T) {
	t.Parallel()
	words := map[string]map[string]Words{"mark": markWords, "aggregate": aggregateWords}
	for name, list := range map[string][]string{"mark": charts.Marks(), "aggregate": charts.Aggregates()} {
		seen := map[string]bool{}
		for _, choice := range list {
			w := words[name][choice]
			if w.EN == "" || w.JA == "" || seen[w.EN] || seen[w.JA] {
				t.Errorf("%s %s is called %+v", name, choice, w)
			}
			seen[w.EN], seen[w.JA] = true, true
		}
		if len(words[name]) != len(list) {
			t.Errorf("%d words for %d choices of %s", len(words[name]), len(list), name)
		}
	}
}
