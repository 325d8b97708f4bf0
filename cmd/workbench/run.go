package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	appanalyses "github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// buying are the flags of every verb that buys calls.
type buying struct {
	Plan   bool     `help:"Show what would be asked and what it costs, and stop. Makes no call."`
	Budget string   `help:"What may be spent: an amount in the price file's currency (2.50) or a number of calls (500calls). It stops before." placeholder:"AMOUNT"`
	Limit  int      `help:"Only the first N questions." placeholder:"N"`
	Filter []string `help:"Only questions with this tag, or critical. Repeatable: all must fit." placeholder:"TAG"`
}

func (b buying) selection() app.Select { return app.Select{Limit: b.Limit, Filter: b.Filter} }

type runCmd struct {
	Experiments []string `arg:"" optional:"" help:"Registered names or experiment files; without any, the files in experiments/, compared with the first."`
	buying
}

// Help shows examples.
func (runCmd) Help() string {
	return `Examples:
  workbench run                             every file in experiments/, with comparison and workbook
  workbench run faq.yaml                    register the file and run its base configuration
  workbench run faq --plan                  what it would ask and cost
  workbench run faq --budget 2.50           stop before more is spent; runs resume goes on
  workbench run faq other --json            an array of results
  workbench run faq --limit 10 --filter theme:refunds
  workbench run faq --memory 500MB          search indexes hold no more; results are the same

Exit codes: 0 done, 1 broken, 2 usage or configuration, 5 incomplete (scored < 95 %), 130 interrupted.`
}

// Run runs.
func (c runCmd) Run(p *program) error {
	all := len(c.Experiments) == 0
	if all {
		files, err := experimentFiles()
		if err != nil {
			return err
		}
		c.Experiments = files
	}
	budget, err := app.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.with(func(w *app.Workbench) error {
		jobs, analyses := make([]app.Job, len(c.Experiments)), make([][]string, len(c.Experiments))
		for i, name := range c.Experiments {
			e, _, err := w.Experiment(p.ctx, name)
			if err != nil {
				return err
			}
			p.runs().doubts(e.Definition)
			if jobs[i], err = w.Job(p.ctx, e, c.selection()); err != nil {
				return err
			}
			jobs[i].Budget = budget
			analyses[i] = e.Definition.Analyses
			if err := p.thresholdOf(w, e); err != nil {
				return err
			}
		}
		if c.Plan {
			return p.runs().plan(w, jobs)
		}
		runs := make([]experiments.Run, len(jobs))
		for i, j := range jobs {
			var err error
			if runs[i], err = w.Run(p.ctx, j); err != nil {
				return p.runs().stopped(w, runs[i].ID, err)
			}
		}
		p.runs().cost(w, runs...)
		if err := p.runs().results(runs, len(c.Experiments) == 1); err != nil {
			return err
		}
		for i, run := range runs {
			if err := p.runs().analyse(w, run, []experiments.Run{run}, analyses[i], budget); err != nil {
				return err
			}
		}
		if all && len(runs) > 1 && !p.flags.JSON {
			if err := p.demos().compareAll(w, runs); err != nil {
				return err
			}
		}
		return covered(runs...)
	})
}

// analyse makes the analyses that an experiment asks for, of finished runs; payer is the run or sweep that the budget was for.
func (p runPrinter) analyse(w *app.Workbench, payer experiments.Run, runs []experiments.Run, analyses []string,
	budget experiments.Budget) error {
	done, err := appanalyses.Analyse(p.ctx, w, payer, runs, analyses, budget)
	p.cost(w, done...)
	if err != nil {
		last := ""
		if len(done) > 0 {
			last = done[len(done)-1].ID
		}
		return p.stopped(w, last, err)
	}
	if p.flags.JSON {
		return nil
	}
	for _, r := range done {
		of := r.Setup.Analysis.Of
		if r.Kind != experiments.KindDiagnose {
			p.say("questions of run %s: workbench questions %s --show", of, of)
			continue
		}
		report, err := appanalyses.CauseReport(p.ctx, w, of, "")
		if err != nil {
			return err
		}
		p.say("causes of run %s: workbench diagnose %s --show", of, of)
		p.say("%s", printable(report.Summary.In(string(p.lang()))))
	}
	return nil
}

func (p runPrinter) results(runs []experiments.Run, single bool) error {
	if p.flags.JSON {
		list := make([]app.Summary, len(runs))
		for i, r := range runs {
			list[i] = app.Summarize(r)
		}
		if single {
			return p.printJSON(list[0])
		}
		return p.printJSON(list)
	}
	for _, r := range runs {
		t := r.Totals
		p.say("run %s  %s: %s of %s (correctness or trust ≤ %g)", r.ID, r.Setup.Experiment,
			p.lang().many(t.LowScoreCount, "low-score answer"), p.lang().many(t.Questions, "question"), r.Setup.LowScore)
		if t.Coverage.Scored < t.Coverage.Applicable {
			p.say("  scored %d of %d cells", t.Coverage.Scored, t.Coverage.Applicable)
		}
	}
	p.means(runs)
	p.judgeBadge(runs[0])
	return nil
}

