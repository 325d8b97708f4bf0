package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/readers"
)

type initCmd struct {
	Docs      string            `arg:"" help:"Folder or file with the documents; . is this folder."`
	Questions string            `arg:"" help:"Question file: .xlsx .csv .tsv .jsonl .json, with a column for the question and one for the right answer."`
	Name      string            `help:"Name of corpus, dataset and experiments; default the folder's name."`
	Map       map[string]string `help:"Read a column as a field: --map \"Sollantwort=reference\". Repeatable." placeholder:"COLUMN=FIELD"`
	Strict    bool              `help:"Stop at the first document that cannot be read, instead of leaving it out."`
	Yes       bool              `help:"On a terminal: take the columns as they were understood without asking." short:"y"`
}

// Help shows examples.
func (initCmd) Help() string {
	return `Imports both, shows what each column was taken for, and writes two commented experiment files: a baseline and one
sensible alternative. Then ` + "`workbench run`" + ` runs both, shows which answers got worse, and writes the workbook.

The names of the columns are read in English and Japanese, wherever their row stands; on a terminal you are shown what was
understood and can change it. A document that cannot be read is left out and named. Doing it again imports what changed and
keeps the experiment files.

Examples:
  workbench init ./manual questions.xlsx
  workbench init . questions.xlsx --map "Sollantwort=reference"
  workbench run`
}

// Run imports and writes.
func (c initCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		rules := app.InitRules{Name: c.Name, Dir: app.ExperimentsDir, Columns: c.Map,
			Folder: readers.FolderRules{Strict: c.Strict, Progress: p.demos().folderProgress()}}
		if p.interactive && !c.Yes && !p.flags.JSON {
			rules.Confirm = p.library().confirmColumns
		}
		start, err := app.Init(p.ctx, w, c.Docs, c.Questions, rules)
		if err != nil {
			return err
		}
		p.library().notes(start.Corpus)
		p.library().notes(start.Dataset)
		defer p.library().leftOut(start.Corpus)
		if p.flags.JSON {
			return p.printJSON(start)
		}
		p.say("corpus %s: %s%s", start.Corpus.Ref, p.lang().many(start.Corpus.Items, "document"), p.lang().unchanged(start.Corpus))
		p.say("dataset %s: %s%s", start.Dataset.Ref, p.lang().many(start.Dataset.Items, "question"), p.lang().unchanged(start.Dataset))
		if rules.Confirm == nil {
			p.library().columns(start.Mapping)
		}
		for _, f := range start.Files {
			if slices.Contains(start.Kept, f) {
				p.say("kept %s as it is", f)
			} else {
				p.say("wrote %s", f)
			}
		}
		if start.Evidence == 0 {
			p.say("No question says where its answer stands, so causes would be guesses: workbench dataset evidence %s looks for the places.", start.Dataset.Ref.Name)
		}
		p.say("next: workbench run")
		return nil
	})
}

func (l language) unchanged(i app.Imported) string {
	if i.Created {
		return ""
	}
	return l.format(", as before")
}

// left is the time that is left, in words; nothing where it is less than a second.
func (l language) left(d time.Duration) string {
	switch {
	case d < time.Second:
		return ""
	case d < time.Minute:
		return l.text(", %d s left", int(d.Seconds()))
	}
	return l.text(", %d min %d s left", int(d.Minutes()), int(d.Seconds())%60)
}

// folderProgress shows how far the documents are read, with the time left; nil where nobody looks.
func (p demoPrinter) folderProgress() func(done, total int) {
	if p.flags.Quiet || !p.live {
		return nil
	}
	began := p.now()
	return func(done, total int) {
		left := time.Duration(float64(p.now().Sub(began)) / float64(done) * float64(total-done)).Round(time.Second)
		fmt.Fprintf(p.stderr, "\r"+p.lang().format("%d/%d files read")+"%s\x1b[K", done, total, p.lang().left(left))
		if done == total {
			fmt.Fprint(p.stderr, "\r\x1b[K")
		}
	}
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

// How many answers the first comparison shows.
const (
	firstWorse  = 10
	firstBetter = 2
)

// compareAll sets every further run beside the first and writes a workbook for the last pair.
func (p demoPrinter) compareAll(w *app.Workbench, runs []experiments.Run) error {
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
		p.comparisons().said(w, comparison, both)
		p.comparisons().worseAnswers(comparison, both, firstWorse)
		p.comparisons().betterAnswers(comparison, both, firstBetter)
		lang := "en"
		if p.lang() == japanese || len(both[1].Questions) > 0 && both[1].Questions[0].Lang == "ja" {
			lang = "ja"
		}
		report, err := reporting.Report(p.ctx, w, runs[0].ID, candidate.ID, lang, version)
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
		p.runs().contexts(asked.Answer.Hits)
		p.say("")
		result := experiments.Result{Scores: asked.Scores}
		for _, s := range asked.Scores {
			p.say("%-18s %s  %s", s.Metric, cell(result, s.Metric), reasonOf(s))
		}
		p.runs().judgeBadge(experiments.Run{Setup: asked.Setup})
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
