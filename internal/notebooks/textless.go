package notebooks

import (
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// textParts are the parts of the findings that quote questions and answers.
var textParts = map[string]bool{"worst": true, "best": true}

// WithoutTexts is what is known about the cells without the texts of questions, right answers, answers and passages, and without what
// judges say about them. What people wrote around the cells stays. A value of a kind that this does not know is left out whole.
func (v *View) WithoutTexts() *View {
	out := &View{Cells: make([]CellView, len(v.Cells))}
	for i, c := range v.Cells {
		switch x := c.Value.(type) {
		case nil, document.Doc, document.Source, document.Config, document.ConfigSet, document.RunSet, document.CauseSet,
			document.Verdict, document.Agreement:
		case document.Comparison:
			x.Found = textless(x.Found)
			c.Value = x
		case document.Report:
			x.Found = textless(x.Found)
			c.Value = x
		case document.Failures:
			answers := make([]document.Answer, len(x.Answers))
			for k, a := range x.Answers {
				answers[k] = a.Textless()
			}
			x.Answers = answers
			c.Value = x
		case document.Answer:
			c.Value = x.Textless()
		case document.Rows:
			if x.Texts {
				c.Value = nil
			}
		case document.Tabled:
			if x.Texts {
				c.Value = nil
			}
		case document.Chart:
			if x.Texts {
				c.Value = nil
			}
		default:
			c.Value = nil
		}
		out.Cells[i] = c
	}
	return out
}

func textless(parts []document.Found) []document.Found {
	out := []document.Found{}
	for _, p := range parts {
		if !textParts[p.Name] {
			out = append(out, p)
		}
	}
	return out
}
