package llm

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
)

// OpenAIConfig describes an OpenAI-compatible endpoint and what its calls are booked to.
type OpenAIConfig struct {
	Name         string       // as experiment files name it
	BaseURL      string       // up to and without /chat/completions, for example https://api.openai.com/v1
	APIKey       string       // sent as a bearer token; empty for servers that want none. Never stored, logged or put in errors
	Organization string       // OpenAI-Organization header when not empty
	Azure        *Azure       // set when the endpoint has Azure's URL form
	Dialect      string       // DialectAnthropic or DialectGemini; "" is OpenAI's
	Client       *http.Client // nil takes outbound.New with its defaults. Redirects are refused whatever it says

	Ledger  Ledger      // nil books nothing and caches nothing: for probes
	Vectors VectorStore // nil keeps no embeddings
	Secret  []byte      // the install secret from which nonces are derived, at least 16 bytes
	Owner   string      // the process, as the ledger names it
	// Alive reports whether an owner's process runs, as far as that can be seen from here; nil takes all for alive. The calls of an
	// owner that was not heard of for a Lease are taken for lost too; 0 is 30 s.
	Alive func(owner string) bool
	Lease time.Duration
	Now   func() time.Time
	NewID func() string // a fresh call id
	// Sleep waits for d or until ctx ends, returning ctx's error then. Nil waits with a timer.
	Sleep func(ctx context.Context, d time.Duration) error
	Seed  uint64 // seeds the jitter of waits

	Limits Limits
	Retry  Retry
	Prices Prices
	// IdempotencyKeys sends a stable Idempotency-Key with every attempt, for the few servers that honour one: an attempt that is
	// repeated because its reply was lost is then not billed twice.
	IdempotencyKeys bool
	// Forms say how replies of a model are held to a schema, by model: one of ReplyForms, as probes found it out. Without one the
	// strictest is tried first.
	Forms map[string]string
	// Contexts are how many tokens each model reads at once, as probes found it out. Longer requests are refused before they are sent.
	Contexts map[string]int
	// MaxInputTokens is the longest text that the endpoint embeds; 0 knows only OpenAI's own models. Longer texts are refused by
	// name before anything is paid.
	MaxInputTokens int
	// Notify is told of waits that a person would wonder about. It is called from many goroutines and must not block. May be nil.
	Notify func(Notice)
}

// Limits bound what is sent at once and over time, for this provider as a whole.
type Limits struct {
	RequestsPerMinute int // 0 is no limit
	TokensPerMinute   int // 0 is no limit; estimates count until the reply tells the usage
	// Concurrency is how many requests may be in flight at most; 0 begins with 8 and grows up to 64 while the provider lets it.
	Concurrency int
}

// Retry says how often and how patiently a failed call is repeated. See [NewOpenAI] for the classes.
type Retry struct {
	Attempts int           // attempts when the network or the server fails; 0 is 6
	Base     time.Duration // first wait, doubled each time; 0 is 1 s
	Max      time.Duration // longest wait of our own; 0 is 60 s. A provider may ask for more
}

// openAI is one endpoint. Its methods are safe for concurrent use.
type openAI struct {
	cfg    OpenAIConfig
	info   Info
	client *http.Client
	route  route
	dialect
	*retrier
	owning *owning
	unseen unseen
	secret redactor

	flightsMutex sync.Mutex
	flights      map[Key]*flight // the jobs on their way
	schemas      sync.Map        // schema body → *form

	formats        sync.Map    // model → *atomic.Int32: how its replies are held to a schema, one of the format constants
	longTokens     atomic.Bool // the server wants max_completion_tokens
	contexts       sync.Map    // model → int: how many tokens it reads, where a probe learned it here
	ownTemperature sync.Map    // model → true: it takes no temperature but its own
	dimsMutex      sync.Mutex
	dims           map[string]int // model → length of its vectors, once seen
}

