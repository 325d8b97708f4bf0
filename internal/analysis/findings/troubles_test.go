package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// TestEveryCauseOfAPauseHasWords in both languages; a cause that nobody knows stands for itself.
func TestEveryCauseOfAPauseHasWords(t *testing.T) {
	t.Parallel()
	for _, cause := range []string{
		"user", "interrupted", "budget", llm.CauseUseless, llm.CauseRefused, llm.CauseAuth, llm.CauseQuota, llm.CauseRedirect,
		llm.CauseUnsupported, llm.CauseDown, llm.CauseRateLimited, llm.CauseNotRecorded, llm.CauseEndpointAuth, llm.CauseEndpointRedirect,
		llm.CauseEndpointRateLimited,
	} {
		if w := CauseText(cause); w.EN == cause || w.JA == cause || w.EN == w.JA {
			t.Errorf("%s reads %+v", cause, w)
		}
	}
	if s := Stopped("abc", "no_such"); !strings.Contains(s.EN, "abc") || !strings.Contains(s.JA, "no_such") {
		t.Errorf("an unknown cause reads %+v", s)
	}
}
