package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestThemesSayWhoseTheyAre: a theme of the data set's tags and one of the question analysis count different questions under one
// name.
func TestThemesSayWhoseTheyAre(t *testing.T) {
	t.Parallel()
	qs := []experiments.Question{{ID: "q1", Tags: []string{"theme:fares"}}, {ID: "q2", Tags: []string{"theme:both"}}, {ID: "q3"},
		{ID: "q4"}}
	b := &builder{asked: map[string]*experiments.Question{}}
	for i := range qs {
		b.asked[qs[i].ID] = &qs[i]
	}
	b.in.Questions = &questions.QuestionReport{Questions: []experiments.QuestionLabels{{QuestionID: "q1", Theme: "found"},
		{QuestionID: "q3", Theme: "both"}, {QuestionID: "q4", Theme: "found"}}}
	for id, want := range map[string]string{"fares": "theme.by_tags", "found": "theme.by_analysis", "both": "theme.by_both"} {
		by := b.themeBy(id)
		if by.Code != want || !strings.Contains(say("theme.low", "theme", "x", "by", by, "low", 1, "rated", 2).JA, Word("ja", want)) {
			t.Errorf("%s is said to be %q", id, by.Code)
		}
	}
}
