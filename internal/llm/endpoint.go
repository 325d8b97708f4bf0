package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
)

// EndpointRequest is one question to a system that runs elsewhere, ready to be sent. As JSON it is the Data of a [Request].
type EndpointRequest struct {
	Run      string `json:"run"`      // the run it is asked for: every run asks anew. "" is nobody's, and is never served again
	Question string `json:"question"` // the question's id: equal questions are asked each
	Method   string `json:"method"`
	URL      string `json:"url"`
	Body     string `json:"body,omitempty"` // JSON; "" sends none
}

// EndpointConfig describes a system that runs elsewhere and what its calls are booked to.
type EndpointConfig struct {
	Name       string            // as experiment files name it
	Origin     string            // address without query, as the ledger shows it
	Headers    map[string]string // sent with every call, keys in them. Never stored, logged or put in errors
	Secrets    []string          // the keys in Headers, which are removed wherever a server repeats them
	AtMostOnce bool              // a call whose reply never came is not repeated: asking may have side effects
	Free       bool              // the price file says that a call costs nothing; else what it costs is unknown
	Timeout    time.Duration     // for one reply as a whole; 0 is 120 s
	Client     *http.Client      // nil takes outbound.New with Timeout. Redirects are refused whatever it says

	Ledger Ledger // nil books nothing: for trials
	Owner  string
	Alive  func(owner string) bool // as in [OpenAIConfig]
	Now    func() time.Time
	NewID  func() string // a fresh call id
	// Sleep waits for d or until ctx ends, returning ctx's error then. Nil waits with a timer.
	Sleep  func(ctx context.Context, d time.Duration) error
	Seed   uint64
	Limits Limits
	Retry  Retry
	Notify func(Notice) // as in [OpenAIConfig]

	// Map reads a reply: the text that Complete returns, and the version that the system names. It must be pure.
	Map func(raw []byte) (text, version string, err *Error)
}

// InterruptedCalls finds calls that may have had their effect although no reply came. A [Ledger] that serves endpoints which
// are asked at most once implements it.
type InterruptedCalls interface {
	// Interrupted returns the newest call with this key that was sent and got no reply, or nil.
	Interrupted(ctx context.Context, key Key) (*Call, error)
}

// mappingErrors is how many replies in a row may miss the mapping in the same way until the run is stopped.
const mappingErrors = 5

// Endpoint is the client of a system that runs elsewhere. It is a [Provider] that completes requests whose Data is an
// [EndpointRequest]; it embeds nothing.
//
// Every attempt is a row of the ledger, as with models. No connection, a broken reply and 5xx are repeated with full jitter, 429
// after the time that the endpoint names, a reply that is no JSON at most twice; a time-out and a reply that the mapping does not
// fit never. An endpoint that is asked at most once is asked again only after 429 or when nothing was sent.
type Endpoint struct {
	cfg    EndpointConfig
	client *http.Client
	*retrier
	owning  *owning
	secrets []redactor

	mutex  sync.Mutex
	misses map[string]missCount // by run
}

// missCount counts the replies in a row that missed the mapping in one way.
type missCount struct {
	way string
	n   int
}

// NewEndpoint returns the client of an endpoint, or a Problem when the configuration cannot work. It sends nothing.
func NewEndpoint(cfg EndpointConfig) (*Endpoint, error) {
	if cfg.Name == "" || cfg.Map == nil || cfg.Now == nil || cfg.NewID == nil {
		return nil, problem.New(problem.Internal, "endpoint_config",
			"the endpoint %q lacks a name, a mapping, a clock or a source of call ids", cfg.Name)
	}
	if cfg.AtMostOnce && cfg.Ledger != nil {
		if _, ok := cfg.Ledger.(InterruptedCalls); !ok {
			return nil, problem.New(problem.Internal, "endpoint_config", "endpoint %s is asked at most once, and this ledger cannot tell",
				cfg.Name)
		}
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = outbound.DefaultFirstByte
	}
	client := cfg.Client
	if client == nil {
		var err error
		if client, err = outbound.New(outbound.Options{FirstByte: cfg.Timeout, Idle: cfg.Timeout, Total: cfg.Timeout}); err != nil {
			return nil, err
		}
	}
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	own.Jar = nil
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	e := &Endpoint{
		cfg: cfg, client: &own, misses: map[string]missCount{},
		retrier: newRetrier("endpoint "+cfg.Name, cfg.Limits, cfg.Retry, cfg.Seed, cfg.Now, cfg.Sleep, cfg.Notify),
	}
	e.owning = newOwning(cfg.Ledger, cfg.Owner, cfg.Alive, 0, e.tell)
	for _, secret := range cfg.Secrets {
		e.secrets = append(e.secrets, newRedactor(secret))
	}
	return e, nil
}

