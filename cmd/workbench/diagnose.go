package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

type diagnoseCmd struct {
	Run_      string   `arg:"" name:"run" help:"Run id, its beginning, or an experiment's name."` //nolint:revive // Run is the verb
	Method    string   `help:"How: tested (one part is replaced at a time), observed (a judge reads the log), paper (the founding paper's one call). Default: tested where something can be replaced." placeholder:"METHOD"`
	Trials    int      `help:"Answers generated for each replacement. 4 is usual; 2 halves the price and lowers the confidence." placeholder:"N"`
	Reference string   `help:"The model that stands in for a good generator, as provider/model. Without one, prompt and model cannot be told apart where a system's own model is bought." placeholder:"PROVIDER/MODEL"`
	Embedder  []string `help:"A further embedder to retrieve with instead, as provider/model. Repeatable." placeholder:"PROVIDER/MODEL"`
	Show      bool     `help:"Print the newest diagnosis instead of making one."`
	Question  string   `help:"Print everything that was tried for this question." placeholder:"ID"`
	Try       bool     `help:"Try the recommended configurations on low-score answers and on good ones. Offline this happens by itself; where models are bought it says the price and asks."`
	Yes       bool     `help:"With --try: do not ask."`
	Apply     int      `help:"Register the Nth recommended change as an experiment, run it, and compare it with this run." placeholder:"N"`
	buying
}

// Help shows examples.
func (diagnoseCmd) Help() string {
	return `Says of every low-score answer why it is low: one part of the system at a time is replaced — evidence from the whole corpus, another
k, chunk size, embedder, nothing but the evidence as contexts, a plain prompt, a better model — and the first that heals the answer
is its cause, down to the parameter. What a log or an endpoint does not allow to replace is not guessed: such causes are
"observed, not tested" and never counted together with tested ones.

Examples:
  workbench diagnose faq --plan                     how many answers, calls and money
  workbench diagnose faq --budget 5.00              runs resume goes on after a stop
  workbench diagnose faq --show --question q17      what was tried for one answer
  workbench diagnose faq --show --lang ja
  workbench diagnose faq --try                      what each recommended change really repairs and breaks; says the price first
  workbench diagnose faq --apply 1                  run the recommended change and compare
  workbench diagnose faq --method paper --json      the founding paper's method as a control arm, beside ours`
}

// Run diagnoses, plans, shows or applies.
func (c diagnoseCmd) Run(p *program) error {
	rules, err := c.rules()
	if err != nil {
		return err
	}
	return p.with(func(w *app.Workbench) error {
		switch {
		case c.Try:
			if goOn, err := c.try(p, w, rules); err != nil || !goOn {
				return err
			}
		case c.Plan:
			plan, err := analyses.PlanDiagnose(p.ctx, w, c.Run_, rules)
			return firstError(err, func() error { return p.causes().diagnosePlan(plan) })
		case c.Apply != 0:
			return c.apply(p, w)
		case !c.Show && c.Question == "":
			run, err := analyses.Diagnose(p.ctx, w, c.Run_, rules)
			if err != nil {
				return p.runs().stopped(w, run.ID, err)
			}
			p.runs().cost(w, run)
			if err := covered(run); err != nil {
				return err
			}
		}
		report, err := analyses.CauseReport(p.ctx, w, c.Run_, causes.CauseMethod(c.Method))
		switch {
		case err != nil:
			return err
		case c.Question != "":
			return p.causes().diagnosisOf(report, c.Question, string(p.lang()))
		case p.flags.JSON:
			return p.printJSON(report)
		}
		p.causes().causeReport(report, string(p.lang()))
		return nil
	})
}

