package analyses

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

func scopedTo(ctx context.Context, runID string) context.Context {
	return llm.WithScope(ctx, llm.Scope{RunID: runID, Stage: "judge"})
}

// QuestionReport is what is known of the questions of a run, or of a dataset, from the newest finished analysis: of the run itself,
// else of the same dataset version, else of the dataset name. NotFound when there is none.
func QuestionReport(ctx context.Context, w *app.Workbench, runOrDataset string) (questions.QuestionReport, error) {
	of, dataset, err := sourceOf(ctx, w, runOrDataset)
	if err != nil {
		return questions.QuestionReport{}, err
	}
	found, err := questionAnalyses(ctx, w, of.ID, dataset)
	if err != nil {
		return questions.QuestionReport{}, err
	}
	if len(found) == 0 {
		return questions.QuestionReport{}, problem.New(problem.NotFound, "questions_unknown", "the questions of %s have not been analysed",
			runOrDataset).
			With("name", runOrDataset).WithHint("workbench questions %s", runOrDataset)
	}
	e, err := questionsOf(ctx, w, of.ID, dataset)
	if err != nil {
		return questions.QuestionReport{}, err
	}
	now, err := questionAnalysis(ctx, w, found[0], e.Questions)
	if err != nil {
		return questions.QuestionReport{}, err
	}
	var before *questions.QuestionAnalysis
	if len(found) > 1 {
		previous, err := questionAnalysis(ctx, w, found[1], e.Questions)
		if err != nil {
			return questions.QuestionReport{}, err
		}
		before = &previous
	}
	return questions.QuestionReportOf(e, now, before), nil
}

// questionsOf are the questions of a run with its first votes, or those of a dataset alone.
func questionsOf(ctx context.Context, w *app.Workbench, run string, dataset experiments.Ref) (experiments.Evaluation, error) {
	if run == "" {
		d, err := w.Store.Dataset(ctx, dataset.String())
		if err != nil {
			return experiments.Evaluation{}, err
		}
		return experiments.Evaluation{Questions: d.Questions}, nil
	}
	e, err := experiments.LoadEvaluation(ctx, w.Store, run)
	return app.FirstVotes(e), err
}

// questionAnalysis reads the labels of a run, with those that its children found for questions that had failed, as the questions are
// registered.
func questionAnalysis(ctx context.Context, w *app.Workbench, run experiments.Run, registered []experiments.Question,
) (questions.QuestionAnalysis, error) {
	a := questions.QuestionAnalysis{Run: run}
	var err error
	if a.Labels, err = experiments.Findings[experiments.QuestionLabels](ctx, w.Store, run.ID); err != nil {
		return a, err
	}
	children, err := w.Store.Runs(ctx, experiments.RunFilter{ParentID: run.ID, Kind: run.Kind, State: experiments.Finished})
	for _, child := range children {
		if child.Setup.Replicate != run.Setup.Replicate {
			continue
		}
		found, err := experiments.Findings[experiments.QuestionLabels](ctx, w.Store, child.ID)
		if err != nil {
			return a, err
		}
		for id, l := range found {
			if _, known := a.Labels[id]; !known {
				a.Labels[id] = l
			}
		}
	}
	for _, q := range registered {
		if l, known := a.Labels[q.ID]; known {
			a.Labels[q.ID] = questions.Registered(l, q)
		}
	}
	return a, err
}

// questionAnalyses are the finished analyses of a dataset name, the one to show first: of the run, of the dataset version, of any;
// newest first among equals. Runs that only proposed themes labelled nothing and are left out, and children belong to their parents.
// An analysis that found too many questions without a theme is done again at once with more themes: its first half is no analysis that
// people asked for, and nothing has changed since.
func questionAnalyses(ctx context.Context, w *app.Workbench, runID string, dataset experiments.Ref) ([]experiments.Run, error) {
	all, err := w.Store.Runs(ctx, experiments.RunFilter{Kind: experiments.KindQuestions, Dataset: dataset.Name,
		State: experiments.Finished})
	return analysesAmong(all, runID, dataset), err
}

