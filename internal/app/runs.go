package app

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Job is one run that can be started: its frozen setup and the questions it asks.
type Job struct {
	Params    []experiments.Param
	Setup     experiments.Setup
	Questions []experiments.Question
}

// Select narrows the questions of a run.
type Select struct {
	Limit  int      // the first n questions; 0 is all
	Filter []string // every given tag must be there: "theme:refunds", or "critical"
}

// Experiment finds a registered experiment by name, or registers the one in a file. dir is where the file lies.
func (w *Workbench) Experiment(ctx context.Context, nameOrFile string) (e experiments.Experiment, dir string, err error) {
	ext := strings.ToLower(filepath.Ext(nameOrFile))
	if ext != ".yaml" && ext != ".yml" {
		e, err = w.Store.Experiment(ctx, nameOrFile)
		if problem.Is(err, problem.NotFound) {
			err = problem.From(err).WithHint("`workbench experiment list` shows the registered ones; a file must end in .yaml")
		}
		return e, ".", err
	}
	d, err := experiments.ReadDefinition(nameOrFile)
	if err != nil {
		return e, "", err
	}
	dir = filepath.Dir(nameOrFile)
	if d, err = w.pinPaths(ctx, d, dir); err != nil {
		return e, dir, err
	}
	e, err = w.Store.PutExperiment(ctx, d, w.options.Now())
	return e, dir, err
}

// pinPaths imports what a definition names by path and writes the registered names in their place, so that the experiment
// can be run from anywhere afterwards.
func (w *Workbench) pinPaths(ctx context.Context, d experiments.Definition, dir string) (experiments.Definition, error) {
	corpus, err := w.resolveCorpus(ctx, d.Corpus, dir)
	if err != nil {
		return d, err
	}
	dataset, err := w.resolveDataset(ctx, d.Dataset, dir, corpus)
	if err != nil {
		return d, err
	}
	if !strings.Contains(d.Corpus, "@") {
		d.Corpus = corpus.Name
	}
	if !strings.Contains(d.Dataset, "@") {
		d.Dataset = dataset.Name
	}
	for _, axis := range d.Sweep {
		if axis.Name != "corpus" {
			continue
		}
		for i, v := range axis.Values {
			ref, ok := v.(string)
			if !ok {
				return d, problem.New(problem.Invalid, "experiment_field", "sweep.corpus holds %v; it must hold names or paths of corpora", v)
			}
			c, err := w.resolveCorpus(ctx, ref, dir)
			if err != nil {
				return d, err
			}
			if !strings.Contains(ref, "@") {
				axis.Values[i] = c.Name
			}
		}
	}
	return d, nil
}

// Job freezes the base configuration of an experiment.
func (w *Workbench) Job(ctx context.Context, e experiments.Experiment, s Select) (Job, error) {
	return w.freeze(ctx, e, experiments.Combination{Config: e.Definition.Base, Corpus: e.Definition.Corpus}, s)
}

// SweepJobs freezes every combination of an experiment's sweep, in the order of the axes.
func (w *Workbench) SweepJobs(ctx context.Context, e experiments.Experiment, s Select) ([]Job, []experiments.Skipped, error) {
	if len(e.Definition.Sweep) == 0 {
		return nil, nil, problem.New(problem.Invalid, "no_sweep", "experiment %s has no sweep", e.Name).
			WithHint("add axes to its file, for example `sweep: {chunk.size: [400, 800], retrieve.k: [3, 4]}`")
	}
	combinations, skipped, err := e.Definition.Expand()
	if err != nil {
		return nil, nil, err
	}
	jobs := make([]Job, len(combinations))
	for i, c := range combinations {
		if jobs[i], err = w.freeze(ctx, e, c, s); err != nil {
			return nil, nil, err
		}
	}
	return jobs, skipped, nil
}