// try prices the trials of the recommended configurations, asks, and makes them. It reports whether the report is to be shown.
func (c diagnoseCmd) try(p *program, w *app.Workbench, rules analyses.DiagnoseRules) (bool, error) {
	plan, err := analyses.PlanTrials(p.ctx, w, c.Run_)
	if err != nil {
		return false, err
	}
	if c.Plan && p.flags.JSON {
		return false, p.printJSON(plan)
	}
	p.note("%s to try on %s in all", p.lang().many(plan.Configurations, "configuration"), p.lang().many(plan.Answers, "answer"))
	if !plan.Free {
		p.note("at most %d calls, price about %s", plan.Calls, p.lang().price(plan.Micros, plan.PriceKnown, plan.Currency))
	}
	if c.Plan || plan.Configurations == 0 {
		return !c.Plan, nil
	}
	if !plan.Free {
		price := p.lang().price(plan.Micros, plan.PriceKnown, plan.Currency)
		if ok, err := p.confirm(c.Yes, p.lang().text("buy at most %d calls, price about %s", plan.Calls, price)); err != nil || !ok {
			return false, err
		}
	}
	run, err := analyses.TryRecommendations(p.ctx, w, c.Run_, rules.Budget)
	if err != nil {
		return false, p.runs().stopped(w, run.ID, err)
	}
	p.runs().cost(w, run)
	return true, nil
}

func (c diagnoseCmd) rules() (analyses.DiagnoseRules, error) {
	rules := analyses.DiagnoseRules{Method: causes.CauseMethod(c.Method), Trials: c.Trials, Select: c.selection()}
	var err error
	if rules.Budget, err = app.ParseBudget(c.Budget); err != nil {
		return rules, err
	}
	if c.Reference != "" {
		m, err := modelNamed(c.Reference)
		if err != nil {
			return rules, err
		}
		rules.Reference = &m
	}
	for _, name := range c.Embedder {
		m, err := modelNamed(name)
		if err != nil {
			return rules, err
		}
		rules.Embedders = append(rules.Embedders, m)
	}
	return rules, nil
}

func modelNamed(s string) (rag.Model, error) {
	provider, name, ok := strings.Cut(s, "/")
	if !ok || provider == "" || name == "" {
		return rag.Model{}, problem.New(problem.Invalid, "model_name", "%q names no model; a model is provider/model", s).
			WithHint("for example openai/gpt-4.1")
	}
	return rag.Model{Provider: provider, Name: name}, nil
}

// apply runs what the diagnosis recommends and sets it beside the diagnosed run.
func (c diagnoseCmd) apply(p *program, w *app.Workbench) error {
	before, err := w.FindRun(p.ctx, c.Run_)
	if err != nil {
		return err
	}
	e, change, err := analyses.RepairExperiment(p.ctx, w, before.ID, c.Apply)
	if err != nil {
		return err
	}
	job, err := analyses.RepairJob(p.ctx, w, e, before, c.selection())
	if err != nil {
		return err
	}
	if job.Budget, err = app.ParseBudget(c.Budget); err != nil {
		return err
	}
	p.note("registered %s: %s", e.Name, change.Words(string(p.lang())))
	run, err := w.Run(p.ctx, job)
	if err != nil {
		return p.runs().stopped(w, run.ID, err)
	}
	p.runs().cost(w, run)
	comparison, both, err := w.Compare(p.ctx, before.ID, run.ID)
	if err != nil {
		return err
	}
	if p.flags.JSON {
		return p.printJSON(comparison)
	}
	p.comparisons().said(w, comparison, both)
	p.comparisons().changeTable(comparison)
	p.comparisons().worseAnswers(comparison, both, 3)
	p.causes().healed(change, both)
	p.runs().judgeBadge(run)
	return nil
}

// healed says how many of the answers that a change was to repair are good now.
func (p causePrinter) healed(change causes.Recommendation, both [2]experiments.Evaluation) {
	good := 0
	for _, id := range change.Heals {
		if r, ok := both[1].Result(id); ok && r.Answer != nil && !r.Low(both[1].Run.Setup.LowScore) {
			good++
		}
	}
	p.say("")
	p.say("%d of the %s that this change was to repair are good now", good, p.lang().many(len(change.Heals), "answer"))
}

