package metrics

import (
	"regexp"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// The reason of a score is two counts where it is said to be, and of no other retrieval score.
func TestCountsOfTheEvidenceAreWhereTheyAreSaidToBe(t *testing.T) {
	t.Parallel()
	span := rag.Span{DocID: "a", Start: 0, End: 54}
	half := []rag.Hit{{Span: rag.Span{DocID: "a", Start: 20, End: 90}}}
	for id, score := range retrievalScores(Sample{Evidence: []rag.Span{span}, Contexts: half}) {
		if counts := regexp.MustCompile(`^\d+/54$`).MatchString(score.Reason); counts != CountsEvidence(id) {
			t.Errorf("%s: %q", id, score.Reason)
		}
	}
}
