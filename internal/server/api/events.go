package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/server/requests"
)

type eventsInput struct {
	RunPath
	After int64 `header:"Last-Event-ID" minimum:"0" doc:"number of the last event that arrived"` //nolint:tagliatelle // as the standard of event streams spells it
	Since int64 `query:"after" minimum:"0" doc:"the same, for clients that cannot set the header"`
}

// events sends the stored events of a run, those already there first, and ends when the run is over.
func (s *runsAPI) events(ctx context.Context, in *eventsInput) (*huma.StreamResponse, error) {
	watch, err := s.views.Watch(ctx, in.ID, max(in.After, in.Since))
	if err != nil {
		return nil, err
	}
	return s.streams.Stream(ctx, "run", watch.RunID, func(ctx context.Context) ([]requests.Streamed, bool, bool, error) {
		list, over, err := watch.Next(ctx, requests.EventBatch)
		out := make([]requests.Streamed, len(list))
		for i, e := range list {
			out[i] = requests.Streamed{Seq: e.Seq, Kind: string(e.Kind), Data: e}
		}
		return out, len(list) == requests.EventBatch, over, err
	}), nil
}