func (w *Workbench) freeze(ctx context.Context, e experiments.Experiment, c experiments.Combination, s Select) (Job, error) {
	d := e.Definition
	corpus, err := w.Store.Corpus(ctx, c.Corpus)
	if err != nil {
		return Job{}, err
	}
	dataset, err := w.Store.Dataset(ctx, d.Dataset)
	if err != nil {
		return Job{}, err
	}
	suite, err := metrics.Resolve(d.Suite)
	if err != nil {
		return Job{}, err
	}
	settled, err := w.settled(c.Config, d.Judge)
	if err != nil {
		return Job{}, err
	}
	job := Job{Params: c.Params, Questions: s.from(dataset.Questions)}
	if len(job.Questions) == 0 {
		return Job{}, problem.New(problem.Invalid, "no_questions", "no question of %s fits the filter", d.Dataset).
			WithHint("`workbench dataset show %s` lists the tags", d.Dataset)
	}
	job.Setup = experiments.Setup{
		Experiment: e.Name, Revision: e.Revision, Config: c.Config,
		Corpus:  experiments.Ref{Name: corpus.Name, Version: corpus.Version, Digest: corpus.Digest},
		Dataset: experiments.Ref{Name: dataset.Name, Version: dataset.Version, Digest: dataset.Digest},
		Suite:   suite, Judge: d.Judge, LowScore: d.LowScore, Goals: d.Goals,
		Offline: d.Judge.Provider == "offline", Settled: settled,
	}
	if len(job.Questions) < len(dataset.Questions) {
		for _, q := range job.Questions {
			job.Setup.Questions = append(job.Setup.Questions, q.ID)
		}
	}
	return job, nil
}

// settled reports whether every provider that decides an answer or a verdict is deterministic.
func (w *Workbench) settled(c rag.Config, judge metrics.JudgeConfig) (bool, error) {
	for _, name := range append(c.ProviderNames(), judge.Provider) {
		p, err := w.providers.Provider(name)
		if err != nil {
			return false, err
		}
		if !p.Info().Deterministic {
			return false, nil
		}
	}
	return true, nil
}

func (s Select) from(questions []experiments.Question) []experiments.Question {
	var out []experiments.Question
	for _, q := range questions {
		if s.fits(q) {
			out = append(out, q)
		}
		if s.Limit > 0 && len(out) == s.Limit {
			break
		}
	}
	return out
}

func (s Select) fits(q experiments.Question) bool {
	for _, want := range s.Filter {
		ok := want == "critical" && q.Critical
		for _, tag := range q.Tags {
			ok = ok || tag == want
		}
		if !ok {
			return false
		}
	}
	return true
}

// Run starts a job and works it to its end.
func (w *Workbench) Run(ctx context.Context, j Job) (experiments.Run, error) {
	return w.start(ctx, j, "")
}

func (w *Workbench) start(ctx context.Context, j Job, sweepID string) (experiments.Run, error) {
	runner := w.runner(j.Setup)
	run, err := runner.Create(ctx, experiments.Run{Kind: experiments.KindEvaluate, SweepID: sweepID, Params: j.Params, Setup: j.Setup}, j.Questions)
	if err != nil {
		return run, err
	}
	return runner.Work(ctx, run.ID)
}

// Resume works what is missing in a run; in a sweep, in each of its runs.
func (w *Workbench) Resume(ctx context.Context, idOrPrefix string) ([]experiments.Run, error) {
	run, err := w.Store.Run(ctx, idOrPrefix)
	if err != nil {
		return nil, err
	}
	if run.Kind != experiments.KindSweep {
		run, err = w.runner(run.Setup).Work(ctx, run.ID)
		return []experiments.Run{run}, err
	}
	return w.workSweep(ctx, run)
}

// Sweep starts every job as a run of one sweep and works them. Runs that share an index are worked one after the other,
// whatever the order of the axes; the result is in the order of the jobs.
func (w *Workbench) Sweep(ctx context.Context, e experiments.Experiment, jobs []Job) (experiments.Run, []experiments.Run, error) {
	runner := w.runner(jobs[0].Setup)
	parent := experiments.Run{Kind: experiments.KindSweep, Setup: jobs[0].Setup}
	for _, axis := range e.Definition.Sweep {
		parent.Params = append(parent.Params, experiments.Param{Name: axis.Name, Value: axis.Values})
	}
	parent, err := runner.Create(ctx, parent, nil)
	if err != nil {
		return parent, nil, err
	}
	for _, j := range jobs {
		run := experiments.Run{Kind: experiments.KindEvaluate, SweepID: parent.ID, Params: j.Params, Setup: j.Setup}
		if _, err := runner.Create(ctx, run, j.Questions); err != nil {
			return parent, nil, err
		}
	}
	runs, err := w.workSweep(ctx, parent)
	return parent, runs, err
}

