package analyses

import (
	"context"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// QuestionRules say how questions are analysed. Zero fields take the usual way.
type QuestionRules struct {
	Judge      string                 // provider/model; default the judge of the run, or the offline one
	Corpus     string                 // of a dataset: where its evidence lies; default the corpus of its newest run
	Taxonomies []experiments.Taxonomy // to lock before, and assign to; those of the dataset name are assigned to in any case
	Select     app.Select             // of a dataset: which questions
	NoSearch   bool                   // where the dataset has no evidence, hops are guessed from the wording and none is looked for
	Seed       uint64                 // of the sample that themes are proposed from
	Budget     experiments.Budget     // of all calls, those of proposing themes included
}

// AnalyseQuestions gives every question of a run, or of a dataset, its category, theme and keywords, and the labels of further
// taxonomies, in a run of kind questions, which it works to its end. Themes are proposed once for each dataset name and locked; where
// more than a tenth of the questions then fits none, themes are added for those, once. A run that was interrupted is gone on with, and
// a finished one of the same setup is returned as it is: nothing is bought twice.
func AnalyseQuestions(ctx context.Context, w *app.Workbench, runOrDataset string, rules QuestionRules) (experiments.Run, error) {
	q, err := questioningOf(ctx, w, runOrDataset, rules)
	if err != nil {
		return experiments.Run{}, err
	}
	if err := q.lock(ctx); err != nil {
		return experiments.Run{}, err
	}
	if len(q.taxonomies) == 0 || !hasThemes(q.taxonomies) {
		if err := q.propose(ctx); err != nil {
			return experiments.Run{}, err
		}
	}
	run, err := q.assign(ctx)
	if err != nil {
		return run, err
	}
	extended, err := q.extend(ctx, run)
	if err != nil || !extended {
		return run, err
	}
	return q.assign(ctx)
}

// questioning is one question analysis.
type questioning struct {
	*app.Workbench
	rules      QuestionRules
	setup      experiments.Setup // without taxonomies
	parent     string            // the run whose questions are analysed
	questions  []experiments.Question
	taxonomies []experiments.Taxonomy // newest versions, by id
	spent      experiments.Budget
}

// questioningOf finds the questions and freezes everything but the taxonomies.
func questioningOf(ctx context.Context, w *app.Workbench, runOrDataset string, rules QuestionRules) (*questioning, error) {
	q := &questioning{Workbench: w, rules: rules}
	of, dataset, err := sourceRun(ctx, w, runOrDataset)
	if err != nil {
		return nil, err
	}
	q.parent = of.ID
	judge := metrics.DefaultJudge()
	if of.ID != "" {
		judge, q.setup.Corpus, q.setup.LowScore, q.setup.Questions = of.Setup.Judge, of.Setup.Corpus, of.Setup.LowScore, of.Setup.Questions
		q.setup.Low = of.Setup.Low
		q.setup.Experiment, q.setup.Revision = of.Setup.Experiment, of.Setup.Revision
	}
	if rules.Judge != "" {
		if judge, err = app.JudgeConfigOf(rules.Judge); err != nil {
			return nil, err
		}
	}
	provider, err := w.Providers.Provider(judge.Provider)
	if err != nil {
		return nil, err
	}
	if q.setup.Corpus.Name == "" {
		if q.setup.Corpus, err = corpusFor(ctx, w, dataset.Name, rules.Corpus); err != nil {
			return nil, err
		}
	}
	q.questions = rules.Select.From(dataset.Questions)
	if len(q.setup.Questions) > 0 {
		q.questions = slices.DeleteFunc(q.questions,
			func(x experiments.Question) bool { return !slices.Contains(of.Setup.Questions, x.ID) })
	}
	if len(q.questions) == 0 {
		return nil, problem.New(problem.Invalid, "no_questions", "no question of %s fits", runOrDataset).
			WithHint("`workbench dataset show %s` lists the questions", dataset.Name)
	}
	q.setup.Questions = nil
	if len(q.questions) < len(dataset.Questions) {
		for _, x := range q.questions {
			q.setup.Questions = append(q.setup.Questions, x.ID)
		}
	}
	judge.Prompts = nil // those are of scoring answers
	q.setup.Dataset = dataset.Ref()
	q.setup.Suite, q.setup.Judge = []metrics.Spec{questions.QuestionSpec()}, judge
	q.setup.Offline, q.setup.Settled = judge.Provider == "offline", provider.Info().Deterministic
	q.setup = q.setup.Versioned()
	q.taxonomies, err = w.Whole.Taxonomies(ctx, dataset.Name)
	return q, err
}

// sourceRun finds what a person means by a run id, an experiment's name, or a dataset's. The run is zero for a dataset.
func sourceRun(ctx context.Context, w *app.Workbench, name string) (experiments.Run, *experiments.Dataset, error) {
	run, ref, err := sourceOf(ctx, w, name)
	if err != nil {
		return run, nil, err
	}
	dataset, err := w.Store.Dataset(ctx, ref.String())
	return run, dataset, err
}

// sourceOf is [sourceRun] that reads no question.
func sourceOf(ctx context.Context, w *app.Workbench, name string) (experiments.Run, experiments.Ref, error) {
	run, err := w.FindRun(ctx, name)
	switch {
	case err == nil:
		if run.State != experiments.Finished && run.Kind == experiments.KindEvaluate || run.Setup.Dataset.Name == "" {
			return run, experiments.Ref{}, problem.New(problem.Conflict, "run_unfinished", "run %s is %s and has no questions that can be analysed",
				run.ID, run.State).
				WithHint("workbench runs resume %s", run.ID)
		}
		if run.Kind == experiments.KindQuestions && run.ParentID != "" { // the analysis stands for what it analysed
			if run, err = w.Store.Run(ctx, run.ParentID); err != nil {
				return run, experiments.Ref{}, err
			}
		}
		ref := run.Setup.Dataset
		if run.Kind == experiments.KindQuestions {
			run = experiments.Run{}
		}
		return run, ref, nil
	case !problem.Is(err, problem.NotFound):
		return run, experiments.Ref{}, err
	}
	dataset, err := w.Store.Dataset(ctx, name)
	if problem.Is(err, problem.NotFound) {
		err = problem.New(problem.NotFound, "run_or_dataset", "there is no run, experiment or dataset %q", name).With("name", name).
			WithHint("`workbench runs list` and `workbench dataset list` show them")
	}
	if err != nil {
		return experiments.Run{}, experiments.Ref{}, err
	}
	return experiments.Run{}, dataset.Ref(), nil
}

// corpusFor is the corpus in which a dataset's evidence lies: the one given, else that of the newest run over it, else none.
func corpusFor(ctx context.Context, w *app.Workbench, dataset, given string) (experiments.Ref, error) {
	if given != "" {
		c, err := w.Store.Corpus(ctx, given)
		if err != nil {
			return experiments.Ref{}, err
		}
		return experiments.Ref{Name: c.Name, Version: c.Version, Digest: c.Digest}, nil
	}
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{Dataset: dataset, Kind: experiments.KindEvaluate})
	for _, r := range runs {
		if r.Setup.Corpus.Name != "" {
			return r.Setup.Corpus, err
		}
	}
	return experiments.Ref{}, err
}

