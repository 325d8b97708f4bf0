package studies

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
)

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}

// cellJob is one run that a cell wants, with the run that does it already, if any.
type cellJob struct {
	app.Job
	label      string
	experiment experiments.Experiment
	repair     *analyses.Repair // of an apply cell
	run        experiments.Run  // zero when there is none
}

// cellJobs freezes what a cell wants and finds what has been done of it. With register, experiments are stored: a run needs one.
func (n *NotebookEngine) cellJobs(ctx context.Context, work notebooks.Work, register bool) ([]cellJob, error) {
	var out []cellJob
	var err error
	if work.Apply != nil {
		out, err = n.applyJobs(ctx, *work.Apply, register)
	} else {
		out, err = n.runJobs(ctx, work, register)
	}
	if err != nil || len(out) == 0 {
		return nil, err
	}
	known, err := n.W.Store.Runs(ctx, experiments.RunFilter{Dataset: out[0].Setup.Dataset.Name, Kind: experiments.KindEvaluate})
	if err != nil {
		return nil, err
	}
	byWork := map[string]experiments.Run{}
	for _, r := range known {
		key := sameWork(r.Setup)
		if r.ParentID != "" || r.State == experiments.Cancelled || r.State == experiments.Failed {
			continue
		}
		// Newest first: the oldest finished one stays the same whatever is run later, and was the first to be analysed.
		if had, ok := byWork[key]; !ok || had.State != experiments.Finished || r.State == experiments.Finished {
			byWork[key] = r
		}
	}
	for i := range out {
		out[i].Setup.Fire = n.Fire
		out[i].run = byWork[sameWork(out[i].Setup)]
	}
	return out, nil
}

// runJobs freezes every configuration of a run cell.
func (n *NotebookEngine) runJobs(ctx context.Context, work notebooks.Work, register bool) ([]cellJob, error) {
	var out []cellJob
	for _, c := range work.Runs.Configs {
		d, err := n.definition(ctx, work, c)
		if err != nil {
			return nil, err
		}
		e, err := n.experiment(ctx, d, register)
		if err != nil {
			return nil, err
		}
		jobs, err := n.freezeCell(ctx, e, app.Select{Limit: work.Runs.Dataset.Limit, Filter: work.Runs.Dataset.Filter})
		if err != nil {
			return nil, err
		}
		for _, j := range jobs {
			label := c.Name
			if len(j.Params) > 0 {
				label = experiments.Describe(j.Params)
			}
			out = append(out, cellJob{Job: j, label: label, experiment: e})
		}
	}
	return out, nil
}

// applyJobs freezes the run of an apply cell.
func (n *NotebookEngine) applyJobs(ctx context.Context, a notebooks.ApplyWork, register bool) ([]cellJob, error) {
	r, err := analyses.RepairNamed(ctx, n.W, a.Run, a.Change)
	if err != nil {
		return nil, err
	}
	e, err := n.experiment(ctx, r.Definition, register)
	if err != nil {
		return nil, err
	}
	j, err := analyses.RepairJob(ctx, n.W, e, r.Before, app.Select{})
	return []cellJob{{Job: j, label: analyses.RecommendationName(r.Change), experiment: e, repair: &r}}, err
}

// experiment is the one of a definition, stored only with register.
func (n *NotebookEngine) experiment(ctx context.Context, d experiments.Definition, register bool) (experiments.Experiment, error) {
	if !register {
		return experiments.Experiment{Name: d.Name, Definition: d}, nil
	}
	return n.W.Store.PutExperiment(ctx, d, n.W.Options.Now())
}

func (n *NotebookEngine) freezeCell(ctx context.Context, e experiments.Experiment, s app.Select) ([]app.Job, error) {
	if len(e.Definition.Sweep) > 0 {
		jobs, _, err := n.W.SweepJobs(ctx, e, s)
		return jobs, err
	}
	j, err := n.W.Job(ctx, e, s)
	return []app.Job{j}, err
}

// sameWork is equal for setups that ask the same of the same system, whatever experiment they belong to and whatever was agreed since: of
// an agreement only the threshold decides results, and that stands in the setup.
func sameWork(s experiments.Setup) string {
	s.Experiment, s.Revision, s.Goals, s.Agreement = "", 0, nil, 0
	return s.Digest()
}

