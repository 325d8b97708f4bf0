package views

import (
	"context"
	"strconv"

	"github.com/rag-workbench/workbench/internal/app"
	appjobs "github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// SearchOrder is a sweep that looks for its winner with fewer answers. The budget of the rules is that of the order.
type SearchOrder struct {
	appjobs.Order
	Rules sweeps.SearchRules `json:"rules,omitzero"`
}

// WithOwnRules is the order with what the experiment itself says of its sweep.
func (o SearchOrder) WithOwnRules(ctx context.Context, b *appjobs.Background) (SearchOrder, error) {
	e, err := b.W.Store.Experiment(ctx, o.Experiment)
	o.Rules = sweeps.RulesOf(e, o.Rules)
	return o, err
}

// PlanSearch says what a search would take, without buying anything.
func PlanSearch(ctx context.Context, b *appjobs.Background, o SearchOrder) (sweeps.SearchPlan, app.Plan, error) {
	e, jobs, err := searchJobs(ctx, b, o)
	if err != nil {
		return sweeps.SearchPlan{}, app.Plan{}, err
	}
	search, plan, err := sweeps.PlanSearch(ctx, b.W, e, jobs, o.Rules)
	if plan.Stages == nil {
		plan.Stages = []app.StagePlan{}
	}
	return search, plan, err
}

// StartSearch looks for the winner of a sweep in the background. The sweeps of its stages are among the runs of the work, its result is a
// [sweeps.Search]. Under a key that was used before it returns the job of then. The row says what is searched; it has no id,
// because a search has several sweeps.
func StartSearch(ctx context.Context, b *appjobs.Background, o SearchOrder, key string) (app.RunRow, appjobs.Work, error) {
	e, jobs, err := searchJobs(ctx, b, o)
	if err != nil {
		return app.RunRow{}, appjobs.Work{}, err
	}
	rules := o.Rules
	rules.Budget = jobs[0].Budget
	row := app.RunRowOf(experiments.Run{
		Kind: experiments.KindSweep, Setup: jobs[0].Setup, State: experiments.Queued, Budget: rules.Budget, CreatedAt: b.W.Options.Now(),
		Params: []experiments.Param{{Name: "stage", Value: "search"}},
	}, map[string]bool{})
	begin := func(ctx context.Context) (appjobs.Work, error) {
		if err := b.W.Preflight(ctx, jobs[0].Setup.Config, jobs[0].Questions); err != nil {
			return appjobs.Work{}, err
		}
		id := appjobs.WorkID("search", e.Name, strconv.Itoa(e.Revision), jobs[0].Setup.Digest(), strconv.Itoa(rules.Screen),
			strconv.Itoa(rules.Best.Top), rules.Best.By, strconv.FormatBool(rules.Halving),
			strconv.FormatBool(rules.Confirm), strconv.FormatUint(rules.Seed, 10))
		return b.Begin("search", id, o, func(ctx context.Context, change func(func(*appjobs.Work))) error {
			return search(ctx, b, change, e, jobs, rules)
		})
	}
	w, err := b.WorkOnce(ctx, "searches", key, o, begin)
	return row, w, err
}

func search(ctx context.Context, b *appjobs.Background, change func(func(*appjobs.Work)), e experiments.Experiment, jobs []app.Job,
	rules sweeps.SearchRules) error {
	search, err := sweeps.SearchSweep(ctx, b.W, e, jobs, rules, nil)
	change(func(w *appjobs.Work) {
		for _, s := range search.Stages {
			w.Runs = append(w.Runs, s.SweepID)
		}
		if n := len(w.Runs); search.SweepID != "" && (n == 0 || w.Runs[n-1] != search.SweepID) {
			w.Runs = append(w.Runs, search.SweepID) // of the stage that was broken off
		}
		w.Done, w.Total = search.Answers, search.Answers
	})
	if keepErr := appjobs.KeepResult(change, search); err == nil {
		err = keepErr
	}
	return err
}

func searchJobs(ctx context.Context, b *appjobs.Background, o SearchOrder) (experiments.Experiment, []app.Job, error) {
	e, jobs, err := b.Jobs(ctx, o.Order, true)
	if err != nil {
		return e, nil, err
	}
	return e, jobs, sweeps.Searchable(jobs, o.Rules)
}
