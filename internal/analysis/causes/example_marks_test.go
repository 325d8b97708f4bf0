package causes

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestPassagesAreMarkedAsTheirEvidenceIs: what an answer needs is marked as found where a passage beside it is marked as holding a part of
// it, and where none is it is not: whether or not it is known where the passages stand.
func TestPassagesAreMarkedAsTheirEvidenceIs(t *testing.T) {
	t.Parallel()
	held := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 107))
		quote := fmt.Sprintf("Leave is taken from month %d on.", seed)
		start := r.IntN(50)
		evidence := QuotedSpan{Span: rag.Span{DocID: "rules", Start: start, End: start + len(quote)}, Quote: quote}
		hits := make([]rag.Hit, r.IntN(exampleContexts+1))
		for i := range hits {
			before, holds, named := r.IntN(start+1), r.IntN(3) == 0, r.IntN(2) == 0
			hits[i].Text = fmt.Sprintf("%*s", before, "")
			if holds {
				hits[i].Text += quote
			}
			hits[i].Text += " The end."
			if named {
				hits[i].Span = rag.Span{DocID: "rules", Start: 1000, End: 1000 + len(hits[i].Text)}
				if holds {
					hits[i].Span = rag.Span{DocID: "rules", Start: start - before, End: start + len(quote) + 9}
				}
			}
		}
		whole, split, _ := heldBy(evidence, hits)
		evidence.InContext = whole || split
		x := exampleOf(Diagnosis{QuestionID: "q", Evidence: []QuotedSpan{evidence}}, 1, experiments.Evaluation{
			Questions: []experiments.Question{{ID: "q"}},
			Results:   []experiments.Result{{QuestionID: "q", Answer: &rag.Answer{Retrieval: rag.Retrieval{Hits: hits}}}},
		}, nil)
		any := false
		for _, p := range x.Retrieved {
			any = any || p.Holds
		}
		if len(x.Needed) != 1 || x.Needed[0].Holds != any || any != evidence.InContext {
			t.Errorf("seed %d: needed %+v, passages %+v", seed, x.Needed, x.Retrieved)
		}
		if any {
			held++
		}
	}
	if held < 60 || held > 240 {
		t.Errorf("held in %d of 300", held)
	}
}
