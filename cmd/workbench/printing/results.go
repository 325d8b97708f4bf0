// Package printing is what more than one verb says about the same thing: runs and what they cost, comparisons, causes, and what is
// known of judges. Each has a type that carries the program and nothing of its own.
//
// What only one verb says stands with that verb.
package printing

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	appanalyses "github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// RunPrinter tells of runs: plans, results, single answers, bills.
type RunPrinter struct{ *program.Program }

// Runs tells of runs: plans, results, single answers, bills.
func Runs(p *program.Program) RunPrinter { return RunPrinter{p} }

// JudgeBadge is printed above every result of the offline judge or of recorded replies, and what is known of any judge that has been
// validated.
func (p RunPrinter) JudgeBadge(run experiments.Run) {
	if run.Setup.ByOffline() {
		p.Note("%s", findings.Word(string(p.Lang()), "judge.offline"))
	}
	if tools := findings.ScoredBy(run.Setup); tools.EN != "" {
		p.Note("%s", tools.In(string(p.Lang())))
	}
	if here := findings.ScoredHere(run.Setup); here.EN != "" {
		p.Note("%s", here.In(string(p.Lang())))
	}
	if by := findings.RecordedBy(run.Setup); by.EN != "" {
		p.Note("%s", by.In(string(p.Lang())))
	}
	if status := Judges(p.Program).judgeStatus(run); status != "" {
		p.Note("%s", status)
	}
}

// Analyse makes the analyses that an experiment asks for, of finished runs; payer is the run or sweep that the budget was for.
func (p RunPrinter) Analyse(w *app.Workbench, payer experiments.Run, runs []experiments.Run, analyses []string,
	budget experiments.Budget) error {
	done, err := appanalyses.Analyse(p.Context, w, payer, runs, analyses, budget)
	p.Cost(w, done...)
	if err != nil {
		last := ""
		if len(done) > 0 {
			last = done[len(done)-1].ID
		}
		return p.Stopped(w, last, err)
	}
	if p.Flags.JSON {
		return nil
	}
	for _, r := range done {
		of := r.Setup.Analysis.Of
		if r.Kind != experiments.KindDiagnose {
			p.Say("questions of run %s: workbench questions %s --show", of, of)
			continue
		}
		report, err := appanalyses.CauseReport(p.Context, w, of, "")
		if err != nil {
			return err
		}
		p.Say("causes of run %s: workbench diagnose %s --show", of, of)
		Causes(p.Program).Facts(report, string(p.Lang()))
	}
	return nil
}

// Results prints what came of runs; a single one with all its means.
func (p RunPrinter) Results(runs []experiments.Run, single bool) error {
	if p.Flags.JSON {
		list := make([]app.Summary, len(runs))
		for i, r := range runs {
			list[i] = app.Summarize(r)
		}
		if single {
			return p.PrintJSON(list[0])
		}
		return p.PrintJSON(list)
	}
	p.JudgeBadge(runs[0])
	for _, r := range runs {
		t := r.Totals
		rule := r.Setup.LowRule()
		if !t.Rated() {
			p.Say("run %s  %s: %s", r.ID, r.Setup.Experiment, p.Lang().Many(t.Questions, "question"))
			p.Say("%s", "  "+p.untold(r.Setup))
			p.covered(t)
			continue
		}
		p.Say("run %s  %s: %s of %s (%s)", r.ID, r.Setup.Experiment, p.Lang().Many(t.LowScoreCount, "low-score answer"),
			p.Lang().Many(t.Questions, "question"), rule.Short(string(p.Lang())))
		if rule.Own {
			if t.Low.Rated < t.Questions {
				p.Say("  %d of %d answers have such a score: what was not measured is not counted as low", t.Low.Rated, t.Questions)
			}
			p.covered(t)
			continue
		}
		if correct, trusted := t.Scores["correctness"].N, t.Scores["trust"].N; min(correct, trusted) < t.Questions {
			p.Say("  correctness was measured for %d of %d answers, trust for %d: what was not measured is not counted as low", correct,
				t.Questions, trusted)
		}
		p.covered(t)
	}
	p.means(runs)
	return nil
}

