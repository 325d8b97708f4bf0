package llm

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/rag-workbench/workbench/internal/outbound"
)

// How replies are held to a schema, from the strictest on. A provider moves on when the server refuses one.
const (
	formatSchema int32 = iota // response_format json_schema, strict
	formatObject              // response_format json_object, schema in the prompt
	formatNone                // schema in the prompt alone
)

// spelling is what may differ between two bodies of the same request. None of it is part of the key, because none of it
// changes what is asked.
type spelling struct {
	format     int32
	longTokens bool // max_completion_tokens instead of max_tokens
	double     bool // twice the MaxTokens, after a truncated reply
	forced     bool // by a probe, which wants to know
	spell      bool // the schema stands in the prompt too, after a reply that missed it
	// the model takes no temperature but its own
	ownTemperature bool
}

// chatRequest sends a temperature of 0, which go-openai would leave out, so that the server would take its default of 1. Its
// messages are plain, because those of go-openai are written twice over.
type chatRequest struct {
	openai.ChatCompletionRequest
	Messages    []chatMessage `json:"messages"`
	Temperature *float64      `json:"temperature,omitempty"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func chatBody(req Request, nonce string, s spelling) ([]byte, error) {
	system, user := Render(req, nonce)
	out := chatRequest{}
	if !s.ownTemperature {
		out.Temperature = &req.Temperature
	}
	out.Model = req.Model
	limit := limitOf(req, s)
	if s.longTokens {
		out.MaxCompletionTokens = limit
	} else {
		out.MaxTokens = limit //nolint:staticcheck // deprecated by OpenAI, but all that many compatible servers know
	}
	if req.Seed != 0 {
		out.Seed = &req.Seed
	}
	if req.Schema != nil {
		switch s.format {
		case formatSchema:
			out.ResponseFormat = &openai.ChatCompletionResponseFormat{
				Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
				JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: req.Schema.Name, Schema: req.Schema.Body, Strict: true},
			}
		case formatObject:
			out.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
		}
	}
	out.Messages = []chatMessage{
		{Role: openai.ChatMessageRoleSystem, Content: spelled(req, system, s)},
		{Role: openai.ChatMessageRoleUser, Content: user},
	}
	return json.Marshal(out)
}

// exchange is what came back from one attempt.
type exchange struct {
	status int // 0 when no header arrived
	header http.Header
	body   []byte
	err    error // why header or body are missing or incomplete
	sent   bool  // the server may have seen the request, so it may have been billed
	at     time.Time
}

// errorBodyCap bounds what is read of a reply that is an error; people see and the ledger keeps the first 2 KB.
const errorBodyCap = 64 << 10

func (p *openAI) send(ctx context.Context, j job, body []byte, t tally) exchange {
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), http.MethodPost, p.route.url(j.path, j.model),
		bytes.NewReader(body))
	if err != nil {
		return exchange{err: err, at: p.cfg.Now()}
	}
	req.Header.Set("Content-Type", "application/json")
	p.sign(req)
	if p.cfg.IdempotencyKeys {
		// Spelled like this on purpose: net/http repeats a request with the canonical header by itself, behind the ledger's back.
		req.Header[strings.ToLower("Idempotency-Key")] = []string{p.idempotencyKey(j, body, t)}
	}
	return exchanged(p.client, req, &sent, p.cfg.Now)
}

// sign sets the headers of every request, the key in them.
func (p *openAI) sign(req *http.Request) {
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "rag-workbench")
	for name, values := range p.route.fixed {
		req.Header[name] = values
	}
	if p.cfg.APIKey != "" {
		req.Header.Set(p.route.keyHeader, p.route.keyPrefix+p.cfg.APIKey)
	}
	if p.cfg.Organization != "" {
		req.Header.Set("OpenAI-Organization", p.cfg.Organization)
	}
}

// idempotencyKey is equal for attempts that want the same reply: repeated because it got lost, in this process or the next
// one. Asking again because a reply was of no use is another wish.
func (p *openAI) idempotencyKey(j job, body []byte, t tally) string {
	mac := hmac.New(sha256.New, p.cfg.Secret)
	fmt.Fprintf(mac, "%s|%d|%d|", j.key, t.asks, t.longer)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))[:32]
}

func succeeded(status int) bool { return status >= 200 && status < 300 }

// raw is an exchange as the ledger keeps it. A success that broke off has no status, so that nobody takes its body for whole.
func (p *openAI) raw(x exchange) Raw {
	r := Raw{Status: x.status, Body: p.evidence(x), At: x.at}
	if x.err != nil && succeeded(x.status) {
		r.Status = 0
	}
	return r
}

// evidence is the part of the reply that the ledger keeps: a success as it came, 2 KB of an error, 64 KB of a reply that
// broke off. The API key is never in it; it goes before the cut, which could otherwise leave half of it.
func (p *openAI) evidence(x exchange) []byte {
	switch {
	case !succeeded(x.status):
		return cut(p.secret.bytes(x.body, true), messageCap)
	case x.err != nil:
		return cut(p.secret.bytes(x.body, true), errorBodyCap)
	}
	return p.secret.bytes(x.body, false)
}

func cut(b []byte, n int) []byte { return b[:min(len(b), n)] }

// exchanged sends a request and reads the reply, of a refusal only so much as an error shows. sent is set by the request's
// trace once bytes have left.
func exchanged(client *http.Client, req *http.Request, sent *atomic.Bool, now func() time.Time) exchange {
	resp, err := client.Do(req)
	if err != nil {
		x := exchange{err: err, sent: sent.Load(), at: now()}
		if r, ok := errors.AsType[*outbound.RedirectError](err); ok {
			x.status = r.Status
		}
		return x
	}
	defer func() { _ = resp.Body.Close() }()
	x := exchange{status: resp.StatusCode, header: resp.Header, sent: true}
	if succeeded(x.status) {
		x.body, x.err = io.ReadAll(resp.Body)
	} else {
		x.body, x.err = io.ReadAll(io.LimitReader(resp.Body, errorBodyCap))
	}
	x.at = now()
	return x
}
