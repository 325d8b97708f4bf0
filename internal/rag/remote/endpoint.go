package remote

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Purpose is the purpose of a question to a system that runs elsewhere.
const Purpose = "rag.endpoint"

// Endpoint describes a RAG system that somebody already runs behind HTTP: how it is asked and where its reply holds the answer.
// A run's setup holds the whole description, so that a later change of it changes nothing in the run. It never holds a key:
// headers name environment variables.
type Endpoint struct {
	Name        string            `json:"name"`
	URL         string            `json:"url"`                    // may hold {{question}} and {{k}} in its query
	Method      string            `json:"method"`                 // POST, PUT, PATCH or GET
	Template    string            `json:"template,omitempty"`     // JSON body with {{question}}; "" for GET
	Headers     map[string]string `json:"headers,omitempty"`      // values with ${ENV_NAME} where the key goes
	Answer      string            `json:"answer"`                 // path of the answer in the reply
	Contexts    string            `json:"contexts,omitempty"`     // path of the list of contexts; "" when the system shows none
	ContextText string            `json:"context_text,omitempty"` // path of the text within a context; "" tries text, content and the like
	ContextID   string            `json:"context_id,omitempty"`   // path of the document's id within a context
	VersionPath string            `json:"version_path,omitempty"` // path of the system's version, noted with every call
	TimeoutMS   int64             `json:"timeout_ms,omitempty"`   // for one reply as a whole; 0 is 120 s
	AtMostOnce  bool              `json:"at_most_once,omitempty"` // asking has side effects: a call whose reply never came is not repeated
	Concurrency int               `json:"concurrency,omitempty"`  // calls in flight; 0 is 4
	RPM         int               `json:"rpm,omitempty"`          // calls a minute; 0 is no limit
}

// Defaults and bounds of an endpoint.
const (
	DefaultTimeout     = 2 * time.Minute
	MaxTimeout         = 30 * time.Minute
	DefaultCalls       = 4 // in flight
	maxEndpointHeaders = 32
)

// Timeout is how long one reply may take as a whole.
func (e Endpoint) Timeout() time.Duration {
	if e.TimeoutMS == 0 {
		return DefaultTimeout
	}
	return time.Duration(e.TimeoutMS) * time.Millisecond
}

// Origin is the address without its query: what the ledger shows.
func (e Endpoint) Origin() string {
	address, _, _ := strings.Cut(e.URL, "?")
	return address
}

// Accepts reports whether a request carries this parameter of a configuration: "retrieve.k", "generate.prompt", and every
// parameter of our retrieval where the template takes {{contexts}}.
func (e Endpoint) Accepts(param string) bool {
	asks, err := e.Parse()
	if err != nil {
		return false
	}
	ours := asks.accepts(slotContexts)
	switch param {
	case "retrieve.k":
		return ours || asks.accepts(slotK)
	case "generate.prompt":
		return asks.accepts(slotPrompt)
	case "corpus":
		return ours
	}
	stage, _, _ := strings.Cut(param, ".")
	return ours && slices.Contains([]string{"chunk", "embedding", "rewrite", "retrieve", "rerank"}, stage)
}

// TakesContexts reports whether the system is given our contexts instead of finding its own.
func (e Endpoint) TakesContexts() bool { return e.Accepts("chunk.size") }

// Exchange is an endpoint's templates and paths, parsed.
type Exchange struct {
	method                               string
	body, address                        template
	answer, contexts, text, id, versions Path
}

// Request is what is sent to ask this.
func (r Exchange) Request(a Asking) llm.EndpointRequest {
	out := llm.EndpointRequest{Method: r.method, URL: r.address.address(a)}
	if r.method != http.MethodGet {
		out.Body = string(r.body.body(a))
	}
	return out
}

func (r Exchange) accepts(slot string) bool { return r.body.accepts(slot) || r.address.accepts(slot) }

// Parse reads its templates and paths. The error is a Problem that names the field.
func (e Endpoint) Parse() (Exchange, error) {
	r := Exchange{method: e.Method}
	var err error
	if r.address, err = parseAddress(e.URL); err != nil {
		return r, err
	}
	if e.Template != "" {
		if r.body, err = parseBody(e.Template); err != nil {
			return r, err
		}
	}
	for _, p := range []struct {
		field, source string
		into          *Path
	}{
		{"answer", e.Answer, &r.answer},
		{"contexts", e.Contexts, &r.contexts},
		{"context_text", e.ContextText, &r.text},
		{"context_id", e.ContextID, &r.id},
		{"version_path", e.VersionPath, &r.versions},
	} {
		if p.source == "" {
			continue
		}
		if *p.into, err = ParsePath(p.source); err != nil {
			found := problem.From(err)
			found.Message = p.field + ": " + found.Message
			return r, found.With("field", p.field)
		}
	}
	return r, nil
}

