package schedules

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// allowance is what the fire may spend: its own budget, and what is left of the month. A month that has nothing left says why.
func (fi *firing) allowance(ctx context.Context) (experiments.Budget, string, error) {
	b := fi.schedule.Budget
	month := fi.schedule.Monthly
	if month == (experiments.Budget{}) {
		return b, "", nil
	}
	used, err := spentInMonth(ctx, fi.w, fi.schedule, fi.fire.NominalAt, fi.fire.ID)
	if err != nil {
		return b, "", err
	}
	if month.Micros > 0 {
		left := month.Micros - used.Micros
		if left <= 0 {
			return b, fmt.Sprintf("%s: %s of %s", experiments.MonthSpent, fi.w.Amount(used.Micros), fi.w.Amount(month.Micros)), nil
		}
		if b.Micros == 0 || left < b.Micros {
			b.Micros = left
		}
	}
	if month.Calls > 0 {
		left := month.Calls - used.Calls
		if left <= 0 {
			return b, fmt.Sprintf("%s: %d of %d calls", experiments.MonthSpent, used.Calls, month.Calls), nil
		}
		if b.Calls == 0 || left < b.Calls {
			b.Calls = left
		}
	}
	return b, "", nil
}

// left is what the fire may still spend; ok is false when that is nothing.
func (fi *firing) left(ctx context.Context) (b experiments.Budget, ok bool, err error) {
	if err := fi.bill(ctx); err != nil {
		return b, false, err
	}
	b = fi.budget
	if b.Micros > 0 {
		b.Micros -= fi.fire.Spent
		if b.Micros <= 0 {
			return b, false, nil
		}
	}
	if b.Calls > 0 {
		b.Calls -= fi.fire.Calls
		if b.Calls <= 0 {
			return b, false, nil
		}
	}
	return b, true, nil
}

// bill books to the fire what every run made for it has cost: its own, those that look into it, and the votes and anchors of the
// baseline since it began.
func (fi *firing) bill(ctx context.Context) error {
	runs, err := fi.runs(ctx)
	if err != nil {
		return err
	}
	fi.fire.Spent, fi.fire.Calls = 0, 0
	for _, id := range runs {
		s, err := fi.w.Store.Spent(ctx, id)
		if err != nil {
			return err
		}
		fi.fire.Spent += s.ConfirmedMicros + s.PossibleMicros
		fi.fire.Calls += s.Calls
	}
	return nil
}

// runs are the runs that were made for the fire.
func (fi *firing) runs(ctx context.Context) ([]string, error) {
	var out []string
	if fi.schedule.Notebook != "" {
		return fi.notebookRuns(ctx)
	}
	if fi.fire.RunID == "" {
		return nil, nil
	}
	out = append(out, fi.fire.RunID)
	children, err := fi.w.Store.Runs(ctx, experiments.RunFilter{ParentID: fi.fire.RunID})
	if err != nil {
		return nil, err
	}
	if fi.fire.Baseline != "" && fi.fire.Baseline != fi.fire.RunID {
		votes, err := fi.w.Store.Runs(ctx, experiments.RunFilter{ParentID: fi.fire.Baseline})
		if err != nil {
			return nil, err
		}
		for _, v := range votes {
			bought := v.Kind == experiments.KindEvaluate || v.Setup.Rejudge == fi.fire.ID
			if bought && !v.CreatedAt.Before(fi.fire.StartedAt) {
				children = append(children, v)
			}
		}
	}
	for _, c := range children {
		out = append(out, c.ID)
	}
	return out, nil
}

// cancelRuns ends what is not over of the fire's runs. What cannot be ended now ends by itself: nobody works it.
func (fi *firing) cancelRuns(ctx context.Context) {
	runs, err := fi.runs(ctx)
	if err != nil {
		return
	}
	for _, id := range runs {
		if run, err := fi.w.Store.Run(ctx, id); err == nil && !app.Over(run.State) {
			_ = fi.w.Store.RequestState(ctx, id, experiments.Cancelled, fi.w.Options.Now()) // see above
		}
	}
}
