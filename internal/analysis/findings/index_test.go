package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestATeamsIndexIsNamed: who searches an index elsewhere is never told that nothing leaves the machine, and sizes that cut nothing are
// no difference.
func TestATeamsIndexIsNamed(t *testing.T) {
	t.Parallel()
	own := rag.DefaultConfig()
	m := rag.IndexMapping{Engine: "chroma", Table: "handbook",
		Offset: rag.OffsetsNone, Identity: "1", Fields: rag.MappedFields{DocID: "doc"}}
	theirs, err := m.Normalised().In(own)
	if err != nil {
		t.Fatal(err)
	}
	other := theirs
	second := *theirs.Index
	second.Identity, second.Changed = "2", true
	other.Index = &second
	saying := func(list []Text, lang string) string {
		var out []string
		for _, text := range list {
			out = append(out, text.In(lang))
		}
		return strings.Join(out, "\n")
	}
	between := func(was, is rag.Config) *builder {
		run := func(c rag.Config) experiments.Evaluation {
			return experiments.Evaluation{Run: experiments.Run{Setup: experiments.Setup{Config: c}}}
		}
		before := run(was)
		return &builder{in: Input{Baseline: &before, Candidate: run(is)}}
	}
	for name, c := range map[string]struct {
		b             *builder
		changed, sent []string
		never         string
	}{
		"ours and theirs": {between(own, theirs), []string{"index our own → handbook of chroma"},
			[]string{"Index handbook of chroma receives"},
			"size"},
		"other contents": {between(theirs, other), []string{"contents of index handbook"}, []string{"is not what it was"}, "size"},
	} {
		changed, sent := saying(c.b.changed(), "en"), saying(c.b.sent(), "en")
		for _, want := range c.changed {
			if !strings.Contains(changed, want) {
				t.Errorf("%s: changed %q does not say %q", name, changed, want)
			}
		}
		for _, want := range c.sent {
			if !strings.Contains(sent, want) {
				t.Errorf("%s: sent %q does not say %q", name, sent, want)
			}
		}
		if strings.Contains(changed, c.never) || strings.Contains(sent, "Nothing leaves") {
			t.Errorf("%s: %q, %q", name, changed, sent)
		}
		if ja := saying(c.b.sent(), "ja"); !strings.Contains(ja, "handbook") {
			t.Errorf("%s: %q", name, ja)
		}
	}
}
