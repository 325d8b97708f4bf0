package library

import (
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/traces"
)

// TracesCmd is the verb traces.
type TracesCmd struct {
	Status tracesStatusCmd `cmd:"" help:"What arrived, and what of it is kept."`
	Take   tracesTakeCmd   `cmd:"" help:"Make a dataset, a log and an experiment of the questions of the last days."`
}

type tracesStatusCmd struct{}

// Help shows examples.
func (tracesStatusCmd) Help() string {
	return `Programs send traces of OpenTelemetry to POST /v1/traces of a server, once workbench.yaml allows it:

  traces: {accept: true, sample: 0.2, mask: [email, card, phone], keep_days: 30}

docs/imports.md shows what to set in the program that sends them.

Examples:
  workbench traces status
  workbench traces status --json`
}

// Run tells.
func (tracesStatusCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		s, err := traces.StatusOf(p.Context, w)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(s)
		}
		if !s.Accept {
			p.Note("no traces are taken; allow them in workbench.yaml: traces: {accept: true}")
		}
		p.Say("%d questions, %d traces without one, %d of conversations; %d traces wait for their other spans", s.Questions, s.Silent,
			s.Conversations, s.Open)
		if s.First != nil {
			p.Say("they arrived from %s to %s, %d of them in the last seven days; each is kept for %d days", program.DayOf(*s.First),
				program.DayOf(*s.Last), s.Week, s.KeepDays)
			p.Say("evaluate them: workbench traces take NAME --last 200 --days 7")
		}
		return nil
	})
}

type tracesTakeCmd struct {
	Name    string `arg:"" help:"Name of the answers and of their experiment."`
	Last    int    `help:"So many questions at most, drawn by their wording." default:"200" placeholder:"N" type:"count"`
	Days    int    `help:"That arrived in the last so many days." default:"7" placeholder:"N" type:"count"`
	Seed    string `help:"Another seed draws other questions." placeholder:"TEXT"`
	Dataset string `help:"Dataset whose questions were asked. Where there is none called so, one with the same questions is taken, else one is made." placeholder:"NAME"`
	Corpus  string `help:"Corpus in which the contexts are looked for, so that evidence can be compared." placeholder:"NAME"`
	Suite   string `help:"Metrics; default standard, of which those that need a right answer are not applicable." placeholder:"SUITE"`
	Model   string `help:"Model that judges, as provider/model; default the offline judge." placeholder:"MODEL"`
}

// Help shows examples.
func (tracesTakeCmd) Help() string {
	return `Each question counts once, with its newest answer. The answers become an experiment that replays them, as those of
workbench import-results do; schedules do the same every week: workbench schedule add --help.

Examples:
  workbench traces take last-week
  workbench traces take last-week --last 500 --days 14 --model openai/gpt-4.1-mini`
}

// Run takes them.
func (c tracesTakeCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		got, err := traces.Take(p.Context, w, traces.Window{Last: c.Last, Days: c.Days, Seed: c.Seed, Now: p.Now()},
			app.ResultsOptions{Name: c.Name, Dataset: c.Dataset, Corpus: c.Corpus, Suite: c.Suite, Model: c.Model})
		if err == nil {
			got.RunID, err = w.RunOfResults(p.Context, got.Experiment)
		}
		if err != nil {
			return err
		}
		return printerOf(p).resultsKept(got)
	})
}
