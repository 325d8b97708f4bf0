package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
)

// The pace of an event stream. A client that does not take an event for ten seconds is cut off; it can come back and begins where
// it was.
const (
	eventPoll  = 500 * time.Millisecond
	heartbeat  = 15 * time.Second
	eventWrite = 10 * time.Second
	eventBatch = 200
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
	return s.streams.stream(ctx, "run", watch.RunID, func(ctx context.Context) ([]streamed, bool, bool, error) {
		list, over, err := watch.Next(ctx, eventBatch)
		out := make([]streamed, len(list))
		for i, e := range list {
			out[i] = streamed{e.Seq, string(e.Kind), e}
		}
		return out, len(list) == eventBatch, over, err
	}), nil
}

// streams sends events until there are no more, or the server stops.
type streams struct {
	every    func(time.Duration) (ticks <-chan time.Time, stop func())
	log      journal
	stopping <-chan struct{}
}

// stream answers with events until there are no more; what and name say in the log whose they are.
func (s *streams) stream(ctx context.Context, what, name string,
	next func(context.Context) ([]streamed, bool, bool, error)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(stream huma.Context) {
		c := humagin.Unwrap(stream)
		c.Header("Content-Type", "text/event-stream")
		c.Header("X-Accel-Buffering", "no")
		c.Writer.WriteHeader(http.StatusOK)
		if err := s.sendEvents(ctx, c.Writer, next); err != nil && ctx.Err() == nil {
			s.log("event stream", what, name, "error", err)
		}
	}}
}

// streamed is one event of a stream.
type streamed struct {
	seq  int64
	kind string
	data any
}

// sendEvents sends what next returns until it says that no more will come. more says that there is more already.
func (s *streams) sendEvents(ctx context.Context, w http.ResponseWriter,
	next func(context.Context) (list []streamed, more, over bool, err error)) error {
	control := http.NewResponseController(w)
	out := bufio.NewWriter(w)
	flush := func() error {
		if err := control.SetWriteDeadline(time.Now().
			Add(eventWrite)); err != nil { //nolint:forbidigo // a deadline of the network is the system's clock; nothing a test can wind
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
		return control.Flush()
	}
	ticks, stop := s.every(eventPoll)
	defer stop()
	fmt.Fprintf(out, "retry: 2000\n\n")
	for quiet := time.Duration(0); ; quiet += eventPoll {
		list, more, over, err := next(ctx)
		if err != nil {
			return err
		}
		for _, e := range list {
			body, err := json.Marshal(e.data)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "id: %s\nevent: %s\ndata: %s\n\n", strconv.FormatInt(e.seq, 10), e.kind, body)
		}
		switch {
		case over:
			fmt.Fprint(out, "event: end\ndata: {}\n\n")
			return flush()
		case len(list) > 0:
			quiet = 0
		case quiet >= heartbeat:
			fmt.Fprint(out, ": still there\n\n")
			quiet = 0
		}
		if err := flush(); err != nil {
			return err
		}
		if more {
			continue // more is there already
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.stopping:
			return nil
		case <-ticks:
		}
	}
}
