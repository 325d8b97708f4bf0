package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestNoModelIsNamedThatDidNotRead: causes that the built-in checker found are told as its own, and what a model read as a model's.
func TestNoModelIsNamedThatDidNotRead(t *testing.T) {
	t.Parallel()
	for _, offline := range []bool{false, true} {
		for _, method := range []causes.CauseMethod{causes.Observed, causes.Tested} {
			got := Causes{Method: method}.explained(experiments.Setup{Offline: offline})
			model := strings.HasPrefix(got.EN, "A model read") || strings.HasPrefix(got.JA, "モデルが")
			own := strings.Contains(got.EN, "built-in checker") && strings.Contains(got.JA, "内蔵の簡易評価")
			if model != (method == causes.Observed && !offline) || own != (method == causes.Observed && offline) {
				t.Errorf("offline %v, %s: %+v", offline, method, got)
			}
		}
	}
}
