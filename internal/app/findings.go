package app

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	analysisprogress "github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Findings says what came of a comparison that was made: the one source of what every door says of it.
func (w *Workbench) Findings(ctx context.Context, c compare.Comparison, both [2]experiments.Evaluation) (findings.Findings, error) {
	in := findings.Input{Candidate: both[1]}
	if err := compareWith(&in, c, both); err != nil {
		return findings.Findings{}, err
	}
	if err := w.fillFindings(ctx, &in); err != nil {
		return findings.Findings{}, err
	}
	return findings.Of(in), nil
}

// compareWith sets the candidate of an input beside its baseline, with the recommended gate.
func compareWith(in *findings.Input, c compare.Comparison, both [2]experiments.Evaluation) error {
	gate, err := compare.Gate(compare.RunGate(c, both[0], both[1]), compare.DefaultGateRules())
	in.Comparison, in.Baseline, in.Gate = &c, &both[0], &gate
	return err
}

// Said are the findings of a comparison alone: its sentences, counts and order, without what analyses and people add.
func (w *Workbench) Said(ctx context.Context, c compare.Comparison, both [2]experiments.Evaluation) findings.Findings {
	return findings.Of(findings.Input{Comparison: &c, Baseline: &both[0], Candidate: both[1], Card: w.cardOf(ctx, both[1].Run)})
}

// cardOf is what was measured of the judge of a run; nil where nothing was. What cannot be read is logged and left out.
func (w *Workbench) cardOf(ctx context.Context, run experiments.Run) *validation.JudgeCard {
	card, known, err := w.CardOf(ctx, run.Setup.Judge)
	if err != nil {
		w.log("what was measured of a judge is left out", "run", run.ID, "error", err)
	}
	if !known {
		return nil
	}
	return &card
}

// fillFindings adds to an input what was found out about its candidate: causes, questions, agreement, reviews, the judge's card, and the
// cost of answering. What was never done stays nil. It buys nothing.
func (w *Workbench) fillFindings(ctx context.Context, in *findings.Input) error {
	in.Currency, in.Traffic = w.Config.Currency, w.Config.QuestionsPerMonth
	if in.Today.IsZero() {
		in.Today = w.options.Now()
	}
	run := in.Candidate.Run
	if in.Causes == nil {
		causes, err := w.causesOf(ctx, in.Candidate, "")
		switch {
		case err == nil:
			in.Causes = &causes
		case !problem.Is(err, problem.NotFound):
			return err
		}
	}
	if err := w.findQuestions(ctx, in); err != nil {
		return err
	}
	if err := w.findPeople(ctx, in); err != nil {
		return err
	}
	if card, known, err := w.CardOf(ctx, run.Setup.Judge); err != nil {
		return err
	} else if known {
		in.Card = &card
	}
	var err error
	in.Spending, err = w.answering(ctx, in.Candidate)
	return err
}

func (w *Workbench) findQuestions(ctx context.Context, in *findings.Input) error {
	questions, err := w.QuestionReport(ctx, in.Candidate.Run.ID)
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	in.Questions = &questions
	in.Taxonomies, err = w.Taxonomies(ctx, in.Candidate.Run.Setup.Dataset.Name)
	return err
}

// findPeople reads what was agreed and what people say of the answers.
func (w *Workbench) findPeople(ctx context.Context, in *findings.Input) error {
	agreed, err := w.whole.Agreement(ctx, in.Candidate.Run.Setup.Dataset.Name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	progress := analysisprogress.ProgressOf(agreed, firstVotes(in.Candidate), in.Causes, in.Questions)
	in.Agreement = &progress
	reviews, err := w.reviewsOf(ctx, in.Candidate.Run, in.Baseline)
	if err != nil || len(reviews) == 0 {
		return err
	}
	figures := analysisprogress.FiguresOf(in.Candidate, reviews)
	in.Reviews = &figures
	return nil
}

// reviewsOf are the reviews that speak of a run's answers: its own, and those of the baseline's identical answers where nobody reviewed
// the answer again. What was made of another answer is told from it by the digest of what was shown.
func (w *Workbench) reviewsOf(ctx context.Context, run experiments.Run, baseline *experiments.Evaluation) ([]experiments.Review, error) {
	own, err := w.whole.Reviews(ctx, run.ID)
	if err != nil || baseline == nil {
		return own, err
	}
	type key struct{ question, reviewer string }
	known := map[key]bool{}
	for _, r := range own {
		known[key{r.QuestionID, r.Reviewer}] = true
	}
	carried, err := w.whole.Reviews(ctx, baseline.Run.ID)
	for _, r := range carried {
		if !known[key{r.QuestionID, r.Reviewer}] {
			own = append(own, r)
		}
	}
	return own, err
}

// answering is what the answers of a run cost without its judge; nil where nothing was bought and nobody knows.
func (w *Workbench) answering(ctx context.Context, e experiments.Evaluation) (*findings.Spending, error) {
	again, err := w.retries(ctx, e.Run)
	if err != nil {
		return nil, err
	}
	lines, err := w.billLines(ctx, "stage", append([]string{e.Run.ID}, again...))
	if err != nil {
		return nil, err
	}
	out := findings.Spending{Known: true}
	calls := 0
	for _, l := range lines {
		if l.Value == "judge" || l.Value == "embed" {
			continue
		}
		calls += l.Calls + l.SavedCalls
		out.Micros += l.ConfirmedMicros + l.SavedMicros
		out.Known = out.Known && l.UnknownPrice == 0
	}
	for _, r := range e.Results {
		if r.Replicate == e.Run.Setup.Replicate && r.Answer != nil {
			out.Answers++
		}
	}
	if calls == 0 {
		return nil, nil //nolint:nilnil // nothing was bought
	}
	return &out, nil
}
