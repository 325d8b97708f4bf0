package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

func (s *causesAPI) getCauses(ctx context.Context, in *RunPath) (views.CauseView, error) {
	return s.views.Causes(ctx, in.ID)
}

func (s *causesAPI) getQuestionReport(ctx context.Context, in *RunPath) (questions.QuestionReport, error) {
	return s.views.QuestionReport(ctx, in.ID)
}

type diagnoseInput struct {
	RunPath
	OnceKey
	Body struct {
		Plan   bool     `json:"plan,omitempty" doc:"only say what it would take"`
		Method string   `json:"method,omitempty" enum:"tested,observed,paper" doc:"default tested where the system can be intervened in, else observed"`
		Limit  int      `json:"limit,omitempty" minimum:"0" doc:"only the first low scores; 0 is all"`
		Filter []string `json:"filter,omitempty" maxItems:"20" doc:"tags that a question must have, all of them"`
		Budget string   `json:"budget,omitempty" maxLength:"40"`
	}
}

// Diagnosing is a plan, and the job where one was started.
type Diagnosing struct {
	Plan analyses.DiagnosePlan `json:"plan"`
	Job  *Job                  `json:"job,omitempty"`
}

func (s *causesAPI) diagnose(ctx context.Context, in *diagnoseInput) (Diagnosing, error) {
	budget, err := budgetOf(in.Body.Budget)
	if err != nil {
		return Diagnosing{}, err
	}
	rules := analyses.DiagnoseRules{Method: causes.CauseMethod(in.Body.Method), Budget: budget,
		Select: app.Select{Limit: in.Body.Limit, Filter: in.Body.Filter}}
	plan, err := views.PlanDiagnose(ctx, s.work, in.ID, rules)
	if err != nil || requests.OnlyPlans(ctx, in.Body.Plan) {
		return Diagnosing{Plan: plan}, err
	}
	started, err := job(views.Diagnose(ctx, s.work, plan, rules, in.Key))
	return Diagnosing{Plan: plan, Job: &started}, err
}

type tryInput struct {
	RunPath
	OnceKey
	Body struct {
		Plan   bool   `json:"plan,omitempty" doc:"only say what it would take"`
		Budget string `json:"budget,omitempty" maxLength:"40"`
	}
}

// Trying is the plan of a trial of recommendations, and the job where one was started.
type Trying struct {
	Plan analyses.TrialPlan `json:"plan"`
	Job  *Job               `json:"job,omitempty"`
}

func (s *causesAPI) tryRecommendations(ctx context.Context, in *tryInput) (Trying, error) {
	budget, err := budgetOf(in.Body.Budget)
	if err != nil {
		return Trying{}, err
	}
	plan, err := analyses.PlanTrials(ctx, s.workbench, in.ID)
	if err != nil || requests.OnlyPlans(ctx, in.Body.Plan) || plan.Configurations == 0 {
		return Trying{Plan: plan}, err
	}
	started, err := job(views.TryRecommendations(ctx, s.work, plan, budget, in.Key))
	return Trying{Plan: plan, Job: &started}, err
}

type analyseInput struct {
	RunPath
	OnceKey
	Body struct {
		Plan   bool   `json:"plan,omitempty" doc:"only say what it would buy"`
		Budget string `json:"budget,omitempty" maxLength:"40"`
	}
}

// Analysing is a plan, and the job where one was started.
type Analysing struct {
	Plan app.Plan `json:"plan"`
	Job  *Job     `json:"job,omitempty"`
}

func (s *causesAPI) analyseQuestions(ctx context.Context, in *analyseInput) (Analysing, error) {
	budget, err := budgetOf(in.Body.Budget)
	if err != nil {
		return Analysing{}, err
	}
	rules := analyses.QuestionRules{Budget: budget}
	plan, err := views.PlanQuestions(ctx, s.work, in.ID, rules)
	if err != nil || requests.OnlyPlans(ctx, in.Body.Plan) {
		return Analysing{Plan: plan}, err
	}
	started, err := job(views.AnalyseQuestions(ctx, s.work, in.ID, rules, in.Key))
	return Analysing{Plan: plan, Job: &started}, err
}

// budgetOf reads a budget of a body.
func budgetOf(s string) (experiments.Budget, error) {
	budget, err := experiments.ParseBudget(s)
	if err != nil {
		err = problem.From(err).With("field", "budget")
	}
	return budget, err
}
