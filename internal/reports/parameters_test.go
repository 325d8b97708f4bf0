package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// TestNoSettingIsInvented: of recorded answers no number of a pipeline is told that did not run; of those answered here each one is, 0 too.
func TestNoSettingIsInvented(t *testing.T) {
	t.Parallel()
	zeros := func(c rag.Config) (named []string) {
		for _, p := range parameters(c) {
			if p.value == "0" {
				named = append(named, p.name)
			}
		}
		return named
	}
	here := rag.DefaultConfig()
	here.Generate.Temperature, here.Chunk.Overlap = 0, 0
	if got := strings.Join(zeros(here), " "); !strings.Contains(got, "generate.temperature") || !strings.Contains(got, "chunk.overlap") {
		t.Errorf("what was set to 0 here is not told: %s", got)
	}
	if got := zeros(rag.Config{Log: &rag.LogRef{Name: "july", Version: 1}}); len(got) > 0 {
		t.Errorf("recorded answers have %v", got)
	}
	if got := zeros(rag.Config{Endpoint: &remote.Endpoint{Name: "bot"}}); slices.ContainsFunc(got, func(name string) bool {
		return !strings.HasPrefix(name, "endpoint.")
	}) {
		t.Errorf("an endpoint that is told nothing has %v", got)
	}
	existing := here
	existing.Chunk, existing.Index = rag.Chunking{}, &rag.IndexMapping{}
	got := strings.Join(zeros(existing), " ")
	if strings.Contains(got, "chunk.") || !strings.Contains(got, "generate.temperature") {
		t.Errorf("over an index that was there: %s", got)
	}
}
