package api

import (
	"cmp"
	"context"

	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// sheetsRoutes are the routes of sheets that are proposed, to be read by people and uploaded again.
func (s *Resources) sheetsRoutes(r *requests.Router) {
	requests.Start(r, "/corpora/{ref}/draft", requests.Run, "Draft questions from a corpus as a sheet, or only say what that would buy", s.sheets.draftDataset)
	requests.Start(r, "/datasets/{ref}/evidence", requests.Run,
		"Look for the evidence of questions that have none, as a sheet, or only say what that would buy", s.sheets.findEvidence)
}

// SheetBody says who writes a sheet, into what, and what that may cost.
type SheetBody struct {
	Judge  string `json:"judge,omitempty" maxLength:"200" doc:"provider/model; default the offline rules"`
	Format string `json:"format,omitempty" enum:"xlsx,jsonl" doc:"default xlsx"`
	Budget string `json:"budget,omitempty" maxLength:"40" doc:"an amount in the currency of the price list (2.50), or a number of calls (500calls)"`
	Plan   bool   `json:"plan,omitempty" doc:"only say what it would buy"`
}

func (b SheetBody) format() string { return cmp.Or(b.Format, "xlsx") }

type draftInput struct {
	RefPath
	OnceKey
	Body struct {
		SheetBody
		N    int    `json:"n,omitempty" minimum:"0" maximum:"1000" doc:"questions, a quarter of each category; default 40"`
		Seed uint64 `json:"seed,omitempty" doc:"another seed begins with other passages"`
	}
}

func (s *sheetsAPI) draftDataset(ctx context.Context, in *draftInput) (Analysing, error) {
	budget, err := budgetOf(in.Body.Budget)
	if err != nil {
		return Analysing{}, err
	}
	rules := analyses.DraftRules{N: in.Body.N, Judge: in.Body.Judge, Seed: in.Body.Seed, Budget: budget}
	plan, err := views.PlanDraft(ctx, s.work, in.Ref, rules)
	if err != nil || requests.OnlyPlans(ctx, in.Body.Plan) {
		return Analysing{Plan: plan}, err
	}
	started, err := job(views.Draft(ctx, s.work, in.Ref, rules, in.Body.format(), in.Key))
	return Analysing{Plan: plan, Job: &started}, err
}

type evidenceInput struct {
	RefPath
	OnceKey
	Body struct {
		SheetBody
		Corpus string `json:"corpus,omitempty" maxLength:"200" doc:"name, or name@version; default the corpus of the dataset's newest run"`
	}
}

func (s *sheetsAPI) findEvidence(ctx context.Context, in *evidenceInput) (Analysing, error) {
	budget, err := budgetOf(in.Body.Budget)
	if err != nil {
		return Analysing{}, err
	}
	rules := analyses.EvidenceRules{Corpus: in.Body.Corpus, Judge: in.Body.Judge, Budget: budget}
	plan, err := views.PlanEvidence(ctx, s.work, in.Ref, rules)
	if err != nil || requests.OnlyPlans(ctx, in.Body.Plan) {
		return Analysing{Plan: plan}, err
	}
	started, err := job(views.Evidence(ctx, s.work, in.Ref, rules, in.Body.format(), in.Key))
	return Analysing{Plan: plan, Job: &started}, err
}