func (p causePrinter) diagnosePlan(plan analyses.DiagnosePlan) error {
	if p.flags.JSON {
		return p.printJSON(plan)
	}
	p.say("%s of run %s, method %s", p.lang().many(plan.LowScores, "low-score answer"), plan.RunID, plan.Method)
	switch {
	case plan.Known != "":
		p.say("run %s has diagnosed them: nothing would be bought", plan.Known)
	case plan.Free:
		p.say("every model is offline: nothing is bought")
	default:
		p.say("about %d calls (%d if all is the judge's noise, up to %d with double faults), price about %s",
			plan.Typical, plan.Least, plan.Most, p.lang().price(plan.Micros, plan.PriceKnown, plan.Currency))
	}
	return nil
}

// causeReport prints the bars, the patterns and what to change.
func (p causePrinter) causeReport(r causes.CauseReport, lang string) {
	words := causes.CauseWords(lang)
	p.say("run %s: %s, %d diagnosed in run %s (%s)", r.RunID, p.lang().
		many(r.LowScores, "low-score answer"), r.Diagnosed, r.DiagnoseID, words["method."+string(r.Method)])
	p.say("%s", printable(r.Summary.In(lang)))
	rows := make([][]string, len(r.Counts))
	for i, c := range r.Counts {
		param := ""
		if c.Param != "" {
			param = words["param."+c.Param]
		}
		rows[i] = []string{words["data."+string(c.Data)], words["component."+string(c.Component)], param, strconv.Itoa(c.Count),
			standings(c.Stands, words), strings.Join(c.Questions, " ")}
	}
	p.say("")
	p.table([]string{"CAUSE", "COMPONENT", "PARAMETER", "ANSWERS", "HOW KNOWN", "QUESTIONS"}, rows)
	rows = make([][]string, len(r.Patterns))
	for i, c := range r.Patterns {
		rows[i] = []string{words["corner."+string(c.Corner)], words["pattern."+string(c.Pattern)], strconv.Itoa(c.Count)}
	}
	p.say("")
	p.table([]string{"LOW", "THE ANSWER", "ANSWERS"}, rows)
	if len(r.Recommendations) > 0 {
		p.recommendations(r, lang)
	}
	if need := r.NeedsReference; need != nil {
		p.say("next: %s", need.Text.In(lang))
	}
	p.besideTested(r, lang)
	if r.Offline {
		p.note("%s", findings.Word(string(p.lang()), "judge.offline"))
	}
}

// standings says how the causes of a bar are known: "tested 10, searched, not replaced 1".
func standings(n map[causes.Standing]int, words map[string]string) string {
	var out []string
	for _, s := range []causes.Standing{causes.StandsTested, causes.StandsSearched, causes.StandsObserved, causes.StandsUnknown} {
		if n[s] > 0 {
			out = append(out, fmt.Sprintf("%s %d", words["stands."+string(s)], n[s]))
		}
	}
	return strings.Join(out, "; ")
}

// besideTested prints the tested causes beside those of the paper's method.
func (p causePrinter) besideTested(r causes.CauseReport, lang string) {
	if r.Method != causes.PaperWay {
		return
	}
	if r.Beside == nil {
		p.say("next: workbench diagnose %s   sets tested causes beside these", r.RunID)
		return
	}
	rows := make([][]string, len(r.Beside.Rows))
	for i, b := range r.Beside.Rows {
		same := ""
		if b.Control == b.Tested {
			same = "="
		}
		rows[i] = []string{b.QuestionID, b.Control.Word(lang), same, b.Tested.Word(lang)}
	}
	p.say("")
	p.say("beside the tested causes of run %s: the same for %d of %s", r.Beside.DiagnoseID, r.Beside.Agree, p.lang().
		many(len(rows), "answer"))
	p.table([]string{"QUESTION", "PAPER'S METHOD", "", "TESTED"}, rows)
	if !r.Beside.SameJudge {
		p.note("The two asked different judges; differences may be theirs.")
	}
}

