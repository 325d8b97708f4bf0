package api

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// jobsRoutes are the routes of what goes on after the reply and is not one run.
func (s *Resources) jobsRoutes(r *requests.Router) {
	requests.Get(r, "/jobs/{id}", requests.Read, "Something under way that is not one run", s.jobs.getJob)
	requests.Get(r, "/jobs/{id}/result", requests.Read, "What a job found: the JSON that the command line prints", s.jobs.getJobResult)
	requests.Stream(r, "/jobs/{id}/file", requests.Read, "What a job wrote, as a download", "application/octet-stream", s.jobs.getJobFile)
}

func (s *jobsAPI) getJobResult(ctx context.Context, in *jobPath) (json.RawMessage, error) {
	return s.work.WorkResult(ctx, in.ID)
}

func (s *jobsAPI) getJobFile(ctx context.Context, in *jobPath) (*huma.StreamResponse, error) {
	name, content, err := s.work.WorkFile(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	format := strings.TrimPrefix(filepath.Ext(name), ".")
	return s.log.File(strings.TrimSuffix(name, "."+format), format, func(w huma.Context) error {
		_, err := w.BodyWriter().Write(content)
		return err
	}), nil
}

// SweepBody says which combinations to run, and how to look for the best of them.
type SweepBody struct {
	StartBody
	Screen  int     `json:"screen,omitempty" minimum:"0" maximum:"8" doc:"first retrieve only, asking no model; so many ways at most go on; needs evidence spans"`
	Top     int     `json:"top,omitempty" minimum:"0" maximum:"50" doc:"first retrieve only, then judge so many of the best and the base; default: generate of the file"`
	By      string  `json:"by,omitempty" enum:"evidence_recall,ndcg" doc:"with top: what the best ways are taken by; default evidence_recall"`
	Halving bool    `json:"halving,omitempty" doc:"begin with few questions; the best third of the configurations gets three times as many, until one stage has all"`
	Confirm bool    `json:"confirm,omitempty" doc:"answer and judge the winner again, because the score that selected it is too high"`
	Seed    *uint64 `json:"seed,omitempty" doc:"with halving: chooses the questions of the first stages; default 1"`
}

func (b SweepBody) search() views.SearchOrder {
	return views.SearchOrder{Order: b.order(), Rules: sweeps.SearchRules{Screen: b.Screen, Halving: b.Halving, Confirm: b.Confirm,
		Seed: seedOf(b.Seed), Best: experiments.Best{Top: b.Top, By: b.By}}}
}

type sweepInput struct {
	OnceKey
	Body SweepBody
}

type planSweepInput struct {
	Body SweepBody
}

// SweepStarted is the sweep; of a search, which makes a sweep for each of its stages, it is what is searched, and the job.
type SweepStarted struct {
	app.RunRow
	Job *Job `json:"job,omitempty" doc:"of a search: run_id is empty then, the job lists the sweeps of the stages, and its result names the winner"`
}

func (s *sweepsAPI) startSweep(ctx context.Context, in *sweepInput) (SweepStarted, error) {
	o, err := in.Body.search().WithOwnRules(ctx, s.work)
	if err != nil {
		return SweepStarted{}, err
	}
	if !o.Rules.On() {
		row, err := s.work.StartSweep(ctx, o.Order, in.Key)
		return SweepStarted{RunRow: row}, err
	}
	row, work, err := views.StartSearch(ctx, s.work, o, in.Key)
	started, err := job(work, err)
	return SweepStarted{row, &started}, err
}

// SweepPlan is what a sweep would buy. Of a search the plan is that of everything that screening leaves, as if there were no stages.
type SweepPlan struct {
	app.Plan
	Search *sweeps.SearchPlan `json:"search,omitempty"`
}

func (s *sweepsAPI) planSweep(ctx context.Context, in *planSweepInput) (SweepPlan, error) {
	o, err := in.Body.search().WithOwnRules(ctx, s.work)
	if err != nil {
		return SweepPlan{}, err
	}
	if !o.Rules.On() {
		plan, err := s.work.Plan(ctx, o.Order, true)
		return SweepPlan{Plan: plan}, err
	}
	search, plan, err := views.PlanSearch(ctx, s.work, o)
	return SweepPlan{plan, &search}, err
}
