package analyses

import (
	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
)

type validateVerdictsCmd struct {
	File   string `arg:"" help:"Pairs of answers with the verdicts of readers, as JSON lines (docs/verdicts.md)." placeholder:"FILE"`
	Judge  string `help:"The judge, as provider/model; default the offline judge." placeholder:"PROVIDER/MODEL"`
	Plan   bool   `help:"Show what would be asked and what it costs, and stop. Makes no call."`
	Budget string `help:"What may be spent: an amount in the price file's currency (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Help explains.
func (validateVerdictsCmd) Help() string {
	return `Lets the judge decide which of two answers is better, and sets that against what careful readers said who did not know which was
before or after: precision and recall of worse and better, all verdicts in one table, and how far two readers agree where there are
two. The figures are kept on the judge's card. A judge whose worse is right less than 3 times in 4 says so wherever it calls answers
worse. docs/verdicts.md describes the file.

Examples:
  workbench validate verdicts pairs.jsonl                                     the offline judge
  workbench validate verdicts pairs.jsonl --judge openai/gpt-4.1-mini --plan  what it would ask and cost
  workbench validate verdicts pairs.jsonl --judge openai/gpt-4.1-mini --json`
}

// Run validates or plans.
func (c validateVerdictsCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	pairs, source, err := validations.ReadPairs(c.File)
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		v := validations.VerdictValidation{Judge: c.Judge, Pairs: pairs, Source: source, Budget: budget,
			Tell: printing.Judges(p).Validating}
		if c.Plan {
			plan, err := validations.PlanVerdicts(p.Context, w, v)
			if err != nil {
				return err
			}
			return printing.Runs(p).PrintPlan(plan)
		}
		report, err := validations.ValidateVerdicts(p.Context, w, v)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(report)
		}
		p.Say("%s", program.Printable(report.Markdown(string(p.Lang()), findings.CauseIn)))
		return nil
	})
}
