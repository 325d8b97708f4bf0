package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/rag-workbench/workbench/internal/text"
)

// ModelLimits are what a server says of the bounds of one model; 0 is unknown, and stands nowhere.
type ModelLimits struct {
	ContextTokens     int `json:"context_tokens,omitempty"`      // of one request, its reply included where the server counts it so
	OutputTokens      int `json:"output_tokens,omitempty"`       // of the longest reply
	RequestsPerMinute int `json:"requests_per_minute,omitempty"` // as the header of a reply says
	TokensPerMinute   int `json:"tokens_per_minute,omitempty"`   // as the header of a reply says
}

// What is read of a list of models, and for how long it is waited for.
const (
	modelsCap  = 8 << 20
	modelsWait = 10 * time.Second
)

// modelEntry is what servers say of a model in their list: vLLM, OpenRouter, Groq, llama.cpp, LM Studio, Mistral and LiteLLM, each in
// words of its own.
type modelEntry struct {
	ID                  string  `json:"id"`
	MaxModelLen         atLeast `json:"max_model_len"`
	ContextLength       atLeast `json:"context_length"`
	ContextWindow       atLeast `json:"context_window"`
	MaxContextLength    atLeast `json:"max_context_length"`
	MaxInputTokens      atLeast `json:"max_input_tokens"`
	MaxOutputTokens     atLeast `json:"max_output_tokens"`
	MaxCompletionTokens atLeast `json:"max_completion_tokens"`
	TopProvider         struct {
		ContextLength       atLeast `json:"context_length"`
		MaxCompletionTokens atLeast `json:"max_completion_tokens"`
	} `json:"top_provider"`
	Meta struct {
		Served  atLeast `json:"n_ctx"`
		Trained atLeast `json:"n_ctx_train"`
	} `json:"meta"`
}

// atLeast is a number of tokens; whatever is none, null or text for example, is 0: unknown.
type atLeast int

// UnmarshalJSON never fails: one odd entry must not hide the others.
func (n *atLeast) UnmarshalJSON(b []byte) error {
	const absurd = 1 << 31
	if f, err := strconv.ParseFloat(string(b), 64); err == nil && f >= 1 && f < absurd {
		*n = atLeast(f)
	}
	return nil
}

// listedLimits reads the entry of a model in a server's list: an object with data or models, or the list alone. A list that cannot be
// read or does not name the model says nothing.
func listedLimits(body []byte, model string) ModelLimits {
	var list struct{ Data, Models []json.RawMessage }
	if json.Unmarshal(body, &list) != nil {
		_ = json.Unmarshal(body, &list.Data)
	}
	for _, raw := range append(list.Data, list.Models...) {
		var e modelEntry
		if json.Unmarshal(raw, &e) != nil || e.ID != model {
			continue
		}
		return ModelLimits{
			ContextTokens: firstKnown(e.MaxModelLen, e.TopProvider.ContextLength, e.ContextLength, e.ContextWindow, e.Meta.Served,
				e.Meta.Trained, e.MaxContextLength, e.MaxInputTokens),
			OutputTokens: firstKnown(e.TopProvider.MaxCompletionTokens, e.MaxCompletionTokens, e.MaxOutputTokens),
		}
	}
	return ModelLimits{}
}

func firstKnown(said ...atLeast) int {
	for _, n := range said {
		if n > 0 {
			return int(n)
		}
	}
	return 0
}

// rate is what x-ratelimit headers say of requests or tokens.
type rate struct {
	limit, left int
	reset       time.Duration // until all may be sent again; 0 unknown
	counted     bool          // left is known
}

func rateOf(h http.Header, of string) rate {
	limit, err := strconv.Atoi(h.Get("X-Ratelimit-Limit-" + of))
	left, leftErr := strconv.Atoi(h.Get("X-Ratelimit-Remaining-" + of))
	if err != nil {
		limit = 0
	}
	return rate{limit: max(0, limit), left: left, reset: resetIn(h.Get("X-Ratelimit-Reset-" + of)), counted: leftErr == nil}
}

// perMinute is the limit, unless the reset shows that it is one of hours or of a day: Groq's of requests is a day's, and one request of
// 14,400 comes back after 6 s.
func (r rate) perMinute() int {
	used := r.limit - r.left
	if r.limit >= 1<<31 || r.reset > time.Minute || r.counted && used > 0 && r.reset.Seconds()*float64(r.limit)/float64(used) > 3600 {
		return 0
	}
	return r.limit
}

// learnLimits tells the probe that a call belongs to what header and list of models say. The list is asked for once in a probe, costs
// nothing, and is no call of the ledger; where it cannot be had the limits stay unknown.
func (p *openAI) learnLimits(ctx context.Context, model string, x exchange) {
	seen, probing := ctx.Value(probingKey{}).(*probed)
	if !probing || !succeeded(x.status) {
		return
	}
	if !seen.listed && p.cfg.Dialect == "" && p.cfg.Azure == nil {
		seen.listed = true
		seen.limits = listedLimits(p.models(ctx), model)
	}
	seen.limits.RequestsPerMinute = rateOf(x.header, "Requests").perMinute()
	seen.limits.TokensPerMinute = rateOf(x.header, "Tokens").perMinute()
}

// models is the server's list of models; nil where there is none.
func (p *openAI) models(ctx context.Context) []byte {
	ctx, cancel := context.WithTimeout(ctx, modelsWait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.route.url("/models", ""), nil)
	if err != nil {
		return nil
	}
	p.sign(req)
	resp, err := p.client.Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	if !succeeded(resp.StatusCode) {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, modelsCap))
	if err != nil {
		return nil
	}
	return body
}

// contextOf is how many tokens a model reads at once, as a probe learned; 0 is unknown.
func (p *openAI) contextOf(model string) int {
	if learned, ok := p.contexts.Load(model); ok {
		return learned.(int)
	}
	return p.cfg.Contexts[model]
}

// checkContext refuses a request that is longer than the model reads, before it is sent. It counts as [openAI.checkLengths] does.
func (p *openAI) checkContext(req Request) error {
	limit := p.contextOf(req.Model)
	if limit <= 0 {
		return nil
	}
	system, user := Render(req, "0000000000000000")
	whole := system + "\n" + user
	if len(whole) <= limit || 2*EstimateTokens(whole) <= limit {
		return nil
	}
	tokens := text.Tokens("", whole)
	if len(tokens) <= limit {
		return nil
	}
	return &Error{Cause: CauseRequest, Message: fmt.Sprintf("the request has about %d tokens, and %s reads at most %d, as its server says: "+
		"retrieve fewer or smaller chunks, or take a model with a longer context; nothing was sent", len(tokens), req.Model, limit)}
}
