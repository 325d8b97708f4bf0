package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

type initCmd struct {
	Docs      string            `arg:"" help:"Folder or file with the documents."`
	Questions string            `arg:"" help:"Question file: .xlsx .csv .tsv .jsonl .json, with a column for the question and one for the right answer."`
	Name      string            `help:"Name of corpus, dataset and experiments; default the folder's name."`
	Map       map[string]string `help:"Read a column as a field: --map \"Sollantwort=reference\". Repeatable." placeholder:"COLUMN=FIELD"`
}

// Help shows examples.
func (initCmd) Help() string {
	return `Imports both, shows what each column was taken for, and writes two commented experiment files: a baseline and one
sensible alternative. Then ` + "`workbench run`" + ` runs both, shows which answers got worse, and writes the workbook.

Examples:
  workbench init ./manual questions.xlsx
  workbench run`
}

// Run imports and writes.
func (c initCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		start, err := w.Init(p.ctx, c.Docs, c.Questions, c.Name, app.ExperimentsDir, c.Map)
		if err != nil {
			return err
		}
		for _, n := range append(start.Corpus.Notes, start.Dataset.Notes...) {
			p.note("note: %s", n)
		}
		if p.flags.JSON {
			return p.printJSON(start)
		}
		p.say("corpus %s: %d documents", start.Corpus.Ref, start.Corpus.Items)
		p.say("dataset %s: %d questions from these columns:", start.Dataset.Ref, start.Dataset.Items)
		for _, column := range start.Mapping.Columns {
			p.say("  %s", column)
		}
		p.say("wrote %s", strings.Join(start.Files, " and "))
		p.say("next: workbench run")
		return nil
	})
}

// experimentFiles are the files that `workbench run` takes when it is given no name.
func experimentFiles() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(app.ExperimentsDir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, problem.New(problem.Invalid, "usage", "run needs the name of an experiment, or files in %s/", app.ExperimentsDir).
			WithHint("workbench init DOCS QUESTIONS writes them; workbench experiment list shows registered ones")
	}
	slices.Sort(files)
	return files, nil
}

// compareAll sets every further run beside the first and writes a workbook for the last pair.
func (p *program) compareAll(w *app.Workbench, runs []experiments.Run) error {
	if _, err := w.SetBaseline(p.ctx, runs[0].ID); err != nil {
		return err
	}
	for _, candidate := range runs[1:] {
		comparison, both, err := w.Compare(p.ctx, runs[0].ID, candidate.ID)
		if err != nil {
			return err
		}
		p.say("")
		p.say("%s compared with %s:", candidate.Setup.Experiment, runs[0].Setup.Experiment)
		p.sentences(comparison)
		p.worseAnswers(comparison, both, 3)
		lang := "en"
		if len(both[1].Questions) > 0 && both[1].Questions[0].Lang == "ja" {
			lang = "ja"
		}
		report, err := w.Report(p.ctx, runs[0].ID, candidate.ID, lang, version)
		if err != nil {
			return err
		}
		file := fmt.Sprintf("report-%s.xlsx", candidate.ID)
		if err := writeWhole(file, report.WriteXLSX); err != nil {
			return err
		}
		p.say("")
		p.say("wrote %s", file)
	}
	return nil
}

type askCmd struct {
	Question   string `arg:"" help:"The question."`
	Experiment string `help:"Registered name or experiment file." short:"e" required:"" placeholder:"NAME"`
}

// Help shows examples.
func (askCmd) Help() string {
	return `Answers one question with an experiment's base configuration and shows contexts and scores. A question of the dataset
is scored against its reference too. Nothing is stored as a run.

Example:
  workbench ask "Can a Saver ticket be refunded?" -e faq-candidate`
}

// Run asks.
func (c askCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		e, _, err := w.Experiment(p.ctx, c.Experiment)
		if err != nil {
			return err
		}
		asked, err := w.Ask(p.ctx, e, c.Question)
		if err != nil {
			return err
		}
		if p.flags.JSON {
			return p.printJSON(asked)
		}
		p.say("%s", printable(asked.Answer.Text))
		p.say("")
		if asked.Answer.Query != asked.Question.Text {
			p.say("searched   %s", printable(asked.Answer.Query))
		}
		for i, h := range asked.Answer.Hits {
			p.say("context %d  %s  score %.4f\n  %s", i+1, h.Span, h.Score, oneLine(h.Text, 300))
		}
		p.say("")
		result := experiments.Result{Scores: asked.Scores}
		for _, s := range asked.Scores {
			p.say("%-18s %s  %s", s.Metric, cell(result, s.Metric), reasonOf(s))
		}
		p.offlineBadge(experiments.Run{Setup: asked.Setup})
		return nil
	})
}

// reasonOf is the judge's reason; for cells without a score the cell names it already.
func reasonOf(s metrics.Score) string {
	if s.State != metrics.Scored {
		return ""
	}
	return printable(s.Reason)
}