func hasThemes(taxonomies []experiments.Taxonomy) bool {
	return slices.ContainsFunc(taxonomies, func(t experiments.Taxonomy) bool { return t.ID == experiments.ThemeTaxonomy })
}

// lock stores the taxonomies given and takes them in the place of older versions.
func (q *questioning) lock(ctx context.Context) error {
	for _, t := range q.rules.Taxonomies {
		locked, err := q.Whole.PutTaxonomy(ctx, q.setup.Dataset.Name, t, q.Options.Now())
		if err != nil {
			return err
		}
		q.take(locked)
	}
	return nil
}

func (q *questioning) take(t experiments.Taxonomy) {
	q.taxonomies = slices.DeleteFunc(q.taxonomies, func(x experiments.Taxonomy) bool { return x.ID == t.ID })
	q.taxonomies = append(q.taxonomies, t)
	slices.SortFunc(q.taxonomies, func(a, b experiments.Taxonomy) int { return strings.Compare(a.ID, b.ID) })
}

// frozen is the setup of the run that assigns questions to the taxonomies.
func (q *questioning) frozen() experiments.Setup {
	s := q.setup
	s.Analysis = &experiments.AnalysisSetup{Of: q.parent, Version: questions.QuestionVersion, Taxonomies: q.taxonomies}
	if q.rules.NoSearch {
		s.Analysis.Method = app.MethodText
	}
	return s
}

