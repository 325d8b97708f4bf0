// Package fakeprovider is an OpenAI-compatible server that misbehaves on demand and keeps a bill, for tests and demos.
//
// It serves POST …/chat/completions and …/embeddings under any path prefix. Left alone it behaves: a chat reply is the
// smallest instance of the JSON Schema asked for, or what a [Responder] says; embeddings are hashed from the text, so equal
// texts get equal vectors and texts that share words get similar ones. A [Behaviour], chosen by request number or by a
// function, makes one request go wrong. Nothing depends on time or chance, except that a slow reply is slow.
//
// The ledger lists every request that arrived, what it did to it and what it charged. A reply that is cut, dripped or reset
// is charged all the same, as real providers do; a refusal is not. Compare it with the client's own ledger.
package fakeprovider

import (
	"encoding/json"
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
	Reset         Fault = "reset"          // the connection is reset after half of the body
	Truncated     Fault = "truncated"      // the connection ends before the announced length
	Stall         Fault = "stall"          // half of the body, then silence until the client goes
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
	Pause  time.Duration
}

// Request is what the server understood of a request. The credentials are not in it.
type Request struct {
	N       int    // 1, 2, … in order of arrival
	Path    string // the last segments: "chat/completions" or "embeddings"
	Model   string
	Purpose string // the name of the reply's schema, "embed", or empty
	System  string
	User    string
	Schema  []byte   // the JSON Schema of the reply, if any
	Texts   []string // of an embedding request
	Body    []byte   // as received
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
}

// Entry is one line of the bill.
type Entry struct {
	N                int    `json:"n"`
	Path             string `json:"path"`
	Purpose          string `json:"purpose"`
	Model            string `json:"model"`
	Fault            Fault  `json:"fault"`
	Status           int    `json:"status"` // 0 when the connection broke before a status
	PromptTokens     int    `json:"prompt_tokens"`
	CompletionTokens int    `json:"completion_tokens"`
	Charged          bool   `json:"charged"` // false: the tokens are what it would have cost
}

// Server is the provider. It is an http.Handler, safe for concurrent use.
type Server struct {
	opts Options

	mutex   sync.Mutex
	count   int
	entries []Entry
}

// New returns a server. It starts nothing.
func New(o Options) *Server {
	if o.Dimension <= 0 {
		o.Dimension = 64
	}
	return &Server{opts: o}
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
	req, err := s.read(r)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error(), "invalid_request_error", "")
		return
	}
	b := s.behaviour(req)
	if s.opts.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.opts.Key {
		b = Behaviour{Fault: Unauthorized}
	}
	out := s.reply(req, b, r.Header.Get("Authorization"))
	s.book(req, b, out)
	out.send(w, r)
}

func (s *Server) read(r *http.Request) (Request, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		return Request{}, err
	}
	s.mutex.Lock()
	s.count++
	req := Request{N: s.count, Body: body}
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

func (s *Server) behaviour(r Request) Behaviour {
	if b, ok := s.opts.Script[r.N]; ok {
		return b
	}
	if s.opts.Behave != nil {
		return s.opts.Behave(r)
	}
	return Behaviour{}
}

func (s *Server) book(r Request, b Behaviour, out outgoing) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.entries = append(s.entries, Entry{
		N: r.N, Path: r.Path, Purpose: r.Purpose, Model: r.Model, Fault: b.Fault, Status: out.status,
		PromptTokens: out.prompt, CompletionTokens: out.completion, Charged: out.charged,
	})
}
