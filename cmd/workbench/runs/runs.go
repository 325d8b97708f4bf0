// Package runs holds the verbs that make runs and look at them: run, sweep, ask, runs.
package runs

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Cmd is the verb runs.
type Cmd struct {
	List      runsListCmd      `cmd:"" help:"List runs, newest first."`
	Show      runsShowCmd      `cmd:"" help:"Show a run, or everything behind the scores of one question."`
	Resume    runsResumeCmd    `cmd:"" help:"Go on with an interrupted or paused run."`
	Pause     runsPauseCmd     `cmd:"" help:"Ask a running run to pause after its present batch."`
	Cancel    runsCancelCmd    `cmd:"" help:"Ask a run to stop for good; what is done stays."`
	Retry     runsRetryCmd     `cmd:"" name:"retry-errors" help:"Ask again what ended in an error, in a child run."`
	Replicate runsReplicateCmd `cmd:"" help:"Ask and judge a finished run again, to tell change from noise."`
	Note      runsNoteCmd      `cmd:"" help:"Write a note beside a run."`
	Tag       runsTagCmd       `cmd:"" help:"Give a run tags, or take them away."`
	Views     runsViewsCmd     `cmd:"" help:"List the saved views of the list of runs, or change them."`
	Delete    runsDeleteCmd    `cmd:"" help:"Delete a run, or a sweep with its runs. The bill of its calls stays."`
	Prune     runsPruneCmd     `cmd:"" help:"Drop the raw replies of old calls, after saying what is lost."`
	Pin       runsPinCmd       `cmd:"" help:"Keep the replies of a run from being pruned."`
	Unpin     runsUnpinCmd     `cmd:"" help:"Let the replies of a run be pruned again."`
}

type runsListCmd struct {
	Experiment string   `help:"Only runs of this experiment."`
	Dataset    string   `help:"Only runs over this dataset."`
	Sweep      string   `help:"Only the runs of this sweep." placeholder:"RUN"`
	Tag        []string `help:"Only runs with this tag. Repeatable: all of them." placeholder:"TAG"`
	View       string   `help:"The list as it was saved under this name; other flags narrow it further." placeholder:"NAME"`
	Sweeps     bool     `help:"Fold the runs of a sweep into its row, with its best and the spread of all."`
	Sort       string   `help:"By a field or a parameter, as correctness or setup.retrieve.k; --sort=-FIELD for the largest first." placeholder:"FIELD"`
	All        bool     `help:"Also the runs that belong to another one, each below it: retries, votes, diagnoses, analyses."`
	Differing  bool     `help:"A column for each parameter that differs between these runs, instead of what sweeps set."`
	Limit      int      `help:"At most N runs, without those that belong to another one; 0 is all." default:"50" placeholder:"N"`
}

// listed is a run in `runs list --json`.
type listed struct {
	app.Summary
	experiments.Notes
	Kind      experiments.Kind     `json:"kind"`
	State     experiments.RunState `json:"state"`
	Cause     string               `json:"cause,omitempty"`
	SweepID   string               `json:"sweep_id,omitempty"`
	ParentID  string               `json:"parent_id,omitempty"`
	Children  int                  `json:"children"`        // runs that belong to it, and to those
	Group     *app.SweepGroup      `json:"group,omitempty"` // with --sweeps
	Corpus    string               `json:"corpus"`
	Dataset   string               `json:"dataset"`
	CreatedAt string               `json:"created_at"`
	Differing map[string]string    `json:"differing,omitempty"` // with --differing: what differs between the runs of the list
}

// Run lists.
func (c runsListCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		query, columns, err := c.query(p, w)
		if err != nil {
			return err
		}
		runs, err := views.NewViews(w).Runs(p.Context, query)
		if err == nil && c.All {
			runs.Items, err = views.NewViews(w).Unfolded(p.Context, runs.Items)
		}
		if err != nil {
			return err
		}
		var differ views.Parameters
		if c.Differing || len(columns) > 0 {
			if differ, err = views.NewViews(w).Parameters(p.Context, runs.Items); err != nil {
				return err
			}
		}
		if p.Flags.JSON {
			return p.PrintJSON(listedRuns(runs.Items, differ))
		}
		if len(runs.Items) == 0 {
			if query.Experiment != "" || query.Dataset != "" || query.Sweep != "" || len(query.Tags) > 0 {
				p.Say("no run fits; without --experiment, --dataset, --sweep, --tag and --view all are listed")
				return nil
			}
			p.Say("none yet; start one with: workbench run EXPERIMENT")
			return nil
		}
		if len(columns) > 0 {
			differ.Differing = slices.DeleteFunc(differ.Differing, func(name string) bool { return !slices.Contains(columns, name) })
		}
		printing.Runs(p).RunTable(runs.Items, differ, c.Differing || len(columns) > 0)
		return nil
	})
}

