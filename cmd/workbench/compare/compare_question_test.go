package compare

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
)

// TestWhatDiffersCountsWhatItNames: the number is the sum of what follows it, and covers every answer that is not better: also one that
// was not compared because its question was edited, which no verdict counts.
func TestWhatDiffersCountsWhatItNames(t *testing.T) {
	t.Parallel()
	c := compare.Comparison{Triage: []compare.Triage{
		{Label: compare.Worse, Class: compare.EvidenceLost}, {Label: compare.Mixed, Class: compare.EvidenceLost},
		{Label: compare.NeedsCheck, Class: compare.RuntimeError}, {Label: compare.Better, Class: compare.EvidenceLost},
		{Class: compare.QuestionEdited},
	}}
	for lang, want := range map[string]string{
		"en": "what differs, for the answers that are worse, mixed, to be checked or not compared (4): evidence lost by retrieval 2; ",
		"ja": "何が変わったか（悪化・一長一短・要確認・比較なしの4件）：検索で根拠が失われた 2、",
	} {
		var out bytes.Buffer
		why(&program.Program{Stdout: &out, Flags: &program.Globals{Lang: lang}, Getenv: func(string) string { return "" }}, c)
		if said := out.String(); !strings.Contains(said, want) || strings.Count(said, " 1") != 2 {
			t.Errorf("%s", said)
		}
	}
}
