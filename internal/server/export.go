package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// The types of the files that tables and reports are written as.
var fileTypes = map[string]string{
	"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson", "md": "text/markdown; charset=utf-8",
	"html": "text/html; charset=utf-8",
	"zip":  studyType, "ragsnap": studyType, "ipynb": "application/x-ipynb+json",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// table registers one route for each format of a table.
func table[I any](r *router, path string, need Permission, summary string, h func(context.Context, *I) (spreadsheet.Table, string, error)) {
	for _, format := range spreadsheet.Formats() {
		stream(r, path+"."+format, need, summary+" ("+format+")", fileTypes[format],
			func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
				t, name, err := h(ctx, in)
				if err != nil {
					return nil, err
				}
				return r.log.file(name, format, func(w huma.Context) error { return t.Write(w.BodyWriter(), format) }), nil
			})
	}
}

// file is a download that is written while it is sent. When writing fails the connection is broken off, so that nobody takes half a
// file for a whole one.
func (log journal) file(name, format string, write func(huma.Context) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		ctx.SetHeader("Content-Type", fileTypes[format])
		ctx.SetHeader("Content-Disposition", `attachment; filename="`+fileName(name)+"."+format+`"`)
		ctx.SetHeader("Content-Security-Policy", filePolicy)
		ctx.SetStatus(http.StatusOK)
		if err := write(ctx); err != nil {
			log("download failed", "name", name, "error", err)
			panic(http.ErrAbortHandler)
		}
	}}
}

var notInFileName = text.Lazy(`[^A-Za-z0-9._-]+`)

// fileName keeps of a name what is harmless in a header and in every file system.
func fileName(name string) string {
	name = notInFileName.ReplaceAllString(name, "_")
	return name[:min(len(name), 100)]
}

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
