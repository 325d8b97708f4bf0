package views

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestAThemeInAListSaysWhoseItIs: the list shows themes of the analysis where there are any and else the dataset's, and the counts beside
// it go the other way round, so each row says which it is.
func TestAThemeInAListSaysWhoseItIs(t *testing.T) {
	t.Parallel()
	k := runIndex{labels: map[string]experiments.QuestionLabels{"q1": {QuestionID: "q1", Theme: "found"}}}
	for _, c := range []struct {
		row  QuestionRow
		want *findings.Text
	}{
		{QuestionRow{QuestionID: "q1", Theme: "tagged"}, said(findings.ClassifiedBy(false, true))},
		{QuestionRow{QuestionID: "q2", Theme: "tagged"}, said(findings.ClassifiedBy(true, false))},
		{QuestionRow{QuestionID: "q3"}, nil},
	} {
		k.label(&c.row)
		if (c.row.ThemeBy == nil) != (c.want == nil) || c.want != nil && *c.row.ThemeBy != *c.want {
			t.Errorf("%s (%s) is said to be %+v", c.row.QuestionID, c.row.Theme, c.row.ThemeBy)
		}
	}
}

func said(t findings.Text) *findings.Text { return &t }
