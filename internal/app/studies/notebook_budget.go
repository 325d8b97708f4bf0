package studies

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// cellBudget keeps one budget over all runs that a cell works, and what they cost by this work.
type cellBudget struct {
	w      *app.Workbench
	budget experiments.Budget
	ids    []string
	before map[string]experiments.Spending
}

// open notes what a run had cost before.
func (p *cellBudget) open(ctx context.Context, id string) error {
	s, err := p.w.Store.Spent(ctx, id)
	p.before[id] = s
	p.ids = append(p.ids, id)
	return err
}

// spent is what was paid since.
func (p *cellBudget) spent(ctx context.Context) (notebooks.Spend, error) {
	out := notebooks.Spend{Currency: p.w.Config.Currency}
	seen := map[string]bool{}
	for _, id := range p.ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		s, err := p.w.Store.Spent(ctx, id)
		if err != nil {
			return out, err
		}
		b := p.before[id]
		out.Calls += s.Calls - b.Calls
		out.Micros += s.ConfirmedMicros + s.PossibleMicros - b.ConfirmedMicros - b.PossibleMicros
	}
	return out, nil
}

// left is what the budget has left; a budget that is used up is a Problem.
func (p *cellBudget) left(ctx context.Context) (experiments.Budget, error) {
	left := p.budget
	s, err := p.spent(ctx)
	if err != nil || left == (experiments.Budget{}) {
		return left, err
	}
	if left.Micros > 0 {
		left.Micros -= s.Micros
	}
	if left.Calls > 0 {
		left.Calls -= s.Calls
	}
	if p.budget.Micros > 0 && left.Micros <= 0 || p.budget.Calls > 0 && left.Calls <= 0 {
		return left, problem.New(problem.Incomplete, "budget_spent", "the budget is spent: %d calls, %s", s.Calls, p.w.Amount(s.Micros)).
			WithHint("run the notebook again with another --budget: what is done is not bought a second time")
	}
	return left, nil
}

// allow lets a run that was begun spend what is left, beside what it has spent. Without a budget its own is lifted.
func (p *cellBudget) allow(ctx context.Context, id string, left experiments.Budget) error {
	s, err := p.w.Store.Spent(ctx, id)
	if err != nil {
		return err
	}
	if _, known := p.before[id]; !known {
		p.before[id] = s
		p.ids = append(p.ids, id)
	}
	if left.Micros > 0 {
		left.Micros += s.ConfirmedMicros + s.PossibleMicros
	}
	if left.Calls > 0 {
		left.Calls += s.Calls
	}
	return p.w.Store.SetBudget(ctx, id, left)
}

// stopped notes a run that was worked, and tells a stop at its budget from others.
func (p *cellBudget) stopped(ctx context.Context, id string, err error) error {
	if id == "" {
		return err
	}
	if _, known := p.before[id]; !known {
		p.ids = append(p.ids, id)
	}
	if err == nil {
		return nil
	}
	if message, hint, ok := app.AtBudget(context.WithoutCancel(ctx), p.w, id); ok {
		return problem.New(problem.Incomplete, "budget_spent", "%s", message).With("run", id).WithHint("%s", hint)
	}
	return err
}