// Info describes the endpoint. It is never deterministic: what runs elsewhere changes without telling.
func (e *Endpoint) Info() Info {
	return Info{Name: "endpoint " + e.cfg.Name, Kind: "endpoint", Origin: e.cfg.Origin}
}

// Embed is not offered.
func (e *Endpoint) Embed(context.Context, Embedding, []string) ([][]float32, error) {
	return nil, &Error{Cause: CauseUnsupported, Message: "an endpoint embeds nothing"}
}

// Complete asks the question in the request's Data, or takes the reply from the ledger when the same run asked it before. The
// reply's text is what Map makes of it; its model is the version that the system names.
func (e *Endpoint) Complete(ctx context.Context, req Request) (Reply, error) {
	var ask EndpointRequest
	if err := json.Unmarshal(req.Data, &ask); err != nil {
		return Reply{}, &Error{Cause: CauseEndpointRequest, Message: "the request is not one for an endpoint", Err: err}
	}
	key := KeyOf(e.Info(), req)
	if ask.Run == "" {
		key = KeyOf(e.Info(), Request{Purpose: req.Purpose, Instruction: e.cfg.NewID()})
	}
	reply, err := e.asked(ctx, req, ask, key)
	if err != nil {
		return Reply{}, e.judge(ask.Run, err)
	}
	e.forgive(ask.Run)
	note(ctx, reply.CallID)
	return reply, nil
}

// asked takes the reply from the ledger or asks; where an equal question of the run is under way, it waits for that one's reply.
func (e *Endpoint) asked(ctx context.Context, req Request, ask EndpointRequest, key Key) (Reply, error) {
	defer e.owning.keep()()
	for {
		reply, found, err := e.recall(ctx, ask, key)
		if err == nil && !found {
			err = e.do(ctx, string(key), 0, func(n int, _ tally, s *seat) (f *fault, err error) {
				reply, f, err = e.attempt(ctx, req, ask, key, n, s)
				return f, err
			})
		}
		held, waits := errors.AsType[*Held](err)
		if !waits {
			return reply, err
		}
		if err := e.owning.await(ctx, key, held); err != nil {
			return Reply{}, err
		}
	}
}

// recall serves the stored reply of this run, and refuses to go on where a call of it may have had its effect already.
func (e *Endpoint) recall(ctx context.Context, ask EndpointRequest, key Key) (Reply, bool, error) {
	if e.cfg.Ledger == nil || ask.Run == "" {
		return Reply{}, false, nil
	}
	c, err := e.cfg.Ledger.Lookup(ctx, key)
	if err != nil {
		return Reply{}, false, err
	}
	if c != nil && (c.State == CallUsable || c.State == CallBanked) {
		x := exchange{status: c.HTTPStatus, body: c.Reply, sent: true, at: e.cfg.Now()}
		if x.status == 0 {
			x.err = errBrokeOff
		}
		reply, f := e.examine(x)
		if c.State == CallBanked {
			if err := e.cfg.Ledger.Settle(context.WithoutCancel(ctx), c.ID, e.outcome(reply, f)); err != nil {
				return Reply{}, false, err
			}
		}
		if f == nil {
			reply.Cached, reply.CallID = true, c.ID
			if c.DoneAt != nil {
				reply.Latency = between(c.SentAt, *c.DoneAt)
			}
			return reply, true, nil
		}
	}
	return Reply{}, false, e.undecided(ctx, key)
}

// undecided is the error of a question that an endpoint which is asked at most once may have been asked already.
func (e *Endpoint) undecided(ctx context.Context, key Key) error {
	ledger, ok := e.cfg.Ledger.(InterruptedCalls)
	if !e.cfg.AtMostOnce || !ok {
		return nil
	}
	c, err := ledger.Interrupted(ctx, key)
	if err != nil || c == nil {
		return err
	}
	scope := ScopeOf(ctx)
	if scope.Repeat && c.RunID != scope.RunID { // somebody decided, about the calls of the parent
		return nil
	}
	return &Error{Cause: CauseNeedsDecision,
		Message: fmt.Sprintf("it was asked at %s and no reply came; the endpoint is asked at most once, "+
			"so a person has to decide whether to ask again", c.SentAt.UTC().Format(time.RFC3339))}
}

