// Package notebook holds the verb notebook: making, running, checking and rendering notebooks, and what became of them.
package notebook

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Cmd is the verb notebook.
type Cmd struct {
	New       notebookNewCmd       `cmd:"" help:"Write a notebook to begin with, or one of the gallery."`
	Run       notebookRunCmd       `cmd:"" help:"Execute a notebook: refresh what is free, buy what is stale and approved."`
	Templates notebookTemplatesCmd `cmd:"" help:"List the templates that notebooks are made of, with their slots."`
	Template  notebookTemplateCmd  `cmd:"" help:"Save a notebook as a template: the data that it names become slots."`
	Check     notebookCheckCmd     `cmd:"" help:"List the cells that are not up to date, with prices. Buys nothing."`
	Query     notebookQueryCmd     `cmd:"" help:"Ask what a notebook has in SQL; rows as a table, CSV, JSONL or a workbook. Buys nothing."`
	Tables    notebookTablesCmd    `cmd:"" help:"List the tables that a query over a notebook may read."`
	Log       notebookLogCmd       `cmd:"" help:"List the versions of a notebook, or name one."`
	Diff      notebookDiffCmd      `cmd:"" help:"Compare versions of a notebook, or two notebooks, with their results. Buys nothing."`
	Restore   notebookRestoreCmd   `cmd:"" help:"Make a version the text of its notebook again, with the results of then."`
	Comments  notebookCommentsCmd  `cmd:"" help:"List what people say about the cells of a notebook, resolve it, or open it again."`
	Render    notebookRenderCmd    `cmd:"" help:"Write reading mode as HTML or for Jupyter, the report as a workbook, or a sealed snapshot. Executes nothing that costs."`
}

// Help shows examples.
func (Cmd) Help() string {
	return `A notebook is a Markdown file (NAME.rag.md) whose cells are evaluation steps: dataset, config, run, compare, cause, gate, report. Results
live in the data directory; NAME.rag.lock.yaml beside the file says what they rest on. Commit both.

Examples:
  workbench demo && workbench notebook new study.rag.md --from airline-study
  workbench notebook run study.rag.md --out study.html
  workbench notebook check study.rag.md`
}

type notebookNewCmd struct {
	File     string            `arg:"" help:"File to write, ending in .rag.md."`
	From     string            `help:"Template: workbench notebook templates lists them." default:"airline-study" placeholder:"NAME"`
	Corpus   string            `help:"Registered corpus it works on; default the only one there is, with the only dataset, else that of workbench demo." placeholder:"NAME"`
	Dataset  string            `help:"Registered dataset it works on; goes with --corpus." placeholder:"NAME"`
	Endpoint string            `help:"Registered endpoint, for a template that asks for one." placeholder:"NAME"`
	Slot     map[string]string `help:"Any other slot of the template. Repeatable." placeholder:"NAME=VALUE"`
	Force    bool              `help:"Overwrite an existing file."`
}

// Help shows examples.
func (notebookNewCmd) Help() string {
	return `Examples:
  workbench notebook new study.rag.md --from airline-study
  workbench notebook new mine.rag.md --from sweep --corpus manual --dataset faq
  workbench notebook new mine.rag.md --from endpoint --corpus manual --dataset faq --endpoint production --lang ja

A folder templates beside FILE holds a team's own: workbench notebook template makes one of a notebook.`
}

