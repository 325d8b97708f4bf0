package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

type seenInput struct {
	NotebookPath
	Body struct {
		Tab  string `json:"tab" minLength:"1" maxLength:"40" doc:"that the page gave itself"`
		Cell string `json:"cell,omitempty" maxLength:"200" doc:"that is chosen"`
	}
}

func (s *notebooksAPI) seeNotebook(ctx context.Context, in *seenInput) (studies.NotebookSeen, error) {
	return s.books.Choose(in.Name, in.Body.Tab, requests.VisitorOf(ctx).Name, in.Body.Cell)
}

type followInput struct {
	NotebookPath
	Tab   string `query:"tab" required:"true" minLength:"1" maxLength:"40" doc:"that the page gives itself"`
	After int64  `header:"Last-Event-ID" minimum:"0" doc:"number of the last event that arrived"` //nolint:tagliatelle // as the standard of event streams spells it
}

// followNotebook sends what happens to a notebook to an open page, for as long as it is open.
func (s *notebooksAPI) followNotebook(ctx context.Context, in *followInput) (*huma.StreamResponse, error) {
	follow, err := s.books.Follow(in.Name, in.Tab, requests.VisitorOf(ctx).Name, in.After)
	if err != nil {
		return nil, err
	}
	return s.streams.Stream(ctx, "notebook", in.Name, func(ctx context.Context) ([]requests.Streamed, bool, bool, error) {
		list, err := follow.Next(ctx)
		out := make([]requests.Streamed, len(list))
		for i, e := range list {
			out[i] = requests.Streamed{Seq: e.Seq, Kind: e.Kind, Data: e}
		}
		return out, false, false, err
	}), nil
}
