package compare

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestRetrievalLosesOnlyWhatIsThere: of evidence that is not retrieved any more, retrieval is named only where the candidate's documents
// hold it: in the same corpus, or in another one in which it was found.
func TestRetrievalLosesOnlyWhatIsThere(t *testing.T) {
	t.Parallel()
	const quote = "refunds take ten days"
	passage := rag.Hit{Span: rag.Span{DocID: "d", Start: 90, End: 140}, Text: "… " + quote + ". …"}
	other := rag.Hit{Span: rag.Span{DocID: "d", Start: 500, End: 540}, Text: "Pets travel in the hold."}
	type look = func(string) (bool, bool)
	says := func(holds, known bool) look { return func(string) (bool, bool) { return holds, known } }
	for name, c := range map[string]struct {
		corpus, quote string
		holds         look
		want          Class
	}{
		"the same documents":             {"corpus", quote, says(false, true), EvidenceLost},
		"others, that hold it":           {"other", quote, says(true, true), EvidenceLost},
		"others, that do not":            {"other", quote, says(false, true), EvidenceGone},
		"others, that cannot be read":    {"other", quote, says(false, false), DocumentsMoved},
		"others, and nobody looks":       {"other", quote, nil, DocumentsMoved},
		"others, and no words are known": {"other", "", says(true, true), DocumentsMoved},
	} {
		baseline := places(answered(evaltest.One(t, "b", "correctness", 5), "yes", passage), marked(100, 121, c.quote))
		candidate := places(answered(evaltest.One(t, "c", "correctness", 2), "no", other), marked(100, 121, c.quote))
		candidate.Run.Setup.Corpus.Digest = c.corpus
		got, err := CompareWith(baseline, candidate, Options{Holds: c.holds})
		if err != nil || len(got.Triage) != 1 || got.Triage[0].Class != c.want {
			t.Errorf("%s: %+v, want %s (%v)", name, got.Triage, c.want, err)
		}
	}
}
