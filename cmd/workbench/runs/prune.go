package runs

import (
	"fmt"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
)

type runsPruneCmd struct {
	OlderThan string `help:"Age of the replies to drop, in days." default:"90d" placeholder:"DAYS"`
	Yes       bool   `help:"Do not ask." short:"y"`
}

// Help explains.
func (runsPruneCmd) Help() string {
	return `Drops the raw requests and replies of old calls to make room. Answers, scores, reports and the bill stay. What is lost is said
first: runs whose replies are gone cannot be verified any more, and the same questions would be bought again.
Replies of unfinished runs, baselines and pinned runs are kept. Tables of vectors on connections (retrieve.engine: pgvector) that no
search opened for as long are dropped too; what needs them writes them again.

Examples:
  workbench runs prune --older-than 30d
  workbench runs pin 3f2a                  keep the replies of a run`
}

// Run prunes, after saying what is lost.
func (c runsPruneCmd) Run(p *program.Program) error {
	age, err := app.ParseDays(c.OlderThan)
	if err != nil {
		return problem.New(problem.Invalid, "usage", "--older-than is %q; it must be a number of days such as 90d", c.OlderThan)
	}
	return p.With(func(w *app.Workbench) error {
		lost, err := app.Prune(p.Context, w, age, true)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%d replies (%.1f MB), %d of them in the cache; %d runs could not be verified any more", lost.Replies,
			float64(lost.Bytes)/1e6, lost.CacheEntries, len(lost.Runs))
		if lost.Tables > 0 {
			what += fmt.Sprintf("; %d tables of vectors that no search opened since (%.1f MB)", lost.Tables, float64(lost.TableBytes)/1e6)
		}
		for _, name := range lost.Unreached {
			p.Warn("connection %s did not open; its tables of vectors stay", name)
		}
		if lost.Replies+lost.Tables == 0 {
			p.Note("nothing is old enough to drop; %d replies are kept because something rests on them", lost.Kept)
			if p.Flags.JSON {
				return p.PrintJSON(lost)
			}
			return nil
		}
		if ok, err := p.Confirm(c.Yes, "Drop "+what); err != nil || !ok {
			return err
		}
		if lost, err = app.Prune(p.Context, w, age, false); err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(lost)
		}
		p.Say("dropped %s", what)
		return nil
	})
}

type runsPinCmd struct {
	ID string `arg:"" name:"run" help:"Run or sweep id, its beginning, or an experiment's name."`
}

// Run pins.
func (c runsPinCmd) Run(p *program.Program) error { return pin(p, c.ID, true) }

type runsUnpinCmd struct {
	ID string `arg:"" name:"run" help:"Run or sweep id, its beginning, or an experiment's name."`
}

// Run unpins.
func (c runsUnpinCmd) Run(p *program.Program) error { return pin(p, c.ID, false) }

func pin(p *program.Program, id string, pinned bool) error {
	return p.With(func(w *app.Workbench) error {
		run, err := app.Pin(p.Context, w, id, pinned)
		if err != nil {
			return err
		}
		if pinned {
			p.Say("the replies of run %s are kept", run.ID)
		} else {
			p.Say("the replies of run %s may be pruned again", run.ID)
		}
		return nil
	})
}
