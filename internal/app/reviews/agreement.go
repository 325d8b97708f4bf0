package reviews

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
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
func SetAgreement(ctx context.Context, w *app.Workbench, dataset string, change AgreementChange) (a experiments.Agreement,
	created bool, err error) {
	set, err := w.Store.Dataset(ctx, app.NameOnly(dataset))
	if err != nil {
		return a, false, err
	}
	a = experiments.Agreement{LowScore: experiments.DefaultLowScore}
	if older, err := w.Whole.Agreement(ctx, set.Name); err == nil {
		a = older
		a.AgreedBy, a.AgreedOn, a.Note = nil, "", ""
	} else if !problem.Is(err, problem.NotFound) {
		return a, false, err
	}
	known, err := ownMetrics(ctx, w, set.Name)
	if err != nil {
		return a, false, err
	}
	change = change.called(known)
	a = change.File.Over(a)
	a.Dataset, a.Version, a.At = set.Name, 0, w.Options.Now()
	for _, t := range change.Targets {
		a.Targets = experiments.WithTarget(a.Targets, t)
	}
	for _, item := range change.Items {
		a.Items = experiments.WithItem(a.Items, item)
	}
	if a.AgreedOn == "" {
		a.AgreedOn = a.At.Format(time.DateOnly)
	}
	if a.AgreedOn > a.At.Add(24*time.Hour).Format(time.DateOnly) { // a day more than ours, for whoever is east of it
		return a, false, experiments.AgreementField("agreed_on", a.AgreedOn, "a day that is not in the future")
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
	if err := categorised(a, set); err != nil {
		return a, false, err
	}
	if err := themed(a, set); err != nil {
		return a, false, err
	}
	if run := change.File.Run; run != nil && *run != "" {
		if a, err = sign(ctx, w, a, *run); err != nil {
			return a, false, err
		}
	}
	return w.Whole.PutAgreement(ctx, a)
}

// called is the change with its metrics called by their ids, where it calls them as tables and reports do: those that the dataset's own
// runs have come first.
func (c AgreementChange) called(own []metrics.Spec) AgreementChange {
	ids := make([]string, len(own))
	for i, s := range own {
		ids[i] = s.ID
	}
	ours := metrics.CatalogueIDs()
	by := func(targets []experiments.Target) []experiments.Target {
		out := slices.Clone(targets)
		for i := range out {
			name := &out[i].Metric
			if slices.Contains(ours, *name) || *name == experiments.LowScoreShare {
				continue
			}
			for _, list := range [][]string{ids, ours} {
				if id, ok := metrics.IDAmong(*name, list); ok {
					*name = id
					break
				}
			}
		}
		return out
	}
	c.Targets = by(c.Targets)
	if c.File.Targets != nil {
		list := by(*c.File.Targets)
		c.File.Targets = &list
	}
	return c
}

// sign freezes what a run measures into an agreement.
func sign(ctx context.Context, w *app.Workbench, a experiments.Agreement, run string) (experiments.Agreement, error) {
	e, known, err := evaluationOn(ctx, w, a.Dataset, run)
	if err != nil {
		return a, err
	}
	return progress.Sign(a, e, known.Causes, known.Questions), nil
}

// evaluationOn loads a finished run on a dataset, with what else is known of it.
func evaluationOn(ctx context.Context, w *app.Workbench, dataset, run string) (experiments.Evaluation, analyses.Analyses, error) {
	e, err := w.Evaluation(ctx, run)
	if err != nil {
		return e, analyses.Analyses{}, err
	}
	if on := e.Run.Setup.Dataset.Name; on != dataset {
		return e, analyses.Analyses{}, problem.New(problem.Conflict, "agreement_run", "run %s asked the questions of %s, not of %s",
			e.Run.ID, on, dataset).
			With("run", e.Run.ID).With("dataset", dataset).WithHint("workbench runs list --dataset %s shows the runs on it", dataset)
	}
	known, err := analyses.AnalysesOf(ctx, w, e)
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

// Categories are those that targets and items of an agreement may name: where questions have categories of their own, theirs count, and
// those of the question analysis for the others.
func Categories(set *experiments.Dataset) []string {
	var known []string
	tagged, others, unanswerable := map[string]bool{}, false, false
	for _, q := range set.Questions {
		n := len(tagged)
		own := false
		for _, tag := range q.Tags {
			if category, is := strings.CutPrefix(tag, "category:"); is {
				own = true
				if tagged[category] = true; len(tagged) > n {
					known, n = append(known, category), len(tagged)
				}
			}
		}
		others = others || !own
		unanswerable = unanswerable || !own && !q.Answerable
	}
	if others {
		for _, c := range experiments.Categories() {
			known = append(known, string(c))
		}
	}
	if unanswerable {
		known = append(known, string(experiments.CategoryOf(experiments.Unanswerable, "")))
	}
	return known
}

// categorised refuses a category that no question can have.
func categorised(a experiments.Agreement, set *experiments.Dataset) error {
	known := Categories(set)
	for i, t := range a.Targets {
		if t.Category != "" && !slices.Contains(known, t.Category) {
			return experiments.TargetProblem(i, "category", t.Category, "one of "+strings.Join(known, ", "))
		}
	}
	for i, item := range a.Items {
		if item.Category != "" && !slices.Contains(known, item.Category) {
			return experiments.AgreementProblem(i, "category", item.Category, "one of "+strings.Join(known, ", "))
		}
	}
	return nil
}

// themed refuses a theme that looks like a mistyped one of the dataset's questions. Any other may be one to come, or one that the analysis
// of the questions names.
func themed(a experiments.Agreement, set *experiments.Dataset) error {
	var known []string
	for _, q := range set.Questions {
		for _, tag := range q.Tags {
			if theme, is := strings.CutPrefix(tag, "theme:"); is {
				known = append(known, theme)
			}
		}
	}
	refused := func(theme string) (want string, is bool) {
		near := text.Meant(theme, known)
		want = fmt.Sprintf("a theme that questions of %s have%s", set.Name, near)
		return want, theme != "" && !slices.Contains(known, theme) && near != ""
	}
	for i, t := range a.Targets {
		if want, is := refused(t.Theme); is {
			return experiments.TargetProblem(i, "theme", t.Theme, want)
		}
	}
	for i, item := range a.Items {
		if want, is := refused(item.Theme); is {
			return experiments.AgreementProblem(i, "theme", item.Theme, want)
		}
	}
	return nil
}

// ownMetrics are the metrics that experiments on a dataset define themselves, and those of other tools that finished runs on it have, as
// the newest has them.
func ownMetrics(ctx context.Context, w *app.Workbench, dataset string) ([]metrics.Spec, error) {
	all, err := w.Store.Experiments(ctx, true)
	if err != nil {
		return nil, err
	}
	var out []metrics.Spec
	for _, e := range all {
		if app.NameOnly(e.Definition.Dataset) != dataset || len(e.Definition.Metrics) == 0 {
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
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{Dataset: dataset, State: experiments.Finished, Kind: experiments.KindEvaluate})
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		for _, s := range r.Setup.Suite {
			if s.Group == metrics.GroupImported && !slices.ContainsFunc(out, func(o metrics.Spec) bool { return o.ID == s.ID }) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

// Agreement returns what is agreed about a dataset; NotFound when nothing was.
func Agreement(ctx context.Context, w *app.Workbench, dataset string) (experiments.Agreement, error) {
	return w.Whole.Agreement(ctx, app.NameOnly(dataset))
}

// Agreements returns all versions of a dataset's agreement, or of all datasets' for "", the newest first.
func Agreements(ctx context.Context, w *app.Workbench, dataset string) ([]experiments.Agreement, error) {
	return w.Whole.Agreements(ctx, app.NameOnly(dataset))
}

// AgreementProgress sets a run beside what is agreed about its dataset. run "" is that of [NewestOn]. Where nothing
// was agreed only the goals of the experiment's file are measured. NotFound when there is no run.
func AgreementProgress(ctx context.Context, w *app.Workbench, dataset, run string) (progress.AgreementProgress, error) {
	dataset = app.NameOnly(dataset)
	if run == "" {
		newest, err := NewestOn(ctx, w, dataset)
		if err != nil {
			return progress.AgreementProgress{}, err
		}
		run = newest.ID
	}
	e, known, err := evaluationOn(ctx, w, dataset, run)
	if err != nil {
		return progress.AgreementProgress{}, err
	}
	return ProgressOf(ctx, w, e, known.Causes, known.Questions)
}

// ProgressOf is [AgreementProgress] of a run that is loaded already, with its analyses, nil where there are none.
func ProgressOf(
	ctx context.Context, w *app.Workbench, e experiments.Evaluation, causes *causes.CauseReport, questions *questions.QuestionReport,
) (progress.AgreementProgress, error) {
	a, err := w.Whole.Agreement(ctx, e.Run.Setup.Dataset.Name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return progress.AgreementProgress{}, err
	}
	return progress.ProgressOf(a, e, causes, questions), nil
}

// NewestOn is the newest finished run over a dataset that is no leg of a sweep; the newest leg where there is no other: a sweep tries
// configurations that nobody uses, and they are newer than the run that is.
func NewestOn(ctx context.Context, w *app.Workbench, dataset string) (experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{Dataset: dataset, State: experiments.Finished, Kind: experiments.KindEvaluate})
	if err != nil {
		return experiments.Run{}, err
	}
	var leg *experiments.Run
	for i, r := range runs {
		switch {
		case r.ParentID != "": // children only add votes to their parents
		case r.SweepID == "":
			return r, nil
		case leg == nil:
			leg = &runs[i]
		}
	}
	if leg != nil {
		return *leg, nil
	}
	return experiments.Run{}, problem.New(problem.NotFound, "run_unknown", "no run on dataset %s has finished yet", dataset).
		With("dataset", dataset).
		WithHint("workbench run EXPERIMENT makes one")
}

// ThresholdNote says in one sentence where a run's low-score threshold comes from, when the agreement decided it against the
// experiment's file; "" otherwise.
func ThresholdNote(ctx context.Context, w *app.Workbench, e experiments.Experiment) (string, error) {
	a, err := w.Whole.Agreement(ctx, app.NameOnly(e.Definition.Dataset))
	if problem.Is(err, problem.NotFound) || err == nil && a.LowScore == e.Definition.LowScore {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return "low scores are " + analyses.Number(a.LowScore) + " or less, as agreed about " + a.Dataset + " on " + a.AgreedOn +
		"; the experiment's own " + analyses.Number(e.Definition.LowScore) + " does not count", nil
}
