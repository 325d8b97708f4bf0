package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/experiments"
)

type sweepCmd struct {
	Experiment string `arg:"" help:"Registered name or experiment file with a sweep."`
	buying
	searching
}

// Help shows examples.
func (sweepCmd) Help() string {
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
			fmt.Fprintf(p.stderr, p.lang().format("skipped %s: %s")+"\n", experiments.Describe(s.Params), s.Why)
			continue
		}
		same++
		p.note("%s does the same as %s", experiments.Describe(s.Params), experiments.Describe(s.Same))
	}
	if same > 0 {
		p.note("%d combinations written, %d different", different+same, different)
	}
}

// Run sweeps.
func (c sweepCmd) Run(p *program) error {
	budget, err := app.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.with(func(w *app.Workbench) error {
		e, _, err := w.Experiment(p.ctx, c.Experiment)
		if err != nil {
			return err
		}
		p.runs().doubts(e.Definition)
		jobs, skipped, err := w.SweepJobs(p.ctx, e, c.selection())
		if err != nil {
			return err
		}
		if err := p.thresholdOf(w, e); err != nil {
			return err
		}
		p.sweeps().notRun(len(jobs), skipped)
		if c.rules(e, budget).On() {
			return c.search(p, w, e, jobs, budget)
		}
		if c.Plan {
			plan, err := w.PlanSweep(p.ctx, e, jobs)
			if err != nil {
				return err
			}
			return p.runs().printPlan(plan)
		}
		jobs[0].Budget = budget
		sweep, runs, err := w.Sweep(p.ctx, e, jobs)
		if err != nil {
			return p.runs().stopped(w, sweep.ID, err)
		}
		p.runs().cost(w, sweep)
		if err := p.sweeps().sweepResults(w, e, sweep, runs); err != nil {
			return err
		}
		if err := p.sweeps().analyseWinner(w, e, sweep, runs, budget); err != nil {
			return err
		}
		return covered(runs...)
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
	baseline, err := app.SweepBaseline(p.ctx, w, e, runs)
	if err != nil {
		return err
	}
	of := []experiments.Run{winner}
	if baseline.ID != winner.ID {
		of = append(of, baseline)
	}
	return p.runs().analyse(w, sweep, of, e.Definition.Analyses, budget)
}

func (p sweepPrinter) sweepResults(w *app.Workbench, e experiments.Experiment, sweep experiments.Run, runs []experiments.Run) error {
	if p.flags.JSON {
		list := make([]app.Summary, len(runs))
		for i, r := range runs {
			list[i] = app.Summarize(r)
		}
		return p.printJSON(list)
	}
	winner, err := app.Winner(runs)
	if err != nil {
		return err
	}
	runs = p.finished(runs)
	p.sweepTable(runs, winner)
	p.say("")
	p.say("winner: %s (run %s): %d of %d answers are low scores", experiments.Describe(winner.Params), winner.ID,
		winner.Totals.LowScoreCount, winner.Totals.Questions)
	if err := p.standing(w, runs); err != nil {
		return err
	}
	p.note("The best of %d configurations looks better than it is: measure it again on other questions before believing the last digit.",
		len(runs))
	baseline, err := app.SweepBaseline(p.ctx, w, e, runs)
	if err != nil {
		return err
	}
	if baseline.ID != winner.ID {
		comparison, both, err := w.Compare(p.ctx, baseline.ID, winner.ID)
		if err != nil {
			return err
		}
		p.say("against the baseline %s (run %s):", nameOf(baseline), baseline.ID)
		p.comparisons().said(w, comparison, both)
		p.comparisons().worseAnswers(comparison, both, 5)
	}
	p.runs().judgeBadge(winner)
	p.say("report: workbench report %s -o report.xlsx", winner.ID)
	p.say("sweep %s", sweep.ID)
	return nil
}

// standing says how the winner of a sweep stands among the others, as far as intervals allow.
func (p sweepPrinter) standing(w *app.Workbench, finished []experiments.Run) error {
	said, err := sweeps.Standing(p.ctx, w, finished)
	if err == nil && said.EN != "" {
		p.say("%s", said.In(string(p.lang())))
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
		p.say("%s: run %s (%s); the totals leave it out", r.State, r.ID, experiments.Describe(r.Params))
	}
	return out
}

func nameOf(r experiments.Run) string {
	if len(r.Params) > 0 {
		return experiments.Describe(r.Params)
	}
	return r.Setup.Experiment
}

// sweepTable prints one row for each run; the winner is marked.
func (p sweepPrinter) sweepTable(runs []experiments.Run, winner experiments.Run) {
	header := []string{"", "RUN"}
	for _, param := range runs[0].Params {
		header = append(header, strings.ToUpper(param.Name))
	}
	header = append(header, "LOW")
	for _, s := range runs[0].Setup.Suite {
		header = append(header, strings.ToUpper(s.ID)+lowerMark(s.LowerIsBetter))
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
			row = append(row, meanCell(s.ID, r.Totals))
		}
		rows[i] = row
	}
	p.runs().metricTable(header, rows)
}

// worseAnswers prints the first n questions that are worse, mixed or in doubt, severest first, with both answers.
func (p comparisonPrinter) worseAnswers(c compare.Comparison, both [2]experiments.Evaluation, n int) {
	p.listed(c, both, c.With(compare.Worse, compare.Mixed, compare.NeedsCheck), n)
}

// listed prints the first n questions of a list with both answers, and how to see the rest.
func (p comparisonPrinter) listed(c compare.Comparison, both [2]experiments.Evaluation, list []compare.QuestionVerdict, n int) {
	for _, v := range list[:min(n, len(list))] {
		p.changedAnswer(c, both, v)
	}
	if len(list) > n {
		p.say("")
		p.say("%d more: workbench compare %s %s --worst %d", len(list)-n, both[0].Run.ID, both[1].Run.ID, len(list))
	}
}

// betterAnswers prints the n answers that gained most.
func (p comparisonPrinter) betterAnswers(c compare.Comparison, both [2]experiments.Evaluation, n int) {
	list := slices.Clone(c.With(compare.Better))
	slices.SortStableFunc(list, func(a, b compare.QuestionVerdict) int { return cmp.Compare(rise(b), rise(a)) })
	for _, v := range list[:min(n, len(list))] {
		p.changedAnswer(c, both, v)
	}
}

// rise is how much a question gained by the metric that decided.
func rise(v compare.QuestionVerdict) float64 { return v.Decider().Candidate - v.Decider().Baseline }

// changedAnswer prints a question with both answers and why they differ.
func (p comparisonPrinter) changedAnswer(c compare.Comparison, both [2]experiments.Evaluation, v compare.QuestionVerdict) {
	q := v.Decider()
	before, _ := both[0].Result(v.InBaseline())
	after, _ := both[1].Result(v.QuestionID)
	p.say("")
	p.say("%s  %s  %s %s → %s%s%s%s", v.Verdict.Word(string(p.lang())), v.QuestionID, p.lang().
		metric(q.Metric), number(q.Metric, q.Baseline), number(q.Metric, q.Candidate), voted(both, v, p.lang()), critical(v, p.lang()),
		remarked(v, p.lang()))
	p.say("  before: %s", p.lang().answer(before))
	p.say("  after:  %s", p.lang().answer(after))
	if word := triageOf(c, v.QuestionID, p.lang()); word != "" {
		p.say("  cause:  %s", word)
	}
	if s, ok := after.Score(q.Metric); ok && s.Reason != "" {
		p.say("  why:    %s", oneLine(s.Reason, 160))
	}
}

// voted says of how many votes the scores of a question are means, where there are several.
func voted(both [2]experiments.Evaluation, v compare.QuestionVerdict, lang language) string {
	_, before := compare.Standing(both[0].Results)
	_, after := compare.Standing(both[1].Results)
	if said := findings.VotesText(before[v.InBaseline()], after[v.QuestionID]); said != nil {
		return " (" + said.In(string(lang)) + ")"
	}
	return ""
}

func critical(v compare.QuestionVerdict, lang language) string {
	if v.Critical {
		return lang.format("  (critical)")
	}
	return ""
}

// remarked is what the word alone does not say of a question: how the kind of answer changed, and the remark.
func remarked(v compare.QuestionVerdict, lang language) string {
	out := ""
	if word := v.TransitionWord(string(lang)); word != "" {
		out = "  " + word
	}
	if v.Remark != nil {
		out += "  (" + v.Remark.Text(string(lang)) + ")"
	}
	return out
}

func (l language) answer(r experiments.Result) string {
	if r.Answer == nil {
		return l.format("(no answer)")
	}
	return oneLine(r.Answer.Text, 140)
}
