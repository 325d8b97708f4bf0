package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// endpointFile is an endpoint as a file describes it.
type endpointFile struct {
	Name        string            `yaml:"name"`
	URL         string            `yaml:"url"`
	Method      string            `yaml:"method"`
	Template    string            `yaml:"template"` // JSON, or the name of a file with it
	Headers     map[string]string `yaml:"headers"`
	Answer      string            `yaml:"answer"`
	Contexts    string            `yaml:"contexts"`
	ContextText string            `yaml:"context_text"`
	ContextID   string            `yaml:"context_id"`
	VersionPath string            `yaml:"version_path"`
	Timeout     string            `yaml:"timeout"`
	AtMostOnce  bool              `yaml:"at_most_once"`
	Concurrency int               `yaml:"concurrency"`
	RPM         int               `yaml:"rpm"`
}

// maxEndpointBytes bounds an endpoint's file and its template.
const maxEndpointBytes = 256 << 10

// ReadEndpoint reads the description of an endpoint from a YAML file. It is checked when it is added.
func ReadEndpoint(path string) (remote.Endpoint, error) {
	raw, err := text.ReadFile(path, maxEndpointBytes)
	if err != nil {
		return remote.Endpoint{}, err
	}
	var f endpointFile
	if err := yaml.ReadStrict(raw, &f); err != nil {
		return remote.Endpoint{}, yaml.WrongIn(path, "endpoint_yaml", err)
	}
	e := remote.Endpoint{
		Name: f.Name, URL: f.URL, Method: f.Method, Headers: f.Headers, Answer: f.Answer, Contexts: f.Contexts, ContextText: f.ContextText,
		ContextID: f.ContextID, VersionPath: f.VersionPath, AtMostOnce: f.AtMostOnce, Concurrency: f.Concurrency, RPM: f.RPM,
	}
	if f.Timeout != "" {
		d, err := time.ParseDuration(f.Timeout)
		if err != nil {
			return e, problem.New(problem.Invalid, "endpoint_field", "%s: timeout is %q; it must be a duration like 30s or 2m", path,
				f.Timeout).With("field", "timeout")
		}
		e.TimeoutMS = d.Milliseconds()
	}
	e.Template, err = EndpointTemplate(f.Template, filepath.Dir(path))
	return e, err
}

// EndpointTemplate returns a template as it is when it begins like JSON, else the contents of the file it names, below dir.
func EndpointTemplate(s, dir string) (string, error) {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" || trimmed[0] == '{' || trimmed[0] == '[' {
		return trimmed, nil
	}
	path := s
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	raw, err := text.ReadFile(path, maxEndpointBytes)
	if errors.Is(err, os.ErrNotExist) || problem.Is(err, problem.NotFound) {
		return "", problem.New(problem.Invalid, "endpoint_template", "the request template is neither JSON nor a file: %s", path).
			With("field", "template").
			WithHint(`write JSON like {"question": "{{question}}"}, or the name of a file that holds it`)
	}
	if err != nil {
		return "", err
	}
	decoded, _, err := text.Decode(raw)
	return strings.TrimSpace(decoded), err
}

// AddEndpoint checks and stores an endpoint under its name, in the place of the one that had it. Runs keep the description they
// were started with. It asks the endpoint nothing.
func AddEndpoint(ctx context.Context, w *Workbench, e remote.Endpoint) (stored remote.Endpoint, created, changed bool, err error) {
	if err := experiments.ValidName("an endpoint", e.Name); err != nil {
		return e, false, false, err
	}
	e.Method = strings.ToUpper(e.Method)
	if e.Method == "" {
		e.Method = http.MethodPost
		if e.Template == "" && strings.Contains(e.URL, "{{") {
			e.Method = http.MethodGet
		}
	}
	if err := e.Validate(); err != nil {
		return e, false, false, err
	}
	created, changed, err = w.Store.PutEndpoint(ctx, e, w.Options.Now())
	return e, created, changed, err
}

// EndpointTest is what one question to an endpoint brought. Nothing of it is stored.
type EndpointTest struct {
	Endpoint  string `json:"endpoint"`
	Question  string `json:"question"`
	Status    int    `json:"status"` // of HTTP
	LatencyMS int64  `json:"latency_ms"`
	remote.EndpointTrial
}

// TestEndpoint asks an endpoint one question, once, and says what its paths found in the reply. When the endpoint cannot be
// reached or its paths fit nothing, the Problem says so, and the test shows what was received.
func TestEndpoint(ctx context.Context, w *Workbench, name, question string) (EndpointTest, error) {
	e, err := w.Store.Endpoint(ctx, name)
	if err != nil {
		return EndpointTest{}, err
	}
	return tryEndpoint(ctx, w, rag.DefaultConfig().WithEndpoint(e), question)
}

