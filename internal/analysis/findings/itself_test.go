package findings

import (
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
)

// TestARunBesideItselfIsToldFirst: in every channel the first sentence about a run that is compared with itself says so; of two runs, none.
func TestARunBesideItselfIsToldFirst(t *testing.T) {
	t.Parallel()
	table := evaltest.Table{"q1": {"correctness": 4, "trust": 4}, "q2": {"correctness": 2, "trust": 5}}
	for _, id := range []string{"b", "c"} {
		before, after := evaltest.Evaluation(t, "b", table), evaltest.Evaluation(t, id, table)
		c, err := compare.CompareWith(before, after, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := Of(Input{Candidate: after, Baseline: &before, Comparison: &c})
		told := slices.IndexFunc(f.Sentences, func(s Text) bool { return s.Code == "say.itself" })
		if want := map[string]int{"b": 0, "c": -1}[id]; told != want {
			t.Errorf("b beside %s: %d of %+v", id, told, f.Sentences)
		}
		for _, lang := range []string{"en", "ja"} {
			if id == "b" && !slices.Contains(f.Gate(lang), f.Sentences[0].In(lang)) {
				t.Errorf("a gate says %q", f.Gate(lang))
			}
		}
	}
}
