package library

import (
	"fmt"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag/readers"
)

// InitCmd is the verb init.
type InitCmd struct {
	Docs      string            `arg:"" help:"Folder or file with the documents; . is this folder."`
	Questions string            `arg:"" help:"Question file: .xlsx .csv .tsv .jsonl .json, with a column for the question and one for the right answer."`
	Name      string            `help:"Name of corpus, dataset and experiments; default the folder's name."`
	Map       map[string]string `help:"Read a column as a field: --map \"Sollantwort=reference\". Repeatable." placeholder:"COLUMN=FIELD"`
	Sheet     []string          `help:"Sheet of a workbook to read; default the one that looks most like questions, with those under the same column names. Repeatable: several are read as one." sep:"none" placeholder:"NAME"`
	Strict    bool              `help:"Stop at the first document that cannot be read, instead of leaving it out."`
	Yes       bool              `help:"On a terminal: take the columns as they were understood without asking." short:"y"`
}

// Help shows examples.
func (InitCmd) Help() string {
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
func (c InitCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		rules := app.InitRules{Name: c.Name, Dir: app.ExperimentsDir, Columns: c.Map, Sheets: c.Sheet, Lang: p.Written(),
			Folder: readers.FolderRules{Strict: c.Strict, Progress: folderProgress(p)}}
		if p.Interactive && !c.Yes && !p.Flags.JSON {
			rules.Confirm = printerOf(p).confirmColumns
		}
		start, err := app.Init(p.Context, w, c.Docs, c.Questions, rules)
		if err != nil {
			return err
		}
		printerOf(p).notes(start.Corpus)
		printerOf(p).notes(start.Dataset)
		defer printerOf(p).leftOut(start.Corpus)
		if p.Flags.JSON {
			return p.PrintJSON(start)
		}
		p.Say("corpus %s: %s%s", start.Corpus.Ref, p.Lang().Many(start.Corpus.Items, "document"), unchanged(p.Lang(), start.Corpus))
		p.Say("dataset %s: %s%s", start.Dataset.Ref, p.Lang().Many(start.Dataset.Items, "question"), unchanged(p.Lang(), start.Dataset))
		if rules.Confirm == nil {
			printerOf(p).columns(start.Mapping)
		}
		other := "" // dataset of a file that was there before
		for _, f := range start.Files {
			if slices.Contains(start.Kept, f) {
				p.Say("kept %s as it is", f)
				if d, err := experiments.ReadDefinition(f); err == nil && d.Dataset != start.Dataset.Ref.Name {
					other = d.Dataset
				}
			} else {
				p.Say("wrote %s", f)
			}
		}
		if start.Evidence == 0 {
			p.Say("No question says where its answer stands, so nobody can say how much of it search finds: workbench dataset evidence %s --corpus %s "+
				"looks for the places.",
				start.Dataset.Ref.Name, start.Corpus.Ref.Name)
		}
		if other != "" {
			p.Say("next: the experiment files that were kept ask %s and not %s: move them away and run init again, or change dataset: in them",
				other, start.Dataset.Ref.Name)
			return nil
		}
		p.Say("next: workbench run")
		return nil
	})
}

func unchanged(l program.Language, i app.Imported) string {
	if i.Created {
		return ""
	}
	return l.Format(", as before")
}

// timeLeft is the time that is left, in words; nothing where it is less than a second.
func timeLeft(l program.Language, d time.Duration) string {
	switch {
	case d < time.Second:
		return ""
	case d < time.Minute:
		return l.Text(", %d s left", int(d.Seconds()))
	}
	return l.Text(", %d min %d s left", int(d.Minutes()), int(d.Seconds())%60)
}

// folderProgress shows how far the documents are read, with the time left; nil where nobody looks.
func folderProgress(p *program.Program) func(done, total int) {
	if p.Flags.Quiet || !p.Live {
		return nil
	}
	began := p.Now()
	return func(done, total int) {
		left := time.Duration(float64(p.Now().Sub(began)) / float64(done) * float64(total-done)).Round(time.Second)
		fmt.Fprintf(p.Stderr, "\r"+p.Lang().Format("%d/%d files read")+"%s\x1b[K", done, total, timeLeft(p.Lang(), left))
		if done == total {
			fmt.Fprint(p.Stderr, "\r\x1b[K")
		}
	}
}
