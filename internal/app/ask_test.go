package app_test

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestABlankQuestionIsNotAsked: blanks are no question, and asking them of a paid model would buy nothing.
func TestABlankQuestionIsNotAsked(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for _, question := range []string{"", " \n\t", "　"} {
		if _, err := w.Ask(t.Context(), experiments.Experiment{}, question); problem.CodeOf(err) != "question_blank" {
			t.Errorf("%q: %v", question, err)
		}
	}
}