// NewOpenAI returns a provider for an OpenAI-compatible endpoint, or a Problem when the configuration cannot work. It sends
// nothing.
//
// Complete and Embed look the request up in the ledger first, or as they book it where one call after the other is new; equal requests
// in flight are asked once, over all processes that share the ledger ([Owners]). Otherwise they make attempts, each its own ledger row,
// and repeat them by class: no connection, a broken reply, 408 and 5xx with full jitter; 429 after the time that the provider names,
// for at most 30 minutes in all; a reply that was paid but is of no use at most twice; a truncated one once, with twice the MaxTokens;
// everything else never. Errors are never cached. Ten failures in a row stop the sending until a probe finds the provider back; see
// [CauseDown].
//
// A refusal is the answer to a request without a Schema: a Reply with the finish reason "refusal" or "content_filter". To a
// request with one, which wants a judgement, it is an error with the cause [CauseRefusal].
//
// Replies to a request with a Schema are held to it by the server when it can (strict json_schema; a server that answers 400
// to that is asked for plain JSON from then on) and validated here in any case.
func NewOpenAI(cfg OpenAIConfig) (Provider, error) {
	origin, err := originOf(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	client := cfg.Client
	if client == nil {
		if client, err = outbound.New(outbound.Options{}); err != nil {
			return nil, err
		}
	}
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	own.Jar = nil
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	p := &openAI{
		cfg:     cfg,
		info:    Info{Name: cfg.Name, Kind: "openai", Origin: origin},
		client:  &own,
		dialect: dialects[cfg.Dialect],
		retrier: newRetrier(cfg.Name, cfg.Limits, cfg.Retry, cfg.Seed, cfg.Now, cfg.Sleep, cfg.Notify),
		secret:  newRedactor(cfg.APIKey),
		dims:    map[string]int{},
		flights: map[Key]*flight{},
	}
	p.route = p.dialect.route(origin)
	if cfg.Dialect != "" {
		p.info.Kind, p.info.Origin = cfg.Dialect, cfg.Dialect+":"+origin
	}
	p.gate.booksAhead = cfg.Ledger != nil
	p.owning = newOwning(cfg.Ledger, cfg.Owner, cfg.Alive, cfg.Lease, p.tell)
	if cfg.Azure != nil {
		p.info.Origin, p.route, err = cfg.Azure.route(origin)
	}
	return p, err
}

func (c OpenAIConfig) check() error {
	missing := ""
	switch {
	case c.Name == "":
		missing = "a name"
	case len(c.Secret) < 16:
		missing = "a secret of at least 16 bytes"
	case c.Now == nil:
		missing = "a clock"
	case c.NewID == nil:
		missing = "a source of call ids"
	case dialects[c.Dialect].chat == nil:
		missing = "a dialect that is known"
	}
	if missing != "" {
		return problem.New(problem.Invalid, "provider_config", "the provider %q needs %s", c.Name, missing).With("provider", c.Name)
	}
	for _, r := range c.APIKey {
		if r <= ' ' || r > '~' {
			return problem.New(problem.Invalid, "provider_key", "the API key of provider %q holds a space, a line break or another "+
				"character that no key has", c.Name).With("provider", c.Name).
				WithHint("Copy the key again; a file with the key must hold it alone.")
		}
	}
	return nil
}

// originOf normalises a base URL, so that two spellings of one endpoint share the cache.
func originOf(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		// The text may hold a password, so it is not repeated.
		return "", problem.New(problem.Invalid, "provider_url", "the base URL of the provider is not a plain http or https address").
			WithHint("Write scheme, host and path only, for example https://api.openai.com/v1; keys and queries do not belong in it.")
	}
	host := strings.ToLower(u.Host)
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else {
		host = strings.TrimSuffix(host, ":80")
	}
	return u.Scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/"), nil
}

// formatOf is how replies of a model are held to a schema now.
func (p *openAI) formatOf(model string) *atomic.Int32 {
	first := new(atomic.Int32)
	first.Store(int32(max(0, slices.Index(ReplyForms, p.cfg.Forms[model])))) //nolint:gosec // three forms
	kept, _ := p.formats.LoadOrStore(model, first)
	return kept.(*atomic.Int32)
}

// Learn has the replies of a model held to schemas, and its requests to the length that it reads, as a probe found out.
func (p *openAI) Learn(b Probe) {
	if form := slices.Index(ReplyForms, b.Form); form >= 0 {
		p.formatOf(b.Model).Store(int32(form)) //nolint:gosec // three forms
	}
	if b.Limits != nil && b.Limits.ContextTokens > 0 {
		p.contexts.Store(b.Model, b.Limits.ContextTokens)
	}
}

// Info describes the endpoint.
func (p *openAI) Info() Info { return p.info }

// Complete asks for one completion, from the ledger if it is there.
func (p *openAI) Complete(ctx context.Context, req Request) (Reply, error) {
	if req.Rerank != "" {
		return p.rerank(ctx, req)
	}
	form, err := p.prepare(&req)
	if err != nil {
		return Reply{}, err
	}
	key := KeyOf(p.info, req)
	usage := EstimateUsage(req)
	estimate, known := p.cfg.Prices.Cost(req.Model, usage)
	j := job{
		path: "/chat/completions", key: key, purpose: req.Purpose, model: req.Model, replicate: req.Replicate,
		estimate: estimate, priced: known, tokens: usage,
		check: func() error { return p.checkContext(req) },
		body:  func(s spelling) ([]byte, error) { return p.dialect.chat(req, Nonce(p.cfg.Secret, key), s) },
		parse: func(raw []byte) (parsed, *fault) { return p.dialect.parseReply(raw, form) },
	}
	got, err := p.share(ctx, j)
	if err == nil {
		note(ctx, got.reply.CallID)
	}
	return got.reply, err
}

// prepare refuses requests that have no key of their own or cannot be asked, before anything is spent. The data of others is compacted,
// once for all who read it.
func (p *openAI) prepare(req *Request) (*replies.Form, error) {
	refuse := func(why string) error { return &Error{Cause: CauseRequest, Message: why} }
	req.Compact = req.asMade() // whoever says so from outside is not believed: the fence rests on it
	one, err := req.compacted()
	switch *req = one; {
	case req.Model == "":
		return nil, refuse("the request names no model")
	case len(req.Data) > 0 && (err != nil || req.Data[0] != '{'):
		return nil, refuse("the data of the request is not one JSON object")
	case math.IsNaN(req.Temperature) || math.IsInf(req.Temperature, 0):
		return nil, refuse("the temperature of the request is not a number")
	case req.Schema == nil:
		return nil, nil
	}
	if s, ok := p.schemas.Load(string(req.Schema.Body)); ok {
		return s.(*replies.Form), nil
	}
	s, err := replies.FormOf(req.Schema)
	if err != nil {
		return nil, &Error{Cause: CauseRequest, Message: "the reply's schema is unusable", Err: err}
	}
	p.schemas.Store(string(req.Schema.Body), s)
	return s, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
