package schedules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
)

// firing is the work of one fire. Every step finds what an earlier life of the fire did, so a fire that is taken over buys nothing twice.
type firing struct {
	w        *app.Workbench
	schedule experiments.Schedule
	fire     *experiments.Fire
	save     func(experiments.Fire) error
	options  SchedulerOptions
	budget   experiments.Budget // of this fire; the zero Budget does not bound
	notes    []string           // what was left out
}

// workFire does what a fire is for.
func workFire(ctx context.Context, w *app.Workbench, o SchedulerOptions, s experiments.Schedule, f *experiments.Fire,
	save func(experiments.Fire) error) error {
	fi := &firing{w: w, schedule: s, fire: f, save: save, options: o}
	f.Limits = s.Limits
	spent, why, err := fi.allowance(ctx)
	if err != nil {
		return err
	}
	if why != "" {
		f.State, f.Reason = experiments.FireSkipped, why
		return nil
	}
	fi.budget = spent
	if s.Notebook != "" {
		err = fi.notebook(ctx)
	} else {
		err = fi.experiment(ctx)
	}
	if billErr := fi.bill(context.WithoutCancel(ctx)); billErr != nil {
		err = errors.Join(err, billErr)
	}
	if err != nil {
		if context.Cause(ctx) != nil && errors.Is(context.Cause(ctx), errFireCancelled) {
			fi.cancelRuns(context.WithoutCancel(ctx))
		}
		return err
	}
	if f.Reason != "" {
		fi.notes = append([]string{f.Reason}, fi.notes...)
	}
	f.Reason = strings.Join(fi.notes, "; ")
	return nil
}

// experiment evaluates the schedule's experiment and says what has changed.
func (fi *firing) experiment(ctx context.Context) error {
	e, err := fi.w.Store.Experiment(ctx, fi.schedule.Experiment)
	if err != nil {
		return err
	}
	run, err := fi.evaluate(ctx, e)
	if problem.CodeOf(err) == "traces_none" { // a quiet week is no failure
		fi.fire.State, fi.fire.Reason = experiments.FireSkipped, problem.From(err).Message
		return nil
	}
	if err != nil {
		return err
	}
	fi.fire.TellScores(run)
	if fi.fire.Previous, err = fi.previous(ctx); err != nil {
		return err
	}
	baseline, err := fi.baseline(ctx, e, run)
	switch {
	case problem.Is(err, problem.NotFound):
		fi.note("no baseline is locked: nothing says whether answers got worse; `workbench baseline set RUN` locks one")
	case err != nil:
		return err
	default:
		ok, err := fi.compared(ctx, baseline.RunID, run)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		fi.fire.Baseline = baseline.RunID
		if err := fi.judge(ctx, baseline.RunID, run.ID); err != nil {
			return err
		}
	}
	if run, err = fi.w.Store.Run(ctx, run.ID); err != nil { // with the votes that the comparison asked for
		return err
	}
	fi.fire.TellScores(run)
	if err := fi.analyses(ctx, e, run); err != nil {
		return err
	}
	if err := fi.conclude(ctx, run); err != nil {
		return err
	}
	return fi.workbook(ctx, run)
}

// note remembers, for people, what the fire left out.
func (fi *firing) note(format string, args ...any) {
	fi.notes = append(fi.notes, fmt.Sprintf(format, args...))
}

// evaluate works the fire's run to its end: the one an earlier life began, or a new one that asks the system anew.
func (fi *firing) evaluate(ctx context.Context, e experiments.Experiment) (experiments.Run, error) {
	run, err := fi.begun(ctx)
	if err != nil {
		return run, err
	}
	if run.ID == "" {
		job, err := fi.frozen(ctx, e)
		if err != nil {
			return run, err
		}
		job.Setup.Fire, job.Budget = fi.fire.ID, fi.budget
		if err := fi.w.Preflight(ctx, job.Setup.Config, job.Questions); err != nil {
			return run, err
		}
		run = experiments.Run{Kind: experiments.KindEvaluate, Params: job.Params, Setup: job.Setup, Budget: job.Budget}
		if run, err = fi.w.Runner(job.Setup).Create(ctx, run, job.Questions); err != nil {
			return run, err
		}
	}
	fi.fire.RunID = run.ID
	if err := fi.save(*fi.fire); err != nil {
		return run, err
	}
	if run.State != experiments.Finished {
		if run, err = fi.working(ctx, run.ID); err != nil {
			return run, err
		}
	}
	if run.Totals == nil || run.Totals.Coverage.Scored == 0 {
		return run, problem.New(problem.Incomplete, "fire_unscored", "run %s has no score (%s)", run.ID, causesOf(run)).With("run", run.ID)
	}
	if len(run.Totals.Errors) > 0 {
		return fi.retry(ctx, run)
	}
	return run, nil
}

// begun finds the run that an earlier life of the fire made; the zero Run when there is none.
func (fi *firing) begun(ctx context.Context) (experiments.Run, error) {
	if fi.fire.RunID != "" {
		return fi.w.Store.Run(ctx, fi.fire.RunID)
	}
	runs, err := fi.w.Store.Runs(ctx, experiments.RunFilter{Experiment: fi.schedule.Experiment, Kind: experiments.KindEvaluate, Limit: 100})
	for _, r := range runs {
		if r.Setup.Fire == fi.fire.ID && r.ParentID == "" {
			return r, err
		}
	}
	return experiments.Run{}, err
}

// waitForOwner is how long a fire waits between two looks at a run that a process which may be dead still owns.
const waitForOwner = 10 * time.Second