// Run asks for the data where somebody sits at a terminal, and writes.
func (c notebookNewCmd) Run(p *program.Program) error {
	if !strings.HasSuffix(c.File, ".rag.md") {
		return problem.New(problem.Invalid, "notebook_name", "%s does not end in .rag.md", c.File).
			WithHint("workbench notebook new study.rag.md")
	}
	if _, err := os.Stat(c.File); err == nil && !c.Force {
		return problem.New(problem.Conflict, "file_exists", "%s exists already", c.File).
			WithHint("choose another name, or overwrite it with --force")
	}
	if err := c.ask(p); err != nil {
		return err
	}
	body, err := c.text(p)
	if err != nil {
		return err
	}
	if (c.Corpus != "" || c.Dataset != "") && !p.Flags.JSON {
		if err := c.quote(p, body); err != nil {
			return err
		}
	}
	if err := notebooks.WriteFile(c.File, body); err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(map[string]string{"file": c.File, "from": c.From})
	}
	p.Say("wrote %s", c.File)
	p.Say("next: workbench notebook run %s", c.File)
	return nil
}

type notebookRunCmd struct {
	File     string   `arg:"" help:"Notebook."`
	Cell     string   `help:"Only this cell, with everything stale that it needs." placeholder:"NAME"`
	Only     bool     `help:"Of --cell: buy nothing that it needs."`
	Plan     bool     `help:"Show what is stale and what it costs, and stop. Buys nothing."`
	Budget   string   `help:"What may be spent in all: an amount (2.50) or a number of calls (500calls). Paid cells then start without a question." placeholder:"AMOUNT"`
	Yes      bool     `help:"Start paid cells without a question." short:"y"`
	Strict   bool     `help:"End with code 4 when a release check is inconclusive."`
	Out      []string `help:"Write the result: .html, .xlsx, .ipynb or .ragsnap. Repeatable." short:"o" placeholder:"FILE"`
	Comments bool     `help:"With what people say about the cells, and who, in .html and .ragsnap; without it nothing of that."`
	Snapshot bool     `help:"Seal a snapshot NAME.DATE.ragsnap beside the notebook."`
	Force    bool     `help:"Overwrite existing snapshots."`
	program.ParamFlags
}

// Help shows examples.
func (notebookRunCmd) Help() string {
	return `Cells that cost nothing are refreshed. A cell that buys calls shows its price first and waits for a yes, --yes or --budget. What is
done is kept whatever stops it; the same command goes on, and nothing is paid twice.

Examples:
  workbench notebook run study.rag.md --plan
  workbench notebook run study.rag.md -p k=6 --budget 5.00 -o study.html -o study.xlsx
  workbench notebook run weekly.rag.md --yes --strict --snapshot

Exit codes: 0 done, every release check PASS (or INCONCLUSIVE without --strict); 3 one FAIL; 4 INCONCLUSIVE with --strict; 5 incomplete
(budget, provider down, a paid cell not approved); 2 usage or configuration; 130 interrupted.`
}

// Run executes.
func (c notebookRunCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		n, err := c.Open(p, w, c.File)
		if err != nil {
			return err
		}
		if err := asked(p, w, n, c.Comments, c.Out); err != nil {
			return err
		}
		if c.Plan {
			return notebook(p).notebookPlan(n)
		}
		if err := writable(c.outputs(p), c.Force); err != nil {
			return err
		}
		n.Tell = func(v notebooks.CellView) {
			if v.State == notebooks.Running {
				p.Note("%s: running", v.Name)
			}
		}
		ended, err := historyOf(p, w, c.File).Begun(p.Context, n, apppeople.Machine().Name, c.Param)
		if err != nil {
			return err
		}
		v, runErr := n.Run(p.Context, notebooks.Options{
			Cells: c.cells(), Only: c.Only, Budget: budget, BudgetOf: experiments.ParseBudget,
			Approve: func(v notebooks.CellView) (bool, error) { return c.approve(p, v) },
		})
		if err := ended(context.WithoutCancel(p.Context)); runErr == nil {
			runErr = err
		}
		if v == nil || p.Context.Err() != nil {
			return runErr
		}
		if err := notebook(p).notebookView(n, v); err != nil {
			return err
		}
		if err := c.write(p, n, v); err != nil {
			return errors.Join(runErr, err)
		}
		if runErr != nil {
			return runErr
		}
		return c.verdict(p, v)
	})
}

