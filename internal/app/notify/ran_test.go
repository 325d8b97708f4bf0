package notify

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestASignOfLifeIsTrue: a fire that somebody began ran by hand, and a release check that did not pass is named.
func TestASignOfLifeIsTrue(t *testing.T) {
	t.Parallel()
	for _, ja := range []bool{false, true} {
		for _, now := range []bool{false, true} {
			for _, gate := range []string{"", "PASS", "FAIL", "INCONCLUSIVE"} {
				p := printer{ja: ja, NoticeFacts: experiments.NoticeFacts{Schedule: "nightly",
					Fire: &experiments.Fire{RunNow: now, Gate: gate}}}
				title := p.ran()
				planned := strings.Contains(title, "as planned") || strings.Contains(title, "予定どおり")
				checked := strings.Contains(title, "release check") || strings.Contains(title, "リリース判定")
				if planned == now || checked != (gate == "FAIL" || gate == "INCONCLUSIVE") {
					t.Errorf("by hand %t, %s: %s", now, gate, title)
				}
			}
		}
	}
}
