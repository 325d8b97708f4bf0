package reports

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// differs is the mechanical reason why a question changed, in words; empty when none was found.
func (f *findings) differs(question string) string {
	if f.Comparison == nil {
		return ""
	}
	for _, t := range f.Comparison.Triage {
		if t.QuestionID == question {
			return t.Class.Word(f.Lang)
		}
	}
	return ""
}

// methodSheet says how the comparison was computed, for those who check it. Whoever is in a hurry never opens it.
func (b *book) methodSheet() {
	rows := b.methodRows(*b.Comparison)
	b.stream(table{
		sheet: b.words.say("sheet.method"), note: b.words.say("method.note"), frozen: 1, most: 30,
		columns: []column{{b.words.say("col.item"), 30, proseLook}, {b.words.say("col.value"), 110, proseLook}},
		rows:    len(rows),
		row:     func(i int) []cell { return []cell{{value: rows[i][0]}, {value: rows[i][1]}} },
	})
}

// methodRows are pairs of what is told and the telling.
func (f *findings) methodRows(c analysis.Comparison) [][2]string {
	var rows [][2]string
	for _, n := range c.Method.Explanation {
		rows = append(rows, [2]string{f.words.say("method.how"), n.Text(f.Lang)})
	}
	for _, n := range c.Warnings {
		rows = append(rows, [2]string{f.words.say("method.warning"), n.Text(f.Lang)})
	}
	for _, e := range c.Excluded {
		rows = append(rows, [2]string{f.words.say("method.excluded") + ": " + e.Metric, e.Note.Text(f.Lang)})
	}
	for _, s := range c.Baseline.Setup.Suite {
		m, ok := c.Metrics[s.ID]
		if !ok {
			continue
		}
		text := fmt.Sprintf("n = %d, Δ = %+.3f", m.N, m.Diff)
		if m.CI95 != nil {
			text += fmt.Sprintf(", 95 %%: %+.3f … %+.3f", m.CI95[0], m.CI95[1])
		}
		switch {
		case m.P == nil:
		case *m.P < 0.0001:
			text += ", p < 0.0001"
		default:
			text += fmt.Sprintf(", p = %.4f", *m.P)
		}
		if m.Visible != nil {
			text += ", " + f.words.say("method.visible") + fmt.Sprintf(" %.3f", *m.Visible)
		}
		if g := m.Guard; g != nil && g.Decided {
			text += ", " + f.words.say("method.expected_false") + fmt.Sprintf(" %.2f, ", g.ExpectedFalse) + f.words.say("method.expected_miss") + fmt.Sprintf(" %.2f", g.ExpectedMiss)
		}
		rows = append(rows, [2]string{f.metricHeading(s), text})
	}
	for i, n := range [2]experiments.Run{c.Baseline, c.Candidate} {
		rows = append(rows, [2]string{f.words.say("method.votes"), fmt.Sprintf("%s: %d", n.ID, c.Method.Votes[i])})
	}
	return rows
}
