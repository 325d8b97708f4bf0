package analyses

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Booked does work that buys calls without questions of its own, as a run of the kind, parent, setup and budget of first: what it buys
// is booked to the run, which its scope names, and stops at its budget. Doing it again costs only what is missing.
func Booked(ctx context.Context, w *app.Workbench, first experiments.Run,
	work func(ctx context.Context, stop <-chan struct{}) error) (experiments.Run, error) {
	runner := w.Runner(first.Setup)
	run, err := runner.Create(ctx, first, nil)
	if err != nil {
		return run, err
	}
	now := w.Options.Now()
	if run, err = w.Store.ClaimRun(ctx, run.ID, w.Owner, now, now.Add(-experiments.StaleAfter)); err != nil {
		return run, err
	}
	watched, watch := runner.Watch(ctx, run.ID, nil)
	err = work(scopedTo(watched, run.ID), watch.Stop())
	if told := watch.End(); told != nil {
		err = told
	}
	if err != nil {
		if problem.CodeOf(err) != "run_lost" {
			err = runner.Stop(ctx, run, err)
		}
		return run, problem.From(err).WithHint("run the same command again: what was bought is not bought a second time")
	}
	return runner.FinishWith(context.WithoutCancel(ctx), run, experiments.Total(nil, experiments.LowRule{}), experiments.Chain(nil))
}

// propose makes the themes of a dataset name that has none, and locks them.
func (q *questioning) propose(ctx context.Context) error {
	var themes experiments.Taxonomy
	run, err := Booked(ctx, q.Workbench, experiments.Run{Kind: experiments.KindQuestions, ParentID: q.parent, Setup: q.themeless(0),
		Budget: q.left()}, func(ctx context.Context, _ <-chan struct{}) error {
		rules, err := q.themeRules(ctx)
		if err != nil {
			return err
		}
		themes, err = questions.ProposeThemes(ctx, q.questions, q.setup.Judge, q.Providers, q.Store, rules)
		return err
	})
	return errorsFirst(err, q.book(ctx, run.ID), q.relock(ctx, themes, err))
}

// themeRules say how themes are proposed: with the titles of the corpus, where there is one.
func (q *questioning) themeRules(ctx context.Context) (questions.ThemeRules, error) {
	rules := questions.ThemeRules{Seed: q.rules.Seed}
	if q.setup.Corpus.Name == "" {
		return rules, nil
	}
	var err error
	rules.Corpus, err = q.Store.Corpus(ctx, q.setup.Corpus.String())
	return rules, err
}

func (q *questioning) relock(ctx context.Context, themes experiments.Taxonomy, failed error) error {
	if failed != nil {
		return nil //nolint:nilerr // the caller returns it
	}
	locked, err := q.Whole.PutTaxonomy(ctx, q.setup.Dataset.Name, themes, q.Options.Now())
	if err == nil {
		q.take(locked)
	}
	return err
}

// extend adds themes for the questions that a finished run found none for, where those are too many. It reports whether the
// taxonomy changed. An extension that found nothing to add is not tried again until something changes.
func (q *questioning) extend(ctx context.Context, run experiments.Run) (bool, error) {
	if run.State != experiments.Finished {
		return false, nil
	}
	labels, err := experiments.Findings[experiments.QuestionLabels](ctx, q.Store, run.ID)
	if err != nil {
		return false, err
	}
	var others []experiments.Question
	for _, x := range q.questions {
		if l, ok := labels[x.ID]; ok && l.Theme == experiments.OtherLabel {
			others = append(others, x)
		}
	}
	if !questions.OtherTooMany(len(others), len(labels)) {
		return false, nil
	}
	var themes experiments.Taxonomy
	for _, t := range q.taxonomies {
		if t.ID == experiments.ThemeTaxonomy {
			themes = t
		}
	}
	if extendedBefore(themes) { // one extension is one look at what was left over; more is for people
		return false, nil
	}
	setup := q.themeless(themes.Version)
	tried, err := q.same(ctx, setup)
	if err != nil || tried.State == experiments.Finished {
		return false, err
	}
	before := len(themes.Labels)
	extension, err := Booked(ctx, q.Workbench, experiments.Run{Kind: experiments.KindQuestions, ParentID: q.parent, Setup: setup,
		Budget: q.left()}, func(ctx context.Context, _ <-chan struct{}) error {
		rules, err := q.themeRules(ctx)
		if err != nil {
			return err
		}
		themes, err = questions.ExtendThemes(ctx, themes, others, q.setup.Judge, q.Providers, q.Store, rules)
		return err
	})
	if err = errorsFirst(err, q.book(ctx, extension.ID)); err != nil || len(themes.Labels) == before {
		return false, err
	}
	return true, q.relock(ctx, themes, nil)
}

func extendedBefore(t experiments.Taxonomy) bool {
	for _, l := range t.Labels {
		if l.Since == t.Version && l.Since > 0 {
			return true
		}
	}
	return false
}