// untold says why low scores of a run cannot be told, and what it takes.
func (p RunPrinter) untold(s experiments.Setup) string {
	switch rule := s.LowRule(); {
	case rule.Own:
		return p.Lang().Text("low scores cannot be told: no answer has a score by which it could be low")
	case rule.Unsaid:
		return p.Lang().Text("low scores cannot be told: nobody has said what is low in these scores; import the file again with --low")
	}
	return p.Lang().Text("low scores cannot be told: neither correctness nor trust was measured")
}

// covered says how many scores there are where some are missing.
func (p RunPrinter) covered(t *experiments.Totals) {
	if t.Coverage.Scored < t.Coverage.Applicable {
		p.Say("  has %d of %d scores", t.Coverage.Scored, t.Coverage.Applicable)
	}
}

// means prints the means of runs side by side. A metric that applies to no question is left out.
func (p RunPrinter) means(runs []experiments.Run) {
	header := []string{"METRIC", "MEAN", "MEANING"}
	if len(runs) > 1 {
		header = []string{"METRIC"}
		for _, r := range runs {
			header = append(header, program.OneLine(r.Setup.Experiment, 30))
		}
		header = append(header, "MEANING")
	}
	var rows [][]string
	for _, s := range runs[0].Setup.Suite {
		row, scored := []string{p.Lang().Metric(s.ID) + LowerMark(s.LowerIsBetter)}, false
		for _, r := range runs {
			_, has := r.Totals.Scores[s.ID]
			scored = scored || has || r.Totals.Coverage.Scored < r.Totals.Coverage.Applicable
			row = append(row, program.MeanCell(s.ID, r.Totals))
		}
		meaning := s.MeaningEN
		if p.Lang() == program.Japanese {
			meaning = s.MeaningJA
		}
		if scored {
			rows = append(rows, append(row, meaning))
		}
	}
	p.Say("")
	p.MetricTable(header, rows)
}

// lowerIsBetter marks a metric in a table where the lower value is the better one.
const lowerIsBetter = " ↓"

// LowerMark marks a metric whose lower values are the better ones.
func LowerMark(lower bool) string {
	if lower {
		return lowerIsBetter
	}
	return ""
}

// MetricTable prints a table of metrics, and says what the mark means where it stands.
func (p RunPrinter) MetricTable(header []string, rows [][]string) {
	p.Table(header, rows)
	marked := func(cell string) bool { return strings.HasSuffix(cell, lowerIsBetter) }
	if slices.ContainsFunc(header, marked) || slices.ContainsFunc(rows,
		func(row []string) bool { return slices.ContainsFunc(row, marked) }) {
		p.Say("↓ lower is better")
	}
}

// Plan prints what jobs would ask for.
func (p RunPrinter) Plan(w *app.Workbench, jobs []app.Job) error {
	plan, err := w.Plan(p.Context, jobs)
	if err != nil {
		return err
	}
	return p.PrintPlan(plan)
}

// EvidenceGone says, before anything is bought, of which questions the marked evidence is not in the documents.
func (p RunPrinter) EvidenceGone(w *app.Workbench, jobs []app.Job) error {
	gone, err := w.EvidenceGone(p.Context, jobs)
	if gone != nil {
		p.Note("%s", gone.In(string(p.Lang())))
	}
	return err
}

