package metrics

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/text"
)

var update = flag.Bool("update", false, "rewrite docs/metrics.md")

// TestDocumentation holds docs/metrics.md to the catalogue.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "metrics.md")
	want := Documentation()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil { //nolint:gosec // a page of the repository
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/metrics.md is not what the catalogue says; go test ./internal/metrics -run TestDocumentation -update (-want +got):\n%s", diff)
	}
}

// TestEveryMetricIsDocumented asks for words in both languages, and that the calls which the page names are those that a
// metric makes when it is asked for alone.
func TestEveryMetricIsDocumented(t *testing.T) {
	t.Parallel()
	for _, s := range Catalogue() {
		d, ok := DocOf(s.ID)
		if !ok || d.Formula == "" || d.Inputs == "" || d.Source == "" || d.DropEN == "" || text.Language(d.DropJA) != "ja" {
			t.Errorf("%s is documented as %+v", s.ID, d)
			continue
		}
		if (d.RagasEN == "") != (d.RagasJA == "") || s.NeedsJudge != (d.Calls+d.Once > 0) || s.NeedsEmbedding != (d.Embeds > 0) {
			t.Errorf("%s: the words and the Spec disagree: %+v", s.ID, d)
		}
		if !s.NeedsJudge {
			continue
		}
		judge := carefulJudge()
		judge.replies[PurposeEntities] = saying(`{"entities":["Passage"]}`)
		if s := scoresOf(t, judge, longSample(3), s.ID)[s.ID]; s.State != Scored {
			t.Errorf("%s is %+v", s.Metric, s)
		}
		if calls := judge.count(""); calls != d.Calls+d.Once {
			t.Errorf("%s makes %d calls, documented are %d + %d", s.ID, calls, d.Calls, d.Once)
		}
	}
	for name := range suites {
		if suiteNotes[name][0] == "" || !strings.Contains(Documentation(), "**"+name+"**") {
			t.Errorf("suite %s is not documented", name)
		}
	}
}