// attempt is one row of the ledger: begun before it is sent, banked before it is parsed, settled before it is returned.
func (e *Endpoint) attempt(ctx context.Context, req Request, ask EndpointRequest, key Key, n int, seat *seat) (Reply, *fault, error) {
	c := e.row(ctx, req, ask, key, n)
	if e.cfg.Ledger != nil {
		if err := e.cfg.Ledger.Begin(ctx, c); err != nil {
			return Reply{}, nil, err
		}
	}
	x := e.send(ctx, ask)
	keep := context.WithoutCancel(ctx) // what happened is written down even though the caller has gone
	var err error
	if e.cfg.Ledger != nil && x.status != 0 {
		err = e.cfg.Ledger.Bank(keep, c.ID, e.raw(x))
	}
	seat.leave() // not before the reply is safe: what a crash can lose is bounded by the seats
	if err != nil {
		return Reply{}, nil, err
	}
	reply, f := e.examine(x)
	stopped := ctx.Err()
	if f != nil && stopped != nil && x.err != nil {
		f.err = &Error{Cause: causeCancelled, Message: "the caller stopped waiting"}
	} else {
		stopped = nil
	}
	if e.cfg.Ledger != nil {
		if err := e.cfg.Ledger.Settle(keep, c.ID, e.outcome(reply, f)); err != nil {
			return Reply{}, nil, err
		}
		reply.CallID = c.ID
	}
	reply.Latency = between(c.SentAt, x.at)
	if f != nil && stopped == nil && e.cfg.AtMostOnce {
		f = once(f)
	}
	return reply, f, stopped
}

// once takes the repetition from a fault, unless the endpoint cannot have begun to work.
func once(f *fault) *fault {
	if f.retry == limited || f.free && f.err.HTTPStatus == 0 {
		return f
	}
	f.retry = never
	if f.broken {
		f.err = &Error{Cause: CauseNeedsDecision, Message: "no whole reply came, and the endpoint is asked at most once (" + f.err.Message +
			")", Err: f.err.Err}
	}
	return f
}

func (e *Endpoint) row(ctx context.Context, req Request, ask EndpointRequest, key Key, n int) Call {
	scope := ScopeOf(ctx)
	sent := ask.Body
	if sent == "" {
		sent = ask.URL
	}
	return Call{
		ID: e.cfg.NewID(), RunID: scope.RunID, QuestionID: scope.QuestionID, Stage: scope.Stage, Purpose: req.Purpose,
		Provider: e.Info().Name, Origin: e.cfg.Origin, Model: req.Model, Key: key, Replicate: req.Replicate, Attempt: n,
		State: CallSent, Owner: e.cfg.Owner, SentAt: e.cfg.Now(), CostKind: e.cost(), Request: e.clean([]byte(sent), false),
	}
}

// cost is how far the cost of a call is known: a system that runs elsewhere reports none.
func (e *Endpoint) cost() string {
	if e.cfg.Free {
		return "estimated"
	}
	return "unknown"
}

// outcome is how a call is closed.
func (e *Endpoint) outcome(reply Reply, f *fault) Outcome {
	o := Outcome{State: CallUsable, CostKind: e.cost(), ModelSeen: reply.Model}
	switch {
	case f == nil:
		return o
	case f.broken:
		o.State = CallUnknown
	case f.free:
		o.State, o.CostKind = CallFailed, "reported"
	default:
		o.State = CallUnusable
	}
	o.Cause = f.err.Cause
	return o
}

// judge counts replies that miss the mapping in the same way, and makes the fifth in a row the end of the run.
func (e *Endpoint) judge(run string, err error) error {
	mapping, ok := errors.AsType[*Error](err)
	if !ok || mapping.Cause != CauseEndpointMapping && mapping.Cause != CauseEndpointEnvelope {
		return err
	}
	way, _, _ := strings.Cut(mapping.Message, ":")
	e.mutex.Lock()
	defer e.mutex.Unlock()
	count := e.misses[run]
	if count.way != mapping.Cause+way {
		count = missCount{way: mapping.Cause + way}
	}
	count.n++
	e.misses[run] = count
	if run == "" || count.n < mappingErrors {
		return err
	}
	stop := *mapping
	stop.Stop = true
	stop.Message = fmt.Sprintf("%d replies in a row: %s", count.n, mapping.Message)
	return &stop
}

// forgive begins to count anew after a reply that fits.
func (e *Endpoint) forgive(run string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	delete(e.misses, run)
}