// Validate returns a Problem that names the first field which cannot work.
func (e Endpoint) Validate() error {
	if err := e.checkAddress(); err != nil {
		return err
	}
	if !slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch}, e.Method) {
		return e.field("method", e.Method, "POST, PUT, PATCH or GET")
	}
	switch {
	case e.Method == http.MethodGet && e.Template != "":
		return e.field("template", "given", "left out with GET, whose values go into the address: https://rag.example/ask?q={{question}}")
	case e.Method != http.MethodGet && e.Template == "":
		return e.field("template", "missing", `the JSON body of a request, like {"question": "{{question}}"}`)
	case e.Answer == "":
		return e.field("answer", "missing", "the path of the answer in the reply, like answer or choices[0].message.content")
	case e.TimeoutMS < 0 || e.Timeout() > MaxTimeout:
		return e.field("timeout", e.Timeout(), "from 1ms to 30m")
	case e.Concurrency < 0 || e.Concurrency > 256:
		return e.field("concurrency", e.Concurrency, "from 1 to 256")
	case e.RPM < 0:
		return e.field("rpm", e.RPM, "0 (no limit) or more")
	case e.Contexts == "" && (e.ContextText != "" || e.ContextID != ""):
		return e.field("contexts", "missing", "the path of the list that context_text and context_id look into")
	}
	parsed, err := e.Parse()
	if err != nil {
		return err
	}
	if !parsed.accepts(slotQuestion) {
		return addressProblem("has no {{question}}, and GET has no template")
	}
	if parsed.accepts(slotContexts) && e.Contexts != "" {
		return e.field("contexts", e.Contexts, "left out where the template takes {{contexts}}: those are the contexts")
	}
	return e.CheckHeaders()
}

// secretParams are names of query parameters that hold keys. A key in an address would be stored with it.
var secretParams = []string{"key", "api_key", "apikey", "api-key", "token", "access_token", "auth", "secret", "password", "sig",
	"signature", "code"}

func (e Endpoint) checkAddress() error {
	// A slot is no part of an address by the letter; any letters do in its place.
	plain := strings.NewReplacer("{{", "x", "}}", "x").Replace(e.URL)
	u, err := url.Parse(plain)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return addressProblem("is not a plain http or https address")
	case u.User != nil:
		return addressProblem("holds a user or password; put them into a header: --header 'Authorization: Basic ${NAME}'")
	case u.Fragment != "" || strings.Contains(e.URL, "#"):
		return addressProblem("holds a fragment (#…), which is never sent")
	}
	for name := range u.Query() {
		if slices.Contains(secretParams, strings.ToLower(name)) {
			return addressProblem("has the query parameter %q, which looks like a key; keys go into a header: --header 'Authorization: Bearer ${NAME}'", name)
		}
	}
	return nil
}

var (
	headerName = text.Lazy("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")
	// KeyRef finds references to environment variables, like ${RAG_KEY}.
	KeyRef = text.Lazy(`\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}`)
	// besideKey is what may stand around a reference: a scheme such as "Bearer ", never something that could be a key.
	besideKey = text.Lazy(`^[A-Za-z =:,-]{0,24}$`)
)

// plainHeaders may hold a value as it is, because nobody keeps a secret in them.
var plainHeaders = []string{"accept", "accept-language", "content-type", "user-agent", "x-requested-with"}

// ownHeaders are set by the transport.
var ownHeaders = []string{"host", "content-length", "transfer-encoding", "connection"}

// CheckHeaders returns a Problem that names the first header which cannot be sent, or whose value could be a key.
func (e Endpoint) CheckHeaders() error {
	if len(e.Headers) > maxEndpointHeaders {
		return e.field("headers", len(e.Headers), fmt.Sprintf("at most %d", maxEndpointHeaders))
	}
	for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
		value, lower := e.Headers[name], strings.ToLower(name)
		wrong := func(format string, args ...any) error {
			// The value may be a key that somebody wrote out, so it is not repeated.
			return problem.New(problem.Invalid, "endpoint_header", "the header "+format, args...).With("field", "headers").
				WithHint("name the environment variable that holds the key: --header 'Authorization: Bearer ${RAG_API_KEY}'")
		}
		switch {
		case !headerName.MatchString(name):
			return wrong("%q has a name that no header can have", text.Cut(name, 40))
		case slices.Contains(ownHeaders, lower):
			return wrong("%s cannot be set", name)
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
			return wrong("%s has a value with a line break or another character that no header can have", name)
		case slices.Contains(plainHeaders, lower):
		case !KeyRef.MatchString(value):
			return wrong("%s has a value written out; values of headers are never stored", name)
		case !besideKey.MatchString(KeyRef.ReplaceAllString(value, "")):
			return wrong("%s has more beside ${…} than a scheme such as Bearer", name)
		}
	}
	return nil
}

// KeyNames lists the environment variables that the headers refer to, each once.
func (e Endpoint) KeyNames() []string {
	var names []string
	for _, value := range e.Headers {
		for _, m := range KeyRef.FindAllStringSubmatch(value, -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Resolve returns the headers with the values of their variables, and these values, which nobody may ever see.
func (e Endpoint) Resolve(getenv func(string) string) (headers map[string]string, secrets []string, err error) {
	for _, name := range e.KeyNames() {
		value := getenv(name)
		if value == "" {
			return nil, nil, problem.New(problem.Invalid, "endpoint_key", "endpoint %s needs a key: the environment variable %s is empty",
				e.Name, name).
				With("name", e.Name).With("variable", name).WithHint("export %s=…, or put it into .env", name)
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
			return nil, nil, problem.New(problem.Invalid, "endpoint_key",
				"the environment variable %s holds a line break or another character that no header can have", name).
				With("name", e.Name).With("variable", name).WithHint("copy the key again; it must stand alone")
		}
		secrets = append(secrets, value)
	}
	headers = make(map[string]string, len(e.Headers))
	for name, value := range e.Headers {
		headers[name] = KeyRef.ReplaceAllStringFunc(value, func(ref string) string { return getenv(ref[2 : len(ref)-1]) })
	}
	return headers, secrets, nil
}

func (e Endpoint) field(field string, value any, want string) *problem.Problem {
	return problem.New(problem.Invalid, "endpoint_field", "%s is %v; it must be %s", field, value, want).
		With("field", field).With("value", value).With("want", want).
		WithHint("`workbench endpoint add --help` shows an example with every field")
}