// Price is what is left to buy. Runs of offline models alone are not gone through.
func (n *NotebookEngine) Price(ctx context.Context, work notebooks.Work) (notebooks.Price, error) {
	out := notebooks.Price{Priced: true, Currency: n.W.Config.Currency, Runs: 1}
	if work.Causes != nil {
		plan, err := analyses.PlanDiagnose(ctx, n.W, work.Causes.Run, diagnoseRules(*work.Causes, experiments.Budget{}))
		if err != nil || plan.Known != "" || plan.Free {
			if plan.Known != "" {
				out.RunsDone = 1
			}
			return out, err
		}
		out.Calls, out.Micros, out.Priced = plan.Typical, plan.Micros, plan.PriceKnown
		return out, nil
	}
	jobs, err := n.cellJobs(ctx, work, false)
	if err != nil {
		return out, err
	}
	out.Runs = len(jobs)
	var missing []app.Job
	for _, j := range jobs {
		switch {
		case j.run.State == experiments.Finished:
			more, err := votes.MissingVotes(ctx, n.W, j.run.ID, work.Votes())
			if err != nil {
				return out, err
			}
			out.Calls, out.Micros, out.Priced = out.Calls+more.Calls, out.Micros+more.Micros, out.Priced && more.Known
			if more.Calls == 0 {
				out.RunsDone++
			}
		case !n.free(j.Setup):
			missing = append(missing, j.Job)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	plan, err := n.W.Plan(ctx, missing)
	if err != nil {
		return out, err
	}
	out.Calls += plan.Buy * work.Votes()
	out.Micros += plan.PriceMicros * int64(work.Votes())
	out.Priced = out.Priced && plan.PriceKnown
	for _, s := range plan.Stages {
		out.Known += s.Known
	}
	return out, nil
}

// free reports whether every provider of a setup is free of charge.
func (n *NotebookEngine) free(s experiments.Setup) bool {
	if s.Config.Endpoint != nil {
		return false
	}
	for _, name := range append(s.Config.ProviderNames(), s.Judge.Provider, s.Judge.Embedding.Provider) {
		p, err := n.W.Providers.Provider(name)
		if err != nil || !p.Info().Free {
			return false
		}
	}
	return true
}

func diagnoseRules(c notebooks.CauseWork, b experiments.Budget) analyses.DiagnoseRules {
	return analyses.DiagnoseRules{Method: causes.CauseMethod(c.Method), Trials: c.Trials, Budget: b,
		Select: app.Select{Limit: c.Limit, Filter: c.Filter}}
}

// Buy does what is missing of the work.
func (n *NotebookEngine) Buy(ctx context.Context, work notebooks.Work, b experiments.Budget) (notebooks.Bought, error) {
	if work.Causes != nil {
		return n.buyCauses(ctx, *work.Causes, b)
	}
	jobs, err := n.cellJobs(ctx, work, false)
	if err == nil && slices.ContainsFunc(jobs, func(j cellJob) bool { return j.run.ID == "" }) {
		jobs, err = n.cellJobs(ctx, work, true) // what others did is taken over, and needs no experiment of its own
	}
	if err != nil {
		return notebooks.Bought{}, err
	}
	p := cellBudget{w: n.W, budget: b, before: map[string]experiments.Spending{}}
	for _, j := range jobs {
		if j.run.ID != "" {
			if err := p.open(ctx, j.run.ID); err != nil {
				return notebooks.Bought{}, err
			}
		}
	}
	err = n.work(ctx, &p, jobs)
	if err == nil {
		err = n.repeat(ctx, &p, jobs, work.Votes())
	}
	out := notebooks.Bought{Versions: jobs[0].versions()}
	for _, j := range jobs {
		if j.run.ID != "" {
			out.Runs = append(out.Runs, notebooks.BoughtRun{Label: j.label, ID: j.run.ID})
		}
	}
	spend, billErr := p.spent(context.WithoutCancel(ctx))
	out.Spend = spend
	return out, errors.Join(err, billErr)
}

// versions are what a job rests on, and for an apply cell what it changes of which run.
func (j cellJob) versions() map[string]string {
	out := map[string]string{"dataset": j.Setup.Dataset.String(), "corpus": j.Setup.Corpus.String(), "judge": j.Setup.Judge.String()}
	if r := j.repair; r != nil {
		out["run"], out["change"], out["experiment"] = r.Before.ID, analyses.RecommendationName(r.Change), j.run.Setup.Experiment
		out["change_en"], out["change_ja"] = r.Change.Words("en"), r.Change.Words("ja")
	}
	return out
}

// work brings every run of a cell to its end: unfinished ones are resumed, missing ones of one sweep are made as a sweep.
func (n *NotebookEngine) work(ctx context.Context, p *cellBudget, jobs []cellJob) error {
	for i := range jobs {
		share(jobs)
		j := &jobs[i]
		if j.run.State == experiments.Finished {
			continue
		}
		left, err := p.left(ctx)
		if err != nil {
			return err
		}
		switch {
		case j.run.ID != "":
			err = n.resume(ctx, p, j, left)
		case len(j.experiment.Definition.Sweep) > 0:
			err = n.sweep(ctx, p, jobs, j.experiment, left)
		default:
			j.Budget = left
			j.run, err = n.W.Run(ctx, j.Job)
			err = p.stopped(ctx, j.run.ID, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// share gives the run of a job to the others that ask the same, as when a configuration stands in a sweep and by itself.
func share(jobs []cellJob) {
	done := map[string]experiments.Run{}
	for _, j := range jobs {
		if j.run.ID != "" {
			done[sameWork(j.Setup)] = j.run
		}
	}
	for i := range jobs {
		if jobs[i].run.ID == "" {
			jobs[i].run = done[sameWork(jobs[i].Setup)]
		}
	}
}

func (n *NotebookEngine) resume(ctx context.Context, p *cellBudget, j *cellJob, left experiments.Budget) error {
	if err := p.allow(ctx, j.run.ID, left); err != nil {
		return err
	}
	runs, err := n.W.Resume(ctx, j.run.ID)
	for _, r := range runs {
		if r.ID == j.run.ID {
			j.run = r
		}
	}
	return p.stopped(ctx, j.run.ID, err)
}

// sweep makes the runs of one experiment that do not exist yet.
func (n *NotebookEngine) sweep(ctx context.Context, p *cellBudget, jobs []cellJob, e experiments.Experiment,
	left experiments.Budget,
) error {
	var missing []app.Job
	var at []int
	for i, j := range jobs {
		if j.run.ID == "" && j.experiment.Name == e.Name {
			missing, at = append(missing, j.Job), append(at, i)
		}
	}
	missing[0].Budget = left
	parent, runs, err := n.W.Sweep(ctx, e, missing)
	if len(runs) == 0 && parent.ID != "" {
		var readErr error
		if runs, readErr = n.W.SweepRuns(context.WithoutCancel(ctx), parent.ID); readErr != nil {
			return readErr
		}
	}
	for _, r := range runs {
		for _, i := range at {
			if jobs[i].run.ID == "" && sameWork(r.Setup) == sameWork(jobs[i].Setup) {
				jobs[i].run = r
				break
			}
		}
	}
	return p.stopped(ctx, parent.ID, err)
}

// repeat adds the votes that are missing. Where generator and judge are deterministic another vote would say the same: none is made.
func (n *NotebookEngine) repeat(ctx context.Context, p *cellBudget, jobs []cellJob, votes int) error {
	for _, j := range jobs {
		if j.Setup.Settled || votes < 2 {
			continue
		}
		children, err := n.votes(ctx, j.run)
		if err != nil {
			return err
		}
		have := 1
		for _, c := range children {
			if c.State != experiments.Finished {
				left, err := p.left(ctx)
				if err != nil {
					return err
				}
				if err := p.allow(ctx, c.ID, left); err != nil {
					return err
				}
				if _, err := n.W.Resume(ctx, c.ID); err != nil {
					return p.stopped(ctx, c.ID, err)
				}
			}
			have++
		}
		for ; have < votes; have++ {
			if _, err := p.left(ctx); err != nil {
				return err
			}
			added, err := n.W.Replicates(ctx, j.run.ID, 1)
			for _, c := range added {
				p.ids = append(p.ids, c.ID)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// votes are the child runs that ask all questions of a run once more, finished or to be gone on with.
func (n *NotebookEngine) votes(ctx context.Context, run experiments.Run) ([]experiments.Run, error) {
	children, err := n.W.Store.Runs(ctx, experiments.RunFilter{ParentID: run.ID, Kind: experiments.KindEvaluate})
	var out []experiments.Run
	for _, c := range children {
		whole := len(c.Setup.Questions) == len(run.Setup.Questions)
		if whole && c.Setup.Replicate > 0 && c.State != experiments.Cancelled && c.State != experiments.Failed {
			out = append(out, c)
		}
	}
	return out, err
}

func (n *NotebookEngine) buyCauses(ctx context.Context, c notebooks.CauseWork, b experiments.Budget) (notebooks.Bought, error) {
	out := notebooks.Bought{Versions: map[string]string{"run": c.Run, "method": c.Method}}
	p := cellBudget{w: n.W, budget: b, before: map[string]experiments.Spending{}}
	known, err := n.W.Store.Runs(ctx, experiments.RunFilter{ParentID: c.Run, Kind: experiments.KindDiagnose})
	if err != nil {
		return out, err
	}
	for _, r := range known {
		if err := p.open(ctx, r.ID); err != nil {
			return out, err
		}
		if b != (experiments.Budget{}) && !app.Over(r.State) {
			if err := p.allow(ctx, r.ID, b); err != nil {
				return out, err
			}
		}
	}
	rules := diagnoseRules(c, b)
	if len(known) > 0 {
		rules.Budget = experiments.Budget{} // it was raised above, by what had been spent
	}
	run, err := analyses.Diagnose(ctx, n.W, c.Run, rules)
	if analyses.NothingLow(err) {
		return out, nil
	}
	if run.ID != "" {
		out.Runs = []notebooks.BoughtRun{{Label: "diagnose", ID: run.ID}}
		if _, had := p.before[run.ID]; !had {
			p.ids = append(p.ids, run.ID)
		}
	}
	err = p.stopped(ctx, run.ID, err)
	spend, billErr := p.spent(context.WithoutCancel(ctx))
	out.Spend = spend
	return out, errors.Join(err, billErr)
}