// means prints the means of runs side by side. A metric that applies to no question is left out.
func (p runPrinter) means(runs []experiments.Run) {
	header := []string{"METRIC", "MEAN", "MEANING"}
	if len(runs) > 1 {
		header = []string{"METRIC"}
		for _, r := range runs {
			header = append(header, oneLine(r.Setup.Experiment, 30))
		}
		header = append(header, "MEANING")
	}
	var rows [][]string
	for _, s := range runs[0].Setup.Suite {
		row, scored := []string{p.lang().metric(s.ID) + lowerMark(s.LowerIsBetter)}, false
		for _, r := range runs {
			_, has := r.Totals.Scores[s.ID]
			scored = scored || has || r.Totals.Coverage.Scored < r.Totals.Coverage.Applicable
			row = append(row, meanCell(s.ID, r.Totals))
		}
		meaning := s.MeaningEN
		if p.lang() == japanese {
			meaning = s.MeaningJA
		}
		if scored {
			rows = append(rows, append(row, meaning))
		}
	}
	p.say("")
	p.metricTable(header, rows)
}

// lowerIsBetter marks a metric in a table where the lower value is the better one.
const lowerIsBetter = " ↓"

func lowerMark(lower bool) string {
	if lower {
		return lowerIsBetter
	}
	return ""
}

// metricTable prints a table of metrics, and says what the mark means where it stands.
func (p runPrinter) metricTable(header []string, rows [][]string) {
	p.table(header, rows)
	marked := func(cell string) bool { return strings.HasSuffix(cell, lowerIsBetter) }
	if slices.ContainsFunc(header, marked) || slices.ContainsFunc(rows,
		func(row []string) bool { return slices.ContainsFunc(row, marked) }) {
		p.say("↓ lower is better")
	}
}

// plan prints what jobs would ask for.
func (p runPrinter) plan(w *app.Workbench, jobs []app.Job) error {
	plan, err := w.Plan(p.ctx, jobs)
	if err != nil {
		return err
	}
	return p.printPlan(plan)
}

func (p runPrinter) printPlan(plan app.Plan) error {
	if p.flags.JSON {
		return p.printJSON(plan)
	}
	p.say("%s, %s in all", p.lang().many(plan.Runs, "run"), p.lang().many(plan.Questions, "question"))
	if plan.Written > plan.Runs {
		p.say("%d combinations written, %d different", plan.Written, plan.Runs)
	}
	if plan.Search != nil {
		p.say("%s", plan.Search.In(string(p.lang())))
	}
	p.layers(plan)
	rows := make([][]string, len(plan.Stages))
	for i, s := range plan.Stages {
		rows[i] = []string{
			s.Stage, strconv.Itoa(s.Free), strconv.Itoa(s.Known), strconv.Itoa(s.ExpectedBuy), strconv.Itoa(s.Buy),
			strconv.Itoa(s.ExpectedTokens),
			p.lang().price(s.ExpectedMicros, s.PriceKnown, plan.Currency), p.lang().price(s.PriceMicros, s.PriceKnown, plan.Currency),
		}
	}
	p.table([]string{"STAGE", "FREE", "ALREADY BOUGHT", "EXPECTED", "AT MOST", "TOKENS", "PRICE", "AT MOST"}, rows)
	p.say("to buy: at most %d calls, price %s", plan.Buy, p.lang().price(plan.PriceMicros, plan.PriceKnown, plan.Currency))
	if plan.Buy > 0 {
		p.say("expected: about %d calls, price %s", plan.ExpectedBuy, p.lang().price(plan.ExpectedMicros, plan.PriceKnown, plan.Currency))
	}
	if !plan.PriceKnown {
		p.note("Prices of some models are unknown: add them under prices: in workbench.yaml (`workbench config --help`).")
	}
	if len(plan.Probes) == 0 {
		return nil
	}
	p.say("What test calls found of the models that are to be paid:")
	return p.judges().probes(plan.Probes)
}

// layers prints what the configurations of a sweep share, and what is bought for it.
func (p runPrinter) layers(plan app.Plan) {
	if len(plan.Layers) == 0 {
		return
	}
	names := map[string]string{"cut": p.lang().format("chunks"), "vectors": p.lang().format("vectors"), "postings": p.lang().
		format("words"),
		"ranking": p.lang().format("rankings"), "rerank": p.lang().format("rerankings"), "answer": p.lang().format("answers, at most")}
	rows := make([][]string, len(plan.Layers))
	for i, layer := range plan.Layers {
		each := p.lang().format("corpus")
		if layer.PerQuestion {
			each = p.lang().format("question")
		}
		buy, price := "-", "-"
		if b := layer.Buys; b != nil {
			buy, price = strconv.Itoa(b.Buy), p.lang().price(b.PriceMicros, b.PriceKnown, plan.Currency)
		}
		rows[i] = []string{names[layer.Name], strconv.Itoa(layer.Different), each, strconv.Itoa(layer.InAll), buy, price}
	}
	p.table([]string{"LAYER", "DIFFERENT", "FOR EACH", "IN ALL", "TO BUY AT MOST", "PRICE AT MOST"}, rows)
}

func (l language) price(micros int64, known bool, currency string) string {
	if !known {
		return l.format("unknown")
	}
	if micros > 0 && micros < 50 { // which would read as nothing
		return l.text("less than %s", "0.0001 "+currency)
	}
	return fmt.Sprintf("%.4f %s", float64(micros)/1e6, currency)
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// doubts warns of what is possible and probably not meant.
func (p runPrinter) doubts(d experiments.Definition) {
	for _, doubt := range d.Doubts() {
		p.warn("%s", doubt.In(string(p.lang())))
	}
}
