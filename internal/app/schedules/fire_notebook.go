package schedules

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// scheduledFile is where a notebook of the notebook folder lies.
func scheduledFile(folder, name string) string { return filepath.Join(folder, name+app.NotebookEnding) }

// notebook executes the schedule's notebook as it is now: a copy with a lock of its own, so that every cell that costs something asks
// anew, and the notebook itself stays as its people left it.
func (fi *firing) notebook(ctx context.Context) error {
	source := scheduledFile(fi.options.Notebooks, fi.schedule.Notebook)
	body, err := os.ReadFile(source) //nolint:gosec // a checked name in the notebook folder
	if err != nil {
		return problem.New(problem.NotFound, "notebook_file", "there is no notebook %q any more", fi.schedule.Notebook).
			With("name", fi.schedule.Notebook).Because(err)
	}
	path := filepath.Join(fi.w.Options.DataDir, fi.folder(), fi.schedule.Notebook+app.NotebookEnding)
	if _, err := os.Stat(path); err != nil { // else an earlier life of the fire began it
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fi.unwritable(path, err)
		}
		if err := notebooks.WriteFile(path, body); err != nil {
			return fi.unwritable(path, err)
		}
	}
	engine := &studies.NotebookEngine{W: fi.w, Dir: app.NoFolder, StateVersion: fi.options.Version, Fire: fi.fire.ID,
		Sent: true} // it may have been written over HTTP: it reads no files
	n, err := notebooks.Open(path, engine, fi.w.Options.Now)
	if err != nil {
		return err
	}
	for _, p := range fi.schedule.Params {
		name, value, _ := strings.Cut(p, "=")
		if err := n.Set(name, value); err != nil {
			return err
		}
	}
	v, err := n.Run(ctx, notebooks.Options{
		Budget: fi.budget, BudgetOf: experiments.ParseBudget, Approve: func(notebooks.CellView) (bool, error) { return true, nil },
	})
	if v == nil || ctx.Err() != nil {
		return err
	}
	fi.read(n, v)
	if before, beforeErr := fi.before(ctx); beforeErr == nil && before != nil {
		fi.fire.Previous = before.RunID
		fi.fire.NewlyWorse = slices.DeleteFunc(slices.Clone(fi.fire.Worse),
			func(id string) bool { return slices.Contains(before.Worse, id) })
	} else {
		fi.fire.NewlyWorse = slices.Clone(fi.fire.Worse)
	}
	if err != nil {
		return err
	}
	for _, c := range v.Cells {
		if c.Error != nil {
			return c.Error
		}
	}
	return fi.notebookBook(ctx, n, v)
}

// notebookBook writes the workbook of the notebook's report cell where that is about what the fire tells of, else the report of its run:
// a message never says one thing and its workbook another.
func (fi *firing) notebookBook(ctx context.Context, n *notebooks.Notebook, v *notebooks.View) error {
	for _, c := range v.Cells {
		r, ok := c.Value.(document.Report)
		if ok && (fi.fire.Baseline == "" || r.RunID == fi.fire.RunID && r.Baseline == fi.fire.Baseline) {
			return fi.write(func(out io.Writer) error { return n.WriteXLSX(ctx, v, fi.lang(), out) })
		}
		if ok {
			break // the one that a notebook's workbook is made of
		}
	}
	if fi.fire.RunID == "" {
		return nil
	}
	run, err := fi.w.Store.Run(ctx, fi.fire.RunID)
	if err != nil {
		return err
	}
	return fi.workbook(ctx, run)
}

// read takes from the cells what a fire tells of: the newest run, or the one comparison that [notebooks.Notebook.Told] chooses, with the
// decision of its gate.
func (fi *firing) read(n *notebooks.Notebook, v *notebooks.View) {
	f := fi.fire
	if ids := n.RunIDs(); len(ids) > 0 {
		f.RunID = ids[len(ids)-1]
	}
	f.Worse, f.Mixed, f.NeedsCheck, f.Better, f.Limits = []string{}, 0, 0, 0, nil
	told := n.Told(v)
	if told == nil {
		return
	}
	c := told.Comparison
	f.Baseline, f.RunID, f.Gate, f.Limits = c.Baseline.ID, c.Candidate.ID, told.Gate, told.Limits
	f.Worse = append(f.Worse, c.Worse.Questions...)
	f.Mixed, f.NeedsCheck, f.Better, f.LowBefore, f.Low = c.Mixed.Count, c.NeedsCheck.Count, c.Better.Count, c.LowBefore, c.LowAfter
	f.Scored = 0
	if _, correct := c.Metrics["correctness"]; correct {
		f.Scored = c.Matched
	} else if _, trusted := c.Metrics["trust"]; trusted {
		f.Scored = c.Matched
	}
	if told.Of > 1 {
		fi.note("this tells of %s, one of the %d comparisons of the notebook", told.Cell, told.Of)
	}
}

// notebookRuns are the runs that the notebook's cells made for the fire.
func (fi *firing) notebookRuns(ctx context.Context) ([]string, error) {
	runs, err := fi.w.Store.Runs(ctx, experiments.RunFilter{Limit: 2000})
	var out []string
	for _, r := range runs {
		if r.Setup.Fire == fi.fire.ID {
			out = append(out, r.ID)
		}
	}
	return out, err
}

// lang is the language of the workbook.
func (fi *firing) lang() string {
	if fi.schedule.Lang == "ja" {
		return "ja"
	}
	return "en"
}