// themeless is the setup of a run that labels no question: it makes themes, or adds some to the version given. That it is no
// analysis of the questions shows in that it has none in its setup.
func (q *questioning) themeless(version int) experiments.Setup {
	s := q.setup
	s.Experiment, s.Revision, s.Analysis = "themes-"+s.Dataset.Name, version, nil
	return s
}

// assign works the run that labels the questions: a finished or interrupted one of this setup, or else a new one.
func (q *questioning) assign(ctx context.Context) (experiments.Run, error) {
	setup := q.frozen()
	run, err := q.same(ctx, setup)
	if err != nil || run.State == experiments.Finished {
		return run, err
	}
	if run.ID == "" {
		run = experiments.Run{Kind: experiments.KindQuestions, ParentID: q.parent, Setup: setup, Budget: q.left()}
		if run, err = q.Runner(setup).Create(ctx, run, q.questions); err != nil {
			return run, err
		}
	} else if q.rules.Budget != (experiments.Budget{}) {
		if err := q.Store.SetBudget(ctx, run.ID, q.left()); err != nil {
			return run, err
		}
	}
	worked, err := q.Work(ctx, run.ID)
	if worked.ID == "" {
		worked = run // it exists, however it went
	}
	return worked, errorsFirst(err, q.book(ctx, run.ID))
}

func errorsFirst(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// same finds the newest run of this setup that is finished without errors or can be gone on with; a zero run when there is none.
func (q *questioning) same(ctx context.Context, setup experiments.Setup) (experiments.Run, error) {
	runs, err := q.Store.Runs(ctx, experiments.RunFilter{Kind: experiments.KindQuestions, Dataset: setup.Dataset.Name})
	digest := setup.Digest()
	for _, r := range runs {
		if r.SetupDigest != digest {
			continue
		}
		whole := r.State == experiments.Finished && r.Totals != nil && len(r.Totals.Errors) == 0
		if whole || r.State == experiments.Queued || r.State == experiments.Paused {
			return r, err
		}
	}
	return experiments.Run{}, err
}

// left is what of the budget is not spent yet.
func (q *questioning) left() experiments.Budget {
	b := q.rules.Budget
	if b.Micros > 0 {
		b.Micros = max(1, b.Micros-q.spent.Micros)
	}
	if b.Calls > 0 {
		b.Calls = max(1, b.Calls-q.spent.Calls)
	}
	return b
}

// book adds what a run has spent.
func (q *questioning) book(ctx context.Context, runID string) error {
	s, err := q.Store.Spent(ctx, runID)
	q.spent.Calls += s.Calls
	q.spent.Micros += s.ConfirmedMicros + s.PossibleMicros
	return err
}

// Taxonomies returns the taxonomies in force for the questions of a dataset name, by id.
func Taxonomies(ctx context.Context, w *app.Workbench, dataset string) ([]experiments.Taxonomy, error) {
	return w.Whole.Taxonomies(ctx, dataset)
}

// PutTaxonomy locks an edited taxonomy for the questions of a dataset name and returns the version in force.
func PutTaxonomy(ctx context.Context, w *app.Workbench, dataset string, t experiments.Taxonomy) (experiments.Taxonomy, error) {
	if _, err := w.Store.Dataset(ctx, dataset); err != nil {
		return t, err
	}
	return w.Whole.PutTaxonomy(ctx, dataset, t, w.Options.Now())
}

// Themes are the themes in force for the questions of a run, an experiment or a dataset. NotFound before they were proposed.
func Themes(ctx context.Context, w *app.Workbench, runOrDataset string) (experiments.Taxonomy, error) {
	_, dataset, err := sourceRun(ctx, w, runOrDataset)
	if err != nil {
		return experiments.Taxonomy{}, err
	}
	return w.Whole.Taxonomy(ctx, dataset.Name, experiments.ThemeTaxonomy, 0)
}
