package api

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// reviewQueueRoutes are the routes of reviewing answers in turn, and of what becomes of the judge by it.
func (s *Resources) reviewQueueRoutes(r *requests.Router) {
	requests.Get(r, "/runs/{id}/review-queue", requests.Read, "How far the reviewers of a run are, and what they say of the judge", s.queue.getQueue)
	requests.Post(r, "/runs/{id}/review-queue", requests.Edit, "Deal answers of a run to reviewers", s.queue.dealQueue)
	requests.Get(r, "/runs/{id}/review-queue/next", requests.Edit, "The answer that waits for a reviewer, without what the judge says", s.queue.nextItem)
	requests.Post(r, "/runs/{id}/review-queue/decisions", requests.Edit, "Decide on an answer, and see what the judge says", s.queue.decideItem)
	requests.Post(r, "/runs/{id}/review-queue/skip", requests.Edit, "Pass an answer over for now", s.queue.skipItem)
	requests.Post(r, "/runs/{id}/review-queue/undo", requests.Edit, "Take the newest decision back", s.queue.undoItem)
	requests.Start(r, "/runs/{id}/alignment", requests.Run, "Test examples of people's verdicts in the judge's prompt, or only say what that would buy",
		s.queue.testAlignment)
	requests.Post(r, "/runs/{id}/alignment/apply", requests.Edit, "Give the experiment the examples that were tested and offered", s.queue.applyAlignment)
	requests.Post(r, "/runs/{id}/alignment/take-back", requests.Edit, "Take the examples out of the experiment again",
		s.queue.takeBackAlignment)
}

// reviewer is in whose name somebody reviews: where people sign in, their own.
func (s *queueAPI) reviewer(ctx context.Context, asked string) (string, error) {
	asked = strings.TrimSpace(asked)
	you := s.you(ctx)
	if you != "" && asked != "" && asked != you {
		return "", requests.Invalid("queue_yourself", "reviewer", "you are signed in as "+you+" and review in no other name",
			"leave reviewer out")
	}
	if you != "" {
		return you, nil
	}
	return asked, nil
}

// you is the name of who asks; "" where nobody signs in.
func (s *queueAPI) you(ctx context.Context) string {
	if !s.signIn {
		return ""
	}
	return requests.VisitorOf(ctx).Name
}

func (s *queueAPI) getQueue(ctx context.Context, in *RunPath) (views.QueueView, error) {
	return s.views.ReviewQueue(ctx, in.ID, s.you(ctx))
}

type dealInput struct {
	RunPath
	Body struct {
		Reviewers []string `json:"reviewers,omitempty" maxItems:"50" doc:"names; default those of before, else one person"`
		Answers   int      `json:"answers,omitempty" minimum:"0" maximum:"10000" doc:"different ones at most; default 40"`
		Twice     int      `json:"twice,omitempty" minimum:"-1" maximum:"10000" doc:"of them, each to two reviewers; -1 for none, default 10"`
		Seed      *uint64  `json:"seed,omitempty" doc:"of the choice; default 1"`
	}
}

func (s *queueAPI) dealQueue(ctx context.Context, in *dealInput) (views.QueueView, error) {
	b := in.Body
	q, err := reviews.DealQueue(ctx, s.workbench, in.ID, reviews.QueueOrder{Reviewers: b.Reviewers, Answers: b.Answers, Twice: b.Twice,
		Seed: seedOf(b.Seed)})
	if err != nil {
		return views.QueueView{}, err
	}
	return s.views.ReviewQueue(ctx, q.RunID, s.you(ctx))
}

type nextItemInput struct {
	RunPath
	Reviewer string `query:"reviewer" maxLength:"200" doc:"name; may be left out where there is one reviewer, and where people sign in"`
}

// Waiting is the answer that waits for a reviewer, where one does.
type Waiting struct {
	Reviewer reviews.ReviewerProgress `json:"reviewer"`
	Next     *reviews.QueueItem       `json:"next,omitempty"`
}

func (s *queueAPI) nextItem(ctx context.Context, in *nextItemInput) (Waiting, error) {
	name, err := s.reviewer(ctx, in.Reviewer)
	if err != nil {
		return Waiting{}, err
	}
	item, at, err := reviews.NextItem(ctx, s.workbench, in.ID, name)
	return Waiting{Reviewer: at, Next: item}, err
}

