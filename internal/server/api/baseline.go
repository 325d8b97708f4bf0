package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

type baselineInput struct {
	Dataset string `path:"dataset" maxLength:"200" doc:"name, any version"`
	Body    struct {
		Run        string `json:"run" minLength:"1" maxLength:"200"`
		Replicates int    `json:"replicates,omitempty" minimum:"0" maximum:"8" doc:"first ask and judge again until every question has so many votes: later comparisons then need fewer. 3 is recommended"`
		Plan       bool   `json:"plan,omitempty" doc:"with replicates: only say what that would buy"`
	}
}

// BaselineSet is the baseline, and what it takes where it is scored several times first.
type BaselineSet struct {
	views.Pinned
	Applied bool             `json:"applied" doc:"false: it is a plan, or is set when the job is done"`
	Plan    *votes.VotePrice `json:"plan,omitempty"`
	Job     *Job             `json:"job,omitempty"`
}

func (s *datasetsAPI) setBaseline(ctx context.Context, in *baselineInput) (BaselineSet, error) {
	b := in.Body
	if b.Replicates == 0 {
		if b.Plan {
			return BaselineSet{}, requests.Invalid("usage", "plan", "a plan belongs to replicates; pinning alone buys nothing",
				"send replicates too")
		}
		baseline, err := s.views.SetBaseline(ctx, in.Dataset, b.Run)
		return BaselineSet{Pinned: baseline, Applied: err == nil}, err
	}
	baseline, err := s.views.CheckBaseline(ctx, in.Dataset, b.Run)
	if err != nil {
		return BaselineSet{}, err
	}
	plan, err := views.PlanBaseline(ctx, s.work, baseline.RunID, b.Replicates)
	if err != nil || b.Plan {
		return BaselineSet{Pinned: baseline, Plan: &plan}, err
	}
	if plan.Votes == 0 {
		baseline, err = s.views.SetBaseline(ctx, in.Dataset, baseline.RunID)
		return BaselineSet{Pinned: baseline, Applied: err == nil, Plan: &plan}, err
	}
	started, err := job(views.ScoreBaseline(s.work, baseline.Baseline, b.Replicates, plan))
	return BaselineSet{Pinned: baseline, Plan: &plan, Job: &started}, err
}
