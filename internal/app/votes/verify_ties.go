package votes

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// planTies says what comparing the answers that tie would buy at most.
func planTies(ctx context.Context, w *app.Workbench, c compare.Comparison, both [2]experiments.Evaluation,
	rules VerifyRules) (VotePrice, error) {
	price := VotePrice{Known: true, Currency: w.Config.Currency}
	if rules.Alone || len(c.OpenTies) == 0 {
		return price, nil
	}
	plan, err := w.Planned(ctx, both[1].Run.Setup.Experiment,
		func(t *app.Tally) error { return preferAll(ctx, c, both, t, &rag.MemoryStages{}, nil) })
	price.Votes, price.Calls, price.Micros, price.Known = len(c.OpenTies), plan.Buy, plan.PriceMicros, plan.PriceKnown
	return price, err
}

// breakTies buys the comparisons of answers that tie, booked to a child run of the candidate that is no vote, under what is left of the
// budget. Doing it again costs only what is missing.
func breakTies(ctx context.Context, w *app.Workbench, v VerifyState, rules VerifyRules) (VerifyState, error) {
	if rules.Alone {
		return v, nil
	}
	c, both, err := w.Compare(ctx, v.Baseline, v.Candidate)
	if err != nil || len(c.OpenTies) == 0 {
		return v, err
	}
	run := both[1].Run
	first := experiments.Run{Kind: experiments.KindVerify, ParentID: run.ID, Params: run.Params, Setup: run.Setup,
		Budget: v.Left(rules.Budget)}
	child, err := analyses.Booked(ctx, w, first, func(ctx context.Context, stop <-chan struct{}) error {
		return preferAll(ctx, c, both, w.Providers, w.Store, stop)
	})
	if child.ID != "" {
		v.Runs = append(v.Runs, child.ID)
		if spent, told := w.Store.Spent(ctx, child.ID); told == nil {
			v.Calls, v.Micros = v.Calls+spent.Calls, v.Micros+spent.ConfirmedMicros+spent.PossibleMicros
		}
	}
	return v, err
}

// preferAll asks for every comparison that is open.
func preferAll(ctx context.Context, c compare.Comparison, both [2]experiments.Evaluation, providers rag.Providers, stages rag.Stages,
	stop <-chan struct{}) error {
	suite, err := metrics.NewSuite(nil, both[1].Run.Setup.Judge, providers, stages)
	if err != nil {
		return err
	}
	renamed := map[string]string{}
	for _, r := range c.Renamed {
		renamed[r.After] = r.Before
	}
	for _, id := range c.OpenTies {
		select {
		case <-stop:
			return app.ErrStopAsked
		default:
		}
		was := id
		if old, ok := renamed[id]; ok {
			was = old
		}
		before, had := both[0].Result(was)
		after, has := both[1].Result(id)
		at := slices.IndexFunc(both[1].Questions, func(q experiments.Question) bool { return q.ID == id })
		if !had || !has || at < 0 || before.Answer == nil || after.Answer == nil {
			continue
		}
		scope := llm.ScopeOf(ctx)
		scope.QuestionID, scope.Stage = id, "judge"
		_, err := suite.Prefer(llm.WithScope(ctx, scope), both[1].Questions[at].Sample(nil, rag.Answer{}), before.Answer.Text,
			after.Answer.Text)
		if err != nil && (ctx.Err() != nil || llm.Fatal(err)) {
			return err // what else goes wrong with one question leaves it a tie
		}
	}
	return nil
}
