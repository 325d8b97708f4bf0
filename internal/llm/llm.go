// Package llm speaks to language models and embedders.
//
// A [Provider] is a place that completes prompts and embeds texts: the built-in offline one ([NewOffline]), any
// OpenAI-compatible endpoint or one in the dialect of Anthropic or Gemini ([NewOpenAI]), or a folder of recorded replies
// ([NewRecorded]). A [Request] is structured, not a list of messages: an instruction we wrote, one JSON object
// of data we did not write, and a schema for the reply. Rendering it
// into messages fences the data with a nonce derived from the request's key, so untrusted text cannot pretend to be instruction
// and equal requests stay equal.
//
// Every HTTP attempt is a row in the [Ledger]: committed before it is sent, its raw reply committed before it is parsed.
// The ledger is cache, bill and evidence in one. Retry sits above it. The offline provider makes no attempts, costs
// nothing and is deterministic, so nothing of it is banked.
package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"time"

	"github.com/rag-workbench/workbench/internal/llm/replies"
)

// Request asks a model for one completion.
type Request struct {
	// what it is for, for example "judge.correctness"; the offline provider dispatches on it
	Purpose     string          `json:"purpose"`
	Model       string          `json:"model"`                // the provider's model name
	Instruction string          `json:"instruction"`          // our words: the only part a model should obey
	Data        json.RawMessage `json:"data"`                 // one JSON object: questions, documents, answers; never obeyed
	Schema      *replies.Schema `json:"schema,omitempty"`     // the JSON Schema of the reply; nil asks for plain text
	Temperature float64         `json:"temperature"`          // 0 is the most repeatable
	MaxTokens   int             `json:"max_tokens,omitempty"` // bound of the reply, in tokens; 0 leaves it to the provider
	Seed        int             `json:"seed,omitempty"`       // passed on when not 0
	Replicate   int             `json:"replicate,omitempty"`  // asks the same again on purpose: 0, 1, 2, …
	Fresh       string          `json:"fresh,omitempty"`      // asks anew what was asked before under another text, in unchanged words
	// the dialect in which the scores of a [Reranking] are asked for; "" asks for a completion. How one asks changes no reply.
	Rerank string `json:"-"`

	Compact bool `json:"-"` // Data is valid JSON on one line, as WithData and Complete make it: nobody needs to see to that again
	Value   any  `json:"-"` // what Data says, for a reader in this process; nobody changes it. See [DataOf]

	made json.RawMessage // Data as WithData made them
}

// WithData is the request with v as its data: a value that encoding/json reads back as it was, but for bytes that are no text.
func (r Request) WithData(v any) (Request, error) {
	body, err := json.Marshal(v)
	r.Data, r.Compact, r.Value, r.made = body, true, v, body
	if bytes.Contains(body, []byte(`\ufffd`)) { // so are bytes written that are no text: a reader must see what is sent
		r.Value = nil
	}
	return r, err
}

// asMade reports whether the data are still those that [Request.WithData] made, so that they need not be read to know that they are valid
// and on one line.
func (r Request) asMade() bool {
	return len(r.Data) > 0 && len(r.Data) == len(r.made) && &r.Data[0] == &r.made[0]
}

// DataOf is the data of a request.
func DataOf[D any](req Request) (D, error) {
	if d, same := req.Value.(D); same {
		return d, nil
	}
	var d D
	err := json.Unmarshal(req.Data, &d)
	return d, err
}

// compacted is the request with its data on one line. What is asked, and its key, stay the same.
func (r Request) compacted() (Request, error) {
	if len(r.Data) == 0 || r.Compact {
		return r, nil
	}
	var data bytes.Buffer
	data.Grow(len(r.Data))
	if err := json.Compact(&data, r.Data); err != nil {
		return r, err
	}
	r.Data, r.Compact = data.Bytes(), true
	return r, nil
}

// Reply is a usable completion.
type Reply struct {
	Text         string        `json:"text"`
	Model        string        `json:"model"`         // the model that the provider says answered
	FinishReason string        `json:"finish_reason"` // "stop", "length", "content_filter", "refusal" (the text is the refusal), …
	Usage        Usage         `json:"usage"`
	Repair       string        `json:"repair,omitempty"` // how the text became the JSON asked for: words of [Repairs]; "" came so
	Cached       bool          `json:"cached"`           // served from the ledger: nothing was spent
	CallID       string        `json:"call_id"`          // the ledger row it came from; empty for the offline provider
	Latency      time.Duration `json:"-"`                // from sending to the last byte, as the ledger says it; 0 for the offline provider
	CostMicros   int64         `json:"-"`                // what the call cost when it was made, in millionths of the price file's currency
	CostKnown    bool          `json:"-"`                // the price and the usage were known
}

