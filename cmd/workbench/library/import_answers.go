package library

import (
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

// ImportAnswersCmd is the verb import-answers.
type ImportAnswersCmd struct {
	File    string `arg:"" help:"Logged answers: .jsonl .json .csv .tsv .xlsx."`
	Dataset string `help:"Dataset whose questions were asked." required:"" placeholder:"NAME"`
	Corpus  string `help:"Corpus in which the logged contexts are looked for, so that evidence can be compared." placeholder:"NAME"`
	Name    string `help:"Name of the log and of its experiment; default the file's name." placeholder:"LOG"`
	Model   string `help:"Model that judges, as provider/model; default the offline judge." placeholder:"MODEL"`
	Sheet   string `help:"Of a workbook: the sheet to read; default the one that looks most like a table of answers." placeholder:"NAME"`
	encodingFlag
	Map map[string]string `help:"Read a column as a field: --map \"Antwort=answer\". Repeatable." placeholder:"COLUMN=FIELD"`
}

// Help shows examples.
func (ImportAnswersCmd) Help() string {
	return `One row for each answer. A row names the question by id or by its text. Columns are recognised by the names that Ragas, DeepEval,
RAGChecker, LangSmith and others use, in English and Japanese.
Fields: ` + strings.Join(intake.AnswerFields(), " ") + `.
Contexts are a JSON list, a Python list, or one context per line. A column can also be mapped to ignore.
The answers become an experiment whose run makes no call for an answer, only for judging.

Examples:
  workbench import-answers log.jsonl --dataset faq --corpus manual --name bot-may
  workbench run bot-may
  workbench compare bot-april bot-may`
}

// Run imports.
func (c ImportAnswersCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		imported, err := w.ImportAnswers(p.Context, c.File,
			app.AnswersOptions{Name: c.Name, Dataset: c.Dataset, Corpus: c.Corpus, Model: c.Model, Columns: c.Map,
				Sheet: c.Sheet, Encoding: c.Encoding})
		if err != nil {
			return err
		}
		if imported.Mapping.Encoding != "" {
			p.Note("%s, %s", imported.Mapping.Format, imported.Mapping.Encoding)
		}
		for _, col := range imported.Mapping.Columns {
			p.Note("%s", col.Said().In(string(p.Lang())))
		}
		for _, n := range imported.Notes {
			p.Note("note: %s", n.In(string(p.Lang())))
		}
		if n := len(imported.Missing); n > 0 {
			p.Warn("%d of %d questions of %s have no answer in the file: %s", n, n+imported.Answers, imported.Dataset,
				program.FirstOf(imported.Missing, 10))
		}
		if p.Flags.JSON {
			return p.PrintJSON(imported)
		}
		if imported.Created {
			p.Say("imported log %s (%d answers to %s)", imported.Ref, imported.Answers, imported.Dataset)
		} else {
			p.Say("unchanged: log %s (%d answers to %s)", imported.Ref, imported.Answers, imported.Dataset)
		}
		p.Say("experiment %s, revision %d, replays them: workbench run %s", imported.Experiment, imported.Revision, imported.Experiment)
		return nil
	})
}
