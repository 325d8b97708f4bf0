// Package reports turns an evaluation into something a person without a terminal can read: a workbook ([Report.WriteXLSX])
// and a short Markdown summary ([Report.WriteMarkdown]), in English or Japanese.
//
// A report never computes a judgement of its own. It counts what the evaluation and the comparison already say, and puts
// it in sentences with at most three numbers each. Four rules hold in both formats:
//
//   - A score that is missing is a word (not applicable, error, pending), never 0, and never a bad answer.
//   - Colour is never the only sign: a word or a mark says the same.
//   - Text from datasets, corpora and models is data. In the workbook it is always a string, never a formula, and keeps
//     its quote prefix when somebody edits the cell; in Markdown it cannot become markup.
//   - The same Report gives the same bytes.
//
// The workbook has five sheets: a summary with native bubble charts, the low-score answers, what got worse, all questions,
// and the configuration. Every text of our own stands in catalogue/en.json and catalogue/ja.json under the same key.
package reports

import (
	"io"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Report is everything a report is made from. The texts of retrieved hits must be filled in by the caller; a hit without
// text is shown by its place alone.
type Report struct {
	Lang        string                  // "en" or "ja"
	Title       string                  // heading; "" names the experiment
	Candidate   experiments.Evaluation  // the run the report is about
	Baseline    *experiments.Evaluation // the run it is compared with; nil when there is none
	Comparison  *analysis.Comparison    // candidate against baseline; nil when there is none
	GeneratedAt time.Time               // printed as given, and the workbook's creation date; zero is left out
	Version     string                  // of the program, for the record
}

// WriteXLSX writes the report as a workbook. It returns a Problem of kind Invalid for an unknown language, and otherwise
// only errors of w or of the workbook writer.
func (r Report) WriteXLSX(w io.Writer) error {
	f, err := r.findings()
	if err != nil {
		return err
	}
	return writeWorkbook(w, f)
}

// WriteMarkdown writes a short summary: the sentences of the workbook's first page, the metrics, and the ten worst answers
// that got worse. It returns a Problem of kind Invalid for an unknown language, and otherwise only errors of w.
func (r Report) WriteMarkdown(w io.Writer) error {
	f, err := r.findings()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, f.markdown())
	return err
}

func (r Report) findings() (*findings, error) {
	words, ok := catalogues[r.Lang]
	if !ok {
		return nil, problem.New(problem.Invalid, "report_lang", "the report language is %q", r.Lang).
			With("lang", r.Lang).WithHint("use en or ja")
	}
	return newFindings(r, words), nil
}
