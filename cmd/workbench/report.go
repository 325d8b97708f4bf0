package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports"
)

type reportCmd struct {
	Candidate string `arg:"" name:"run" help:"Run id, its beginning, an experiment's name, or a sweep (its winner)."`
	Baseline  string `help:"Run to compare with; default the pinned baseline when there is one." placeholder:"RUN"`
	Output    string `help:"File to write; its ending decides: .xlsx or .md. Default report.xlsx." short:"o" default:"report.xlsx" placeholder:"FILE"`
	Lang      string `help:"Language of the report." enum:"en,ja" default:"en"`
	Force     bool   `help:"Overwrite the file when it exists." short:"f"`
}

// Help shows examples.
func (reportCmd) Help() string {
	return `Examples:
  workbench report faq                                       report.xlsx in English
  workbench report 9c41 --baseline 3f2a --lang ja -o report-ja.xlsx
  workbench report faq -o summary.md`
}

// Run writes the report to a temporary file beside its place and then moves it there, so that a failure leaves no half file.
func (c reportCmd) Run(p *program) error {
	write, ok := map[string]func(reports.Report, io.Writer) error{
		".xlsx": reports.Report.WriteXLSX, ".md": reports.Report.WriteMarkdown,
	}[strings.ToLower(filepath.Ext(c.Output))]
	if !ok {
		return problem.New(problem.Invalid, "report_format", "%s: reports are written as .xlsx or .md", c.Output)
	}
	if _, err := os.Stat(c.Output); err == nil && !c.Force {
		return problem.New(problem.Conflict, "file_exists", "%s exists already", c.Output).WithHint("choose another name with -o, or overwrite it with --force")
	}
	return p.with(func(w *app.Workbench) error {
		report, err := w.Report(p.ctx, c.Baseline, c.Candidate, c.Lang, version)
		if err != nil {
			return err
		}
		if err := writeWhole(c.Output, func(f io.Writer) error { return write(report, f) }); err != nil {
			return err
		}
		if p.flags.JSON {
			return p.printJSON(map[string]string{"file": c.Output, "run_id": report.Candidate.Run.ID})
		}
		p.say("wrote %s (run %s)", c.Output, report.Candidate.Run.ID)
		return nil
	})
}

func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return problem.New(problem.Invalid, "report_file", "cannot write in %s", filepath.Dir(path)).Because(err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // after the rename there is nothing to remove
	if err := write(f); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
