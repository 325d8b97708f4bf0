package reporting

import (
	"cmp"
	"context"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	analysisprogress "github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Findings says what came of a comparison that was made: the one source of what every door says of it. Its gate goes by these rules, and
// decides while the rest is found out.
func Findings(ctx context.Context, w *app.Workbench, c compare.Comparison, both [2]experiments.Evaluation, rules compare.GateRules,
) (findings.Findings, error) {
	var gate compare.GateResult
	var undecided error
	var deciding sync.WaitGroup
	deciding.Go(func() { gate, undecided = gateOf(c, both, rules) })
	in := findings.Input{Candidate: both[1], Comparison: &c, Baseline: &both[0]}
	var begun findings.Begun
	err := fillFindings(ctx, w, &in)
	if err == nil {
		begun = findings.Begin(in)
	}
	deciding.Wait()
	if err := cmp.Or(undecided, err); err != nil {
		return findings.Findings{}, err
	}
	return begun.With(&gate), nil
}

// FindingsAlone says what came of a run by itself.
func FindingsAlone(ctx context.Context, w *app.Workbench, e experiments.Evaluation) (findings.Findings, error) {
	in := findings.Input{Candidate: e}
	if err := fillFindings(ctx, w, &in); err != nil {
		return findings.Findings{}, err
	}
	return findings.Of(in), nil
}

// CompareWith sets the candidate of an input beside its baseline, with the gate by these rules.
func CompareWith(in *findings.Input, c compare.Comparison, both [2]experiments.Evaluation, rules compare.GateRules) error {
	gate, err := gateOf(c, both, rules)
	in.Comparison, in.Baseline, in.Gate = &c, &both[0], &gate
	return err
}

// gateOf is the gate of a comparison by these rules.
func gateOf(c compare.Comparison, both [2]experiments.Evaluation, rules compare.GateRules) (compare.GateResult, error) {
	rules = looked(rules, both)
	return compare.Gate(compare.RunGate(c, both[0], both[1], rules), rules)
}

// Said are the findings of a comparison alone: its sentences, counts and order, without what analyses and people add.
func Said(ctx context.Context, w *app.Workbench, c compare.Comparison, both [2]experiments.Evaluation) findings.Findings {
	return findings.Of(findings.Input{Comparison: &c, Baseline: &both[0], Candidate: both[1], Card: CardOf(ctx, w, both[1].Run)})
}

// CardOf is what was measured of the judge of a run; nil where nothing was. What cannot be read is logged and left out.
func CardOf(ctx context.Context, w *app.Workbench, run experiments.Run) *validation.JudgeCard {
	card, known, err := validations.CardOfRun(ctx, w, run)
	if err != nil {
		w.Log("what was measured of a judge is left out", "run", run.ID, "error", err)
	}
	if !known {
		return nil
	}
	return &card
}

// fillFindings adds to an input what was found out about its candidate: causes, questions, agreement, reviews, the judge's card, and the
// cost of answering. What was never done stays nil. It buys nothing.
func fillFindings(ctx context.Context, w *app.Workbench, in *findings.Input) error {
	in.Currency, in.Traffic = w.Config.Currency, w.Config.QuestionsPerMonth
	if in.Today.IsZero() {
		in.Today = w.Options.Now()
	}
	run := in.Candidate.Run
	if in.Causes == nil {
		causes, err := analyses.CausesInShort(ctx, w, in.Candidate, "")
		switch {
		case err == nil:
			in.Causes = &causes
		case !problem.Is(err, problem.NotFound):
			return err
		}
	}
	if in.Comparison == nil {
		pinned, err := w.Store.Baseline(ctx, run.Setup.Dataset.Name)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return err
		}
		in.Pinned = err == nil && pinned.RunID == run.ID
	}
	if err := findQuestions(ctx, w, in); err != nil {
		return err
	}
	if err := findPeople(ctx, w, in); err != nil {
		return err
	}
	if card, known, err := validations.CardOfRun(ctx, w, run); err != nil {
		return err
	} else if known {
		in.Card = &card
	}
	var err error
	if in.Alignment, err = validations.AlignmentBehind(ctx, w, run); err != nil {
		return err
	}
	if in.Troubles, err = w.Whole.Troubles(ctx, run.ID); err != nil {
		return err
	}
	in.Spending, err = app.Answering(ctx, w, in.Candidate)
	return err
}

func findQuestions(ctx context.Context, w *app.Workbench, in *findings.Input) error {
	questions, err := analyses.QuestionReport(ctx, w, in.Candidate.Run.ID)
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	in.Questions = &questions
	in.Taxonomies, err = analyses.Taxonomies(ctx, w, in.Candidate.Run.Setup.Dataset.Name)
	return err
}

// AgreedOn adds to an input what was agreed for its candidate's questions, and how far that is.
func AgreedOn(ctx context.Context, w *app.Workbench, in *findings.Input) error {
	agreed, err := w.Whole.Agreement(ctx, in.Candidate.Run.Setup.Dataset.Name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	progress := analysisprogress.ProgressOf(agreed, in.Candidate, in.Causes, in.Questions)
	in.Agreement = &progress
	return nil
}

// findPeople reads what was agreed and what people say of the answers.
func findPeople(ctx context.Context, w *app.Workbench, in *findings.Input) error {
	if err := AgreedOn(ctx, w, in); err != nil {
		return err
	}
	reviews, err := reviewsOf(ctx, w, in.Candidate.Run, in.Baseline)
	if err != nil || len(reviews) == 0 {
		return err
	}
	figures := analysisprogress.FiguresOf(in.Candidate, reviews)
	in.Reviews = &figures
	return nil
}

// reviewsOf are the reviews that speak of a run's answers: its own, and those of the baseline's identical answers where nobody reviewed
// the answer again. What was made of another answer is told from it by the digest of what was shown.
func reviewsOf(ctx context.Context, w *app.Workbench, run experiments.Run, baseline *experiments.Evaluation) ([]experiments.Review, error) {
	own, err := w.Whole.Reviews(ctx, run.ID)
	if err != nil || baseline == nil {
		return own, err
	}
	type key struct{ question, reviewer string }
	known := map[key]bool{}
	for _, r := range own {
		known[key{r.QuestionID, r.Reviewer}] = true
	}
	carried, err := w.Whole.Reviews(ctx, baseline.Run.ID)
	for _, r := range carried {
		if !known[key{r.QuestionID, r.Reviewer}] {
			own = append(own, r)
		}
	}
	return own, err
}
