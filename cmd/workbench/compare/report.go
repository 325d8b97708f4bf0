package compare

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports"
)

// ReportCmd is the verb report.
type ReportCmd struct {
	Runs     []string `arg:"" name:"run" help:"The run to report, or two: the baseline and the candidate. Each is a run id, its beginning, an experiment's name, or a sweep (its winner)."`
	Baseline string   `help:"Run to compare with; default the pinned baseline when there is one." placeholder:"RUN"`
	Output   string   `help:"File to write, or - for standard output; default report.xlsx, or the ending of --format." short:"o" placeholder:"FILE"`
	Format   string   `help:"xlsx, html, md, jsonl or csv; default what the ending of the file says, else xlsx." placeholder:"FORMAT"`
	Force    bool     `help:"Overwrite the file when it exists." short:"f"`
	program.LimitFlags
}

// reportFormats are the formats in the order of the help, each with what writes it.
var reportFormats = []struct {
	name  string
	write func(reports.Report, io.Writer) error
}{
	{"xlsx", reports.Report.WriteXLSX},
	{"html", reports.Report.WriteHTML},
	{"md", reports.Report.WriteMarkdown},
	{"jsonl", reports.Report.WriteJSONL},
	{"csv", reports.Report.WriteCSV},
}

// Help shows examples.
func (ReportCmd) Help() string {
	return `The workbook is for people who never open a terminal: one page that says how good,
what fails, why, what to do, what was agreed and how far to believe it, and the evidence
behind it. Its yellow columns are for reviewers; ` + "`workbench import-review`" + ` reads them back.

Examples:
  workbench report faq                                    report.xlsx in English
  workbench report 3f2a 9c41 --lang ja -o report-ja.xlsx  baseline and candidate
  workbench report 3f2a 9c41 --allowance 0.05             held to limits of your own, which it names
  workbench report faq --lang both --format html          one page to print or send
  workbench report faq --format md -o -                   for a chat or a pull request
  workbench report faq -o answers.csv                     every question as a table`
}

// Run writes the report to a temporary file beside its place and then moves it there, so that a failure leaves no half file.
func (c ReportCmd) Run(p *program.Program) error {
	defer program.Thrifty(program.ReportHeap, debug.SetGCPercent)()
	format, write, err := c.format()
	if err != nil {
		return err
	}
	baseline, candidate, err := c.which()
	if err != nil {
		return err
	}
	asked, err := c.Asked("report")
	if err != nil {
		return err
	}
	output := c.Output
	if output == "" {
		output = "report." + format
	}
	if _, err := os.Stat(output); err == nil && !c.Force && output != "-" {
		return problem.New(problem.Conflict, "file_exists", "%s exists already", output).
			WithHint("choose another name with -o, or overwrite it with --force")
	}
	var report reports.Report
	err = p.Reading(func(w *app.Workbench) (err error) {
		report, err = reporting.Report(p.Context, w, baseline, candidate, p.Written(), p.Version, asked)
		return err
	})
	if err != nil {
		return err
	}
	if format != "jsonl" {
		report.OneLanguage()
	}
	if output == "-" { // only now: what the database held is free for writing
		return write(report, p.Stdout)
	}
	if err := program.WriteWhole(output, func(f io.Writer) error { return write(report, f) }); err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(map[string]string{"file": output, "format": format, "run_id": report.Candidate.Run.ID})
	}
	p.Say("wrote %s (run %s)", output, report.Candidate.Run.ID)
	return nil
}

// format is what was asked for, else what the ending of the file says, else a workbook.
func (c ReportCmd) format() (string, func(reports.Report, io.Writer) error, error) {
	name := strings.ToLower(c.Format)
	if ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(c.Output)), "."); name == "" && c.Output != "" && c.Output != "-" {
		name = map[string]string{"markdown": "md", "htm": "html", "ndjson": "jsonl"}[ending]
		if name == "" {
			name = ending
		}
	} else if name == "" {
		name = "xlsx"
	}
	for _, f := range reportFormats {
		if f.name == name {
			return name, f.write, nil
		}
	}
	what := c.Format
	if what == "" {
		what = c.Output
	}
	return "", nil, problem.New(problem.Invalid, "report_format", "%s: reports are not written in this format", what).
		WithHint("use .html, .jsonl, .csv, .xlsx or .md as the ending, or --format without the dot")
}

// which tells the baseline, "" for the pinned one, and the candidate.
func (c ReportCmd) which() (baseline, candidate string, err error) {
	runs := slices.Clone(c.Runs)
	if c.Baseline != "" {
		runs = append([]string{c.Baseline}, runs...)
	}
	switch len(runs) {
	case 1:
		return "", runs[0], nil
	case 2:
		return runs[0], runs[1], nil
	}
	return "", "", problem.New(problem.Invalid, "report_runs",
		"a report is about one run, or about a baseline and a candidate, not about %d", len(runs)).
		WithHint("workbench report BASELINE CANDIDATE")
}
