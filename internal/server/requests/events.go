package requests

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/rag-workbench/workbench/internal/problem"
)

// The pace of an event stream. A client that does not take an event for ten seconds is cut off; it can come back and begins where
// it was.
const (
	EventPoll  = 500 * time.Millisecond
	Heartbeat  = 15 * time.Second
	eventWrite = 10 * time.Second
	EventBatch = 200
)

// Streams sends events until there are no more, or the server stops.
type Streams struct {
	Every    func(time.Duration) (ticks <-chan time.Time, stop func())
	Log      Journal
	Stopping <-chan struct{}
}

// Stream answers with events until there are no more; what and name say in the log whose they are.
func (s *Streams) Stream(ctx context.Context, what, name string,
	next func(context.Context) ([]Streamed, bool, bool, error)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(stream huma.Context) {
		_, w := humachi.Unwrap(stream)
		lang := stream.Query("lang") // an EventSource cannot set a header
		if lang == "" {
			lang = LanguageOf(stream.Header(languageHeader))
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Accel-Buffering", "no")
		w.WriteHeader(http.StatusOK)
		if err := s.sendEvents(ctx, w, lang, next); err != nil && ctx.Err() == nil {
			s.Log("event stream", what, name, "error", err)
		}
	}}
}

// Streamed is one event of a stream.
type Streamed struct {
	Seq  int64
	Kind string
	Data any
}

// sendEvents sends what next returns until it says that no more will come. more says that there is more already.
func (s *Streams) sendEvents(ctx context.Context, w http.ResponseWriter, lang string,
	next func(context.Context) (list []Streamed, more, over bool, err error)) error {
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
	ticks, stop := s.Every(EventPoll)
	defer stop()
	fmt.Fprintf(out, "retry: 2000\n\n")
	for quiet := time.Duration(0); ; quiet += EventPoll {
		list, more, over, err := next(ctx)
		if err != nil {
			return err
		}
		for _, e := range list {
			body, err := json.Marshal(problem.Spoken(lang, e.Data))
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "id: %s\nevent: %s\ndata: %s\n\n", strconv.FormatInt(e.Seq, 10), e.Kind, body)
		}
		switch {
		case over:
			fmt.Fprint(out, "event: end\ndata: {}\n\n")
			return flush()
		case len(list) > 0:
			quiet = 0
		case quiet >= Heartbeat:
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
		case <-s.Stopping:
			return nil
		case <-ticks:
		}
	}
}
