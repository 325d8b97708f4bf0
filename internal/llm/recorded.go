package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/rag-workbench/workbench/internal/problem"
)

// recorded plays a recording. A reply that is played goes the way of a reply from a network, so that it stands in the ledger, is
// counted, exported and verified like any other. A request without a reply makes no call: it is left in the recording.
type recorded struct {
	*openAI
	recording *Recording
}

// NewRecorded returns a provider that plays what was recorded, under the ledger, or a Problem when the configuration cannot work.
// name is the recording's: replies of one recording are found by every provider that plays it, in whatever database they stand.
// A request that was never recorded is refused with [CauseNotRecorded]. Without a recording the ledger alone answers, as it does for
// any provider.
func NewRecorded(cfg OpenAIConfig, recording *Recording) (Provider, error) {
	cfg.BaseURL, cfg.APIKey, cfg.Azure = "http://recording.invalid", "", nil
	cfg.Client = &http.Client{Transport: player{recording}}
	cfg.Prices = nil // what a reply cost whoever recorded it is not known
	p, err := NewOpenAI(cfg)
	if err != nil {
		return nil, err
	}
	inner := p.(*openAI)
	inner.info.Kind, inner.info.Origin = "recorded", recordedOrigin+cfg.Name
	return &recorded{inner, recording}, nil
}

// recordedOrigin begins the origin of every recording.
const recordedOrigin = "recorded:"

// IsRecorded reports whether calls of this origin were played from a recording.
func IsRecorded(origin string) bool { return strings.HasPrefix(origin, recordedOrigin) }

type playKey struct{}

// Complete plays the reply to a request, from the ledger or from the recording.
func (r *recorded) Complete(ctx context.Context, req Request) (Reply, error) {
	if _, err := r.prepare(&req); err != nil {
		return Reply{}, err
	}
	if r.recording == nil {
		return r.openAI.Complete(ctx, req)
	}
	key := KeyOf(r.info, req)
	there, err := r.there(ctx, key)
	if err != nil {
		return Reply{}, err
	}
	if !there {
		if err := r.recording.ask(key, req, ScopeOf(ctx).QuestionID); err != nil {
			return Reply{}, problem.New(problem.Unavailable, "recording_folder", "a request cannot be left in the recording").Because(err)
		}
		unheard(ctx)
		return Reply{}, &Error{Cause: CauseNotRecorded, Message: "no reply to this request was recorded; it waits in the recording " +
			r.info.Name}
	}
	return r.openAI.Complete(context.WithValue(ctx, playKey{}, key), req)
}

func (r *recorded) there(ctx context.Context, key Key) (bool, error) {
	if r.cfg.Ledger != nil {
		c, err := r.cfg.Ledger.Lookup(ctx, key)
		if err != nil || c != nil {
			return c != nil, err
		}
	}
	_, found, err := r.recording.reply(key)
	return found, err
}

// Embed refuses: vectors cannot be written by reading.
func (r *recorded) Embed(context.Context, Embedding, []string) ([][]float32, error) {
	return nil,
		&Error{Cause: CauseUnsupported, Message: "a recording holds no embeddings; take the offline embedder, or a provider that embeds"}
}

// player is the transport of a recording: it answers with the reply that was recorded for the request's key.
type player struct{ recording *Recording }

// RoundTrip answers without a network.
func (p player) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body)
		_ = req.Body.Close()
	}
	answer := func(status int, body []byte) (*http.Response, error) {
		return &http.Response{
			Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
			Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(body)),
			Body: io.NopCloser(bytes.NewReader(body)),
		}, nil
	}
	key, ok := req.Context().Value(playKey{}).(Key)
	var reply RecordedReply
	if ok {
		var err error
		if reply, ok, err = p.recording.reply(key); err != nil {
			return nil, err
		}
	}
	if !ok {
		return answer(http.StatusNotFound,
			[]byte(`{"error":{"message":"no reply to this request was recorded","type":"invalid_request_error"}}`))
	}
	body, err := recordedBody(reply)
	if err != nil {
		return nil, err
	}
	return answer(http.StatusOK, body)
}

// recordedBody is a reply in the form of the protocol. It names no usage, because nobody counted it.
func recordedBody(r RecordedReply) ([]byte, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	type choice struct {
		Index        int     `json:"index"`
		Message      message `json:"message"`
		FinishReason string  `json:"finish_reason"`
	}
	return json.Marshal(struct {
		ID      string   `json:"id"`
		Object  string   `json:"object"`
		Model   string   `json:"model"`
		Choices []choice `json:"choices"`
	}{
		"recorded-" + string(r.Key)[:min(16, len(r.Key))], "chat.completion", r.Model,
		[]choice{{Message: message{"assistant", strings.TrimSpace(r.Text)}, FinishReason: "stop"}},
	})
}

type unheardKey struct{}

// WithUnheard returns a context that counts the requests made with it to which no reply was recorded yet: what was computed with it
// is to be computed again once they are answered.
func WithUnheard(ctx context.Context) (context.Context, func() int) {
	var n atomic.Int64
	return context.WithValue(ctx, unheardKey{}, &n), func() int { return int(n.Load()) }
}

func unheard(ctx context.Context) {
	if n, ok := ctx.Value(unheardKey{}).(*atomic.Int64); ok {
		n.Add(1)
	}
}