// query is what the flags ask for, and the parameters that a saved view has columns for.
func (c runsListCmd) query(p *program.Program, w *app.Workbench) (q views.RunQuery, columns []string, err error) {
	if c.View != "" {
		v, err := w.Whole.RunView(p.Context, c.View)
		if err != nil {
			return q, nil, err
		}
		if q, columns, err = views.SavedQuery(v); err != nil {
			return q, nil, err
		}
	}
	q.Experiment, q.Dataset, q.Sweep = cmp.Or(c.Experiment, q.Experiment), cmp.Or(c.Dataset, q.Dataset), cmp.Or(c.Sweep, q.Sweep)
	if c.Sweeps {
		q.Group = views.BySweep
	}
	q.Sort = cmp.Or(c.Sort, q.Sort)
	q.Tags, q.Limit = append(q.Tags, c.Tag...), program.PageOf(c.Limit).Limit
	return q, columns, nil
}

// listedRuns are runs for programs.
func listedRuns(runs []app.RunRow, differ views.Parameters) []listed {
	list := make([]listed, len(runs))
	for i, r := range runs {
		list[i] = listed{
			Summary: app.SummaryOf(r.RunHead), Notes: r.Notes, Kind: r.Kind, State: r.State, Cause: r.Cause, SweepID: r.SweepID,
			ParentID: r.ParentID, Children: r.Children, Corpus: r.Corpus.String(), Dataset: r.Dataset.String(),
			CreatedAt: r.CreatedAt.Format("2006-01-02T15:04:05Z"), Group: r.Group, Differing: differ.Runs[r.RunID],
		}
	}
	return list
}

type runsShowCmd struct {
	ID       string `arg:"" name:"run" help:"Run id, its beginning, or an experiment's name."`
	Question string `help:"Explain every score of this question." placeholder:"ID"`
	Bubbles  bool   `name:"multiples" help:"For a sweep: the bubble table of every configuration, side by side on one scale."`
	Bill     bool   `help:"Show what it cost by stage, purpose, model and question."`
}

// Run shows.
func (c runsShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		run, err := w.FindRun(p.Context, c.ID)
		if err != nil {
			return err
		}
		if c.Bill && c.Question != "" {
			return problem.New(problem.Invalid, "bill_question", "--bill is of the whole run, and --question of one of its questions").
				WithHint("leave --question out: the bill has a line for each question")
		}
		if c.Bill {
			return printing.Runs(p).Bill(w, run)
		}
		if run.Kind == experiments.KindSweep {
			return showSweep(p, w, run, c.Bubbles)
		}
		e, err := experiments.LoadEvaluation(p.Context, w.Store, run.ID)
		if err != nil {
			return err
		}
		if c.Question != "" {
			return printing.Runs(p).Explain(w, e, c.Question)
		}
		troubles, err := w.Whole.Troubles(p.Context, run.ID)
		if err != nil {
			return err
		}
		written, err := w.Whole.Notes(p.Context, []string{run.ID})
		if err != nil {
			return err
		}
		notes := written[run.ID]
		if p.Flags.JSON {
			return p.PrintJSON(struct {
				experiments.Evaluation
				experiments.Notes
				Troubles []findings.Trouble `json:"troubles"`
			}{e, notes, findings.TroublesOf(troubles)})
		}
		if notes.Note != "" || len(notes.Tags) > 0 {
			writtenBeside(p, notes)
		}
		return printing.Runs(p).ShowRun(e, findings.TroublesOf(troubles))
	})
}