func tryEndpoint(ctx context.Context, w *Workbench, c rag.Config, question string) (EndpointTest, error) {
	e := *c.Endpoint
	test := EndpointTest{Endpoint: e.Name, Question: question}
	client, err := w.Providers.endpoint(e, false)
	if err != nil {
		return test, err
	}
	request, err := e.TrialRequest(question, c.Retrieve.K, c.Generate.Prompt)
	if err != nil {
		return test, err
	}
	trial, failure := client.Try(ctx, request)
	test.Status, test.LatencyMS = trial.Status, trial.Latency.Milliseconds()
	if failure != nil {
		if ctx.Err() != nil {
			return test, ctx.Err()
		}
		return test, endpointProblem(e, failure)
	}
	if test.EndpointTrial, failure = e.Trial(trial.Body); failure != nil {
		return test, endpointProblem(e, failure).With("received", test.Received)
	}
	return test, nil
}

// endpointProblem says for people why an endpoint gave no answer.
func endpointProblem(e remote.Endpoint, failure *llm.Error) *problem.Problem {
	kind, hint := problem.Unavailable, "check that it runs and the address is right; then: workbench endpoint test "+e.Name
	switch failure.Cause {
	case llm.CauseEndpointMapping, llm.CauseEndpointEnvelope, llm.CauseEndpointRequest:
		kind, hint = problem.Invalid,
			fmt.Sprintf("correct the template or the paths with `workbench endpoint add %s …`; `workbench endpoint test %s` shows what is received", e.Name, e.Name)
	case llm.CauseEndpointAuth:
		kind, hint = problem.Invalid, "check the keys that the headers refer to: "+strings.Join(e.KeyNames(), ", ")
	case llm.CauseEndpointTimeout:
		hint = fmt.Sprintf("give it more time: workbench endpoint add %s --timeout 5m …", e.Name)
	case llm.CauseEndpointRedirect:
		kind, hint = problem.Invalid, "give the address that it points to, if you trust it"
	}
	p := problem.New(kind, failure.Cause, "endpoint %s: %s", e.Name, failure.Message).With("endpoint", e.Name).With("cause", failure.Cause).
		WithHint("%s", hint)
	if failure.Err != nil {
		p = p.Because(failure.Err)
	}
	return p
}

// Preflight asks the endpoint of a configuration one question before a run is created, so that a run which could not get one
// answer is not started. An endpoint that is asked at most once is not asked for nothing.
func (w *Workbench) Preflight(ctx context.Context, c rag.Config, questions []experiments.Question) error {
	if c.Endpoint == nil || c.Endpoint.AtMostOnce || len(questions) == 0 {
		return nil
	}
	_, err := tryEndpoint(ctx, w, c, questions[0].Text)
	return err
}

// Endpoint implements [rag.Outside]: one client for each description.
func (p *Providers) Endpoint(e remote.Endpoint) (llm.Provider, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := "endpoint\x00" + string(body)
	if client, ok := p.Open[key]; ok {
		return client, nil
	}
	client, err := p.endpoint(e, true)
	if err != nil {
		return nil, err
	}
	p.Open[key] = client
	return client, nil
}

// endpoint makes a client, whose calls are booked or not.
func (p *Providers) endpoint(e remote.Endpoint, booked bool) (*llm.Endpoint, error) {
	headers, secrets, err := e.Resolve(p.Getenv)
	if err != nil {
		return nil, err
	}
	timeout := e.Timeout()
	client, err := outbound.New(outbound.Options{FirstByte: timeout, Idle: timeout, Total: timeout})
	if err != nil {
		return nil, err
	}
	concurrency := e.Concurrency
	if concurrency == 0 {
		concurrency = remote.DefaultCalls
	}
	price, priced := p.Config.Prices[e.Name]
	config := llm.EndpointConfig{
		Free: priced && price == (llm.Price{}),
		Name: e.Name, Origin: e.Origin(), Headers: headers, Secrets: secrets, AtMostOnce: e.AtMostOnce, Timeout: timeout, Client: client,
		Owner: p.Owner, Alive: Alive, Now: p.Now, Sleep: p.sleep, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		Limits: llm.Limits{RequestsPerMinute: e.RPM, Concurrency: concurrency}, Map: e.Map, Notify: p.notify,
	}
	if booked {
		config.Ledger = p.Store
	}
	return llm.NewEndpoint(config)
}

// Log implements [rag.Outside].
func (p *Providers) Log(ctx context.Context, ref rag.LogRef) (*rag.Log, error) {
	return p.Store.Log(ctx, ref.String())
}

var _ rag.Outside = (*Providers)(nil)

// Endpoint implements [rag.Outside] for a plan: what would be asked is counted.
func (t *Tally) Endpoint(e remote.Endpoint) (llm.Provider, error) {
	client, err := t.workbench.Providers.Endpoint(e)
	if err != nil {
		return nil, err
	}
	return &counting{Provider: client, tally: t}, nil
}

// Log implements [rag.Outside] for a plan.
func (t *Tally) Log(ctx context.Context, ref rag.LogRef) (*rag.Log, error) {
	return t.workbench.Providers.Log(ctx, ref)
}
