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
		Budget: fi.budget, BudgetOf: app.ParseBudget, Approve: func(notebooks.CellView) (bool, error) { return true, nil },
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

// notebookBook writes the workbook of the notebook's report cell, or else the report of its newest run.
func (fi *firing) notebookBook(ctx context.Context, n *notebooks.Notebook, v *notebooks.View) error {
	for _, c := range v.Cells {
		if _, ok := c.Value.(document.Report); ok {
			return fi.write(func(out io.Writer) error { return n.WriteXLSX(ctx, v, fi.lang(), out) })
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

// read takes from the cells what a fire tells of: the newest run, what its comparisons found, the worst verdict of its gates.
func (fi *firing) read(n *notebooks.Notebook, v *notebooks.View) {
	if ids := n.RunIDs(); len(ids) > 0 {
		fi.fire.RunID = ids[len(ids)-1]
	}
	f := fi.fire
	f.Worse, f.Mixed, f.NeedsCheck, f.Better = []string{}, 0, 0, 0
	for _, cell := range v.Cells {
		c, ok := cell.Value.(document.Comparison)
		if !ok {
			continue
		}
		for _, id := range c.Worse.Questions {
			if !slices.Contains(f.Worse, id) {
				f.Worse = append(f.Worse, id)
			}
		}
		f.Baseline = c.Baseline.ID
		if slices.Contains(n.RunIDs(), c.Candidate.ID) { // else the fire only looked at it
			f.RunID = c.Candidate.ID
		}
		f.Mixed += c.Mixed.Count
		f.NeedsCheck, f.Better, f.LowBefore, f.Low = f.NeedsCheck+c.NeedsCheck.Count, f.Better+c.Better.Count, c.LowBefore, c.LowAfter
		f.Scored = 0
		if _, correct := c.Metrics["correctness"]; correct {
			f.Scored = c.Matched
		} else if _, trusted := c.Metrics["trust"]; trusted {
			f.Scored = c.Matched
		}
	}
	f.Gate = v.Verdict()
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
