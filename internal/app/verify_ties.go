package app

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// comparing are the choices of every comparison, whichever door asks for it: what the judge found in answers, and which of two answers that
// tie it prefers. It buys nothing: a judge that is free is asked, of another its stored replies are read.
func (w *Workbench) comparing(ctx context.Context, setup experiments.Setup) compare.Options {
	return compare.Options{Facts: w.facts(ctx), Preferences: w.preferences(ctx, setup)}
}

// preferences read comparisons of two answers; nil where the setup turned them off, or its judge is not configured here any more.
func (w *Workbench) preferences(ctx context.Context, setup experiments.Setup) func(experiments.Question, *experiments.Result, *experiments.Result) (compare.Movement, bool) {
	if setup.Pairwise == experiments.PairwiseOff {
		return nil
	}
	provider, err := w.providers.Provider(setup.Judge.Provider)
	if err != nil {
		return nil
	}
	stages := rag.Stages(w.Store)
	if provider.Info().Free {
		stages = newMemory() // computed anew where it is looked at: reading writes nothing
	}
	suite, err := metrics.NewSuite(nil, setup.Judge, w.providers, stages)
	if err != nil {
		return nil
	}
	return func(q experiments.Question, before, after *experiments.Result) (compare.Movement, bool) {
		if before.Answer == nil || after.Answer == nil {
			return compare.Level, true
		}
		sample, b, a := q.Sample(nil, rag.Answer{}), before.Answer.Text, after.Answer.Text
		if provider.Info().Free {
			p, err := suite.Prefer(ctx, sample, b, a)
			return compare.MovementOf(p), err == nil
		}
		p, known, err := suite.Preferred(ctx, sample, b, a)
		return compare.MovementOf(p), known && err == nil
	}
}

// planTies says what comparing the answers that tie would buy at most.
func (w *Workbench) planTies(ctx context.Context, baseline, candidate string, rules VerifyRules) (VotePrice, error) {
	price := VotePrice{Known: true, Currency: w.Config.Currency}
	c, both, err := w.Compare(ctx, baseline, candidate)
	if err != nil || rules.Alone || len(c.OpenTies) == 0 {
		return price, err
	}
	plan, err := w.planned(ctx, both[1].Run.Setup.Experiment, func(t *tally) error { return preferAll(ctx, c, both, t, newMemory(), nil) })
	price.Votes, price.Calls, price.Micros, price.Known = len(c.OpenTies), plan.Buy, plan.PriceMicros, plan.PriceKnown
	return price, err
}

// breakTies buys the comparisons of answers that tie, booked to a child run of the candidate that is no vote, under what is left of the
// budget. Doing it again costs only what is missing.
func (w *Workbench) breakTies(ctx context.Context, v VerifyState, rules VerifyRules) (VerifyState, error) {
	if rules.Alone {
		return v, nil
	}
	c, both, err := w.Compare(ctx, v.Baseline, v.Candidate)
	if err != nil || len(c.OpenTies) == 0 {
		return v, err
	}
	run := both[1].Run
	first := experiments.Run{Kind: experiments.KindVerify, ParentID: run.ID, Params: run.Params, Setup: run.Setup, Budget: v.left(rules.Budget)}
	child, err := w.booked(ctx, first, func(ctx context.Context, stop <-chan struct{}) error {
		return preferAll(ctx, c, both, w.providers, w.Store, stop)
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
func preferAll(ctx context.Context, c compare.Comparison, both [2]experiments.Evaluation, providers rag.Providers, stages rag.Stages, stop <-chan struct{}) error {
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
			return errStopAsked
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
		_, err := suite.Prefer(llm.WithScope(ctx, scope), both[1].Questions[at].Sample(nil, rag.Answer{}), before.Answer.Text, after.Answer.Text)
		if err != nil && (ctx.Err() != nil || llm.Fatal(err)) {
			return err // what else goes wrong with one question leaves it a tie
		}
	}
	return nil
}