func showSweep(p *program.Program, w *app.Workbench, sweep experiments.Run, bubbles bool) error {
	runs, err := w.SweepRuns(p.Context, sweep.ID)
	if err != nil {
		return err
	}
	winner, err := app.Winner(runs)
	if err != nil {
		return problem.From(err).WithHint("workbench runs resume %s", sweep.ID)
	}
	if p.Flags.JSON {
		list := make([]app.Summary, len(runs))
		for i, r := range runs {
			list[i] = app.Summarize(r)
		}
		return p.PrintJSON(list)
	}
	finished := runs[:0]
	for _, r := range runs {
		if r.Totals != nil {
			finished = append(finished, r)
		}
	}
	if bubbles {
		return printing.Runs(p).Multiples(w, finished)
	}
	sweepsOf(p).sweepTable(finished, winner)
	return sweepsOf(p).standing(w, finished)
}

type runsResumeCmd struct {
	ID     string `arg:"" name:"run" help:"Run or sweep id, its beginning, or an experiment's name: its newest run that is not over."`
	Budget string `help:"Another budget from now on, what was spent included: an amount (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Run resumes.
func (c runsResumeCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		run, err := w.FindUnfinished(p.Context, c.ID)
		if err != nil {
			return err
		}
		if c.Budget != "" {
			if err := w.SetBudget(p.Context, run.ID, budget); err != nil {
				return err
			}
		}
		runs, err := w.Resume(p.Context, run.ID)
		if err != nil {
			return printing.Runs(p).Stopped(w, run.ID, err)
		}
		printing.Runs(p).Cost(w, run)
		if err := came(p, w, run, runs); err != nil {
			return err
		}
		return program.Covered(runs...)
	})
}

// came prints what a run came to that was gone on with, as the verb does that started it.
func came(p *program.Program, w *app.Workbench, run experiments.Run, runs []experiments.Run) error {
	switch {
	case run.Kind == experiments.KindSweep && len(runs) > 0:
		e, err := w.Store.Experiment(p.Context, run.Setup.Experiment)
		if err != nil {
			return err
		}
		return sweepsOf(p).sweepResults(w, e, run, runs)
	case p.Flags.JSON:
	case run.Kind == experiments.KindDiagnose:
		report, err := analyses.CauseReport(p.Context, w, run.ParentID, "")
		if err != nil {
			return err
		}
		printing.Causes(p).CauseReport(report, string(p.Lang()))
		return nil
	case run.Kind == experiments.KindQuestions:
		p.Say("next: workbench questions %s --show", run.ParentID)
		return nil
	}
	return printing.Runs(p).Results(runs, len(runs) == 1)
}

type runsPauseCmd struct {
	ID string `arg:"" name:"run" help:"Run id, its beginning, or an experiment's name: its newest run that is not over."`
}

// Run asks for a pause.
func (c runsPauseCmd) Run(p *program.Program) error { return request(p, c.ID, experiments.Paused) }

type runsCancelCmd struct {
	ID string `arg:"" name:"run" help:"Run id, its beginning, or an experiment's name: its newest run that is not over."`
}

// Run asks for an end.
func (c runsCancelCmd) Run(p *program.Program) error { return request(p, c.ID, experiments.Cancelled) }

func request(p *program.Program, id string, want experiments.RunState) error {
	return p.With(func(w *app.Workbench) error {
		run, err := w.FindUnfinished(p.Context, id)
		if err != nil {
			return err
		}
		if err := w.Store.RequestState(p.Context, run.ID, want, p.Now().UTC()); err != nil {
			return err
		}
		p.Say("run %s will be %s", run.ID, want)
		return nil
	})
}

type runsDeleteCmd struct {
	ID  string `arg:"" name:"run" help:"Run or sweep id, or its beginning."`
	Yes bool   `help:"Do not ask." short:"y"`
}

// Run deletes, after asking.
func (c runsDeleteCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		run, err := w.Store.Run(p.Context, c.ID)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%s run %s (%s, %s)", run.Kind, run.ID, run.Setup.Experiment, run.State)
		if ok, err := p.Confirm(c.Yes, "Delete "+what+" with all its answers and scores"); err != nil || !ok {
			return err
		}
		if err := w.Store.DeleteRun(p.Context, run.ID); err != nil {
			return err
		}
		p.Say("deleted %s", what)
		return nil
	})
}
