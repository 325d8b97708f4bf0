package analyses

import (
	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// ValidateCmd is the verb validate.
type ValidateCmd struct {
	Judge       validateJudgeCmd       `cmd:"" help:"Measure a judge like an instrument, and store its card."`
	Verdicts    validateVerdictsCmd    `cmd:"" help:"Set a judge's worse and better against what readers say."`
	Regressions validateRegressionsCmd `cmd:"" help:"Measure how far the word worse can be trusted."`
	Causes      validateCausesCmd      `cmd:"" help:"Measure how far a named cause can be trusted."`
}

type validateJudgeCmd struct {
	Judge      string   `help:"The judge, as provider/model; default the offline judge." placeholder:"PROVIDER/MODEL"`
	Items      string   `help:"Folder or file with items (WikiEval's layout) or labelled data; default questions of the demo." placeholder:"DIR"`
	N          int      `help:"At most N items." name:"n" default:"50" placeholder:"N" type:"count"`
	Replicates int      `help:"How often J1 asks each item, each time with another wording and order." default:"3" placeholder:"N" type:"count"`
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

The status is green, amber or red; it does not change the exit code.`
}

// Run validates, plans or shows.
func (c validateJudgeCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		v := validations.Validation{Judge: c.Judge, Items: c.Items, N: c.N, Replicates: c.Replicates, Protocols: c.Probes, Budget: budget,
			Tell: printing.Judges(p).Validating}
		switch {
		case c.Show:
			card, current, err := validations.JudgeCard(p.Context, w, c.Judge)
			if err != nil {
				return err
			}
			if !current {
				p.Warn("this card was measured with other prompts (%s) than this program has; measure again", card.PromptVersion)
			}
			return judgeCard(p, card, string(p.Lang()))
		case c.Plan:
			plan, err := validations.PlanValidation(p.Context, w, v)
			if err != nil {
				return err
			}
			return printing.Runs(p).PrintPlan(plan)
		}
		card, err := validations.ValidateJudge(p.Context, w, v)
		if err != nil {
			return err
		}
		return judgeCard(p, card, string(p.Lang()))
	})
}

func judgeCard(p *program.Program, card validation.JudgeCard, lang string) error {
	if p.Flags.JSON {
		return p.PrintJSON(card)
	}
	p.Say("%s", program.Printable(card.Markdown(lang, findings.CauseIn)))
	return nil
}
