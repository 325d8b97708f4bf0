package app

import (
	"context"
	"strconv"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// SearchOrder is a sweep that looks for its winner with fewer answers. The budget of the rules is that of the order.
type SearchOrder struct {
	Order
	Rules SearchRules `json:"rules,omitzero"`
}

// PlanSearch says what a search would take, without buying anything.
func (b *Background) PlanSearch(ctx context.Context, o SearchOrder) (SearchPlan, Plan, error) {
	_, jobs, err := b.searchJobs(ctx, o)
	if err != nil {
		return SearchPlan{}, Plan{}, err
	}
	search, plan, err := b.w.PlanSearch(ctx, jobs, o.Rules)
	if plan.Stages == nil {
		plan.Stages = []StagePlan{}
	}
	return search, plan, err
}

// StartSearch looks for the winner of a sweep in the background. The sweeps of its stages are among the runs of the work, its result is a
// [Search]. Under a key that was used before it returns the job of then. The row says what is searched; it has no id, because a search has several sweeps.
func (b *Background) StartSearch(ctx context.Context, o SearchOrder, key string) (RunRow, Work, error) {
	e, jobs, err := b.searchJobs(ctx, o)
	if err != nil {
		return RunRow{}, Work{}, err
	}
	rules := o.Rules
	rules.Budget = jobs[0].Budget
	row := runRowOf(experiments.Run{
		Kind: experiments.KindSweep, Setup: jobs[0].Setup, State: experiments.Queued, Budget: rules.Budget, CreatedAt: b.w.options.Now(),
		Params: []experiments.Param{{Name: "stage", Value: "search"}},
	}, map[string]bool{})
	begin := func(ctx context.Context) (Work, error) {
		if err := b.w.preflight(ctx, jobs[0].Setup.Config, jobs[0].Questions); err != nil {
			return Work{}, err
		}
		id := workID("search", e.Name, strconv.Itoa(e.Revision), jobs[0].Setup.Digest(), strconv.Itoa(rules.Screen), strconv.FormatBool(rules.Halving),
			strconv.FormatBool(rules.Confirm), strconv.FormatUint(rules.Seed, 10))
		return b.begin("search", id, o, func(ctx context.Context, change func(func(*Work))) error {
			return b.search(ctx, change, e, jobs, rules)
		})
	}
	w, err := b.workOnce(ctx, "searches", key, o, begin)
	return row, w, err
}

func (b *Background) search(ctx context.Context, change func(func(*Work)), e experiments.Experiment, jobs []Job, rules SearchRules) error {
	search, err := b.w.SearchSweep(ctx, e, jobs, rules, nil)
	change(func(w *Work) {
		for _, s := range search.Stages {
			w.Runs = append(w.Runs, s.SweepID)
		}
		if n := len(w.Runs); search.SweepID != "" && (n == 0 || w.Runs[n-1] != search.SweepID) {
			w.Runs = append(w.Runs, search.SweepID) // of the stage that was broken off
		}
		w.Done, w.Total = search.Answers, search.Answers
	})
	if keepErr := keepResult(change, search); err == nil {
		err = keepErr
	}
	return err
}

func (b *Background) searchJobs(ctx context.Context, o SearchOrder) (experiments.Experiment, []Job, error) {
	e, jobs, err := b.jobs(ctx, o.Order, true)
	if err != nil {
		return e, nil, err
	}
	return e, jobs, searchable(jobs, o.Rules)
}
