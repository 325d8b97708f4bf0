package validations

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// AlignOrder says which examples are proposed for the judge of a run, and what testing them may cost.
type AlignOrder struct {
	Run      string
	Examples int // at most; default [progress.UsualExamples]
	Seed     uint64
	Budget   experiments.Budget
	Tell     func(stage string, done, total int) // how far it is; may be nil
}

// AlignState is where aligning the judge of a run stands.
type AlignState struct {
	RunID      string                `json:"run_id"`
	Experiment string                `json:"experiment"`
	Judge      string                `json:"judge"`
	Reads      bool                  `json:"reads"` // the judge reads examples; the offline one does not
	Proposal   progress.Proposal     `json:"proposal"`
	Tested     *validation.Alignment `json:"tested,omitempty"` // the newest test on the reviews of this run
	Says       Said                  `json:"says"`             // of Tested; empty where nothing was tested
	Rates      Said                  `json:"rates"`            // its errors without and with the examples; empty where it reads none
	Applied    bool                  `json:"applied"`          // the experiment has the examples of Tested
	Offered    bool                  `json:"offered"`          // they may be applied
}

// Said is a sentence in both languages.
type Said struct {
	EN string `json:"en"`
	JA string `json:"ja"`
}

// aligning is a run whose judge is aligned.
type aligning struct {
	evaluation experiments.Evaluation
	figures    progress.ReviewFigures
	proposal   progress.Proposal
	card       validation.JudgeCard // of the judge without examples; empty where there is none
}

func aligningOf(ctx context.Context, w *app.Workbench, o AlignOrder) (*aligning, error) {
	if o.Examples < 0 || o.Examples > metrics.MostExamples {
		return nil, problem.New(problem.Invalid, "align_examples", "a judge cannot have %d examples", o.Examples).With("field", "examples").
			WithHint("use 1 to %d", metrics.MostExamples)
	}
	e, err := w.Evaluation(ctx, o.Run)
	if err != nil {
		return nil, err
	}
	reviews, err := w.Whole.Reviews(ctx, e.Run.ID)
	if err != nil {
		return nil, err
	}
	a := &aligning{evaluation: e, figures: progress.FiguresOf(e, reviews)}
	a.proposal = progress.ProposeExamples(e, a.figures, progress.ExampleRules{Most: o.Examples, Seed: o.Seed})
	a.card, _, err = CardOf(ctx, w, judgeOf(e).WithExamples(nil))
	return a, err
}

// judgeOf is the judge of a run, with the built-in one named.
func judgeOf(e experiments.Evaluation) metrics.JudgeConfig {
	judge := e.Run.Setup.Judge
	if e.Run.Setup.Offline && judge.Provider == "" {
		judge.Model = metrics.DefaultJudge().Model
	}
	return judge
}

// AlignmentOf says where aligning the judge of a run stands, and buys nothing.
func AlignmentOf(ctx context.Context, w *app.Workbench, o AlignOrder) (AlignState, error) {
	a, err := aligningOf(ctx, w, o)
	if err != nil {
		return AlignState{}, err
	}
	run := a.evaluation.Run
	out := AlignState{RunID: run.ID, Experiment: run.Setup.Experiment, Judge: judgeOf(a.evaluation).String(), Reads: !run.Setup.Offline,
		Proposal: a.proposal, Tested: a.card.AlignedOn(run.ID)}
	if out.Tested == nil {
		return out, nil
	}
	out.Says, out.Rates = Said{out.Tested.Says("en"), out.Tested.Says("ja")}, Said{out.Tested.Rates("en"), out.Tested.Rates("ja")}
	out.Offered = out.Tested.Decision == validation.AlignmentOffered
	e, err := w.Store.Experiment(ctx, run.Setup.Experiment)
	if problem.Is(err, problem.NotFound) {
		return out, nil
	}
	out.Applied = err == nil && slices.Equal(e.Definition.Judge.Examples, examplesOf(out.Tested))
	return out, err
}

func examplesOf(a *validation.Alignment) []metrics.JudgeExample {
	return progress.Proposal{Examples: a.Examples}.JudgeExamples()
}

// AlignmentBehind is the test of the examples that the judge of a run was shown, or else the newest test on the reviews of the run; nil
// where there is none.
func AlignmentBehind(ctx context.Context, w *app.Workbench, run experiments.Run) (*validation.Alignment, error) {
	judge := judgeOf(experiments.Evaluation{Run: run})
	card, known, err := CardOf(ctx, w, judge.WithExamples(nil))
	if err != nil || !known {
		return nil, err
	}
	if len(judge.Examples) > 0 {
		return card.Aligned(judge.PromptVersion()), nil
	}
	return card.AlignedOn(run.ID), nil
}

