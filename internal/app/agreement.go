package app

import (
	"context"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// AgreementChange is what a new version of an agreement changes of the one before. Those who agreed, when, and on which run are
// never taken over: they belong to their version.
type AgreementChange struct {
	File    experiments.AgreementFile   // its lists replace the old ones
	Targets []experiments.Target        // each is added, or replaces the one of the same theme, metric and category
	Items   []experiments.AgreementItem // each is added, or replaces the one about the same group
}

// SetAgreement records the next version of a dataset's agreement. Without an older one the threshold is 2, the default. The run, when
// there is one, must be a finished one on the dataset: what it measures is frozen into the agreement. created is false when the
// newest version says the same.
func (w *Workbench) SetAgreement(ctx context.Context, dataset string, change AgreementChange) (a experiments.Agreement, created bool, err error) {
	set, err := w.Store.Dataset(ctx, nameOnly(dataset))
	if err != nil {
		return a, false, err
	}
	a = experiments.Agreement{LowScore: experiments.DefaultLowScore}
	if older, err := w.whole.Agreement(ctx, set.Name); err == nil {
		a = older
		a.AgreedBy, a.AgreedOn, a.Note = nil, "", ""
	} else if !problem.Is(err, problem.NotFound) {
		return a, false, err
	}
	a = change.File.Over(a)
	a.Dataset, a.Version, a.At = set.Name, 0, w.options.Now()
	for _, t := range change.Targets {
		a.Targets = experiments.WithTarget(a.Targets, t)
	}
	for _, item := range change.Items {
		a.Items = experiments.WithItem(a.Items, item)
	}
	if a.AgreedOn == "" {
		a.AgreedOn = a.At.Format(time.DateOnly)
	}
	known, err := w.ownMetrics(ctx, set.Name)
	if err != nil {
		return a, false, err
	}
	if err := a.Validate(known); err != nil {
		return a, false, err
	}
	if err := progress.CheckAgreement(a); err != nil {
		return a, false, err
	}
	if err := askedIn(a, set); err != nil {
		return a, false, err
	}
	if run := change.File.Run; run != nil && *run != "" {
		if a, err = w.sign(ctx, a, *run); err != nil {
			return a, false, err
		}
	}
	return w.whole.PutAgreement(ctx, a)
}

// nameOnly cuts the version off a reference: agreements are about all versions of a dataset.
func nameOnly(ref string) string {
	name, _, _ := strings.Cut(ref, "@")
	return name
}

// sign freezes what a run measures into an agreement.
func (w *Workbench) sign(ctx context.Context, a experiments.Agreement, run string) (experiments.Agreement, error) {
	e, known, err := w.evaluationOn(ctx, a.Dataset, run)
	if err != nil {
		return a, err
	}
	return progress.Sign(a, e, known.Causes, known.Questions), nil
}

// evaluationOn loads a finished run on a dataset, with what else is known of it.
func (w *Workbench) evaluationOn(ctx context.Context, dataset, run string) (experiments.Evaluation, Analyses, error) {
	e, err := w.Evaluation(ctx, run)
	if err != nil {
		return e, Analyses{}, err
	}
	if on := e.Run.Setup.Dataset.Name; on != dataset {
		return e, Analyses{}, problem.New(problem.Conflict, "agreement_run", "run %s asked the questions of %s, not of %s", e.Run.ID, on, dataset).
			With("run", e.Run.ID).With("dataset", dataset).WithHint("workbench runs list --dataset %s shows the runs on it", dataset)
	}
	known, err := w.analysesOf(ctx, e.Run)
	return e, known, err
}

// askedIn refuses an item about a question that the dataset does not have.
func askedIn(a experiments.Agreement, set *experiments.Dataset) error {
	ids := make(map[string]bool, len(set.Questions))
	for _, q := range set.Questions {
		ids[q.ID] = true
	}
	for i, item := range a.Items {
		for _, id := range item.Questions {
			if !ids[id] {
				return experiments.AgreementProblem(i, "questions", id, "ids of questions in "+set.Name)
			}
		}
	}
	return nil
}

// ownMetrics are the metrics that experiments on a dataset define themselves.
func (w *Workbench) ownMetrics(ctx context.Context, dataset string) ([]metrics.Spec, error) {
	all, err := w.Store.Experiments(ctx, true)
	if err != nil {
		return nil, err
	}
	var out []metrics.Spec
	for _, e := range all {
		if nameOnly(e.Definition.Dataset) != dataset || len(e.Definition.Metrics) == 0 {
			continue
		}
		specs, err := e.Definition.Specs()
		if err != nil {
			return nil, err
		}
		for _, s := range specs {
			if s.Custom != nil {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

// Agreement returns what is agreed about a dataset; NotFound when nothing was.
func (w *Workbench) Agreement(ctx context.Context, dataset string) (experiments.Agreement, error) {
	return w.whole.Agreement(ctx, nameOnly(dataset))
}

// Agreements returns all versions of a dataset's agreement, or of all datasets' for "", the newest first.
func (w *Workbench) Agreements(ctx context.Context, dataset string) ([]experiments.Agreement, error) {
	return w.whole.Agreements(ctx, nameOnly(dataset))
}

// AgreementProgress sets a run beside what is agreed about its dataset. run "" is the newest finished run on the dataset. Where nothing
// was agreed only the goals of the experiment's file are measured. NotFound when there is no run.
func (w *Workbench) AgreementProgress(ctx context.Context, dataset, run string) (progress.AgreementProgress, error) {
	dataset = nameOnly(dataset)
	if run == "" {
		newest, err := w.newestOn(ctx, dataset)
		if err != nil {
			return progress.AgreementProgress{}, err
		}
		run = newest.ID
	}
	e, known, err := w.evaluationOn(ctx, dataset, run)
	if err != nil {
		return progress.AgreementProgress{}, err
	}
	return w.ProgressOf(ctx, e, known.Causes, known.Questions)
}

// ProgressOf is [Workbench.AgreementProgress] of a run that is loaded already, with its analyses, nil where there are none.
func (w *Workbench) ProgressOf(
	ctx context.Context, e experiments.Evaluation, causes *causes.CauseReport, questions *questions.QuestionReport,
) (progress.AgreementProgress, error) {
	a, err := w.whole.Agreement(ctx, e.Run.Setup.Dataset.Name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return progress.AgreementProgress{}, err
	}
	return progress.ProgressOf(a, e, causes, questions), nil
}

// newestOn is the newest finished run over a dataset.
func (w *Workbench) newestOn(ctx context.Context, dataset string) (experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{Dataset: dataset, State: experiments.Finished, Kind: experiments.KindEvaluate})
	if err != nil {
		return experiments.Run{}, err
	}
	for _, r := range runs {
		if r.ParentID == "" { // children only add votes to their parents
			return r, nil
		}
	}
	return experiments.Run{}, problem.New(problem.NotFound, "run_unknown", "no run on dataset %s has finished yet", dataset).With("dataset", dataset).
		WithHint("workbench run EXPERIMENT makes one")
}

// agreedThreshold is the low-score threshold of new runs over a dataset: that of the agreement, whose version it returns too, else that
// of the experiment and 0.
func (w *Workbench) agreedThreshold(ctx context.Context, dataset string, otherwise float64) (threshold float64, version int, err error) {
	a, err := w.whole.Agreement(ctx, nameOnly(dataset))
	switch {
	case err == nil:
		return a.LowScore, a.Version, nil
	case problem.Is(err, problem.NotFound):
		return otherwise, 0, nil
	}
	return 0, 0, err
}

// ThresholdNote says in one sentence where a run's low-score threshold comes from, when the agreement decided it against the
// experiment's file; "" otherwise.
func (w *Workbench) ThresholdNote(ctx context.Context, e experiments.Experiment) (string, error) {
	a, err := w.whole.Agreement(ctx, nameOnly(e.Definition.Dataset))
	if problem.Is(err, problem.NotFound) || err == nil && a.LowScore == e.Definition.LowScore {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return "low scores are " + number(a.LowScore) + " or less, as agreed about " + a.Dataset + " on " + a.AgreedOn +
		"; the experiment's own " + number(e.Definition.LowScore) + " does not count", nil
}
