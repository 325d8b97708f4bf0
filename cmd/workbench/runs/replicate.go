package runs

import (
	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
)

type runsReplicateCmd struct {
	ID       string   `arg:"" name:"run" help:"Finished run: id, its beginning, or an experiment's name."`
	N        int      `help:"How often to ask everything again." default:"2" short:"n" type:"count"`
	Question []string `help:"Only these questions. Repeatable." placeholder:"ID"`
}

// Help explains.
func (runsReplicateCmd) Help() string {
	return `Asks and judges a finished run's questions again, in child runs. Comparisons then know how much the answers and the judge differ
from time to time, and can tell a real regression from noise. The finished run stays as it is.

Examples:
  workbench runs replicate 3f2a              three votes for every question in all
  workbench runs replicate 3f2a -n 1 --question q17`
}

// Run replicates.
func (c runsReplicateCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		parent, err := w.FindRun(p.Context, c.ID)
		if err != nil {
			return err
		}
		children, err := w.Replicates(p.Context, parent.ID, c.N, c.Question...)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return printing.Runs(p).Results(children, false)
		}
		for _, child := range children {
			p.Say("run %s is replicate %d of run %s", child.ID, child.Setup.Replicate, parent.ID)
		}
		printing.Runs(p).Cost(w, children...)
		if parent.Setup.Settled {
			p.Note("Generator and judge are deterministic: a replicate cannot differ.")
		}
		return nil
	})
}