func (w *Workbench) workSweep(ctx context.Context, parent experiments.Run) ([]experiments.Run, error) {
	runs, err := w.SweepRuns(ctx, parent.ID)
	if err != nil {
		return nil, err
	}
	now := w.options.Now()
	if parent, err = w.Store.ClaimRun(ctx, parent.ID, w.owner, now, now.Add(-experiments.StaleAfter)); err != nil {
		return runs, err
	}
	runner := w.runner(parent.Setup)
	for _, i := range byIndex(runs) {
		state, err := w.Store.Heartbeat(ctx, parent.ID, w.owner, w.options.Now())
		if err == nil && state != experiments.Running {
			return runs, w.stopSweep(ctx, parent, state, problem.New(problem.Incomplete, "run_"+string(state), "sweep %s is %s; everything done so far is stored", parent.ID, state))
		}
		if err == nil && runs[i].State != experiments.Finished {
			runs[i], err = runner.Work(ctx, runs[i].ID)
		}
		if err != nil {
			return runs, w.stopSweep(ctx, parent, experiments.Paused, err)
		}
	}
	return runs, w.Store.FinishRun(ctx, parent.ID, w.owner, sumTotals(runs), chainOf(runs), w.options.Now())
}

// stopSweep puts the sweep down and returns why, with the command that goes on.
func (w *Workbench) stopSweep(ctx context.Context, parent experiments.Run, to experiments.RunState, why error) error {
	if err := w.Store.StopRun(context.WithoutCancel(ctx), parent.ID, w.owner, to, "stopped", w.options.Now()); err != nil {
		return errors.Join(why, err)
	}
	return problem.From(why).WithHint("workbench runs resume %s", parent.ID)
}

// sumTotals adds up the counts of a sweep's runs. Means of different configurations are not averaged.
func sumTotals(runs []experiments.Run) experiments.Totals {
	sum := experiments.Totals{Scores: map[string]experiments.Mean{}}
	for _, run := range runs {
		sum.Coverage.Scored += run.Totals.Coverage.Scored
		sum.Coverage.Applicable += run.Totals.Coverage.Applicable
		sum.Questions += run.Totals.Questions
		sum.LowScoreCount += run.Totals.LowScoreCount
	}
	return sum
}

// chainOf closes a sweep over the chains of its runs.
func chainOf(runs []experiments.Run) string {
	chains := make([]string, len(runs))
	for i, run := range runs {
		chains[i] = run.Chain
	}
	return rag.StageKey("sweep", "1", chains)
}

// SweepRuns returns the runs of a sweep in the order they were created, which is the order of the axes.
func (w *Workbench) SweepRuns(ctx context.Context, sweepID string) ([]experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{SweepID: sweepID})
	if err != nil {
		return nil, err
	}
	for i, j := 0, len(runs)-1; i < j; i, j = i+1, j-1 { // newest first turned round
		runs[i], runs[j] = runs[j], runs[i]
	}
	return runs, nil
}

// byIndex orders runs so that those over the same corpus, chunking and embedder follow each other.
func byIndex(runs []experiments.Run) []int {
	groups := map[string][]int{}
	var keys []string
	for i, r := range runs {
		c := r.Setup.Config
		key := rag.StageKey("group", "1", r.Setup.Corpus, c.Chunk, c.Retrieve.Mode, c.Embedding)
		if _, ok := groups[key]; !ok {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], i)
	}
	var order []int
	for _, key := range keys {
		order = append(order, groups[key]...)
	}
	return order
}