type decideInput struct {
	RunPath
	Body struct {
		Reviewer    string `json:"reviewer,omitempty" maxLength:"200" doc:"name; may be left out as for next"`
		QuestionID  string `json:"question_id" minLength:"1" maxLength:"1000"`
		Shown       string `json:"shown,omitempty" maxLength:"64" doc:"digest of what was looked at"`
		Verdict     string `json:"verdict" enum:"correct,incorrect,unsure"`
		Correctness *int   `json:"correctness,omitempty" minimum:"1" maximum:"5"`
		Trust       *int   `json:"trust,omitempty" minimum:"1" maximum:"5"`
		Comment     string `json:"comment,omitempty" maxLength:"32000"`
	}
}

func (s *queueAPI) decideItem(ctx context.Context, in *decideInput) (reviews.Turn, error) {
	b := in.Body
	name, err := s.reviewer(ctx, b.Reviewer)
	if err != nil {
		return reviews.Turn{}, err
	}
	return reviews.Decide(ctx, s.workbench, in.ID, reviews.Decision{Reviewer: name, QuestionID: b.QuestionID, Shown: b.Shown,
		Verdict: experiments.Verdict(b.Verdict), Correctness: b.Correctness, Trust: b.Trust, Comment: b.Comment})
}

type turnInput struct {
	RunPath
	Body struct {
		Reviewer   string `json:"reviewer,omitempty" maxLength:"200" doc:"name; may be left out as for next"`
		QuestionID string `json:"question_id,omitempty" maxLength:"1000" doc:"default the one that waits first; of no meaning to undo"`
	}
}

func (s *queueAPI) skipItem(ctx context.Context, in *turnInput) (reviews.Turn, error) {
	name, err := s.reviewer(ctx, in.Body.Reviewer)
	if err != nil {
		return reviews.Turn{}, err
	}
	return reviews.Skip(ctx, s.workbench, in.ID, name, in.Body.QuestionID)
}

func (s *queueAPI) undoItem(ctx context.Context, in *turnInput) (reviews.Turn, error) {
	name, err := s.reviewer(ctx, in.Body.Reviewer)
	if err != nil {
		return reviews.Turn{}, err
	}
	return reviews.Undo(ctx, s.workbench, in.ID, name)
}

type alignInput struct {
	OnceKey
	RunPath
	Body struct {
		Examples int     `json:"examples,omitempty" minimum:"0" maximum:"12" doc:"at most; default 6"`
		Seed     *uint64 `json:"seed,omitempty" doc:"of the choice; default 1"`
		Budget   string  `json:"budget,omitempty" maxLength:"40"`
		Plan     bool    `json:"plan,omitempty" doc:"only say what it would buy"`
	}
}

// testAlignment starts a job whose result is a validation.Alignment.
func (s *queueAPI) testAlignment(ctx context.Context, in *alignInput) (Validating, error) {
	b := in.Body
	budget, err := budgetOf(b.Budget)
	if err != nil {
		return Validating{}, err
	}
	o := validations.AlignOrder{Run: in.ID, Examples: b.Examples, Seed: seedOf(b.Seed), Budget: budget}
	plan, err := validations.PlanAlignment(ctx, s.workbench, o)
	if plan.Stages == nil {
		plan.Stages = []app.StagePlan{}
	}
	if err != nil || b.Plan {
		return Validating{Plan: plan}, err
	}
	started, err := job(views.TestAlignment(ctx, s.work, o, in.Key))
	return Validating{Plan: plan, Job: &started}, err
}

// AlignedExperiment is the revision that a change of the judge's examples made.
type AlignedExperiment struct {
	Experiment string `json:"experiment"`
	Revision   int    `json:"revision"`
	Examples   int    `json:"examples"` // that its judge is shown
}

func aligned(e experiments.Experiment, err error) (AlignedExperiment, error) {
	if err != nil {
		return AlignedExperiment{}, problem.From(err)
	}
	return AlignedExperiment{e.Name, e.Revision, len(e.Definition.Judge.Examples)}, nil
}

func (s *queueAPI) applyAlignment(ctx context.Context, in *RunPath) (AlignedExperiment, error) {
	return aligned(validations.ApplyAlignment(ctx, s.workbench, in.ID))
}

func (s *queueAPI) takeBackAlignment(ctx context.Context, in *RunPath) (AlignedExperiment, error) {
	return aligned(validations.TakeBackAlignment(ctx, s.workbench, in.ID))
}
