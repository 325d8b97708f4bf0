package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// Paging are the parameters of every list.
type Paging struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"how many items"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"next_cursor of the part before"`
	Sort   string `query:"sort" maxLength:"100" doc:"a field, or -field for the largest first"`
}

func (p Paging) page() listing.Page {
	return listing.Page{Limit: p.Limit, Cursor: p.Cursor, Sort: p.Sort}
}

// Search is free text in a list.
type Search struct {
	Q string `query:"q" maxLength:"500" doc:"words to look for"`
}

// RunPath names a run.
type RunPath struct {
	ID string `path:"id" maxLength:"200" doc:"run id, a unique beginning of one, or an experiment's name for its newest finished run"`
}

type listRunsInput struct {
	Paging
	Search
	Experiment string   `query:"experiment" maxLength:"200"`
	Dataset    string   `query:"dataset" maxLength:"200" doc:"name, any version"`
	Sweep      string   `query:"sweep" maxLength:"100" doc:"runs of this sweep"`
	Parent     string   `query:"parent" maxLength:"100" doc:"child runs of this run"`
	Tag        []string `query:"tag" maxItems:"20" doc:"tags that people gave; all of them"`
	State      string   `query:"state" enum:"queued,running,paused,finished,cancelled,failed"`
	Kind       string   `query:"kind" enum:"evaluate,sweep,verify,diagnose,questions,validate"`
	Children   bool     `query:"children" doc:"also the runs that belong to another one"`
	Group      string   `query:"group" enum:"sweep" doc:"sweep: the runs of a sweep are folded into its row, which is there when one of them fits"`
}

func (s *runsAPI) listRuns(ctx context.Context, in *listRunsInput) (listing.Listed[app.RunRow], error) {
	return s.views.Runs(ctx, in.query())
}

func (in *listRunsInput) query() views.RunQuery {
	return views.RunQuery{
		Page: in.page(), Experiment: in.Experiment, Dataset: in.Dataset, Sweep: in.Sweep, Parent: in.Parent, State: in.State,
		Kind: in.Kind, Text: in.Q, Tags: in.Tag,
		Children: in.Children, Group: in.Group,
	}
}

func (s *runsAPI) listParameters(ctx context.Context, in *listRunsInput) (views.Parameters, error) {
	return s.views.ParametersOf(ctx, in.query())
}

func (s *runsAPI) getRun(ctx context.Context, in *RunPath) (views.RunDetail, error) {
	return s.views.Run(ctx, in.ID)
}

type billInput struct {
	RunPath
	By string `query:"by" enum:"stage,purpose,question,model" doc:"only the lines of this field"`
}

func (s *runsAPI) getBill(ctx context.Context, in *billInput) (app.Bill, error) {
	return s.views.Bill(ctx, in.ID, in.By)
}

type pointsInput struct {
	RunPath
	Baseline string `query:"baseline" maxLength:"200" doc:"run to label the questions against"`
}

func (s *runsAPI) getPoints(ctx context.Context, in *pointsInput) (views.Points, error) {
	return s.views.Points(ctx, in.ID, in.Baseline)
}

type chartsInput struct {
	RunPath
	QuestionFilter
}

func (s *runsAPI) getCharts(ctx context.Context, in *chartsInput) (views.RunCharts, error) {
	return s.views.Charts(ctx, in.ID, in.query(listing.Page{}))
}

// QuestionFilter are the filters on the questions of a run. Those with several values take commas.
type QuestionFilter struct {
	Search
	Low         string   `query:"low" enum:"true,false" doc:"low scores only, or the others"`
	Correctness []int    `query:"correctness" minimum:"1" maximum:"5" doc:"rounded"`
	Trust       []int    `query:"trust" minimum:"1" maximum:"5" doc:"rounded"`
	Cause       []string `query:"cause"`
	Category    []string `query:"category"`
	Theme       []string `query:"theme"`
	Tag         []string `query:"tag" doc:"all of them"`
	State       []string `query:"state" enum:"scored,error,failed,pending"`
	Critical    string   `query:"critical" enum:"true,false"`
}

func (f QuestionFilter) query(page listing.Page) views.QuestionQuery {
	return views.QuestionQuery{
		Page: page, Low: choice(f.Low), Correctness: f.Correctness, Trust: f.Trust, Cause: f.Cause, Category: f.Category,
		Theme: f.Theme, Tag: f.Tag,
		State: f.State, Critical: choice(f.Critical), Text: f.Q,
	}
}

// choice is "true", "false" or neither.
func choice(s string) *bool {
	if s == "" {
		return nil
	}
	yes := s == "true"
	return &yes
}

type listQuestionsInput struct {
	RunPath
	Paging
	QuestionFilter
}

func (s *runsAPI) listQuestions(ctx context.Context, in *listQuestionsInput) (listing.Listed[views.QuestionRow], error) {
	out, _, err := s.views.Questions(ctx, in.ID, in.query(in.page()))
	return out, err
}

// QuestionPath names a question of a run.
type QuestionPath struct {
	RunPath
	Question string `path:"question" maxLength:"1000" doc:"question id"`
}

type answerInput struct {
	QuestionPath
	Baseline string `query:"baseline" maxLength:"200" doc:"run whose answer to put beside it"`
}

func (s *runsAPI) getAnswer(ctx context.Context, in *answerInput) (views.AnswerDetail, error) {
	return s.views.Answer(ctx, in.ID, in.Question, in.Baseline)
}

// ItemsOf is a list that needs no pages.
type ItemsOf[T any] struct {
	Items []T `json:"items"`
}

func items[T any](list []T, err error) (ItemsOf[T], error) {
	if list == nil {
		list = []T{}
	}
	return ItemsOf[T]{list}, err
}

func (s *runsAPI) getHistory(ctx context.Context, in *QuestionPath) (ItemsOf[views.Past], error) {
	return items(s.views.History(ctx, in.ID, in.Question))
}

// PairInput names the two runs of a comparison.
type PairInput struct {
	Baseline  string `query:"baseline" maxLength:"200" doc:"run; default the pinned baseline of the candidate's dataset"`
	Candidate string `query:"candidate" required:"true" maxLength:"200" doc:"run"`
}

func (s *comparisonsAPI) getComparison(ctx context.Context, in *gateInput) (views.ComparisonView, error) {
	asked, err := in.asked()
	if err != nil {
		return views.ComparisonView{}, err
	}
	return s.views.Comparison(ctx, in.Baseline, in.Candidate, asked)
}

// ChangeFilter are the filters on the questions of a comparison.
type ChangeFilter struct {
	Search
	Label     []string `query:"label" enum:"worse,mixed,needs_check,no_change,better"`
	Class     []string `query:"class"`
	Match     []string `query:"match" enum:"matched,added,removed,reworded,reference_changed"`
	Metric    string   `query:"metric" maxLength:"100" doc:"only questions whose value of this metric differs or is not settled; labels are then those of this metric"`
	Category  []string `query:"category"`
	Theme     []string `query:"theme"`
	Tag       []string `query:"tag" doc:"all of them"`
	BecameLow string   `query:"became_low" enum:"true,false"`
	Critical  string   `query:"critical" enum:"true,false"`
}

func (f ChangeFilter) query(page listing.Page) views.ChangeQuery {
	return views.ChangeQuery{
		Page: page, Label: f.Label, Class: f.Class, Match: f.Match, Metric: f.Metric, Category: f.Category, Theme: f.Theme, Tag: f.Tag,
		Became: choice(f.BecameLow), Critical: choice(f.Critical), Text: f.Q,
	}
}

type movementInput struct {
	PairInput
	Side        string `query:"side" enum:"before,after" doc:"whose squares are chosen"`
	Correctness []int  `query:"correctness" minimum:"1" maximum:"5" doc:"of the chosen squares"`
	Trust       []int  `query:"trust" minimum:"1" maximum:"5" doc:"of the chosen squares"`
}

func (s *comparisonsAPI) getMovement(ctx context.Context, in *movementInput) (views.Movement, error) {
	return s.views.Movement(ctx, in.Baseline, in.Candidate, views.Chosen{Side: in.Side, Correctness: in.Correctness, Trust: in.Trust})
}

type listChangesInput struct {
	PairInput
	Paging
	ChangeFilter
}

func (s *comparisonsAPI) listChanges(ctx context.Context, in *listChangesInput) (listing.Listed[views.ChangeRow], error) {
	out, _, err := s.views.Changes(ctx, in.Baseline, in.Candidate, in.query(in.page()))
	return out, err
}

func (s *comparisonsAPI) listRegressions(ctx context.Context, in *PairInput) (views.Regressions, error) {
	return s.views.Regressions(ctx, in.Baseline, in.Candidate)
}

type changeInput struct {
	PairInput
	Question string `path:"question" maxLength:"1000"`
}

func (s *comparisonsAPI) getChange(ctx context.Context, in *changeInput) (views.ChangeDetail, error) {
	return s.views.Change(ctx, in.Baseline, in.Candidate, in.Question)
}

// BesideInput names runs that stand side by side.
type BesideInput struct {
	Baseline string   `query:"baseline" maxLength:"200" doc:"run; default the pinned baseline of the dataset"`
	Run      []string `query:"run" required:"true" minItems:"1" maxItems:"5" doc:"the others, in their order"`
}

func (s *comparisonsAPI) getBeside(ctx context.Context, in *BesideInput) (views.BesideView, error) {
	return s.views.Beside(ctx, in.Baseline, in.Run)
}

type listBesideInput struct {
	BesideInput
	Paging
	Search
	Differ bool `query:"differ" doc:"only questions on which verdicts differ between the runs"`
}

func (s *comparisonsAPI) listBeside(ctx context.Context, in *listBesideInput) (listing.Listed[views.BesideRow], error) {
	return s.views.BesideQuestions(ctx, in.Baseline, in.Run, views.BesideQuery{Page: in.page(), Differ: in.Differ, Text: in.Q})
}

func (s *sweepsAPI) getSweep(ctx context.Context, in *RunPath) (views.SweepView, error) {
	return s.views.Sweep(ctx, in.ID)
}

func (s *datasetsAPI) listBaselines(ctx context.Context, _ *requests.Nothing) (ItemsOf[experiments.Baseline], error) {
	return items(s.workbench.Store.Baselines(ctx))
}
