// Package analyses holds the verbs that buy more than answers and scores: why answers are low (diagnose), what questions are about
// (questions), and how good the instruments are (validate).
package analyses

import (
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// DiagnoseCmd is the verb diagnose.
type DiagnoseCmd struct {
	Run_      string   `arg:"" name:"run" help:"Run id, its beginning, or an experiment's name."` //nolint:revive // Run is the verb
	Method    string   `help:"How: tested (one part is replaced at a time), observed (a judge reads the log), paper (the founding paper's one call). Default: tested where something can be replaced." placeholder:"METHOD"`
	Trials    int      `help:"Answers generated for each replacement. 4 is usual; 2 halves the price and lowers the confidence." placeholder:"N" type:"count"`
	Reference string   `help:"The model that stands in for a good generator, as provider/model. Without one, prompt and model cannot be told apart where a system's own model is bought." placeholder:"PROVIDER/MODEL"`
	Embedder  []string `help:"A further embedder to retrieve with instead, as provider/model. Repeatable." placeholder:"PROVIDER/MODEL"`
	Show      bool     `help:"Print the newest diagnosis instead of making one."`
	Question  string   `help:"Print everything that was tried for this question." placeholder:"ID"`
	Try       bool     `help:"Try the recommended configurations on low-score answers and on good ones. Offline this happens by itself; where models are bought it says the price and asks."`
	Yes       bool     `help:"With --try: do not ask."`
	Apply     int      `help:"Register the Nth recommended change as an experiment, run it, and compare it with this run." placeholder:"N" type:"count"`
	program.Buying
}

// Help shows examples.
func (DiagnoseCmd) Help() string {
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
func (c DiagnoseCmd) Run(p *program.Program) error {
	rules, err := c.rules()
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		var before causes.CauseReport // what was recommended until now
		switch {
		case c.Try:
			if !c.Plan && !p.Flags.JSON {
				if before, err = analyses.CauseReport(p.Context, w, c.Run_, causes.Tested); err != nil {
					return err
				}
			}
			if goOn, err := c.try(p, w, rules); err != nil || !goOn {
				return err
			}
		case c.Plan:
			plan, err := analyses.PlanDiagnose(p.Context, w, c.Run_, rules)
			return firstError(err, func() error { return printing.Causes(p).DiagnosePlan(plan) })
		case c.Apply != 0:
			return c.apply(p, w)
		case !c.Show && c.Question == "":
			run, err := analyses.Diagnose(p.Context, w, c.Run_, rules)
			if err != nil {
				return printing.Runs(p).Stopped(w, run.ID, err)
			}
			printing.Runs(p).Cost(w, run)
			if err := program.Covered(run); err != nil {
				return err
			}
		}
		report, err := analyses.CauseReport(p.Context, w, c.Run_, causes.CauseMethod(c.Method))
		switch {
		case err != nil:
			return err
		case c.Question != "":
			return printing.Causes(p).DiagnosisOf(report, c.Question, string(p.Lang()))
		case p.Flags.JSON:
			return p.PrintJSON(report)
		}
		printing.Causes(p).CauseReport(report, string(p.Lang()))
		for _, kept := range report.Left(before) {
			p.Say("%s", program.Printable(kept.In(string(p.Lang()))))
		}
		return nil
	})
}

// try prices the trials of the recommended configurations, asks, and makes them. It reports whether the report is to be shown.
func (c DiagnoseCmd) try(p *program.Program, w *app.Workbench, rules analyses.DiagnoseRules) (bool, error) {
	plan, err := analyses.PlanTrials(p.Context, w, c.Run_)
	if err != nil {
		return false, err
	}
	if c.Plan && p.Flags.JSON {
		return false, p.PrintJSON(plan)
	}
	p.Note("%s to try on %s in all", p.Lang().Many(plan.Configurations, "configuration"), p.Lang().Many(plan.Answers, "answer"))
	if !plan.Free {
		p.Note("at most %d calls, price about %s", plan.Calls, p.Lang().Price(plan.Micros, plan.PriceKnown, plan.Currency))
	}
	if c.Plan || plan.Configurations == 0 {
		return !c.Plan, nil
	}
	if !plan.Free {
		price := p.Lang().Price(plan.Micros, plan.PriceKnown, plan.Currency)
		if ok, err := p.Confirm(c.Yes, p.Lang().Text("buy at most %d calls, price about %s", plan.Calls, price)); err != nil || !ok {
			return false, err
		}
	}
	run, err := analyses.TryRecommendations(p.Context, w, c.Run_, rules.Budget)
	if err != nil {
		return false, printing.Runs(p).Stopped(w, run.ID, err)
	}
	printing.Runs(p).Cost(w, run)
	return true, nil
}

func (c DiagnoseCmd) rules() (analyses.DiagnoseRules, error) {
	rules := analyses.DiagnoseRules{Method: causes.CauseMethod(c.Method), Trials: c.Trials, Select: c.Selection()}
	var err error
	if rules.Budget, err = experiments.ParseBudget(c.Budget); err != nil {
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
func (c DiagnoseCmd) apply(p *program.Program, w *app.Workbench) error {
	before, err := w.FindRun(p.Context, c.Run_)
	if err != nil {
		return err
	}
	e, change, err := analyses.RepairExperiment(p.Context, w, before.ID, c.Apply)
	if err != nil {
		return err
	}
	job, err := analyses.RepairJob(p.Context, w, e, before, c.Selection())
	if err != nil {
		return err
	}
	if job.Budget, err = experiments.ParseBudget(c.Budget); err != nil {
		return err
	}
	p.Note("registered %s: %s", e.Name, change.Words(string(p.Lang())))
	run, err := w.Run(p.Context, job)
	if err != nil {
		return printing.Runs(p).Stopped(w, run.ID, err)
	}
	printing.Runs(p).Cost(w, run)
	comparison, both, err := w.Compare(p.Context, before.ID, run.ID)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(comparison)
	}
	printing.Runs(p).JudgeBadge(run)
	printing.Comparisons(p).Said(w, comparison, both)
	printing.Comparisons(p).ChangeTable(comparison)
	printing.Comparisons(p).WorseAnswers(comparison, both, 3)
	printing.Causes(p).Healed(change, both)
	return nil
}
