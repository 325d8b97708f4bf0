package main

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

type validateCmd struct {
	Judge       validateJudgeCmd       `cmd:"" help:"Measure a judge like an instrument, and store its card."`
	Verdicts    validateVerdictsCmd    `cmd:"" help:"Set a judge's worse and better against what readers say."`
	Regressions validateRegressionsCmd `cmd:"" help:"Measure how far the word worse can be trusted."`
	Causes      validateCausesCmd      `cmd:"" help:"Measure how far a named cause can be trusted."`
}

type validateJudgeCmd struct {
	Judge      string   `help:"The judge, as provider/model; default the offline judge." placeholder:"PROVIDER/MODEL"`
	Items      string   `help:"Folder or file with items (WikiEval's layout) or labelled data; default questions of the demo." placeholder:"DIR"`
	N          int      `help:"At most N items." name:"n" default:"50" placeholder:"N"`
	Replicates int      `help:"How often J1 asks each item, each time with another wording and order." default:"3" placeholder:"N"`
	Probes     []string `help:"Protocols to run, of J1,J2,J4,J6,J7; default all." placeholder:"J1,J2"`
	Plan       bool     `help:"Show what would be asked and what it costs, and stop. Makes no call."`
	Budget     string   `help:"What may be spent: an amount in the price file's currency (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
	Show       bool     `help:"Print the newest card of the judge instead of measuring."`
}

// Help explains.
func (validateJudgeCmd) Help() string {
	return `Shows the judge texts whose merit is known by construction and compares: J1 trust over ideal, redundant, missing and unrelated
contexts (Table 1 of the founding paper), J2 the better of two, J4 repeatability, J6 bias, J7 injection. Labelled data given with
--items is compared with its labels (AUROC, accuracy, correlation). docs/judge.md describes the method.

Examples:
  workbench validate judge                                     the offline judge on the demo's questions
  workbench validate judge --judge openai/gpt-4.1-mini --plan  what it would ask and cost
  workbench validate judge --items ../shared/data/wikieval --lang ja
  workbench validate judge --items ../shared/data/judge_begin --json
  workbench validate judge --show

The status is GREEN, AMBER or RED; it does not change the exit code.`
}

// Run validates, plans or shows.
func (c validateJudgeCmd) Run(p *program) error {
	budget, err := app.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.with(func(w *app.Workbench) error {
		v := validations.Validation{Judge: c.Judge, Items: c.Items, N: c.N, Replicates: c.Replicates, Protocols: c.Probes, Budget: budget,
			Tell: p.judges().validating}
		switch {
		case c.Show:
			card, current, err := validations.JudgeCard(p.ctx, w, c.Judge)
			if err != nil {
				return err
			}
			if !current {
				p.warn("this card was measured with other prompts (%s) than this program has; measure again", card.PromptVersion)
			}
			return p.judges().judgeCard(card, string(p.lang()))
		case c.Plan:
			plan, err := validations.PlanValidation(p.ctx, w, v)
			if err != nil {
				return err
			}
			return p.runs().printPlan(plan)
		}
		card, err := validations.ValidateJudge(p.ctx, w, v)
		if err != nil {
			return err
		}
		return p.judges().judgeCard(card, string(p.lang()))
	})
}

func (p judgePrinter) judgeCard(card validation.JudgeCard, lang string) error {
	if p.flags.JSON {
		return p.printJSON(card)
	}
	p.say("%s", printable(card.Markdown(lang)))
	return nil
}

// validating shows how far a validation is, on a terminal by overwriting one line.
func (p judgePrinter) validating(stage string, done, total int) {
	if p.flags.Quiet || !p.live || done%10 != 0 && done != total {
		return
	}
	fmt.Fprintf(p.stderr, "\r%s  %d/%d\x1b[K", stage, done, total)
	if done == total {
		fmt.Fprint(p.stderr, "\r\x1b[K")
	}
}

// judgeStatus says in a few words what is known of the judge of a run, "" where nothing is. It is an extra: what goes wrong in
// finding it out is not worth failing for.
func (p judgePrinter) judgeStatus(run experiments.Run) string {
	if p.opened == nil {
		return ""
	}
	judge := run.Setup.Judge
	if run.Setup.Offline && judge.Provider == "" {
		judge = metrics.DefaultJudge()
	}
	card, ok, err := validations.CardOf(p.ctx, p.opened, judge)
	if err != nil || !ok || card.Status == validation.Unmeasured { // only examples for its prompt were tested
		return ""
	}
	return p.lang().text("Judge card of %s: %s, measured %s (workbench validate judge --show).", card.Judge, card.Status,
		card.MeasuredAt.Format("2006-01-02"))
}
