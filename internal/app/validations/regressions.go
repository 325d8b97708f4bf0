package validations

import (
	"context"
	"math"

	"github.com/rag-workbench/workbench/internal/analysis/simulation"
	"github.com/rag-workbench/workbench/internal/app"
	appvotes "github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// SelfRules bound a comparison of an experiment with itself. Zero fields take the recommended value.
type SelfRules struct {
	Votes  int                // for each question; 6, which is three for each arm, the fewest that the guard confirms from
	Splits int                // comparisons that the votes are dealt into; 20
	Seed   uint64             // of the dealing
	Budget experiments.Budget // of everything that is bought
}

// The recommended numbers and bounds of [SelfRules].
const (
	selfVotes, mostSelfVotes = 6, 16
	selfSplits               = 20
)

// SelfTest is the comparison of an experiment with itself: what it took and what it showed.
type SelfTest struct {
	Experiment string   `json:"experiment"`
	RunID      string   `json:"run_id,omitempty"` // the run whose replicates were compared
	Children   []string `json:"children"`         // runs that hold the replicates bought now
	// generator and judge are deterministic: there is no noise, and nothing was bought
	Settled bool                       `json:"settled"`
	Bought  int                        `json:"bought"`      // votes
	Calls   int                        `json:"calls"`       // that they took
	Micros  int64                      `json:"micros"`      // and cost, calls included whose reply never arrived
	Known   bool                       `json:"price_known"` // false: some model has no price, and Micros leaves it out
	Result  *simulation.SelfComparison `json:"result,omitempty"`
}

func (r SelfRules) complete() (SelfRules, error) {
	if r.Votes == 0 {
		r.Votes = selfVotes
	}
	if r.Splits == 0 {
		r.Splits = selfSplits
	}
	if r.Votes < 2 || r.Votes > mostSelfVotes {
		return r, problem.New(problem.Invalid, "replicates", "%d votes for each question were asked for; 2 to %d make sense", r.Votes,
			mostSelfVotes).
			WithHint("%d give the regression guard the three in each arm that it needs", selfVotes)
	}
	return r, nil
}

// PlanSelf says what comparing an experiment with itself would buy, and buys nothing. Where the experiment has not run yet the
// price of the replicates follows from the plan of the first vote.
func PlanSelf(ctx context.Context, w *app.Workbench, e experiments.Experiment, s app.Select, rules SelfRules) (appvotes.VotePrice, error) {
	rules, err := rules.complete()
	if err != nil {
		return appvotes.VotePrice{}, err
	}
	job, err := w.Job(ctx, e, s)
	if err != nil {
		return appvotes.VotePrice{}, err
	}
	price := appvotes.VotePrice{Known: true, Currency: w.Config.Currency}
	if job.Setup.Settled {
		return price, nil
	}
	run, found, err := sameSetup(ctx, w, job.Setup)
	if err != nil {
		return price, err
	}
	if found && run.State == experiments.Finished {
		evaluation, err := experiments.LoadEvaluation(ctx, w.Store, run.ID)
		if err != nil {
			return price, err
		}
		cost, err := appvotes.CostOfVote(ctx, w, [2]experiments.Evaluation{evaluation, evaluation})
		votes := 0
		for _, questions := range appvotes.VotesTo(evaluation, rules.Votes) {
			votes += len(questions)
		}
		return appvotes.PriceOf(w, cost, votes), err
	}
	plan, err := w.Plan(ctx, []app.Job{job})
	if err != nil {
		return price, err
	}
	price.Votes, price.Calls, price.Micros, price.Known = rules.Votes*len(job.Questions), plan.ExpectedBuy, plan.ExpectedMicros,
		plan.PriceKnown
	for _, stage := range plan.Stages {
		if stage.Stage == "embed" {
			continue // equal texts have equal vectors: bought once
		}
		each := stage.Known + stage.ExpectedBuy
		price.Calls += (rules.Votes - 1) * each
		price.Known = price.Known && (stage.ExpectedBuy > 0 || each == 0)
		price.Micros += int64(math.Ceil(float64(rules.Votes-1) * float64(each) / float64(max(1,
			stage.ExpectedBuy)) * float64(stage.ExpectedMicros)))
	}
	return price, nil
}

// CompareSelf runs an experiment, asks every question again in child runs until it has the votes, and compares the votes with
// each other: everything that differs is noise. A run of the same setup and its replicates are taken over, so that another
// call goes on where one stopped. Where generator and judge are deterministic it says so and buys nothing.
func CompareSelf(ctx context.Context, w *app.Workbench, e experiments.Experiment, s app.Select, rules SelfRules) (SelfTest, error) {
	out := SelfTest{Experiment: e.Name, Children: []string{}, Known: true}
	rules, err := rules.complete()
	if err != nil {
		return out, err
	}
	job, err := w.Job(ctx, e, s)
	if err != nil {
		return out, err
	}
	if out.Settled = job.Setup.Settled; out.Settled {
		return out, nil
	}
	run, err := baseOf(ctx, w, job, rules.Budget, &out)
	if err != nil {
		return out, err
	}
	if _, err := appvotes.ResumeVotes(ctx, w, run, appvotes.VerifyRules{Budget: out.left(rules.Budget)}); err != nil {
		return out, err
	}
	evaluation, err := experiments.LoadEvaluation(ctx, w.Store, run.ID)
	if err != nil {
		return out, err
	}
	for _, questions := range appvotes.VotesTo(evaluation, rules.Votes) {
		child, err := appvotes.Vote(ctx, w, run, questions, out.left(rules.Budget))
		if child.ID != "" {
			out.Children = append(out.Children, child.ID)
			if err := addSpent(ctx, w, &out, child.ID, len(questions)); err != nil {
				return out, err
			}
		}
		if err != nil {
			return out, err
		}
	}
	if evaluation, err = experiments.LoadEvaluation(ctx, w.Store, run.ID); err != nil {
		return out, err
	}
	result, err := simulation.CompareWithItself(evaluation, rules.Splits, rules.Seed)
	out.Result = &result
	return out, err
}

// baseOf returns the finished run of a job: an earlier one of the same setup, or a new one.
func baseOf(ctx context.Context, w *app.Workbench, job app.Job, budget experiments.Budget, out *SelfTest) (experiments.Run, error) {
	run, found, err := sameSetup(ctx, w, job.Setup)
	if err != nil {
		return run, err
	}
	switch {
	case found && run.State == experiments.Finished:
		out.RunID = run.ID
		return run, nil
	case found:
		if err := w.Store.SetBudget(ctx, run.ID, budget); err != nil {
			return run, err
		}
		out.RunID = run.ID
		if run, err = w.Work(ctx, run.ID); err != nil {
			return run, err
		}
	default:
		job.Budget = budget
		run, err = w.Run(ctx, job)
		out.RunID = run.ID
		if err != nil {
			return run, err
		}
	}
	return run, addSpent(ctx, w, out, run.ID, len(job.Questions))
}

// sameSetup finds the newest run of a setup that is finished, or else one that can be resumed.
func sameSetup(ctx context.Context, w *app.Workbench, setup experiments.Setup) (found experiments.Run, ok bool, err error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{Experiment: setup.Experiment, Kind: experiments.KindEvaluate})
	if err != nil {
		return found, false, err
	}
	digest := setup.Digest()
	for _, r := range runs {
		if r.SetupDigest != digest || r.ParentID != "" {
			continue
		}
		if r.State == experiments.Finished {
			return r, true, nil
		}
		if !ok && r.SweepID == "" && (r.State == experiments.Paused || r.State == experiments.Queued) {
			found, ok = r, true
		}
	}
	return found, ok, nil
}

func addSpent(ctx context.Context, w *app.Workbench, out *SelfTest, runID string, votes int) error {
	spent, err := w.Store.Spent(ctx, runID)
	if err != nil {
		return err
	}
	out.Known = out.Known && spent.UnknownPrice == 0
	out.Bought, out.Calls, out.Micros = out.Bought+votes, out.Calls+spent.Calls, out.Micros+spent.ConfirmedMicros+spent.PossibleMicros
	return nil
}

// left is what is left of a budget, never nothing: what may buy nothing stops at its first call.
func (t SelfTest) left(b experiments.Budget) experiments.Budget {
	return appvotes.VerifyState{Calls: t.Calls, Micros: t.Micros}.Left(b)
}
