package app

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// Job is one run that can be started: its frozen setup and the questions it asks.
type Job struct {
	Params    []experiments.Param
	Setup     experiments.Setup
	Questions []experiments.Question
	Budget    experiments.Budget // what the run may buy; the runs of a sweep share that of its first job
}

// Select narrows the questions of a run.
type Select struct {
	Limit  int      // the first n questions; 0 is all
	Filter []string // every given tag must be there: "theme:refunds", or "critical"
	// Questions are the ids of those that another run asked, drafts too; nil is all.
	Questions []string
}

// meantTags is what the tags of a filter could mean that no question has.
func meantTags(filter []string, questions []experiments.Question) string {
	var tags []string
	for _, q := range questions {
		for _, tag := range q.Tags {
			if !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	for _, want := range filter {
		if !slices.Contains(tags, want) {
			return text.Meant(want, tags)
		}
	}
	return ""
}

// Experiment finds a registered experiment by name, or registers the one in a file. dir is where the file lies.
func (w *Workbench) Experiment(ctx context.Context, nameOrFile string) (e experiments.Experiment, dir string, err error) {
	e, dir, _, err = w.ExperimentAgain(ctx, nameOrFile)
	return e, dir, err
}

// ExperimentAgain is [Workbench.Experiment] that also says which fields are others than in the revision before, where the file made a new
// one of an experiment that was registered.
func (w *Workbench) ExperimentAgain(ctx context.Context, nameOrFile string) (e experiments.Experiment, dir string, changed []string,
	err error) {
	ext := strings.ToLower(filepath.Ext(nameOrFile))
	if ext != ".yaml" && ext != ".yml" {
		e, err = w.Store.Experiment(ctx, nameOrFile)
		if problem.Is(err, problem.NotFound) {
			err = problem.From(err).WithHint("`workbench experiment list` shows the registered ones; a file must end in .yaml")
		}
		return e, ".", nil, err
	}
	d, err := experiments.ReadDefinition(nameOrFile)
	if err != nil {
		return e, "", nil, err
	}
	dir = filepath.Dir(nameOrFile)
	if d, err = pinPaths(ctx, w, d, dir); err == nil {
		err = w.checkNamed(ctx, d)
	}
	if err != nil {
		return e, dir, nil, experiments.InFile(nameOrFile, err)
	}
	before, err := w.Store.Experiment(ctx, d.Name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return e, dir, nil, err
	}
	if e, err = w.Store.PutExperiment(ctx, d, w.Options.Now()); err != nil || before.Revision == 0 || e.Revision == before.Revision {
		return e, dir, nil, err
	}
	changed, err = experiments.Changed(before.Definition, e.Definition)
	return e, dir, changed, err
}

// ofField says of an unknown name which field of an experiment file holds it.
func ofField(field string, err error) error {
	if p := problem.From(err); p.Kind == problem.NotFound && p.Params["field"] == nil {
		return p.With("field", field)
	}
	return err
}

// checkNamed refuses providers that there are not, and goals for themes that no question has: a run would find
// out when it starts, or never.
func (w *Workbench) checkNamed(ctx context.Context, d experiments.Definition) error {
	named := map[string]string{"judge.provider": d.Judge.Provider, "judge.embedding.provider": d.Judge.Embedding.Provider}
	if !d.IsOutside() {
		named["base.embedding.provider"], named["base.generate.provider"] = d.Base.Embedding.Provider, d.Base.Generate.Provider
		named["base.rewrite.provider"], named["base.rerank.provider"] = d.Base.Rewrite.Provider, d.Base.Rerank.Provider
	}
	known := w.Config.Names()
	for _, field := range slices.Sorted(maps.Keys(named)) {
		meant := text.Meant(named[field], known)
		if slices.Contains(known, named[field]) || named[field] == "" || meant == "" {
			continue // one that is not set up yet may be later; the plan of a run says so
		}
		return problem.New(problem.Invalid, "experiment_field", "%s: there is no provider %q%s", field, named[field], meant).
			With("field", field).With("name", named[field]).WithHint("providers: %s", strings.Join(known, ", "))
	}
	if len(d.Goals) == 0 {
		return nil
	}
	dataset, err := w.Store.Dataset(ctx, d.Dataset)
	if err != nil {
		return err
	}
	for i, g := range d.Goals {
		tag := "theme:" + g.Theme
		has := func(q experiments.Question) bool { return slices.Contains(q.Tags, tag) }
		if g.Theme == "" || slices.ContainsFunc(dataset.Questions, has) {
			continue
		}
		if near := meantTags([]string{tag}, dataset.Questions); near != "" {
			field := fmt.Sprintf("goals[%d].theme", i)
			return problem.New(problem.Invalid, "experiment_field", "%s: no question of %s has the theme %q%s",
				yaml.FieldWords(field), d.Dataset, g.Theme, strings.ReplaceAll(near, "theme:", "")).With("field", field).
				WithHint("`workbench dataset show %s` lists the tags", d.Dataset)
		}
	}
	return nil
}

// pinPaths imports what a definition names by path and writes the registered names in their place, so that the experiment
// can be run from anywhere afterwards.
func pinPaths(ctx context.Context, w *Workbench, d experiments.Definition, dir string) (experiments.Definition, error) {
	if err := w.ResolveOutside(ctx, d); err != nil {
		return d, err
	}
	corpus := &rag.Corpus{} // a system that runs elsewhere keeps its documents to itself
	if d.Corpus != "" {
		var err error
		if corpus, err = w.ResolveCorpus(ctx, d.Corpus, dir); err != nil {
			return d, ofField("corpus", err)
		}
	}
	dataset, err := w.ResolveDataset(ctx, d.Dataset, dir, corpus)
	if err != nil {
		return d, ofField("dataset", err)
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
				return d, problem.New(problem.Invalid, "experiment_field", "sweep.corpus holds %v; it must hold names or paths of corpora",
					v)
			}
			c, err := w.ResolveCorpus(ctx, ref, dir)
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
	return freeze(ctx, w, e, experiments.Combination{Config: e.Definition.Base.Frozen(), Corpus: e.Definition.Corpus}, s, indexesOf{})
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
	if len(combinations) == 0 {
		return nil, nil, experiments.NothingLeft(e.Name, skipped)
	}
	if err := w.checkMappedAxes(ctx, e.Definition, combinations); err != nil {
		return nil, nil, err
	}
	jobs, indexes := make([]Job, len(combinations)), indexesOf{}
	for i, c := range combinations {
		if jobs[i], err = freeze(ctx, w, e, c, s, indexes); err != nil {
			return nil, nil, err
		}
	}
	return jobs, skipped, nil
}

func freeze(ctx context.Context, w *Workbench, e experiments.Experiment, c experiments.Combination, s Select,
	indexes indexesOf) (Job, error) {
	d := e.Definition
	corpus := &rag.Corpus{} // a system that runs elsewhere keeps its documents to itself
	var err error
	if c.Corpus != "" || !d.IsOutside() {
		if corpus, err = w.Store.Corpus(ctx, c.Corpus); err != nil {
			return Job{}, err
		}
	}
	dataset, err := w.Store.Dataset(ctx, d.Dataset)
	if err != nil {
		return Job{}, err
	}
	if d.IsOutside() {
		if c.Config, err = outsideConfig(ctx, w, d, c.Config, dataset); err != nil {
			return Job{}, err
		}
	} else if c.Config, err = w.mapped(ctx, corpus, c.Config, indexes); err != nil {
		return Job{}, err
	}
	suite, err := d.Specs()
	if err != nil {
		return Job{}, err
	}
	log, err := replayed(ctx, w, c.Config)
	if err != nil {
		return Job{}, err
	}
	settled, err := settled(w, c.Config, d.Judge)
	if err != nil {
		return Job{}, err
	}
	if suite = append(suite, metrics.Imported(log.Answers)...); len(metrics.OnlyTools(suite)) > 0 || log.MostVotes() > 1 {
		settled = false // what another tool's judge, or the system, would say next time is not known
	}
	if err := experiments.CheckLow(d.Low, suite); err != nil {
		return Job{}, err
	}
	threshold, agreement, err := w.AgreedThreshold(ctx, dataset.Name, d.LowScore)
	if err != nil {
		return Job{}, err
	}
	recorded, err := w.recordedBy(d.Judge.Provider)
	if err != nil {
		return Job{}, err
	}
	job := Job{Params: c.Params, Questions: s.From(dataset.Questions)}
	if len(job.Questions) == 0 {
		return Job{}, problem.New(problem.Invalid, "no_questions", "no question of %s fits the filter%s", d.Dataset,
			meantTags(s.Filter, dataset.Questions)).
			WithHint("`workbench dataset show %s` lists the tags", d.Dataset)
	}
	job.Setup = experiments.Setup{
		Experiment: e.Name, Revision: e.Revision, Config: c.Config,
		Corpus:  experiments.Ref{Name: corpus.Name, Version: corpus.Version, Digest: corpus.Digest},
		Dataset: dataset.Ref(),
		Suite:   suite, Judge: d.Judge, LowScore: threshold, Low: d.Low, Goals: d.Goals,
		Offline: d.Judge.Provider == "offline", Recorded: recorded, Settled: settled, Agreement: agreement,
		DecideBy: experiments.FrozenDecideBy(suite, d.DecideBy),
		Pairwise: experiments.FrozenPairwise(d.Pairwise),
	}
	job.Setup = job.Setup.Versioned()
	if len(job.Questions) < len(dataset.Questions) {
		for _, q := range job.Questions {
			job.Setup.Questions = append(job.Setup.Questions, q.ID)
		}
	}
	return job, nil
}

// settled reports whether every provider that decides an answer or a verdict is deterministic.
func settled(w *Workbench, c rag.Config, judge metrics.JudgeConfig) (bool, error) {
	if c.Endpoint != nil || c.Index != nil { // an approximate search need not find the same twice
		return false, nil
	}
	for _, name := range append(c.ProviderNames(), judge.Provider, judge.Embedding.Provider) {
		p, err := w.Providers.Provider(name)
		if err != nil {
			return false, err
		}
		if !p.Info().Deterministic {
			return false, nil
		}
	}
	return true, nil
}

// From returns the selected questions in their order, at most Limit of them when Limit is not 0.
func (s Select) From(questions []experiments.Question) []experiments.Question {
	var out []experiments.Question
	for _, q := range questions {
		if s.Fits(q) {
			out = append(out, q)
		}
		if s.Limit > 0 && len(out) == s.Limit {
			break
		}
	}
	return out
}

// Fits reports whether the filter lets a question through. Drafts are let through only where the filter names them.
func (s Select) Fits(q experiments.Question) bool {
	if s.Questions != nil {
		return slices.Contains(s.Questions, q.ID)
	}
	if slices.Contains(q.Tags, experiments.DraftTag) && !slices.Contains(s.Filter, experiments.DraftTag) {
		return false // nobody has reviewed it
	}
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

// NameOnly cuts the version off a reference: agreements are about all versions of a dataset.
func NameOnly(ref string) string {
	name, _, _ := strings.Cut(ref, "@")
	return name
}

// AgreedThreshold is the low-score threshold of new runs over a dataset: that of the agreement, whose version it returns too, else that
// of the experiment and 0.
func (w *Workbench) AgreedThreshold(ctx context.Context, dataset string, otherwise float64) (threshold float64, version int, err error) {
	a, err := w.Whole.Agreement(ctx, NameOnly(dataset))
	switch {
	case err == nil:
		return a.LowScore, a.Version, nil
	case problem.Is(err, problem.NotFound):
		return otherwise, 0, nil
	}
	return 0, 0, err
}
