package reports

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// toldExample is a worked example of a cause in words: what every kind of report says of it.
type toldExample struct {
	title string
	parts [][2]string // name and text, which may have several lines; those without text are left out
}

// workedExamples are the examples of the most frequent causes.
func (f causeText) workedExamples() []toldExample {
	if f.Causes == nil {
		return nil
	}
	out := make([]toldExample, len(f.Causes.Examples))
	for i, x := range f.Causes.Examples {
		out[i] = f.workedExample(x)
	}
	return out
}

func (f causeText) workedExample(x causes.CauseExample) toldExample {
	out := toldExample{title: f.words.Say("example.title", "cause", capital(f.component(x.Component)), "n", x.Count,
		"question", spreadsheet.Clean(x.QuestionID))}
	for _, part := range [][2]string{
		{"col.question", x.Question}, {"col.reference", x.Reference}, {"col.answer", x.Answer},
		{"example.needed", f.passages(x.Needed)}, {"example.retrieved", f.passages(x.Retrieved)}, {"example.tried", f.tried(x.Tried)},
		{"col.rationale", f.each(x.Rationale.In)},
	} {
		if part[1] != "" {
			out.parts = append(out.parts, [2]string{f.words.Say(part[0]), spreadsheet.Clean(part[1])})
		}
	}
	return out
}

// passages are pieces of documents, one a line, each with what it is to the answer.
func (f causeText) passages(list []causes.ExampleText) string {
	var out []string
	for _, p := range list {
		mark := "○ "
		if p.Holds {
			mark = "● "
		}
		if p.DocID != "" { // of recorded answers it may not be known
			mark += p.DocID + f.words.Say("word.colon")
		}
		out = append(out, mark+p.Text)
	}
	return strings.Join(out, "\n")
}

// tried are the steps of a diagnosis with their results, one a line.
func (f causeText) tried(steps []causes.ExampleStep) string {
	var out []string
	for _, s := range steps {
		line := f.each(s.What.In)
		if result := f.each(s.Result.In); result != "" {
			line += f.words.Say("word.colon") + result
		}
		if s.Fixed {
			line += " ✓"
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
