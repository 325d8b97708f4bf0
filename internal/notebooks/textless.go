package notebooks

// textParts are the parts of the findings that quote questions and answers.
var textParts = map[string]bool{"worst": true, "best": true}

// WithoutTexts is what is known about the cells without the texts of questions, right answers, answers and passages, and without what
// judges say about them. What people wrote around the cells stays. A value of a kind that this does not know is left out whole.
func (v *View) WithoutTexts() *View {
	out := &View{Cells: make([]CellView, len(v.Cells))}
	for i, c := range v.Cells {
		switch x := c.Value.(type) {
		case nil, Doc, Source, Config, ConfigSet, RunSet, CauseSet, Verdict, Agreement:
		case Comparison:
			x.Found = textless(x.Found)
			c.Value = x
		case Report:
			x.Found = textless(x.Found)
			c.Value = x
		case Failures:
			answers := make([]Answer, len(x.Answers))
			for k, a := range x.Answers {
				answers[k] = a.textless()
			}
			x.Answers = answers
			c.Value = x
		case Answer:
			c.Value = x.textless()
		case Rows:
			if x.Texts {
				c.Value = nil
			}
		case Tabled:
			if x.Texts {
				c.Value = nil
			}
		case Chart:
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

func textless(parts []Found) []Found {
	out := []Found{}
	for _, p := range parts {
		if !textParts[p.Name] {
			out = append(out, p)
		}
	}
	return out
}
