package app

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// The analyses an experiment may ask for.
const (
	causesAnalysis    = "causes"
	questionsAnalysis = "questions"
)

// Analyse does what an experiment asks for after its runs: the analysis of their questions, then of the causes of their low scores.
// Both are child runs and spend what payer, the run or sweep that was paid for, left of the budget; without one they are not bounded.
// It returns the runs that it worked, also where one of them stopped.
func (w *Workbench) Analyse(ctx context.Context, payer experiments.Run, runs []experiments.Run, analyses []string, budget experiments.Budget) ([]experiments.Run, error) {
	var done []experiments.Run
	for _, run := range runs {
		for _, kind := range []string{questionsAnalysis, causesAnalysis} { // the causes are counted by the questions' categories
			if !slices.Contains(analyses, kind) {
				continue
			}
			left, err := w.budgetLeft(ctx, budget, append([]experiments.Run{payer}, done...))
			if err != nil {
				return done, err
			}
			child, err := w.analyseOne(ctx, run, kind, left)
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
func (w *Workbench) analyseOne(ctx context.Context, run experiments.Run, kind string, budget experiments.Budget) (experiments.Run, error) {
	if kind == questionsAnalysis {
		return w.AnalyseQuestions(ctx, run.ID, QuestionRules{Budget: budget})
	}
	child, err := w.Diagnose(ctx, run.ID, DiagnoseRules{Budget: budget})
	if problem.CodeOf(err) == "no_low_scores" {
		return experiments.Run{}, nil
	}
	return child, err
}

// budgetLeft is what runs have left of a budget; a budget that is used up is an error.
func (w *Workbench) budgetLeft(ctx context.Context, b experiments.Budget, runs []experiments.Run) (experiments.Budget, error) {
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
		return left, problem.New(problem.Incomplete, "budget_spent", "run %s has used the whole budget; its analyses have not been made", runs[0].ID).
			With("run", runs[0].ID).WithHint("workbench diagnose %s --budget AMOUNT, workbench questions %s --budget AMOUNT", runs[0].ID, runs[0].ID)
	}
	return left, nil
}