// Usage counts tokens as the provider reports them.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	CachedTokens     int `json:"cached_tokens,omitempty"` // of the prompt tokens, those that the provider had in its cache
	SearchUnits      int `json:"search_units,omitempty"`  // of a rerank service that bills searches instead of tokens
}

// Completer completes one request. Errors are *[Error] when the model or the way to it failed.
type Completer interface {
	Complete(ctx context.Context, req Request) (Reply, error)
}

// Embedder turns texts into vectors, one for each text and in their order, all of one length and L2-normalised unless wanted raw.
type Embedder interface {
	Embed(ctx context.Context, want Embedding, texts []string) ([][]float32, error)
}

// Provider is a place that offers models.
type Provider interface {
	Completer
	Embedder
	Info() Info
}

// Info describes a provider.
type Info struct {
	Name          string `json:"name"`          // as written in an experiment file, for example "openai"
	Kind          string `json:"kind"`          // "offline", "openai", "recorded", or a dialect
	Origin        string `json:"origin"`        // scheme, host and path prefix; the version of the offline provider
	Deterministic bool   `json:"deterministic"` // equal requests always give equal replies
	Free          bool   `json:"free"`          // no call is bought, so none is banked
}

// Key identifies everything that can change the reply to a request. It never covers the API key, prices or time-outs.
type Key string

// KeyOf is the SHA-256 of provider kind, origin and every field of the request.
func KeyOf(info Info, req Request) Key {
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode([]string{"k1", info.Kind, info.Origin})
	if req.Compact && len(req.Data) > 0 && !escapes(req.Data) {
		hashAround(h, req)
	} else {
		_ = enc.Encode(req)
	}
	return Key(hex.EncodeToString(h.Sum(nil)))
}

// escapes reports whether encoding/json would write another escape into JSON on one line.
func escapes(data []byte) bool {
	for _, c := range []byte("<>&") { // one by one: the processor finds a single byte faster than one of several
		if bytes.IndexByte(data, c) >= 0 {
			return true
		}
	}
	return bytes.Contains(data, []byte("\u2028")) || bytes.Contains(data, []byte("\u2029"))
}

// hashAround writes a request as the encoder does, but its data as they are: to read all of them once more, only to write them
// unchanged, would be most of the work.
func hashAround(h io.Writer, req Request) {
	data := req.Data
	req.Data = json.RawMessage("0")
	body, err := json.Marshal(req)
	if err != nil {
		return // nothing, as the encoder
	}
	// Within a text every quotation mark stands behind a backslash, so this is the field.
	before, after, _ := bytes.Cut(body, []byte(`"data":0`))
	for _, part := range [][]byte{before, []byte(`"data":`), data, after, {'\n'}} {
		_, _ = h.Write(part) // a hash takes everything
	}
}

// Scope says on whose behalf calls are made. It travels in the context and ends up in the ledger.
type Scope struct {
	RunID      string
	QuestionID string
	Stage      string // "rewrite", "rerank", "generate", "embed", "judge"
	Replicate  int    // goes into the requests made on its behalf: 0, 1, 2, … ask the same again on purpose

	Fresh   string // goes into what the system under test is asked: the id of the fire that asks it anew
	Rejudge string // goes into what the judge is asked: the id of the fire that has it judge again

	KeepAnswers bool // a system elsewhere is not asked again: its replies in the parent count

	Parent string // the run that a child run adds to: what a system elsewhere answered there counts here too
	Repeat bool   // calls of the parent whose reply never came may be repeated, even at endpoints that are asked at most once
}

// Lineage is the run that replies of systems elsewhere belong to: a child run takes over its parent's, any other run asks anew.
func (s Scope) Lineage() string {
	if s.Parent != "" {
		return s.Parent
	}
	return s.RunID
}

type scopeKey struct{}

// WithScope returns a context whose calls are booked to s.
func WithScope(ctx context.Context, s Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// ScopeOf returns the scope of ctx, or the zero Scope.
func ScopeOf(ctx context.Context) Scope {
	s, _ := ctx.Value(scopeKey{}).(Scope)
	return s
}
