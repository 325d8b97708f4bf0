// Package fakeprovider is an OpenAI-compatible server that misbehaves on demand and keeps a bill, for tests and demos.
//
// It serves POST …/chat/completions and …/embeddings under any path prefix, Azure's included. Left alone it behaves: a chat
// reply is the smallest instance of the JSON Schema asked for, or what a [Responder] or [Options].Answer says; [Offline] answers
// the workbench's own prompts plausibly. Embeddings are hashed from the text, so equal texts get equal vectors and texts that
// share words get similar ones.
//
// A [Behaviour] makes one request go wrong. It is chosen by request number, by an [Outage], by the [Limits], by a function, or
// by a seeded [Mix], in this order. Chance is seeded and follows the body of a request, never the order of arrival; time is
// asked from the clock of the options alone.
//
// The ledger lists every request that arrived, what it did to it and what it charged. A reply that is cut, dripped or reset
// is charged all the same, as real providers do; a refusal is not. Compare it with the client's own ledger.
package fakeprovider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fault is a way for one request to go wrong.
type Fault string

// The faults. The comments name the fields of [Behaviour] that they use.
const (
	None          Fault = ""               // a proper reply
	RateLimit     Fault = "rate_limit"     // 429; Header for Retry-After or x-ratelimit-reset-*
	Quota         Fault = "quota"          // 429 with the code insufficient_quota
	Unauthorized  Fault = "unauthorized"   // 401 whose body repeats the key it got
	ServerError   Fault = "server_error"   // Status, default 500; Header
	ClientError   Fault = "client_error"   // Status, default 400; Body is the error's message
	Redirect      Fault = "redirect"       // Status, default 307, to Body
	HTML          Fault = "html"           // 200 with a login page
	ErrorAs200    Fault = "error_as_200"   // 200 with an error object; Body is its code
	Malformed     Fault = "malformed"      // 200 with broken JSON
	Trailing      Fault = "trailing"       // 200 with a second JSON value after the reply
	Raw           Fault = "raw"            // Status, default 200, with Body as it is
	EmptyObject   Fault = "empty_object"   // 200 with {}
	EmptyChoices  Fault = "empty_choices"  // no choice
	EmptyContent  Fault = "empty_content"  // a choice without text
	Refusal       Fault = "refusal"        // the message's refusal field
	ContentFilter Fault = "content_filter" // finish_reason content_filter
	Length        Fault = "length"         // finish_reason length and half of the text
	WrongSchema   Fault = "wrong_schema"   // JSON of another shape
	Content       Fault = "content"        // a proper envelope with Body as the text
	NoUsage       Fault = "no_usage"       // a proper reply without a usage block
	Reset         Fault = "reset"          // the connection is reset after Cut bytes
	Truncated     Fault = "truncated"      // the connection ends before the announced length, after Cut bytes
	Chunked       Fault = "chunked"        // as truncated, but without an announced length
	Stall         Fault = "stall"          // Cut bytes, then silence until the client goes
	Drip          Fault = "drip"           // one byte for every Pause
	Hang          Fault = "hang"           // no reply at all until the client goes
	Huge          Fault = "huge"           // Size bytes of reply, default 16 MiB

	VectorsNaN       Fault = "vectors_nan"       // NaN where a number belongs
	VectorsNull      Fault = "vectors_null"      // null where a number belongs
	VectorsOverflow  Fault = "vectors_overflow"  // 1e400 where a number belongs
	VectorsZero      Fault = "vectors_zero"      // a vector of zeros
	VectorsRagged    Fault = "vectors_ragged"    // one vector is a number shorter than the others
	VectorsWrongSize Fault = "vectors_wrong"     // all vectors have half the dimension
	VectorsShort     Fault = "vectors_short"     // one vector fewer than texts
	VectorsDoubled   Fault = "vectors_doubled"   // one index twice
	VectorsShuffled  Fault = "vectors_shuffled"  // right, but in reverse order
	VectorsBadIndex  Fault = "vectors_bad_index" // an index beyond the texts
)

