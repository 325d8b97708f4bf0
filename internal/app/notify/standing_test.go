package notify

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestAMessageClaimsNoMoreThanWasShown tells a question of every cause and standing: only what was tested is called so, and what was not
// proven is not called the cause.
func TestAMessageClaimsNoMoreThanWasShown(t *testing.T) {
	t.Parallel()
	for _, c := range causes.Components() {
		for _, stands := range append(findings.Certainties(), "") {
			n := hostileNotice("x")
			n.Facts.Questions = []experiments.NoticeQuestion{{ID: "q1", Cause: string(c), Stands: string(stands)}}
			for lang, words := range map[string][2]string{"en": {"; tested)", "cause:"}, "ja": {"、検証済み）", "原因："}} {
				said := strings.Join(linesOf(tell(n, lang)), "\n")
				if !strings.Contains(said, c.Word(lang)) {
					t.Errorf("%s does not name %s: %s", lang, c, said)
				}
				if strings.Contains(said, words[0]) != (stands == findings.ByTest && c != causes.Undetermined) {
					t.Errorf("%s, %s stands as %q: %s", lang, c, stands, said)
				}
				open := stands == findings.NotKnown || stands == findings.ByJudgement
				if (open || c == causes.Undetermined) && strings.Contains(said, words[1]) {
					t.Errorf("%s calls %s the cause, which is not proven: %s", lang, c, said)
				}
			}
		}
	}
}
