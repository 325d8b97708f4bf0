package analyses

import (
	"context"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TrialPlan is what trying the recommended configurations of a diagnosed run would take, before any call.
type TrialPlan struct {
	RunID          string `json:"run_id"`
	DiagnoseID     string `json:"diagnose_id"`
	Configurations int    `json:"configurations"` // that were not tried yet
	Answers        int    `json:"answers"`        // that would be generated and judged again, over all configurations
	Calls          int    `json:"calls"`          // at most: what is known is not bought again
	Micros         int64  `json:"micros"`         // of these calls, at what a call of the run cost on average
	PriceKnown     bool   `json:"price_known"`
	Currency       string `json:"currency"`
	Free           bool   `json:"free"` // every model is offline: it happens by itself
}

// callsPerTrial are an answer and its two verdicts.
const callsPerTrial = 3

// PlanTrials says what trying the recommendations of a run's newest tested diagnosis would take, and buys nothing. NotFound where the
// run was not diagnosed.
func PlanTrials(ctx context.Context, w *app.Workbench, name string) (TrialPlan, error) {
	t, err := trialsOf(ctx, w, name)
	if err != nil {
		return TrialPlan{}, err
	}
	defer t.lab.Close()
	setup := t.e.Run.Setup
	plan := TrialPlan{RunID: t.e.Run.ID, DiagnoseID: t.diagnosis.ID, Currency: w.Config.Currency, PriceKnown: true,
		Free: freeToTry(setup)}
	for _, r := range t.open {
		plan.Configurations++
		plan.Answers += t.lab.TrialAnswers(r)
	}
	if plan.Free {
		return plan, nil
	}
	plan.Calls = callsPerTrial * plan.Answers
	spent, err := w.Store.Spent(ctx, t.e.Run.ID)
	if calls := float64(spent.Calls + spent.SavedCalls); calls > 0 {
		each := float64(spent.ConfirmedMicros+spent.PossibleMicros+spent.SavedMicros) / calls
		plan.Micros, plan.PriceKnown = int64(math.Ceil(each*float64(plan.Calls))), spent.UnknownPrice == 0
	}
	return plan, err
}

// TryRecommendations answers low-score and good questions of a diagnosed run again with each recommended configuration, and judges them:
// what was promised stands beside what happened afterwards. It is booked to a run of its own under the budget, and doing it again costs
// only what is missing.
func TryRecommendations(ctx context.Context, w *app.Workbench, name string, budget experiments.Budget) (experiments.Run, error) {
	t, err := trialsOf(ctx, w, name)
	if err != nil {
		return experiments.Run{}, err
	}
	defer t.lab.Close()
	if len(t.open) == 0 {
		return experiments.Run{}, problem.New(problem.Invalid, "nothing_to_try",
			"run %s has no recommended configuration that was not tried yet", t.e.Run.ID).
			WithHint("workbench diagnose %s --show", t.e.Run.ID)
	}
	if err := t.lab.Ready(ctx); err != nil {
		return experiments.Run{}, err
	}
	setup := t.diagnosis.Setup
	analysis := *setup.Analysis
	analysis.Method = trialMethod
	setup.Analysis, setup.Questions = &analysis, nil
	return Booked(ctx, w, experiments.Run{Kind: experiments.KindDiagnose, ParentID: t.e.Run.ID, Setup: setup, Budget: budget},
		func(ctx context.Context, stop <-chan struct{}) error {
			for _, r := range t.open {
				select {
				case <-stop:
					return app.ErrStopAsked
				default:
				}
				if err := t.try(ctx, r); err != nil {
					return err
				}
			}
			return nil
		})
}

// trialMethod marks a run that tries recommendations: it finds no causes.
const trialMethod = "trial"

// trials are the recommendations of a diagnosis that can be tried, and were not.
type trials struct {
	e         experiments.Evaluation
	diagnosis experiments.Run
	lab       *laboratory.RealLab
	stages    *rag.StageBatch // what the lab's stages give, stored with each recommendation
	open      []causes.Recommendation
}

// trialsOf finds them. The caller closes the lab.
func trialsOf(ctx context.Context, w *app.Workbench, name string) (*trials, error) {
	e, err := w.Evaluation(ctx, name)
	if err != nil {
		return nil, err
	}
	diagnosis, err := chosenDiagnosis(ctx, w, e.Run.ID, causes.Tested)
	if err != nil {
		return nil, err
	}
	return openTrials(ctx, w, diagnosis)
}

func openTrials(ctx context.Context, w *app.Workbench, diagnosis experiments.Run) (*trials, error) {
	stages := rag.NewStageBatch(w.Store)
	lab, e, err := labOf(ctx, w, diagnosis, stages)
	if err != nil {
		return nil, err
	}
	t := &trials{e: e, diagnosis: diagnosis, lab: lab, stages: stages}
	if e.Run.Setup.Corpus.Name == "" {
		return t, nil // nothing can be retrieved again
	}
	others, err := runsBeside(ctx, w, e.Run)
	if err != nil {
		lab.Close()
		return nil, err
	}
	found, err := diagnosed(ctx, w, e, diagnosis, inShort)
	for _, r := range causes.ToTry(e, found.found, found.in) {
		if err != nil {
			break
		}
		var tried bool
		_, tried, err = remembered[causes.RepairOutcome](ctx, w.Store, triedKind, diagnosis, r)
		if r.Applies && !tried && !e.Run.Setup.Config.IsOutside() && !slices.ContainsFunc(others, func(o experiments.Run) bool {
			return causes.Makes(e.Run, o, r, langOf(e)) // it was made since: nothing is to be tried
		}) {
			t.open = append(t.open, r)
		}
	}
	if err != nil {
		lab.Close()
		return nil, err
	}
	return t, nil
}

// try tries one recommendation, unless that is known already, and stores what came of it: hundreds of answers in one transaction. What
// was bought is in the ledger before.
func (t *trials) try(ctx context.Context, r causes.Recommendation) error {
	return t.stored(ctx, func() error {
		risk, err := t.risk(ctx, r)
		if err != nil {
			return err
		}
		r.AtRisk = risk.AtRisk
		_, err = rag.Remember(ctx, t.stages, triedKind, recommendationKey(triedKind, t.diagnosis, r),
			func(ctx context.Context) (causes.RepairOutcome, error) { return t.lab.TryRepairs(ctx, r, 1) })
		return err
	})
}

// weigh finds out which good answers lose their evidence by a recommendation, unless that is known already, and stores it.
func (t *trials) weigh(ctx context.Context, r causes.Recommendation) error {
	return t.stored(ctx, func() error {
		_, err := t.risk(ctx, r)
		return err
	})
}

func (t *trials) risk(ctx context.Context, r causes.Recommendation) (causes.RepairRisk, error) {
	return rag.Remember(ctx, t.stages, riskKind, recommendationKey(riskKind, t.diagnosis, r),
		func(ctx context.Context) (causes.RepairRisk, error) {
			return causes.RiskOf(ctx, t.lab, t.e, r.Changes())
		})
}

// stored does work and stores what its stages gave, also where it was broken off.
func (t *trials) stored(ctx context.Context, work func() error) error {
	err := work()
	if kept := t.stages.Flush(context.WithoutCancel(ctx)); err == nil {
		return kept
	}
	return err
}

// freeToTry reports whether trying a configuration buys nothing.
func freeToTry(s experiments.Setup) bool {
	c := s.Config
	return s.Offline && c.Generate.Provider == "offline" && c.Embedding.Provider == "offline" && !c.Rewrite.Asks() &&
		!c.Rerank.Asks()
}

// weighRecommendations does by itself what costs nothing: it tries the recommended configurations where every model is offline, and else
// finds out which good answers lose their evidence by them. What has to be bought is left to [TryRecommendations].
func weighRecommendations(ctx context.Context, w *app.Workbench, run experiments.Run) error {
	t, err := openTrials(ctx, w, run)
	if err != nil {
		return err
	}
	defer t.lab.Close()
	c := t.e.Run.Setup.Config
	ctx = llm.WithScope(ctx, llm.Scope{RunID: run.ID})
	for _, r := range t.open {
		switch {
		case freeToTry(t.e.Run.Setup):
			err = t.try(ctx, r)
		case !c.Rewrite.Asks() && !c.Rerank.Asks() && (c.Embedding.Provider == "offline" || !r.Embeds()):
			err = t.weigh(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
