package llm

import (
	"context"
	"time"
)

// CallState is where a call stands. Money may be gone from the moment a call is sent.
type CallState string

// The states of a call, in the order they can follow each other.
const (
	CallSent     CallState = "sent"     // committed, then sent; no reply stored yet
	CallBanked   CallState = "banked"   // raw reply stored, not yet parsed
	CallUsable   CallState = "usable"   // parsed; may be served from the cache
	CallUnusable CallState = "unusable" // paid, but of no use; kept for reading, never served
	CallFailed   CallState = "failed"   // the provider said no, nothing was billed
	CallUnknown  CallState = "unknown"  // its reply never arrived whole, or its owner died before: possibly spent
)

// Call is one HTTP attempt, one row of the ledger.
type Call struct {
	ID               string     `json:"id"`
	RunID            string     `json:"run_id"`
	QuestionID       string     `json:"question_id"`
	Stage            string     `json:"stage"`
	Purpose          string     `json:"purpose"`
	Provider         string     `json:"provider"`
	Origin           string     `json:"origin"`
	Model            string     `json:"model"`
	Key              Key        `json:"key"`
	Replicate        int        `json:"replicate"`
	Attempt          int        `json:"attempt"` // 1, 2, … of this key within one Complete
	Despite          string     `json:"-"`       // the call that the cache serves for this key, and that is of no use any more
	State            CallState  `json:"state"`
	Owner            string     `json:"owner"` // the process that sent it
	SentAt           time.Time  `json:"sent_at"`
	DoneAt           *time.Time `json:"done_at"`
	HTTPStatus       int        `json:"http_status"`
	EstimateMicros   int64      `json:"estimate_micros"` // reserved before sending, in millionths of the price file's currency
	CostMicros       int64      `json:"cost_micros"`     // what the reply's usage costs
	CostKind         string     `json:"cost_kind"`       // "reported", "estimated" or "unknown" (no price or no usage)
	PromptTokens     int        `json:"prompt_tokens"`
	CompletionTokens int        `json:"completion_tokens"`
	ModelSeen        string     `json:"model_seen"`
	Request          []byte     `json:"-"` // the body as sent, never the headers
	Reply            []byte     `json:"-"` // the raw body as received
	ReplySHA256      string     `json:"reply_sha256"`
	Cause            string     `json:"cause"`                   // the error code when not usable
	Repair           string     `json:"repair,omitempty"`        // how the reply became the JSON asked for: words of [Repairs]
	CachedTokens     int        `json:"cached_tokens,omitempty"` // of the prompt tokens, those that the provider had in its cache
}

// Raw is a reply before anybody looked inside.
type Raw struct {
	Status int // 0 when a success broke off: Body is its beginning and must not be taken for whole
	Body   []byte
	At     time.Time
}

// Outcome closes a call.
type Outcome struct {
	State            CallState // CallUsable, CallUnusable, CallFailed or, with CostMicros 0, CallUnknown
	Cause            string
	CostMicros       int64
	CostKind         string
	PromptTokens     int
	CompletionTokens int
	ModelSeen        string
	Repair           string // as in [Call]
	CachedTokens     int
}

// Ledger is the durable record of every call. Each method commits before it returns.
type Ledger interface {
	// Lookup returns the usable call with this key; without one, a banked call whose owner died before parsing it; else nil.
	Lookup(ctx context.Context, key Key) (*Call, error)
	// Begin writes the row of a call that is about to be sent, in state CallSent, and reserves its estimate against
	// the run's budget. A Problem with code "budget_spent" means the call must not be sent; so does [*Held], of an equal call.
	Begin(ctx context.Context, c Call) error
	// Bank stores the raw reply, in state CallBanked.
	Bank(ctx context.Context, id string, raw Raw) error
	// Settle closes the call; a usable one enters the cache unless its key is there already.
	Settle(ctx context.Context, id string, o Outcome) error
}

// VectorStore keeps bought embeddings, text by text. Space names provider origin and model.
type VectorStore interface {
	// Vectors returns the stored vectors by text digest; missing texts are absent.
	Vectors(ctx context.Context, space string, digests []string) (map[string][]float32, error)
	// PutVectors stores vectors; those already there stay.
	PutVectors(ctx context.Context, space string, vectors map[string][]float32) error
}
