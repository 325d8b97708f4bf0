package app

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// AtBudget says, of a run that stopped at its budget, how far it came, what the rest would probably cost, and with which budget it goes on.
// ok is false for a run that stopped for another reason.
func AtBudget(ctx context.Context, w *Workbench, id string) (message, hint string, ok bool) {
	run, err := w.Store.Run(ctx, id)
	if err != nil || run.Cause != "budget" {
		return "", "", false
	}
	left, total, err := PricedProgress(ctx, w, run)
	if err != nil {
		return "", "", false
	}
	spent, err := w.Store.Spent(ctx, run.ID)
	if err != nil {
		return "", "", false
	}
	rest, known := w.rest(ctx, run, spent, left, total-left)
	used, done := spent.ConfirmedMicros+spent.PossibleMicros, total-left
	hint = fmt.Sprintf("workbench runs resume %s --budget MORE", run.ID)
	switch {
	case run.Budget.Micros > 0 && known && rest.priced:
		message = fmt.Sprintf("run %s stopped before its budget: %d of %d questions are answered, %s of %s spent; "+
			"the other %d need about %s more", run.ID, done, total, w.Amount(used), w.Amount(run.Budget.Micros), left,
			w.Amount(rest.micros))
		enough := float64(used + rest.room(rest.micros, rest.callMicros))
		hint = fmt.Sprintf("workbench runs resume %s --budget %.2f", run.ID, math.Ceil(enough/1e4)/100)
	case run.Budget.Micros > 0:
		message = fmt.Sprintf("run %s stopped before its budget: %d of %d questions are answered, %s of %s spent", run.ID, done, total,
			w.Amount(used), w.Amount(run.Budget.Micros))
	case run.Budget.Calls > 0 && known:
		message = fmt.Sprintf("run %s stopped before its budget: %d of %d questions are answered, %d of %d calls made; "+
			"the other %d need about %d more", run.ID, done, total, spent.Calls, run.Budget.Calls, left, rest.calls)
		hint = fmt.Sprintf("workbench runs resume %s --budget %dcalls", run.ID, int64(spent.Calls)+rest.room(int64(rest.calls), 1))
	case run.Budget.Calls > 0:
		message = fmt.Sprintf("run %s stopped before its budget: %d of %d questions are answered, %d of %d calls made", run.ID, done, total,
			spent.Calls, run.Budget.Calls)
	default:
		message = fmt.Sprintf("run %s stopped before its budget: %d of %d questions are answered", run.ID, done, total)
	}
	return message, hint, true
}

// remaining is what the rest of a run probably takes.
type remaining struct {
	calls      int
	micros     int64
	priced     bool
	callMicros int64 // what is reserved for one call
}

// callsAtOnce is how many calls are reserved at a time, at their upper estimates, before the first of them is settled.
const callsAtOnce = 8

// room is a budget for the rest: a tenth more than it probably takes, and what calls in flight have reserved.
func (remaining) room(about, reserved int64) int64 {
	return about + (about+9)/10 + callsAtOnce*reserved
}

// rest works out what the rest of a run takes. Of questions that are answered and scored the plan is asked, which knows what was bought
// before; of other work, what one part of it was worth so far, replies that were there already included: those that are done first are
// often the ones that somebody had bought.
func (w *Workbench) rest(ctx context.Context, run experiments.Run, spent experiments.Spending, left, done int) (remaining, bool) {
	if run.Kind == experiments.KindEvaluate || run.Kind == experiments.KindSweep {
		jobs, err := w.jobsLeft(ctx, run)
		if err != nil {
			return remaining{}, false
		}
		plan, err := w.Plan(ctx, jobs)
		if err != nil {
			return remaining{}, false
		}
		return remaining{plan.ExpectedBuy, plan.ExpectedMicros, plan.PriceKnown, plan.PriceMicros / int64(max(1, plan.Buy))}, true
	}
	if done <= 0 {
		return remaining{}, false
	}
	share := float64(left) / float64(done)
	calls, micros := spent.Calls+spent.SavedCalls, spent.ConfirmedMicros+spent.PossibleMicros+spent.SavedMicros
	return remaining{
		calls: int(math.Ceil(float64(calls) * share)), micros: int64(math.Ceil(float64(micros) * share)), priced: true,
		callMicros: micros / int64(max(1, calls)),
	}, true
}

// partsOf are the runs of a sweep, or a run that is none.
func (w *Workbench) partsOf(ctx context.Context, run experiments.Run) ([]experiments.Run, error) {
	if run.Kind == experiments.KindSweep {
		return w.SweepRuns(ctx, run.ID)
	}
	return []experiments.Run{run}, nil
}

// jobsLeft are the jobs of a run, or of a sweep's runs, with the questions that are not settled yet.
func (w *Workbench) jobsLeft(ctx context.Context, run experiments.Run) ([]Job, error) {
	runs, err := w.partsOf(ctx, run)
	if err != nil {
		return nil, err
	}
	var jobs []Job
	for _, r := range runs {
		missing, err := w.Store.Missing(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		d, err := w.Store.Dataset(ctx, r.Setup.Dataset.String())
		if err != nil {
			return nil, err
		}
		j := Job{Params: r.Params, Setup: r.Setup}
		for _, q := range d.Questions {
			if slices.Contains(missing, q.ID) {
				j.Questions = append(j.Questions, q)
			}
		}
		if len(j.Questions) > 0 {
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// PricedProgress counts the questions of a run, or of a sweep's runs, that are not settled yet.
func PricedProgress(ctx context.Context, w *Workbench, run experiments.Run) (left, total int, err error) {
	runs, err := w.partsOf(ctx, run)
	if err != nil {
		return 0, 0, err
	}
	for _, r := range runs {
		missing, err := w.Store.Missing(ctx, r.ID)
		if err != nil {
			return 0, 0, err
		}
		questions, err := questionsOf(ctx, w, r)
		if err != nil {
			return 0, 0, err
		}
		left, total = left+len(missing), total+questions
	}
	return left, total, nil
}

func questionsOf(ctx context.Context, w *Workbench, run experiments.Run) (int, error) {
	if n := len(run.Setup.Questions); n > 0 {
		return n, nil
	}
	d, err := w.Store.Dataset(ctx, run.Setup.Dataset.String())
	if err != nil {
		return 0, err
	}
	return len(d.Questions), nil
}
