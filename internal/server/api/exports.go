package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

type exportQuestionsInput struct {
	RunPath
	QuestionFilter
	Sort string `query:"sort" maxLength:"100"`
}

func (s *runsAPI) exportQuestions(ctx context.Context, in *exportQuestionsInput) (spreadsheet.Table, string, error) {
	t, err := s.views.QuestionTable(ctx, in.ID, in.query(listing.Page{Limit: -1, Sort: in.Sort}))
	return t, "questions-" + in.ID, err
}

type exportChangesInput struct {
	PairInput
	ChangeFilter
	Sort string `query:"sort" maxLength:"100"`
}

func (s *comparisonsAPI) exportChanges(ctx context.Context, in *exportChangesInput) (spreadsheet.Table, string, error) {
	t, err := s.views.ChangeTable(ctx, in.Baseline, in.Candidate, in.query(listing.Page{Limit: -1, Sort: in.Sort}))
	return t, "comparison-" + in.Baseline + "-" + in.Candidate, err
}

type exportDatasetInput struct {
	RefPath
	DatasetFilter
	Sort string `query:"sort" maxLength:"100"`
}

func (s *datasetsAPI) exportDataset(ctx context.Context, in *exportDatasetInput) (spreadsheet.Table, string, error) {
	t, err := s.views.DatasetTable(ctx, in.Ref, in.query(listing.Page{Limit: -1, Sort: in.Sort}))
	return t, "dataset-" + in.Ref, err
}
