package app

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestOnlyAnEvaluationIsABaseline: of all kinds, and of runs that belong to others, only an evaluation of its own may be pinned.
func TestOnlyAnEvaluationIsABaseline(t *testing.T) {
	t.Parallel()
	for _, kind := range []experiments.Kind{experiments.KindEvaluate, experiments.KindVerify, experiments.KindDiagnose,
		experiments.KindQuestions, experiments.KindValidate, experiments.KindSweep} {
		for _, parent := range []string{"", "b"} {
			err := Pinnable(experiments.Run{ID: "a", Kind: kind, ParentID: parent})
			if own := kind == experiments.KindEvaluate && parent == ""; own != (err == nil) {
				t.Errorf("%s of %q: %v", kind, parent, err)
			}
			if err != nil && problem.CodeOf(err) != "baseline_kind" {
				t.Error(err)
			}
		}
	}
}