// PlanAlignment says what testing the proposed examples would ask for and what is known already, and buys nothing.
func PlanAlignment(ctx context.Context, w *app.Workbench, o AlignOrder) (app.Plan, error) {
	a, err := testable(ctx, w, o)
	if err != nil {
		return app.Plan{}, err
	}
	plan, err := w.Planned(ctx, "", func(t *app.Tally) error {
		e, err := examiner(w, judgeOf(a.evaluation), nil, "correctness")
		if err != nil {
			return err
		}
		e.providers, e.guess = t, true
		_, _, err = a.ask(ctx, e)
		return err
	})
	plan.Questions = a.proposal.Kept
	return plan, err
}

// testable is a run with something to test, and something to test it on.
func testable(ctx context.Context, w *app.Workbench, o AlignOrder) (*aligning, error) {
	a, err := aligningOf(ctx, w, o)
	if err != nil {
		return nil, err
	}
	p, id := a.proposal, a.evaluation.Run.ID
	switch {
	case len(p.Examples) > 0 && p.Kept > 0:
		return a, nil
	case p.First+p.Kept == 0:
		return nil, problem.New(problem.Conflict, "align_unreviewed", "nobody has said of an answer of run %s whether it is right", id).
			With("run", id).WithHint("deal some: workbench reviews queue %s", id)
	case p.Kept == 0:
		return nil, problem.New(problem.Conflict, "align_kept", "none of the %d reviews of run %s belong to the half that is kept back",
			p.First,
			id).With("run", id).WithHint("review more answers: workbench reviews queue %s", id)
	}
	return nil, problem.New(problem.Conflict, "align_nothing",
		"of %d reviews of run %s that examples may come from, %d contradict the judge and none can be shown to it", p.First, id, p.Differs).
		With("run", id).With("differs", p.Differs).
		WithHint("where people and judge agree there is nothing to show; review more answers otherwise: workbench reviews queue %s", id)
}

// TestAlignment asks the judge of a run about the kept-back reviewed answers without and with the proposed examples, decides whether the
// change is offered, and keeps that on the judge's card. What it buys is booked like every validation: to a run, under the budget, and no
// reply twice.
func TestAlignment(ctx context.Context, w *app.Workbench, o AlignOrder) (validation.Alignment, error) {
	a, err := testable(ctx, w, o)
	if err != nil {
		return validation.Alignment{}, err
	}
	judge := judgeOf(a.evaluation)
	e, err := examiner(w, judge, o.Tell, "correctness")
	if err != nil {
		return validation.Alignment{}, err
	}
	e.setup.Experiment = "align-judge"
	e.setup.Judge = judge.WithExamples(a.proposal.JudgeExamples())
	base := judge.WithExamples(nil)
	card := validation.JudgeCard{
		Judge: judge.String(), PromptVersion: base.PromptVersion(), MeasuredAt: w.Options.Now().UTC(), Offline: e.setup.Offline,
		Deterministic: e.info.Deterministic, Source: "reviews", Protocols: map[string]validation.Protocol{},
		Datasets: []validation.DatasetScore{}, Status: validation.Unmeasured, Reasons: []string{},
	}
	var out validation.Alignment
	measure := func(ctx context.Context) error {
		items, lost, err := a.ask(ctx, e)
		if err != nil {
			return err
		}
		run, with := a.evaluation.Run, e.setup.Judge.PromptVersion()
		out = validation.ScoreAlignment(items, a.card.TriesOn(run.ID, with)+1, !e.setup.Offline)
		out.RunID, out.Experiment, out.Base, out.With = run.ID, run.Setup.Experiment, judge.PromptVersion(), with
		out.Examples, out.Lost, out.MeasuredAt, out.TestRunID = a.proposal.Examples, lost, card.MeasuredAt, e.runID
		card.Alignments = []validation.Alignment{out}
		return nil
	}
	if err := measured(ctx, w, e, o.Budget, &card, measure); err != nil {
		return validation.Alignment{}, err
	}
	out.Calls, out.CostMicros = card.Calls, card.CostMicros
	return out, nil
}

