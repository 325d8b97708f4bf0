package runs

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// sweepPrinter tells of sweeps, and of searches for the best.
type sweepPrinter struct{ *program.Program }

func sweepsOf(p *program.Program) sweepPrinter { return sweepPrinter{p} }

// SweepCmd is the verb sweep.
type SweepCmd struct {
	Experiment string `arg:"" help:"Registered name or experiment file with a sweep."`
	program.Buying
	searching
}

// Help shows examples.
func (SweepCmd) Help() string {
	return `Runs every combination of the sweep's axes. What an earlier combination has settled (chunks, embeddings, answers to
equal contexts, verdicts on equal answers) is not asked again. Prints one line for each combination, the winner, and the
answers that the winner broke against the pinned baseline, else against the base configuration or the first combination.

--top, --screen, --halving and --confirm look for the winner with fewer answers and say more about it: the main effect of every
parameter, which configurations are worth their price, and a score of the winner that its selection did not inflate.

Examples:
  workbench sweep faq.yaml --plan
  workbench sweep faq.yaml
  workbench sweep faq.yaml --budget 5      all combinations together may cost 5 in the price file's currency
  workbench sweep faq --memory 500MB       search indexes hold no more: unused ones are built again when needed
  workbench sweep faq --json               an array of results with their params
  workbench sweep faq --screen 8           first retrieve only, asking no model, and keep the 8 best ways to retrieve
  workbench sweep faq --top 8              first retrieve only, then answer and judge the 8 best and the base
  workbench sweep faq --halving            begin with few questions and drop two thirds at each stage
  workbench sweep faq --confirm            answer and judge the winner again: the score to believe
  workbench sweep faq --screen 8 --halving --confirm --json    one object with stages, effects, front and winner`
}

// notRun says which combinations are not run, and how many different ones are left.
func (p sweepPrinter) notRun(different int, skipped []experiments.Skipped) {
	same := 0
	for _, s := range skipped {
		if s.Same == nil {
			why := program.Printable(s.Why.In(string(p.Lang())))
			fmt.Fprintf(p.Stderr, p.Lang().Format("skipped %s, because %s")+"\n", p.sets(s.Params), why)
			continue
		}
		same++
		p.Note("%s does the same as %s", p.sets(s.Params), p.sets(s.Same))
	}
	if same > 0 {
		p.Note("%d combinations written, %d different", different+same, different)
	}
}

// Run sweeps.
func (c SweepCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	if c.By != "" && c.Top == 0 {
		return problem.New(problem.Invalid, "sweep_by", "--by %s says by what the best are taken, and --top how many: it is missing", c.By).
			WithHint("write --top N beside it, for example --top 8 --by %s", c.By)
	}
	defer program.Thrifty(program.SweepHeap, debug.SetGCPercent)()
	return p.With(func(w *app.Workbench) error {
		e, _, changed, err := w.ExperimentAgain(p.Context, c.Experiment)
		if err != nil {
			return err
		}
		printing.Runs(p).Revised(e, changed)
		printing.Runs(p).Doubts(e.Definition)
		jobs, skipped, err := w.SweepJobs(p.Context, e, c.Selection())
		if err != nil {
			return err
		}
		if err := p.ThresholdOf(w, e); err != nil {
			return err
		}
		sweepsOf(p).notRun(len(jobs), skipped)
		if !c.Plan {
			if err := printing.Runs(p).EvidenceGone(w, jobs); err != nil {
				return err
			}
		}
		if c.rules(e, budget).On() {
			return c.search(p, w, e, jobs, budget)
		}
		if c.Plan {
			plan, err := w.PlanSweep(p.Context, e, jobs)
			if err != nil {
				return err
			}
			return printing.Runs(p).PrintPlan(plan)
		}
		jobs[0].Budget = budget
		sweep, runs, err := w.Sweep(p.Context, e, jobs)
		if err != nil {
			return printing.Runs(p).Stopped(w, sweep.ID, err)
		}
		printing.Runs(p).Cost(w, sweep)
		if err := sweepsOf(p).sweepResults(w, e, sweep, runs); err != nil {
			return err
		}
		if err := sweepsOf(p).analyseWinner(w, e, sweep, runs, budget); err != nil {
			return err
		}
		return program.Covered(runs...)
	})
}

