package schedules

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// anchorQuestions is how many answers of the baseline the judge judges again at every fire.
const anchorQuestions = 20

// judge buys what the comparison with the baseline is in doubt about, and has the judge judge some of the baseline's answers again.
func (fi *firing) judge(ctx context.Context, baseline, candidate string) error {
	left, ok, err := fi.left(ctx)
	if err != nil {
		return err
	}
	if ok {
		v, err := votes.VerifyComparison(ctx, fi.w, baseline, candidate, votes.VerifyRules{Budget: left}, nil)
		switch {
		case err != nil && !fi.spent(ctx, err, v.Runs...):
			return err
		case err == nil && v.Next.Stop == compare.StopBudget && !v.Bounded:
			fi.note("%d answers are still in doubt: one check asks for no more votes", v.Answers)
		case err != nil || v.Next.Stop == compare.StopBudget:
			fi.note("%d answers are still in doubt: the budget was spent", v.Answers)
		}
	} else {
		fi.note("nothing in doubt was checked: the budget was spent")
	}
	return fi.anchors(ctx, baseline)
}

// spent reports whether an error only says that the budget is used up.
func (fi *firing) spent(ctx context.Context, err error, runs ...string) bool {
	if ctx.Err() != nil {
		return false
	}
	if problem.CodeOf(err) == "budget_spent" {
		return true
	}
	for _, id := range runs {
		if _, _, at := app.AtBudget(ctx, fi.w, id); at {
			return true
		}
	}
	return false
}

// anchors has the judge judge answers of the baseline once more, in unchanged words: what differs is the judge's doing. A judge that
// always says the same is not asked.
func (fi *firing) anchors(ctx context.Context, baseline string) error {
	fi.fire.Anchors = "" // an earlier life of the fire may have had another baseline
	e, err := fi.w.Evaluation(ctx, baseline)
	if err != nil {
		return err
	}
	provider, err := fi.w.Providers.Provider(e.Run.Setup.Judge.Provider)
	if err != nil || provider.Info().Deterministic {
		return err
	}
	run, err := fi.anchorRun(ctx, e)
	if err != nil {
		return err
	}
	if run.ID == "" {
		left, ok, err := fi.left(ctx)
		if err != nil || !ok {
			fi.note("the judge was not checked: the budget was spent")
			return err
		}
		questions := anchorsOf(e)
		if len(questions) == 0 {
			return nil
		}
		setup := e.Run.Setup
		setup.Rejudge, setup.Questions, setup.Repeat = fi.fire.ID, nil, false
		for _, q := range questions {
			setup.Questions = append(setup.Questions, q.ID)
		}
		// A child of the baseline, so that answers of systems elsewhere are the baseline's too; of another kind, so that it is no vote.
		run = experiments.Run{Kind: experiments.KindVerify, ParentID: e.Run.ID, Params: e.Run.Params, Setup: setup, Budget: left}
		if run, err = fi.w.Runner(setup).Create(ctx, run, questions); err != nil {
			return err
		}
	}
	fi.fire.Anchors = run.ID
	if err := fi.save(*fi.fire); err != nil {
		return err
	}
	if run.State != experiments.Finished {
		if _, err := fi.working(ctx, run.ID); err != nil {
			if ctx.Err() != nil {
				return err
			}
			fi.fire.Anchors = ""
			fi.note("the judge could not be checked: %s", problem.From(err).Message)
		}
	}
	return nil
}

// anchorRun finds the run that an earlier life of the fire made for the judge.
func (fi *firing) anchorRun(ctx context.Context, baseline experiments.Evaluation) (experiments.Run, error) {
	runs, err := fi.w.Store.Runs(ctx, experiments.RunFilter{ParentID: baseline.Run.ID, Kind: experiments.KindVerify})
	for _, r := range runs {
		if r.Setup.Rejudge == fi.fire.ID {
			return r, err
		}
	}
	return experiments.Run{}, err
}