// ask grades the kept-back answers without and with the examples. What the judge fails to grade either time is lost.
func (a *aligning) ask(ctx context.Context, e *examination) (items []validation.AlignedItem, lost int, err error) {
	plain, err := e.suite("correctness")
	if err != nil {
		return nil, 0, err
	}
	shown, err := metrics.NewSuite(e.setup.Suite, e.judge.WithExamples(a.proposal.JudgeExamples()), e.providers, e.stages)
	if err != nil {
		return nil, 0, err
	}
	kept := a.kept()
	graded := make([]*validation.AlignedItem, len(kept))
	err = e.each(ctx, "kept back", len(kept), func(ctx context.Context, i int) error {
		item := validation.AlignedItem{Accepted: kept[i].accepted}
		for _, side := range []struct {
			suite *metrics.Suite
			low   *bool
		}{{plain, &item.Before}, {shown, &item.After}} {
			scores, err := side.suite.Score(e.scoped(ctx, kept[i].sample.QuestionID, 0), kept[i].sample)
			if err != nil {
				return err
			}
			if scores[0].State != metrics.Scored {
				return nil
			}
			*side.low = scores[0].Value <= a.figures.Threshold
		}
		graded[i] = &item
		return nil
	})
	for _, g := range graded {
		if g == nil {
			lost++
			continue
		}
		items = append(items, *g)
	}
	return items, lost, err
}

// keptAnswer is a reviewed answer that no example may come from.
type keptAnswer struct {
	sample   metrics.Sample
	accepted bool
}

func (a *aligning) kept() []keptAnswer {
	at := map[string]int{}
	for i, r := range a.evaluation.Results {
		if _, seen := at[r.QuestionID]; !seen {
			at[r.QuestionID] = i
		}
	}
	var out []keptAnswer
	for _, l := range a.figures.Labels {
		if !progress.KeptBack(l.QuestionID) || l.Verdict == "" || l.Judge.Correctness == nil {
			continue
		}
		i := at[l.QuestionID]
		if answer := a.evaluation.Results[i].Answer; answer != nil {
			out = append(out, keptAnswer{a.evaluation.Questions[i].Sample(nil, *answer), l.Verdict == experiments.CorrectAnswer})
		}
	}
	return out
}

// ApplyAlignment gives the experiment of a run the examples that were tested and offered, as its next revision.
func ApplyAlignment(ctx context.Context, w *app.Workbench, run string) (experiments.Experiment, error) {
	return realign(ctx, w, run, func(tested *validation.Alignment, judge metrics.JudgeConfig) ([]metrics.JudgeExample, error) {
		if tested.Decision != validation.AlignmentOffered {
			return nil, problem.New(problem.Conflict, "align_not_offered", "the examples were tested and are not offered").
				With("decision", string(tested.Decision)).WithHint("%s", tested.Says("en"))
		}
		return examplesOf(tested), nil
	})
}

// TakeBackAlignment takes the examples of a test out of the experiment again, as its next revision.
func TakeBackAlignment(ctx context.Context, w *app.Workbench, run string) (experiments.Experiment, error) {
	return realign(ctx, w, run, func(tested *validation.Alignment, judge metrics.JudgeConfig) ([]metrics.JudgeExample, error) {
		if !slices.Equal(judge.Examples, examplesOf(tested)) {
			return nil, problem.New(problem.Conflict, "align_not_applied", "the experiment does not have the examples of this test").
				WithHint("nothing has to be taken back")
		}
		return nil, nil
	})
}

// realign changes the examples in the experiment of a run, where its judge is still the one that was tested.
func realign(ctx context.Context, w *app.Workbench, name string,
	choose func(*validation.Alignment, metrics.JudgeConfig) ([]metrics.JudgeExample, error)) (experiments.Experiment, error) {
	a, err := aligningOf(ctx, w, AlignOrder{Run: name})
	if err != nil {
		return experiments.Experiment{}, err
	}
	run := a.evaluation.Run
	tested := a.card.AlignedOn(run.ID)
	if tested == nil {
		return experiments.Experiment{}, problem.New(problem.Conflict, "align_untested",
			"no examples were tested on the reviews of run %s", run.ID).
			With("run", run.ID).WithHint("workbench reviews align %s tests some; --plan says what that costs", run.ID)
	}
	e, err := w.Store.Experiment(ctx, run.Setup.Experiment)
	if err != nil {
		return e, err
	}
	d := e.Definition
	if v := d.Judge.PromptVersion(); d.Judge.Model != run.Setup.Judge.Model || v != tested.Base && v != tested.With {
		return e, problem.New(problem.Conflict, "align_judge_changed", "experiment %s has another judge or other prompts than were tested",
			e.Name).
			With("experiment", e.Name).WithHint("run the experiment, review its answers, and test examples again")
	}
	if d.Judge.Examples, err = choose(tested, d.Judge); err != nil {
		return e, err
	}
	return w.Store.PutExperiment(ctx, d, w.Options.Now())
}
