package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// StartBody says what to run. It may name registered experiments only.
type StartBody struct {
	Experiment string   `json:"experiment" minLength:"1" maxLength:"200" doc:"name of a registered experiment"`
	Questions  []string `json:"questions,omitempty" maxItems:"100000" doc:"question ids; none means all that the rest leaves"`
	Limit      int      `json:"limit,omitempty" minimum:"0" doc:"only the first questions; 0 is all"`
	Filter     []string `json:"filter,omitempty" maxItems:"20" doc:"tags that a question must have, all of them"`
	Budget     string   `json:"budget,omitempty" maxLength:"40" doc:"an amount in the currency of the price list (2.50), or a number of calls (500calls)"`
}

func (b StartBody) order() jobs.Order {
	return jobs.Order{Experiment: b.Experiment, Questions: b.Questions, Limit: b.Limit, Filter: b.Filter, Budget: b.Budget}
}

// OnceKey makes a request that is sent twice do its work once.
type OnceKey struct {
	Key string `header:"Idempotency-Key" maxLength:"200" doc:"the same key with the same request gives the same run"`
}

type startInput struct {
	OnceKey
	Body StartBody
}

type planInput struct {
	Body StartBody
}

func (s *runsAPI) startRun(ctx context.Context, in *startInput) (app.RunRow, error) {
	requests.NotedBudget(ctx, in.Body.Budget)
	return s.work.StartRun(ctx, in.Body.order(), in.Key)
}

func (s *runsAPI) planRun(ctx context.Context, in *planInput) (app.Plan, error) {
	return s.work.Plan(ctx, in.Body.order(), false)
}

func (s *runsAPI) pauseRun(ctx context.Context, in *RunPath) (app.RunRow, error) {
	return s.work.Ask(ctx, in.ID, experiments.Paused)
}

func (s *runsAPI) cancelRun(ctx context.Context, in *RunPath) (app.RunRow, error) {
	return s.work.Ask(ctx, in.ID, experiments.Cancelled)
}

// BudgetBody gives a run another budget.
type BudgetBody struct {
	Budget string `json:"budget,omitempty" maxLength:"40" doc:"from now on, what was spent included: an amount (2.50) or a number of calls (500calls)"`
}

type resumeInput struct {
	RunPath
	OnceKey
	Body *BudgetBody `required:"false"`
}

func (in *resumeInput) budget() string {
	if in.Body == nil {
		return ""
	}
	return in.Body.Budget
}

func (s *runsAPI) resumeRun(ctx context.Context, in *resumeInput) (app.RunRow, error) {
	requests.NotedBudget(ctx, in.budget())
	return s.work.Resume(ctx, in.ID, in.budget())
}

func (s *runsAPI) retryErrors(ctx context.Context, in *resumeInput) (app.RunRow, error) {
	requests.NotedBudget(ctx, in.budget())
	return s.work.RetryErrors(ctx, in.ID, in.budget(), in.Key)
}

type replicateInput struct {
	RunPath
	OnceKey
	Body struct {
		N int `json:"n" minimum:"1" maximum:"10" doc:"how often to ask everything again"`
	}
}

func (s *runsAPI) replicateRun(ctx context.Context, in *replicateInput) (Job, error) {
	return job(s.work.Replicate(ctx, in.ID, in.Body.N, in.Key))
}

type pinInput struct {
	RunPath
	Body struct {
		Pinned bool `json:"pinned" doc:"keep the raw replies that the run rests on from being pruned"`
	}
}

func (s *runsAPI) changeRun(ctx context.Context, in *pinInput) (views.RunDetail, error) {
	if _, err := app.Pin(ctx, s.workbench, in.ID, in.Body.Pinned); err != nil {
		return views.RunDetail{}, err
	}
	return s.views.Run(ctx, in.ID)
}

func (s *runsAPI) deleteRun(ctx context.Context, in *RunPath) error {
	return views.DeleteRun(ctx, s.workbench, in.ID)
}

// Job is something under way that is not one run.
type Job struct {
	ID      string            `json:"id"`
	Kind    string            `json:"kind"`
	State   string            `json:"state" enum:"running,done,failed"`
	Done    int               `json:"done"`
	Total   int               `json:"total" doc:"0 while nobody knows"`
	Problem *requests.Problem `json:"problem,omitempty" doc:"why it failed"`
	Runs    []string          `json:"runs" doc:"that it made so far"`
	Result  bool              `json:"result" doc:"what it found is at /jobs/{id}/result"`
	File    string            `json:"file,omitempty" doc:"name of the file that it wrote, which is at /jobs/{id}/file"`
}

func job(w jobs.Work, err error) (Job, error) {
	j := Job{ID: w.ID, Kind: w.Kind, State: string(w.State), Done: w.Done, Total: w.Total, Runs: w.Runs,
		Result: w.Result != nil, File: w.File}
	if j.Runs == nil {
		j.Runs = []string{}
	}
	if w.Problem != nil {
		j.Problem = requests.FromProblem(w.Problem)
	}
	return j, err
}

type jobPath struct {
	ID string `path:"id" maxLength:"100"`
}

func (s *jobsAPI) getJob(ctx context.Context, in *jobPath) (Job, error) {
	return job(s.work.Work(ctx, in.ID))
}

// VerifyBody says which comparison to verify and what that may cost.
type VerifyBody struct {
	Baseline  string `json:"baseline,omitempty" maxLength:"200" doc:"run; default the pinned baseline"`
	Candidate string `json:"candidate" minLength:"1" maxLength:"200"`
	Plan      bool   `json:"plan,omitempty" doc:"only say what it would buy"`
	Votes     int    `json:"votes,omitempty" minimum:"0" doc:"answers asked and judged again at most; 0 is the recommended bound"`
	Budget    string `json:"budget,omitempty" maxLength:"40"`
	Alone     bool   `json:"no_pairwise,omitempty" doc:"do not have answers that tie compared with each other"`
}

type verifyInput struct {
	OnceKey
	Body VerifyBody
}

// Verification is a plan, and the job where one was started.
type Verification struct {
	Plan votes.VerifyState `json:"plan"`
	End  *findings.Text    `json:"end,omitempty" doc:"why nothing is asked, where that is so"`
	Job  *Job              `json:"job,omitempty"`
}

func (s *comparisonsAPI) verify(ctx context.Context, in *verifyInput) (Verification, error) {
	rules, err := jobs.RulesOf(in.Body.Votes, in.Body.Budget)
	if err != nil {
		return Verification{}, err
	}
	rules.Alone = in.Body.Alone
	plan, err := votes.PlanVerify(ctx, s.workbench, in.Body.Baseline, in.Body.Candidate, rules)
	if err != nil {
		return Verification{}, err
	}
	out := Verification{Plan: plan}
	if plan.AsksNothing() {
		end := findings.VerifyEnd(plan.Next.Stop)
		out.End = &end
	}
	if requests.OnlyPlans(ctx, in.Body.Plan) {
		return out, nil
	}
	started, err := job(s.work.Verify(ctx, plan, rules, in.Key))
	out.Job = &started
	return out, err
}