// Behaviour is what happens to one request.
type Behaviour struct {
	Fault  Fault
	Status int
	Header map[string]string
	Body   string
	Size   int
	Cut    int // bytes of the body; 0 is half of it, below 0 none
	Pause  time.Duration
}

// Request is what the server understood of a request. The credentials are not in it.
type Request struct {
	N       int    // 1, 2, … in order of arrival
	Hash    string // SHA-256 of the body, in hexadecimal
	Times   int    // how often this body has come, from 1
	URL     string // path and query
	Path    string // the last segments: "chat/completions" or "embeddings"
	Model   string
	Purpose string // the name of the reply's schema, "embed", or empty
	System  string
	User    string
	Schema  []byte   // the JSON Schema of the reply, if any
	Texts   []string // of an embedding request
	Body    []byte   // as received

	IdempotencyKey string // the header of this name
}

// Responder writes the text of a chat reply. An error becomes status 500.
type Responder func(model, system, user string, schema []byte) (string, error)

// Options configure a server. The zero value behaves.
type Options struct {
	Key       string                  // the API key demanded; empty demands none
	Script    map[int]Behaviour       // by request number, from 1
	Behave    func(Request) Behaviour // for requests that Script does not name
	Responder Responder               // nil gives the smallest instance of the schema, or a fixed sentence
	Dimension int                     // of embeddings; 0 is 64
	Models    string                  // the body of GET /models, which is no entry of the bill; "" has no such list

	Answer  func(Request) (string, error) // writes the text of a chat reply; wins over Responder
	Latency time.Duration                 // before every reply
	Limits  Limits                        // needs Now
	Outages []Outage                      // need Now
	Mix     Mix
	Flip    float64 // share of judgements that are turned round, 0 to 1
	Seed    uint64  // of Flip
	// Idempotent gives a request whose Idempotency-Key was answered before the same reply, uncharged.
	Idempotent bool
	Now        func() time.Time                                 // nil knows no time
	Sleep      func(ctx context.Context, d time.Duration) error // waits for Latency; nil uses a timer
	// Bill gets every entry as one line of JSON before the reply is sent; a *os.File is synced after each.
	Bill io.Writer
}

// Entry is one line of the bill.
type Entry struct {
	N                int       `json:"n"`
	At               time.Time `json:"at,omitzero"` // when it arrived, if the server has a clock
	Hash             string    `json:"hash"`        // of the body: equal requests have equal ones
	Path             string    `json:"path"`
	Purpose          string    `json:"purpose"`
	Model            string    `json:"model"`
	Fault            Fault     `json:"fault"`
	Status           int       `json:"status"` // 0 when the connection broke before a status
	PromptTokens     int       `json:"prompt_tokens"`
	CompletionTokens int       `json:"completion_tokens"`
	Charged          bool      `json:"charged"` // false: the tokens are what it would have cost
	IdempotencyKey   string    `json:"idempotency_key,omitempty"`
}

// Server is the provider. It is an http.Handler, safe for concurrent use.
type Server struct {
	opts Options

	mutex   sync.Mutex
	count   int
	times   map[string]int      // by hash of the body
	given   map[string]outgoing // by idempotency key
	window  window
	entries []Entry
}

// New returns a server. It starts nothing.
func New(o Options) *Server {
	if o.Dimension <= 0 {
		o.Dimension = 64
	}
	return &Server{opts: o, times: map[string]int{}, given: map[string]outgoing{}}
}

// Ledger returns the bill so far, in order of arrival.
func (s *Server) Ledger() []Entry {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	out := slices.Clone(s.entries)
	slices.SortFunc(out, func(a, b Entry) int { return a.N - b.N })
	return out
}

// ServeHTTP answers one request. The bill is written before the reply, so that it is complete once a client has the reply.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models") {
		if s.opts.Models == "" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, s.opts.Models)
		return
	}
	req, err := s.read(r)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error(), "invalid_request_error", "")
		return
	}
	b, headers := s.behaviour(req)
	authorization := r.Header.Get("Authorization")
	if s.opts.Key != "" && authorization != "Bearer "+s.opts.Key && r.Header.Get("Api-Key") != s.opts.Key {
		b = Behaviour{Fault: Unauthorized}
	}
	out := s.once(req, b, authorization)
	for k, v := range headers {
		w.Header().Set(k, v)
	}
	if err := s.book(req, b, out); err != nil {
		writeError(w, http.StatusInternalServerError, err.Error(), "server_error", "")
		return
	}
	if s.opts.Latency > 0 && s.wait(r.Context()) != nil {
		return
	}
	out.send(w, r)
}