// anchorsOf chooses questions of a baseline that have an answer, the same at every fire.
func anchorsOf(e experiments.Evaluation) []experiments.Question {
	type ranked struct {
		q    experiments.Question
		rank string
	}
	var all []ranked
	seen := map[string]bool{}
	for i, r := range e.Results {
		if r.Answer == nil || r.Replicate != e.Run.Setup.Replicate || seen[r.QuestionID] {
			continue
		}
		seen[r.QuestionID] = true
		sum := sha256.Sum256([]byte("anchor " + r.QuestionID))
		all = append(all, ranked{e.Questions[i], string(sum[:])})
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	var out []experiments.Question
	for _, r := range all[:min(len(all), anchorQuestions)] {
		out = append(out, r.q)
	}
	return out
}

// analyses looks for causes and analyses the questions, where the experiment says so and the budget allows it.
func (fi *firing) analyses(ctx context.Context, e experiments.Experiment, run experiments.Run) error {
	for _, name := range e.Definition.Analyses {
		left, ok, err := fi.left(ctx)
		if err != nil {
			return err
		}
		if !ok {
			fi.note("%s were not looked into: the budget was spent", name)
			continue
		}
		var made experiments.Run
		switch name {
		case "causes":
			made, err = analyses.Diagnose(ctx, fi.w, run.ID, analyses.DiagnoseRules{Budget: left})
		case "questions":
			made, err = analyses.AnalyseQuestions(ctx, fi.w, run.ID, analyses.QuestionRules{Budget: left})
		}
		switch {
		case err == nil || analyses.NothingLow(err):
		case ctx.Err() != nil:
			return err
		case fi.spent(ctx, err, made.ID):
			fi.note("%s were looked into in part: the budget was spent", name)
		default:
			fi.note("%s could not be looked into: %s", name, problem.From(err).Message)
		}
	}
	return nil
}

// conclude compares with the baseline and with the fire before, and decides the gate. It buys nothing.
func (fi *firing) conclude(ctx context.Context, run experiments.Run) error {
	f := fi.fire
	before, err := fi.before(ctx)
	if err != nil {
		return err
	}
	f.Worse, f.NewlyWorse, f.Since = []string{}, []string{}, []string{}
	if f.Previous != "" {
		since, _, err := fi.w.Compare(ctx, f.Previous, run.ID)
		switch {
		case err == nil:
			f.Since = since.WorseIDs()
		case ctx.Err() != nil:
			return err
		default:
			fi.note("it could not be compared with the fire before: %s", problem.From(err).Message)
		}
	}
	if f.Baseline == "" {
		return fi.alone(ctx, run)
	}
	var anchors []string
	if f.Anchors != "" {
		anchors = []string{f.Baseline, f.Anchors}
	}
	c, _, err := fi.w.Compare(ctx, f.Baseline, run.ID, anchors...)
	if err != nil {
		return err
	}
	c.Tell(f)
	if !f.TellNew(before) {
		known, err := fi.known(ctx, before)
		if err != nil {
			return err
		}
		f.NewlyWorse = experiments.Without(f.Worse, known)
	}
	rules, err := reporting.OfSchedule(f.Schedule, f.Limits).Rules()
	if err != nil {
		return err
	}
	gate, err := reporting.Gate(ctx, fi.w, f.Baseline, run.ID, rules)
	if err != nil {
		return err
	}
	f.Gate, f.Version = string(gate.Decision), fi.options.Version
	return nil
}

// alone holds a run without a baseline against the thresholds of its schedule, as the command gate does; margins and allowances are about
// two runs.
func (fi *firing) alone(ctx context.Context, run experiments.Run) error {
	limits := fi.fire.Limits
	if limits == nil {
		return nil
	}
	if limits.Margin != nil || limits.Allowance != nil {
		fi.note("the margin and the allowance of the schedule were not used: they are about two runs, and there is no baseline")
	}
	if len(limits.Min) == 0 {
		return nil
	}
	gate, err := reporting.GateAlone(ctx, fi.w, run.ID, reporting.OfFire(*fi.fire, ""))
	if err != nil {
		return err
	}
	fi.fire.Gate, fi.fire.Version = string(gate.Decision), fi.options.Version
	return nil
}

// known are the questions whose answers were worse already at the fire before, which had another baseline: its run is compared with
// the one of now, from what is stored, since a new yardstick alone makes nothing worse.
func (fi *firing) known(ctx context.Context, before *experiments.Fire) ([]string, error) {
	c, _, err := fi.w.Compare(ctx, fi.fire.Baseline, before.RunID)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, err
	default: // the dataset changed with the baseline, say: better told twice than not at all
		fi.note("the fire before could not be compared with the new baseline: %s", problem.From(err).Message)
	}
	return c.WorseIDs(), nil
}