// outputs are the files that the result goes to.
func (c notebookRunCmd) outputs(p *program.Program) []string {
	out := slices.Clone(c.Out)
	if c.Snapshot {
		out = append(out, notebooks.SnapshotPath(c.File, p.Now()))
	}
	return out
}

func (c notebookRunCmd) cells() []string {
	if c.Cell == "" {
		return nil
	}
	return []string{c.Cell}
}

// approve shows a price and asks, unless that was answered before.
func (c notebookRunCmd) approve(p *program.Program, v notebooks.CellView) (bool, error) {
	p.Note("%s: %s", v.Name, quote(p.Lang(), v))
	if c.Yes || c.Budget != "" {
		return true, nil
	}
	if !p.Interactive {
		p.Warn("%s was not started: add --yes, or --budget AMOUNT", v.Name)
		return false, nil
	}
	fmt.Fprintf(p.Stderr, "start %s? [y/N] ", v.Name)
	line, _ := bufio.NewReader(p.Stdin).ReadString('\n') // the end of input is a no
	return strings.ToLower(strings.TrimSpace(line)) == "y", nil
}

// quote is a price in one sentence.
func quote(l program.Language, v notebooks.CellView) string {
	switch {
	case v.Price == nil:
		return l.Format("its price is known when what it needs has been run")
	case v.Price.Free():
		return l.Format("nothing to buy")
	}
	s := l.Text("at most %d calls, price about %s", v.Price.Calls, l.Price(v.Price.Micros, v.Price.Priced, v.Price.Currency))
	if v.Price.Runs > 1 {
		s += l.Text(" (%d of %d runs are done)", v.Price.RunsDone, v.Price.Runs)
	}
	return s
}

// write writes what --out and --snapshot ask for.
func (c notebookRunCmd) write(p *program.Program, n *notebooks.Notebook, v *notebooks.View) error {
	for _, file := range c.outputs(p) {
		if err := notebook(p).notebookFile(n, v, file, c.Force); err != nil {
			return err
		}
	}
	return nil
}

// verdict ends with the code of the worst gate, or of what is left to do.
func (c notebookRunCmd) verdict(p *program.Program, v *notebooks.View) error {
	for _, cell := range v.Cells {
		if cell.Error != nil {
			return cell.Error
		}
	}
	switch v.Verdict() {
	case "FAIL":
		return program.ExitError(program.ExitGateFail)
	case "INCONCLUSIVE":
		if c.Strict {
			return program.ExitError(program.ExitGateInconclusive)
		}
		p.Warn("a release check is INCONCLUSIVE")
	}
	if stale := v.Stale(); len(stale) > 0 && c.Cell == "" {
		return program.ExitError(program.ExitIncomplete)
	}
	if v.Verdict() == "INCONCLUSIVE" {
		p.SayUndecided(true)
	}
	return nil
}

type notebookCheckCmd struct {
	File string `arg:"" help:"Notebook."`
	program.ParamFlags
}

// Help explains.
func (notebookCheckCmd) Help() string {
	return `Examples:
  workbench notebook check study.rag.md
  workbench notebook check study.rag.md -p k=6      what would another k make stale?

Exit codes: 0 everything is up to date, 5 something is stale, 2 the notebook has a mistake.`
}

// Run checks.
func (c notebookCheckCmd) Run(p *program.Program) error {
	return p.Showing(func(w *app.Workbench) error {
		n, err := c.Open(p, w, c.File)
		if err != nil {
			return err
		}
		v, err := n.Evaluate(p.Context, true)
		if err != nil {
			return err
		}
		if wrong := n.Unembeddable(v); len(wrong) > 0 {
			return wrong[0]
		}
		if err := notebook(p).notebookView(n, v); err != nil {
			return err
		}
		for _, cell := range v.Cells {
			if cell.Error != nil {
				return cell.Error
			}
		}
		if len(v.Stale()) > 0 {
			return program.ExitError(program.ExitIncomplete)
		}
		return nil
	})
}