// PrintPlan prints what would be asked and what it costs.
func (p RunPrinter) PrintPlan(plan app.Plan) error {
	if p.Flags.JSON {
		return p.PrintJSON(plan)
	}
	p.Say("%s, %s in all", p.Lang().Many(plan.Runs, "run"), p.Lang().Many(plan.Questions, "question"))
	if plan.Written > plan.Runs {
		p.Say("%d combinations written, %d different", plan.Written, plan.Runs)
	}
	if plan.Evidence != nil {
		p.Note("%s", plan.Evidence.In(string(p.Lang())))
	}
	if plan.Search != nil {
		p.Say("%s", plan.Search.In(string(p.Lang())))
	}
	p.layers(plan)
	rows := make([][]string, len(plan.Stages))
	for i, s := range plan.Stages {
		rows[i] = []string{
			p.Lang().Word("experiments.stages", s.Stage), strconv.Itoa(s.Free), strconv.Itoa(s.Known),
			strconv.Itoa(s.ExpectedBuy), strconv.Itoa(s.Buy),
			strconv.Itoa(s.ExpectedTokens),
			p.Lang().Price(s.ExpectedMicros, s.PriceKnown, plan.Currency), p.Lang().Price(s.PriceMicros, s.PriceKnown, plan.Currency),
		}
	}
	p.Table([]string{"STAGE", "FREE", "ALREADY BOUGHT", "EXPECTED", "TO BUY AT MOST", "TOKENS", "PRICE", "PRICE AT MOST"}, rows)
	p.Say("to buy: at most %d calls, price %s", plan.Buy, p.Lang().Price(plan.PriceMicros, plan.PriceKnown, plan.Currency))
	switch {
	case plan.AlikeBuy > 0 && plan.AlikeBuy < plan.ExpectedBuy:
		p.Say("expected: %d to %d calls, price %s to %s: the less, the more configurations give a question the same answer, which is judged once",
			plan.AlikeBuy, plan.ExpectedBuy, p.Lang().Price(plan.AlikeMicros, plan.PriceKnown, plan.Currency),
			p.Lang().Price(plan.ExpectedMicros, plan.PriceKnown, plan.Currency))
	case plan.Buy > 0:
		p.Say("expected: about %d calls, price %s", plan.ExpectedBuy, p.Lang().Price(plan.ExpectedMicros, plan.PriceKnown, plan.Currency))
	}
	if !plan.PriceKnown {
		p.Note("Prices of some models are unknown: add them under prices: in workbench.yaml (`workbench config --help`).")
	}
	if len(plan.Probes) == 0 {
		return nil
	}
	p.Say("What test calls found of the models that are to be paid:")
	return Judges(p.Program).Probes(plan.Probes)
}

// layers prints what the configurations of a sweep share, and what is bought for it.
func (p RunPrinter) layers(plan app.Plan) {
	if len(plan.Layers) == 0 {
		return
	}
	names := map[string]string{"cut": p.Lang().Format("chunks"), "vectors": p.Lang().Format("vectors"), "postings": p.Lang().
		Format("words"),
		"ranking": p.Lang().Format("rankings"), "rerank": p.Lang().Format("rerankings"), "answer": p.Lang().Format("answers, at most")}
	rows := make([][]string, len(plan.Layers))
	for i, layer := range plan.Layers {
		each := p.Lang().Format("corpus")
		if layer.PerQuestion {
			each = p.Lang().Format("question")
		}
		buy, price := "-", "-"
		if b := layer.Buys; b != nil {
			buy, price = strconv.Itoa(b.Buy), p.Lang().Price(b.PriceMicros, b.PriceKnown, plan.Currency)
		}
		rows[i] = []string{names[layer.Name], strconv.Itoa(layer.Different), each, strconv.Itoa(layer.InAll), buy, price}
	}
	p.Table([]string{"LAYER", "DIFFERENT", "FOR EACH", "IN ALL", "TO BUY AT MOST", "PRICE AT MOST"}, rows)
}

// Revised says that a file made the next revision of an experiment that was registered before, and what differs.
func (p RunPrinter) Revised(e experiments.Experiment, changed []string) {
	if len(changed) == 0 {
		return
	}
	const most = 8
	names := p.Lang().List(changed[:min(most, len(changed))])
	if more := len(changed) - most; more > 0 {
		names = p.Lang().Text("%s and %d more", names, more)
	}
	p.Note("revision %d of %s (changed: %s)", e.Revision, e.Name, names)
}

// Doubts warns of what is possible and probably not meant.
func (p RunPrinter) Doubts(d experiments.Definition) {
	for _, doubt := range d.Doubts() {
		p.Warn("%s", doubt.In(string(p.Lang())))
	}
}
