// Package reports turns an evaluation into something a person without a terminal can read: a workbook ([Report.WriteXLSX]), one
// page for a browser or a printer ([Report.WriteHTML]), a short summary for chats and pull requests ([Report.WriteMarkdown]), and
// every question as data ([Report.WriteCSV], [Report.WriteJSONL]); in English, Japanese or both.
//
// A report never computes a judgement of its own. It counts what the evaluation, the comparison and the analyses already say, and
// puts it in sentences with at most three numbers each. These rules hold in every format:
//
//   - A score that is missing is a word (not applicable, error, pending), never 0, and never a bad answer.
//   - Colour is never the only sign: a word or a mark says the same.
//   - Text from datasets, corpora and models is data. In a workbook or a CSV file it is never a formula, and in a workbook it stays
//     text when somebody edits the cell; in Markdown and HTML it cannot become markup. No link leads out of the document.
//   - What was not looked into is said, with the command that looks into it; it is never an empty chart.
//   - The same Report gives the same bytes.
//
// The first sheet of the workbook is one A4 page for people who read nothing else. Behind it stand the evidence: the low-score
// answers, what got worse, causes, questions, all questions, metrics, the sweep, what was agreed, the configuration, the method and
// the words. People write what they think of an answer into the columns of [reviewform.Columns], and [reviewform.Read] reads it back.
// Every text of our own stands in package wording. What a spreadsheet wants of a file is in package spreadsheet.
package reports

import (
	"io"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// Report is everything a report is made from. Fields that are nil say that something was not done, and the report says so too.
// The texts of retrieved hits must be filled in by the caller; a hit without text is shown by its place alone.
type Report struct {
	findings.Input           // what is told: the findings of every format are those of it
	Lang           string    // "en", "ja" or [Both]
	Title          string    // heading; "" names the experiment
	GeneratedAt    time.Time // printed as given, and the workbook's creation date; zero is left out
	Version        string    // of the program, for the record
	NoTexts        bool      // leave out the texts of questions, answers and passages, and what is said about them; HTML alone
	Frame          *Frame    // above a page in HTML that is shared; nil: none

	BaselineCauses *causes.CauseReport     // of the baseline
	CauseChanges   []causes.CauseChange    // low-score answers by cause and category, before and after
	CauseMoves     []causes.CauseMove      // questions by cause before and after
	Sweep          *Sweep                  // that the candidate belongs to
	Charts         []spreadsheet.NamedPlan // that somebody drew beside it: a sheet each at the end of the workbook
}

// OneLanguage lets go of the words on causes in the language that the report is not in. What writes each question as a line of JSON tells
// both; no other format does, and of thousands of answers they take megabytes.
func (r *Report) OneLanguage() {
	if r.Causes == nil {
		return
	}
	for i := range r.Causes.Diagnoses {
		switch d := &r.Causes.Diagnoses[i]; r.Lang {
		case "en":
			d.Rationale.JA = ""
		case "ja":
			d.Rationale.EN = ""
		}
	}
}

// Sweep is the sweep that a run belongs to.
type Sweep struct {
	ID      string                         // of the sweep
	Runs    []experiments.Run              // in the order of the axes; unfinished ones have no totals
	Winner  string                         // run id; "" when there is none
	Effects []analysiscompare.SweepEffects // by metric; may be empty
	Map     analysiscompare.SweepMap       // of good answers; may be empty
}

// WriteXLSX writes the report as a workbook. It returns a Problem of kind Invalid for an unknown language, and otherwise
// only errors of w or of the workbook writer.
func (r Report) WriteXLSX(w io.Writer) error {
	f, err := r.content()
	if err != nil {
		return err
	}
	return writeWorkbook(w, f, 0)
}

// WriteMarkdown writes a short summary for a chat or a pull request: the sentences of the workbook's first page, the metrics, and
// the ten worst answers that got worse. It returns a Problem of kind Invalid for an unknown language, and otherwise only errors of w.
func (r Report) WriteMarkdown(w io.Writer) error {
	f, err := r.content()
	if err != nil {
		return err
	}
	for i, lang := range wording.Single(f.Lang) {
		if i > 0 {
			if _, err := io.WriteString(w, "\n---\n\n"); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(w, f.in(lang).markdownPage().markdown()); err != nil {
			return err
		}
	}
	return nil
}

func (r Report) content() (*content, error) {
	words, ok := wording.Catalogues()[r.Lang]
	if !ok {
		return nil, wording.UnknownLanguage(r.Lang)
	}
	return newContent(r, words), nil
}