// analyseWinner makes the analyses that the experiment asks for, of the winner and of what it is measured against: those of every
// combination would cost as many times more and answer no question that anybody has.
func (p sweepPrinter) analyseWinner(w *app.Workbench, e experiments.Experiment, sweep experiments.Run, runs []experiments.Run,
	budget experiments.Budget) error {
	if len(e.Definition.Analyses) == 0 {
		return nil
	}
	winner, err := app.Winner(runs)
	if err != nil {
		return err
	}
	baseline, err := app.SweepBaseline(p.Context, w, e, runs)
	if err != nil {
		return err
	}
	of := []experiments.Run{winner}
	if baseline.ID != winner.ID {
		of = append(of, baseline)
	}
	return printing.Runs(p.Program).Analyse(w, sweep, of, e.Definition.Analyses, budget)
}

func (p sweepPrinter) sweepResults(w *app.Workbench, e experiments.Experiment, sweep experiments.Run, runs []experiments.Run) error {
	if p.Flags.JSON {
		list := make([]app.Summary, len(runs))
		for i, r := range runs {
			list[i] = app.Summarize(r)
		}
		return p.PrintJSON(list)
	}
	winner, err := app.Winner(runs)
	if err != nil {
		return err
	}
	runs = p.finished(runs)
	p.sweepTable(runs, winner)
	p.Say("")
	printing.Runs(p.Program).JudgeBadge(winner)
	p.Say("winner: %s (run %s): %d of %d answers are low scores", p.ran(winner), winner.ID,
		winner.Totals.LowScoreCount, winner.Totals.Questions)
	if err := p.standing(w, runs); err != nil {
		return err
	}
	p.Note("The best of %d configurations looks better than it is: measure it again on other questions before believing the last digit.",
		len(runs))
	baseline, err := app.SweepBaseline(p.Context, w, e, runs)
	if err != nil {
		return err
	}
	if baseline.ID != winner.ID {
		comparison, both, err := w.Compare(p.Context, baseline.ID, winner.ID)
		if err != nil {
			return err
		}
		p.Say("against the baseline %s (run %s):", printing.NameOf(baseline, p.Lang()), baseline.ID)
		printing.Comparisons(p.Program).Said(w, comparison, both)
		printing.Comparisons(p.Program).WorseAnswers(comparison, both, 5)
	}
	p.Say("report: workbench report %s -o report.xlsx", winner.ID)
	p.Say("sweep %s", sweep.ID)
	return nil
}

// sets is what a sweep set, in words.
func (p sweepPrinter) sets(params []experiments.Param) string {
	return program.Printable(experiments.SetsText(params).In(string(p.Lang())))
}

// standing says how the winner of a sweep stands among the others, as far as intervals allow.
func (p sweepPrinter) standing(w *app.Workbench, finished []experiments.Run) error {
	said, err := sweeps.Standing(p.Context, w, finished)
	if err == nil && said.EN != "" {
		p.Say("%s", said.In(string(p.Lang())))
	}
	return err
}

// finished returns the finished runs of a sweep and names the others.
func (p sweepPrinter) finished(runs []experiments.Run) []experiments.Run {
	var out []experiments.Run
	for _, r := range runs {
		if r.Totals != nil {
			out = append(out, r)
			continue
		}
		p.Say("%s: run %s (%s); the totals leave it out", r.State, r.ID, p.ran(r))
	}
	return out
}

// sweepTable prints one row for each run; the winner is marked.
func (p sweepPrinter) sweepTable(runs []experiments.Run, winner experiments.Run) {
	header := []string{"", "RUN"}
	for _, param := range runs[0].Params {
		header = append(header, strings.ToUpper(param.Name))
	}
	header = append(header, "LOW")
	for _, s := range runs[0].Setup.Suite {
		header = append(header, p.Lang().MetricHead(s.ID)+printing.LowerMark(s.LowerIsBetter))
	}
	rows := make([][]string, len(runs))
	for i, r := range runs {
		mark := ""
		if r.ID == winner.ID {
			mark = "*"
		}
		row := []string{mark, r.ID}
		for _, param := range r.Params {
			row = append(row, param.Text())
		}
		row = append(row, strconv.Itoa(r.Totals.LowScoreCount))
		for _, s := range r.Setup.Suite {
			row = append(row, program.MeanCell(s.ID, r.Totals))
		}
		rows[i] = row
	}
	printing.Runs(p.Program).MetricTable(header, rows)
}

// ran is what a sweep set in a run, in words, with what a size of chunks counts.
func (p sweepPrinter) ran(r experiments.Run) string {
	return program.Printable(experiments.SetsTextIn(r.Params, r.Setup.Config.Chunk).In(string(p.Lang())))
}
