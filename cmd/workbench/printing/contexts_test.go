package printing

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// TestPassagesHaveOnlyScoresThatSomebodyGave: recorded ones, and those of an endpoint, have an order alone.
func TestPassagesHaveOnlyScoresThatSomebodyGave(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config rag.Config
		scored bool
	}{
		"here": {rag.DefaultConfig(), true}, "log": {rag.Config{Log: &rag.LogRef{Name: "july"}}, false},
		"endpoint": {rag.Config{Endpoint: &remote.Endpoint{Name: "bot"}}, false},
	} {
		for _, lang := range []string{"en", "ja"} {
			var out bytes.Buffer
			p := &program.Program{Stdout: &out, Flags: &program.Globals{}}
			p.Flags.Lang = lang
			Runs(p).Contexts(c.config, []rag.Hit{{Text: "one", Score: 1}, {Text: "two", Score: .5}})
			if got := strings.Contains(out.String(), "0.5000"); got != c.scored || !strings.Contains(out.String(), "two") {
				t.Errorf("%s, %s: %s", name, lang, out.String())
			}
		}
	}
}