type notebookRenderCmd struct {
	File     string   `arg:"" help:"Notebook, or a snapshot: its pages are written as they were sealed."`
	Comments bool     `help:"With what people say about the cells, and who, in .html and .ragsnap; without it nothing of that."`
	Out      []string `help:"File to write: .html, .xlsx, .ipynb or .ragsnap; default NAME.html. Repeatable." short:"o" placeholder:"FILE"`
	Force    bool     `help:"Overwrite an existing snapshot."`
	program.ParamFlags
}

// Help shows examples.
func (notebookRenderCmd) Help() string {
	return `Reading mode shows prose and results without cells, in one file that runs no script and asks for no address. An .ipynb opens in
Jupyter without this program: text, tables as CSV in one code cell, charts. The workbook is that of the notebook's report cell. A snapshot is evidence: document, lock, results and the study of its runs; workbench verify computes it again.

Examples:
  workbench notebook render study.rag.md --lang ja
  workbench notebook render study.rag.md -o study.html -o study.xlsx -o study.ragsnap
  workbench notebook render study.2026-11-20.ragsnap -o sealed.html`
}

// Run renders.
func (c notebookRenderCmd) Run(p *program.Program) error {
	out := c.Out
	if len(out) == 0 {
		name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(filepath.Base(c.File), ".md"), ".rag"), ".ragsnap")
		out = []string{filepath.Join(filepath.Dir(c.File), name+".html")}
	}
	if strings.HasSuffix(c.File, ".ragsnap") {
		return c.sealed(p, out)
	}
	return p.Showing(func(w *app.Workbench) error {
		n, err := c.Open(p, w, c.File)
		if err != nil {
			return err
		}
		v, err := n.Evaluate(p.Context, false)
		if err != nil {
			return err
		}
		if wrong := n.Unembeddable(v); len(wrong) > 0 {
			return wrong[0]
		}
		for _, cell := range v.Stale() {
			p.Warn("%s is %s", cell.Name, cell.State)
		}
		if err := asked(p, w, n, c.Comments, out); err != nil {
			return err
		}
		for _, file := range out {
			if err := notebook(p).notebookFile(n, v, file, c.Force); err != nil {
				return err
			}
		}
		return nil
	})
}

// sealed writes the page of a snapshot.
func (c notebookRenderCmd) sealed(p *program.Program, out []string) error {
	s, files, err := notebooks.OpenSnapshot(c.File)
	if err != nil {
		return err
	}
	var has []string
	for _, lang := range []string{"en", "ja"} {
		if _, ok := files[lang+".html"]; ok {
			has = append(has, lang)
		}
	}
	body, ok := files[writtenIn(p, append(has, "en"))+".html"]
	if !ok || len(out) != 1 || !strings.HasSuffix(out[0], ".html") {
		return problem.New(problem.Invalid, "snapshot_render", "a snapshot gives one page, in a language that it was sealed in").
			WithHint("workbench notebook render %s --lang ja -o page.html", c.File)
	}
	unchecked := []string{}
	if len(s.Runs) > 0 {
		checked, err := studies.CheckSnapshot(p.Context, c.File, p.Version)
		if err != nil {
			return err
		}
		if len(checked.Different) > 0 {
			return problem.New(problem.Invalid, "snapshot_broken", "%s: its page is not what its runs give: %s", c.File,
				checked.Different[0]).
				WithHint("workbench verify %s names everything that differs", c.File)
		}
		unchecked = checked.NotChecked
	}
	if err := program.WriteWhole(out[0], func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
		return err
	}
	p.Say("wrote %s (sealed %s)", out[0], s.CreatedAt)
	if len(unchecked) > 0 {
		p.Warn("%d cells or pages of it could not be computed again: workbench verify %s names them", len(unchecked), c.File)
	}
	return nil
}
