package metrics

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// TestEqualTextsScoreOne: by every text metric an answer equal to its reference scores 1, whatever brackets it holds and however many
// contexts there are; and only what points to a context that exists is a citation.
func TestEqualTextsScoreOne(t *testing.T) {
	t.Parallel()
	pieces := []string{"The fee", "is", "20 yen", "[1]", "[2, 3]", "[9]", "[0]", "(1)", "[a]", "料金は", "[1][2]", "list[3]", "."}
	r := stats.NewSplitMix64(18)
	for range 300 {
		var words []string
		for range 1 + r.Below(8) {
			words = append(words, pieces[r.Below(len(pieces))])
		}
		said := strings.Join(words, " ")
		b := &evaluation{Suite: &Suite{}, sample: Sample{Answer: said, Reference: said, Answerable: true,
			Contexts: make([]rag.Hit, r.Below(4))}}
		for _, m := range textMetrics {
			if m.alike == nil {
				continue
			}
			if s, err := b.textScore(m.alike); err != nil || s.State != Scored || s.Value != 1 {
				t.Fatalf("%s of %q with %d contexts is %+v, %v", m.ID, said, len(b.sample.Contexts), s, err)
			}
		}
	}
	for _, c := range []struct {
		answer, reference string
		contexts          int
		want              float64
	}{{"It is 20 [1]", "It is 20", 1, 1}, {"It is 20 [1]", "It is 20", 0, 0}, {"It is 20", "It is 20 [1, 2]", 2, 1},
		{"It is 20 [3]", "It is 20", 2, 0}} {
		b := &evaluation{Suite: &Suite{}, sample: Sample{Answer: c.answer, Reference: c.reference, Answerable: true,
			Contexts: make([]rag.Hit, c.contexts)}}
		if s, err := b.textScore(declared("exact_match").alike); err != nil || s.Value != c.want {
			t.Errorf("%+v: %+v, %v", c, s, err)
		}
	}
}
