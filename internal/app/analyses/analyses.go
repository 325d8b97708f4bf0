package analyses

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// The analyses an experiment may ask for.
const (
	CausesAnalysis    = "causes"
	QuestionsAnalysis = "questions"
)

// Analyse does what an experiment asks for after its runs: the analysis of their questions, then of the causes of their low scores.
// Both are child runs and spend what payer, the run or sweep that was paid for, left of the budget; without one they are not bounded.
// It returns the runs that it worked, also where one of them stopped.
func Analyse(ctx context.Context, w *app.Workbench, payer experiments.Run, runs []experiments.Run, analyses []string,
	budget experiments.Budget) ([]experiments.Run, error) {
	var done []experiments.Run
	for _, run := range runs {
		for _, kind := range []string{QuestionsAnalysis, CausesAnalysis} { // the causes are counted by the questions' categories
			if !slices.Contains(analyses, kind) {
				continue
			}
			left, err := budgetLeft(ctx, w, budget, append([]experiments.Run{payer}, done...))
			if err != nil {
				return done, err
			}
			child, err := analyseOne(ctx, w, run, kind, left)
			if child.ID != "" {
				done = append(done, child)
			}
			if err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// analyseOne makes one analysis of a run; none where there is nothing to analyse.
func analyseOne(ctx context.Context, w *app.Workbench, run experiments.Run, kind string,
	budget experiments.Budget) (experiments.Run, error) {
	if kind == QuestionsAnalysis {
		return AnalyseQuestions(ctx, w, run.ID, QuestionRules{Budget: budget})
	}
	child, err := Diagnose(ctx, w, run.ID, DiagnoseRules{Budget: budget})
	if NothingLow(err) {
		return experiments.Run{}, nil
	}
	return child, err
}

// budgetLeft is what runs have left of a budget; a budget that is used up is an error.
func budgetLeft(ctx context.Context, w *app.Workbench, b experiments.Budget, runs []experiments.Run) (experiments.Budget, error) {
	if b == (experiments.Budget{}) {
		return b, nil
	}
	left := b
	for _, r := range runs {
		s, err := w.Store.Spent(ctx, r.ID)
		if err != nil {
			return b, err
		}
		if b.Micros > 0 {
			left.Micros -= s.ConfirmedMicros + s.PossibleMicros
		}
		if b.Calls > 0 {
			left.Calls -= s.Calls
		}
	}
	if b.Micros > 0 && left.Micros <= 0 || b.Calls > 0 && left.Calls <= 0 {
		return left, problem.New(problem.Incomplete, "budget_spent", "run %s has used the whole budget; its analyses have not been made",
			runs[0].ID).
			With("run", runs[0].ID).WithHint("workbench diagnose %s --budget AMOUNT, workbench questions %s --budget AMOUNT",
			runs[0].ID, runs[0].ID)
	}
	return left, nil
}
