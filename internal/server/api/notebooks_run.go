package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// NotebookOrderBody says what to run of a notebook.
type NotebookOrderBody struct {
	Cells    []string `json:"cells,omitempty" maxItems:"500" doc:"none is everything that is stale"`
	Upstream *bool    `json:"upstream,omitempty" doc:"run what the cells need too; default true"`
	Params   []string `json:"params,omitempty" maxItems:"50" doc:"cell.name=value"`
	Budget   string   `json:"budget,omitempty" maxLength:"40" doc:"an amount (2.50) or a number of calls (500calls); without one only cells are bought whose price is known now"`
	Digest   string   `json:"digest,omitempty" maxLength:"100" doc:"of the text whose price was shown"`
}

func (b NotebookOrderBody) order() studies.NotebookOrder {
	return studies.NotebookOrder{Cells: b.Cells, Only: b.Upstream != nil && !*b.Upstream, Params: b.Params, Budget: b.Budget,
		Digest: b.Digest}
}

type planNotebookInput struct {
	NotebookPath
	Body NotebookOrderBody
}

func (s *notebooksAPI) planNotebook(ctx context.Context, in *planNotebookInput) (studies.NotebookPlan, error) {
	return s.books.Plan(ctx, in.Name, in.Body.order())
}

type runNotebookInput struct {
	NotebookPath
	OnceKey
	Body NotebookOrderBody
}

func (s *notebooksAPI) runNotebook(ctx context.Context, in *runNotebookInput) (studies.NotebookJob, error) {
	order := in.Body.order()
	order.By = requests.VisitorOf(ctx).Name
	return s.books.Run(ctx, in.Name, order, in.Key)
}

func (s *notebooksAPI) stopNotebook(_ context.Context, in *NotebookPath) (studies.NotebookJob, error) {
	return s.books.Stop(in.Name)
}

type notebookEventsInput struct {
	NotebookPath
	After int64 `header:"Last-Event-ID" minimum:"0" doc:"number of the last event that arrived"` //nolint:tagliatelle // as the standard of event streams spells it
	Since int64 `query:"after" minimum:"0" doc:"the same, for clients that cannot set the header"`
	StreamLanguage
}

// StreamLanguage is asked for by clients that cannot set a header.
type StreamLanguage struct {
	Lang string `query:"lang" enum:"en,ja" doc:"language of problems; default as Accept-Language prefers"`
}

// notebookEvents sends how the cells stand and what happens to them, and ends when nothing is being run.
func (s *notebooksAPI) notebookEvents(ctx context.Context, in *notebookEventsInput) (*huma.StreamResponse, error) {
	watch, err := s.books.Watch(in.Name, max(in.After, in.Since))
	if err != nil {
		return nil, err
	}
	return s.streams.Stream(ctx, "notebook", watch.Name, func(ctx context.Context) ([]requests.Streamed, bool, bool, error) {
		list, over, err := watch.Next(ctx)
		out := make([]requests.Streamed, len(list))
		for i, e := range list {
			out[i] = requests.Streamed{Seq: e.Seq, Kind: e.Kind, Data: e}
		}
		return out, false, over, err
	}), nil
}