func (s *Server) wait(ctx context.Context) error {
	if s.opts.Sleep != nil {
		return s.opts.Sleep(ctx, s.opts.Latency)
	}
	t := time.NewTimer(s.opts.Latency)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// once is the reply to a request; where idempotency keys are honoured, the reply that its key got before.
func (s *Server) once(r Request, b Behaviour, authorization string) outgoing {
	if !s.opts.Idempotent || r.IdempotencyKey == "" {
		return s.reply(r, b, authorization)
	}
	s.mutex.Lock()
	before, ok := s.given[r.IdempotencyKey]
	s.mutex.Unlock()
	if ok {
		before.charged = false
		return before
	}
	out := s.reply(r, b, authorization)
	if out.charged {
		whole := out
		whole.delivery = None
		s.mutex.Lock()
		s.given[r.IdempotencyKey] = whole
		s.mutex.Unlock()
	}
	return out
}

func (s *Server) read(r *http.Request) (Request, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		return Request{}, err
	}
	sum := sha256.Sum256(body)
	req := Request{Body: body, Hash: hex.EncodeToString(sum[:]), URL: r.URL.RequestURI(), IdempotencyKey: r.Header.Get("Idempotency-Key")}
	s.mutex.Lock()
	s.count++
	s.times[req.Hash]++
	req.N, req.Times = s.count, s.times[req.Hash]
	s.mutex.Unlock()
	var wire struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
		ResponseFormat struct {
			JSONSchema struct {
				Name   string          `json:"name"`
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
		Input []string `json:"input"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, err
	}
	req.Model, req.Texts = wire.Model, wire.Input
	req.Purpose, req.Schema = wire.ResponseFormat.JSONSchema.Name, wire.ResponseFormat.JSONSchema.Schema
	for _, m := range wire.Messages {
		switch m.Role {
		case "system":
			req.System += m.Content
		case "user":
			req.User += m.Content
		}
	}
	req.Path = "chat/completions"
	if strings.HasSuffix(r.URL.Path, "/embeddings") {
		req.Path, req.Purpose = "embeddings", "embed"
	}
	return req, nil
}

// behaviour chooses what happens to a request. The headers belong to the limits.
func (s *Server) behaviour(r Request) (Behaviour, map[string]string) {
	if b, ok := s.opts.Script[r.N]; ok {
		return b, nil
	}
	s.mutex.Lock()
	b, hit, headers := s.scheduled(r)
	s.mutex.Unlock()
	switch {
	case hit:
		return b, headers
	case s.opts.Behave != nil:
		if b := s.opts.Behave(r); b.Fault != None || b.Pause > 0 || b.Header != nil {
			return b, headers
		}
	}
	return s.opts.Mix.drawn(r), headers
}

// book writes the entry of a request.
func (s *Server) book(r Request, b Behaviour, out outgoing) error {
	e := Entry{
		N: r.N, Hash: r.Hash, Path: r.Path, Purpose: r.Purpose, Model: r.Model, Fault: b.Fault, Status: out.status,
		PromptTokens: out.prompt, CompletionTokens: out.completion, Charged: out.charged, IdempotencyKey: r.IdempotencyKey,
	}
	if s.opts.Now != nil {
		e.At = s.opts.Now()
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.entries = append(s.entries, e)
	if s.opts.Bill == nil {
		return nil
	}
	if _, err := s.opts.Bill.Write(append(mustJSON(e), '\n')); err != nil {
		return fmt.Errorf("the bill cannot be written: %w", err)
	}
	if f, ok := s.opts.Bill.(interface{ Sync() error }); ok {
		return f.Sync()
	}
	return nil
}
