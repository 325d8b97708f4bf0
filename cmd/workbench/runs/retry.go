package runs

import (
	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
)

type runsRetryCmd struct {
	ID     string `arg:"" name:"run" help:"Finished run: id, its beginning, or an experiment's name."`
	Repeat bool   `help:"Also repeat calls whose reply never came to systems that are asked at most once."`
	Budget string `help:"What it may spend: an amount (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Help explains.
func (runsRetryCmd) Help() string {
	return `Asks again what ended in an error, in a child run. The finished run stays as it is; from then on its results are shown together
with the child's.

Example:
  workbench runs retry-errors 3f2a`
}

// Run retries.
func (c runsRetryCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		parent, err := w.FindRun(p.Context, c.ID)
		if err != nil {
			return err
		}
		child, err := w.RetryErrors(p.Context, parent.ID, c.Repeat, budget)
		if err != nil {
			return printing.Runs(p).Stopped(w, child.ID, err)
		}
		e, err := experiments.LoadEvaluation(p.Context, w.Store, parent.ID)
		if err != nil {
			return err
		}
		printing.Runs(p).Cost(w, child)
		if err := printing.Runs(p).Results([]experiments.Run{e.Run}, true); err != nil {
			return err
		}
		return program.Covered(e.Run)
	})
}
