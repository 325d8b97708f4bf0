package sweeps

import (
	"context"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// SearchPlan says what looking for the winner of a sweep would take.
type SearchPlan struct {
	Screen  *Screening   `json:"screen,omitempty"` // what screening found; absent where it was not asked for or would buy embeddings
	Stages  []stats.Rung `json:"stages"`
	Answers int          `json:"answers"` // that the stages ask for, each question of each configuration once
	Full    int          `json:"full"`    // that running everything would ask for
	Calls   int          `json:"calls"`   // estimate of the calls to buy in all stages
	Micros  int64        `json:"micros"`  // and of their price
}

// On reports whether there is anything to search by: without it a sweep runs everything.
func (r SearchRules) On() bool { return r.screens() || r.Halving || r.Confirm }

// PlanSearch says what a search would take, without buying anything. Screening that costs nothing is done; of a race the first stage is
// planned to the call and the others follow from it. The plan beside it is that of everything that is left, as if there were no stages.
func PlanSearch(ctx context.Context, w *app.Workbench, e experiments.Experiment, jobs []app.Job, rules SearchRules) (SearchPlan, app.Plan,
	error) {
	out := SearchPlan{Full: len(jobs) * len(jobs[0].Questions)}
	var plan app.Plan
	var err error
	goOn := 0 // configurations that go on after screening; 0: all
	if rules.screens() {
		all := jobs
		if out.Screen, jobs, err = PlanScreen(ctx, w, jobs, rules.pick()); err != nil {
			return out, plan, err
		}
		if out.Screen == nil {
			if goOn, err = mostKept(jobs, rules.pick()); err != nil {
				return out, plan, err
			}
		}
		kept := len(jobs)
		if jobs, err = rules.withBase(ctx, w, e, all, jobs); err != nil {
			return out, plan, err
		}
		if goOn > 0 { // the base may be none of them
			goOn = min(len(jobs), goOn+max(len(jobs)-kept, counted(rules.Best.Top > 0)))
		}
	}
	if plan, err = w.Plan(ctx, jobs); err != nil {
		return out, plan, err
	}
	racing := jobs
	if goOn > 0 {
		racing = jobs[:goOn]
	}
	out.Stages = []stats.Rung{{Candidates: len(racing), Items: len(jobs[0].Questions)}}
	if rules.Halving {
		if out.Stages, err = HalvingPlan(racing); err != nil {
			return out, plan, err
		}
	}
	out.Answers = stats.Evaluations(out.Stages)
	out.share(plan, len(jobs), len(jobs)*len(jobs[0].Questions), rules.Confirm && !jobs[0].Setup.Settled)
	return out, plan, nil
}

// share works out calls and price of a search from the plan of everything: vectors are bought for all, the rest for those that are
// answered, once more for a winner that is confirmed.
func (p *SearchPlan) share(plan app.Plan, jobs, whole int, confirm bool) {
	vectors, micros := 0, int64(0)
	for _, s := range plan.Stages {
		if s.Stage == "embed" {
			vectors, micros = s.ExpectedBuy, s.ExpectedMicros
		}
	}
	part := float64(p.Answers) / float64(whole)
	if confirm {
		part += 1 / float64(jobs)
	}
	p.Calls = vectors + int(math.Ceil(float64(plan.ExpectedBuy-vectors)*part))
	p.Micros = micros + int64(math.Ceil(float64(plan.ExpectedMicros-micros)*part))
}

func counted(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Searchable refuses what a search would refuse in its first step, before anything is begun.
func Searchable(jobs []app.Job, rules SearchRules) error {
	if rules.Halving {
		if _, err := HalvingPlan(jobs); err != nil {
			return problem.From(err).With("field", "halving")
		}
	}
	if !rules.screens() {
		return nil
	}
	if err := screenable(jobs, rules.pick()); err != nil {
		return problem.From(err).With("field", "screen")
	}
	return nil
}

func screenable(jobs []app.Job, pick Pick) error {
	if err := pick.check(); err != nil {
		return err
	}
	if _, err := waysOf(jobs, pick.Best.Top > 0); err != nil {
		return err
	}
	if !slices.ContainsFunc(jobs[0].Questions, func(q experiments.Question) bool { return len(q.Evidence) > 0 }) {
		return noEvidence(jobs)
	}
	return nil
}

func badScreen(most int) error {
	return problem.New(problem.Invalid, "screen", "screening was asked to keep %d ways to retrieve; 1 to %d make sense", most,
		compare.MostScreened).
		WithHint("workbench sweep NAME --screen %d", compare.MostScreened)
}

func noEvidence(jobs []app.Job) error {
	return problem.New(problem.Invalid, "no_evidence", "no question of %s has evidence spans, so retrieval cannot be scored by itself",
		jobs[0].Setup.Dataset).
		WithHint("import the questions with evidence (document and quote), or run the sweep without --screen")
}