// analysesAmong are those of [questionAnalyses] among all finished runs of their kind, which come newest first.
func analysesAmong(all []experiments.Run, runID string, dataset experiments.Ref) []experiments.Run {
	analyses := map[string]bool{}
	for _, r := range all {
		analyses[r.ID] = true
	}
	var own, same, rest []experiments.Run
	seen, extended := map[string]bool{}, map[string]bool{} // by what is analysed
	for _, r := range all {
		of := r.ParentID + " " + r.Setup.Dataset.String()
		switch {
		case analyses[r.ParentID]:
		case r.Setup.Analysis == nil: // proposed themes: where an analysis came after it, it added them to those of the one before it
			extended[of] = seen[of]
			continue
		case extended[of]:
			extended[of] = false
			continue
		default:
			seen[of] = true
		}
		switch {
		case analyses[r.ParentID]:
		case runID != "" && r.ParentID == runID:
			own = append(own, r)
		case r.Setup.Dataset.Version == dataset.Version:
			same = append(same, r)
		default:
			rest = append(rest, r)
		}
	}
	return append(append(own, same...), rest...)
}

// PlanQuestions says what analysing would ask for and what is known already, and buys nothing. Themes that would have to be proposed
// are stand-ins, and evidence that would have to be looked for is not found, which takes the most calls; adding themes for
// questions that fit none is not planned, because how many those are is not known.
func PlanQuestions(ctx context.Context, w *app.Workbench, runOrDataset string, rules QuestionRules) (app.Plan, error) {
	q, err := questioningOf(ctx, w, runOrDataset, rules)
	if err != nil {
		return app.Plan{}, err
	}
	for _, t := range rules.Taxonomies { // as they would be locked
		var newest *experiments.Taxonomy
		for _, x := range q.taxonomies {
			if x.ID == t.ID {
				newest = &x
			}
		}
		if t, _, err = t.Succeed(newest); err != nil {
			return app.Plan{}, err
		}
		q.take(t)
	}
	ctx = llm.WithScope(ctx, llm.Scope{Stage: "judge"})
	locked := q.taxonomies
	plan, err := w.Planned(ctx, q.setup.Experiment, func(t *app.Tally) error {
		q.taxonomies = slices.Clone(locked)
		return q.walk(ctx, questionTally{t}, &rag.MemoryStages{})
	})
	plan.Questions = len(q.questions)
	return plan, err
}

// walk goes through the analysis with providers that only count.
func (q *questioning) walk(ctx context.Context, providers rag.Providers, stages rag.Stages) error {
	if !hasThemes(q.taxonomies) {
		named, err := q.themeRules(ctx)
		if err != nil {
			return err
		}
		themes, err := questions.ProposeThemes(ctx, q.questions, q.setup.Judge, providers, stages, named)
		if err != nil {
			return err
		}
		themes.Version = 1
		q.take(themes)
	}
	run := experiments.Run{Setup: q.frozen()}
	source, err := q.QuestionSource(ctx, run, providers, stages)
	if err != nil {
		return err
	}
	analyst, err := questions.OpenQuestions(run, source)
	if err != nil {
		return err
	}
	defer analyst.Close()
	for _, x := range q.questions {
		if _, err := analyst.Finding(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// questionTally counts requests of the question analysis, and makes up replies to them that are not JSON yet.
type questionTally struct{ *app.Tally }

// Provider wraps a provider so that it counts instead of buying.
func (t questionTally) Provider(name string) (llm.Provider, error) {
	p, err := t.Tally.Provider(name)
	return standingIn{p}, err
}

var _ rag.Providers = questionTally{}

type standingIn struct{ llm.Provider }

// Complete counts the request.
func (s standingIn) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	reply, err := s.Provider.Complete(ctx, req)
	if err == nil && !json.Valid([]byte(reply.Text)) {
		if text, ok := questions.QuestionStandIn(req); ok {
			reply.Text = text
		} else if text, ok := laboratory.CauseStandIn(req); ok {
			reply.Text = text
		}
	}
	return reply, err
}