// working works a run. A run that another process owns is waited for: that process may have died, and is then given up after a while.
func (fi *firing) working(ctx context.Context, id string) (experiments.Run, error) {
	for waited := time.Duration(0); ; waited += waitForOwner {
		run, err := fi.w.Work(ctx, id)
		if err == nil || problem.CodeOf(err) != "run_state" || waited > 2*experiments.StaleAfter {
			return run, fi.stopped(ctx, id, err)
		}
		if run, lookErr := fi.w.Store.Run(ctx, id); lookErr != nil || run.State != experiments.Running {
			return run, errors.Join(lookErr, err)
		}
		if err := sleep(ctx, fi.w, waitForOwner); err != nil {
			return run, err
		}
	}
}

// sleep waits, or returns why ctx ended.
func sleep(ctx context.Context, w *app.Workbench, d time.Duration) error {
	if w.Options.Sleep != nil {
		return w.Options.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stopped tells a stop at the budget from others.
func (fi *firing) stopped(ctx context.Context, id string, err error) error {
	if err == nil {
		return nil
	}
	if message, hint, ok := app.AtBudget(context.WithoutCancel(ctx), fi.w, id); ok {
		return problem.New(problem.Incomplete, "budget_spent", "%s", message).With("run", id).WithHint("%s", hint)
	}
	return err
}

// retry asks questions with errors once more.
func (fi *firing) retry(ctx context.Context, run experiments.Run) (experiments.Run, error) {
	left, ok, err := fi.left(ctx)
	if err != nil {
		return run, err
	}
	if !ok {
		fi.note("%s, and the budget was spent", causesOf(run))
		return run, nil
	}
	child, err := fi.w.RetryErrors(ctx, run.ID, false, left)
	switch {
	case ctx.Err() != nil:
		return run, err
	case problem.CodeOf(err) == "run_retried" || err == nil && child.State == experiments.Finished:
	case err != nil:
		fi.note("questions with errors could not be asked again: %s", problem.From(err).Message)
	}
	pooled, err := fi.w.Evaluation(ctx, run.ID)
	if err != nil {
		return run, err
	}
	if len(pooled.Run.Totals.Errors) > 0 {
		fi.note("%s", causesOf(pooled.Run))
	}
	return pooled.Run, nil
}

// causesOf names why cells have no score.
func causesOf(run experiments.Run) string {
	if run.Totals == nil {
		return "it did not finish"
	}
	t := run.Totals
	parts := []string{fmt.Sprintf("%d of %d scores", t.Coverage.Scored, t.Coverage.Applicable)}
	for _, cause := range slices.Sorted(maps.Keys(t.Errors)) {
		parts = append(parts, fmt.Sprintf("%s ×%d", cause, t.Errors[cause]))
	}
	return strings.Join(parts, ", ")
}

// previous is the run of the newest fire before this one that went well.
func (fi *firing) previous(ctx context.Context) (string, error) {
	before, err := fi.before(ctx)
	if before == nil {
		return "", err
	}
	return before.RunID, err
}

// before is the newest fire before this one that went well; nil when there is none.
func (fi *firing) before(ctx context.Context) (*experiments.Fire, error) {
	fires, err := fi.w.Whole.Fires(ctx, experiments.FireList{
		Schedule: fi.schedule.Name, States: []experiments.FireState{experiments.FireRan}, Before: fi.fire.NominalAt, HasRun: true, Limit: 1,
	})
	if err != nil || len(fires) == 0 {
		return nil, err //nolint:nilnil // the first fire has none before it
	}
	return &fires[0], nil
}

// workbook writes the report of the fire into the data directory.
func (fi *firing) workbook(ctx context.Context, run experiments.Run) error {
	asked := reporting.OfFire(*fi.fire, fi.schedule.Notebook)
	if fi.fire.Baseline == "" { // its limits are about two runs
		asked = reporting.GateAsked{}
	}
	r, err := reporting.Report(ctx, fi.w, fi.fire.Baseline, run.ID, fi.lang(), fi.options.Version, asked)
	if err != nil {
		return err
	}
	if zone, err := timetable.ParseZone(fi.schedule.Zone); err == nil {
		r.GeneratedAt = r.GeneratedAt.In(zone)
	}
	return fi.write(r.WriteXLSX)
}

// write writes the workbook of the fire, as a whole or not at all.
func (fi *firing) write(workbook func(io.Writer) error) error {
	fi.fire.Workbook = filepath.ToSlash(fi.folder() + ".xlsx")
	path := FireWorkbook(fi.w, *fi.fire)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fi.unwritable(path, err)
	}
	temporary := path + ".part"
	out, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC,
		0o600) //nolint:gosec // below the data directory, under a checked name
	if err != nil {
		return fi.unwritable(path, err)
	}
	if err := errors.Join(workbook(out), out.Close()); err != nil {
		return fi.unwritable(path, err)
	}
	return os.Rename(temporary, path)
}

// folder is where the files of the fire lie in the data directory, without an ending.
func (fi *firing) folder() string {
	return filepath.Join("fires", fi.schedule.Name, fi.fire.NominalAt.Format("20060102T150405Z"))
}

func (fi *firing) unwritable(path string, err error) error {
	return problem.New(problem.Unavailable, "file_write", "cannot write %s", path).With("path", path).Because(err).
		WithHint("check the disk and who may write there")
}

// FireWorkbook is where the workbook of a fire lies; "" when it has none.
func FireWorkbook(w *app.Workbench, f experiments.Fire) string {
	if f.Workbook == "" {
		return ""
	}
	return filepath.Join(w.Options.DataDir, f.Workbook)
}