func (p causePrinter) recommendations(r causes.CauseReport, lang string) {
	rows := make([][]string, len(r.Recommendations))
	for i, c := range r.Recommendations {
		risk := "-"
		if c.Good > 0 {
			risk = p.lang().text("%d of %d", len(c.AtRisk), c.Good-c.Unmeasured)
		}
		rows[i] = []string{strconv.Itoa(i + 1), c.Words(lang), strconv.Itoa(len(c.Heals)), p.lang().
			happened(c.Outcome), fmt.Sprintf("×%.1f", c.ContextCost()), risk}
	}
	p.say("")
	p.table([]string{"", "CHANGE", "EXPECTED", "WHEN TRIED", "CONTEXT", "LOSE EVIDENCE"}, rows)
	for i, c := range r.Recommendations {
		if c.Outcome != nil {
			p.say("%d: %s", i+1, c.Outcome.InAll().In(lang))
		}
	}
	if r.Recommendations[0].Applies && r.Recommendations[0].Outcome == nil {
		p.say("next: workbench diagnose %s --try   tries them, and says the price first", r.RunID)
	}
	if r.Recommendations[0].Applies {
		p.say("next: workbench diagnose %s --apply 1", r.RunID)
	}
}

// happened says what a recommended configuration did when it was tried.
func (l language) happened(o *causes.RepairOutcome) string {
	if o == nil {
		return l.format("not tried")
	}
	return l.text("%d of %d repaired, %d of %d good ones broken", len(o.Repaired), o.TriedLow, len(o.Broken), o.TriedGood)
}

// diagnosisOf prints one diagnosis with everything that was tried.
func (p causePrinter) diagnosisOf(r causes.CauseReport, id, lang string) error {
	for _, d := range r.Diagnoses {
		if d.QuestionID != id {
			continue
		}
		if p.flags.JSON {
			return p.printJSON(d)
		}
		words := causes.CauseWords(lang)
		p.say("%s: %s → %s (%s, %s %.2f)", id, d.Data.Word(lang), d.Component.Word(lang), words["stands."+string(d.Standing())],
			words["certainty."+string(d.Certainty)], d.Confidence)
		p.say("%s", printable(d.Rationale.In(lang)))
		rows := make([][]string, len(d.Steps))
		for i, s := range d.Steps {
			rows[i] = []string{words["step."+s.Step], s.Change, p.lang().text("%d of %d", s.Passes, s.Trials), strconv.Itoa(s.Calls)}
		}
		p.say("")
		p.table([]string{"TRIED", "CHANGE", "GOOD", "CALLS"}, rows)
		for _, e := range d.Evidence {
			p.say("  %s %d-%d: %s", e.DocID, e.Start, e.End, oneLine(e.Quote, 160))
		}
		return nil
	}
	return problem.New(problem.NotFound, "diagnosis_unknown", "run %s has no diagnosis of question %q", r.RunID, id).
		With("question", id).WithHint("only low-score answers are diagnosed: %s of them", p.lang().many(r.Diagnosed, "answer"))
}

// causeChanges prints how causes moved between two runs that have been diagnosed; nothing where they have not.
func (p causePrinter) causeChanges(w *app.Workbench, both [2]experiments.Evaluation) error {
	c, err := analyses.CompareCauses(p.ctx, w, both[0], both[1])
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	words := causes.CauseWords(string(p.lang()))
	rows := make([][]string, len(c.Changes))
	for i, x := range c.Changes {
		rows[i] = []string{x.Data.Word(string(p.lang())), x.Component.Word(string(p.lang())), strings.ReplaceAll(x.Category, "_", " "),
			strconv.Itoa(x.Before), strconv.Itoa(x.After)}
	}
	p.say("")
	p.say("causes of low scores (%s):", words["method."+string(c.Method)])
	p.table([]string{"CAUSE", "COMPONENT", "QUESTIONS", "BEFORE", "AFTER"}, rows)
	for _, m := range c.Moves[:min(8, len(c.Moves))] {
		p.say("  %s → %s: %s", p.lang().causeOrGood(m.From), p.lang().causeOrGood(m.To), p.lang().many(m.Count, "answer"))
	}
	return nil
}

func (l language) causeOrGood(code string) string {
	switch code {
	case causes.GoodAnswer:
		return l.format("good")
	case causes.UnknownCause:
		return l.format("low, not diagnosed")
	}
	return causes.Component(code).Word(string(l))
}
