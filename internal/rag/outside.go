package rag

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// Outside gives access to systems that do not run here. A [Providers] that serves configurations with an Endpoint or a Log
// implements it too.
type Outside interface {
	// Endpoint returns the client of an endpoint. A Problem says which key is missing.
	Endpoint(e remote.Endpoint) (llm.Provider, error)
	// Log returns a log of answers.
	Log(ctx context.Context, ref LogRef) (*Log, error)
}

// answerer answers in the place of the pipeline.
type answerer interface {
	answer(ctx context.Context, question string) (Answer, error)
	keys(ctx context.Context, question string, hits []Hit) (retrieval, generation string, err error)
}

// IsOutside reports whether the configuration stands for a system that does not run here: an endpoint, or a log of answers.
func (c Config) IsOutside() bool { return c.Endpoint != nil || c.Log != nil }

// RetrievesHere reports whether contexts are those of our own retrieval, whose scores are then known; of a system elsewhere they have an
// order alone.
func (c Config) RetrievesHere() bool {
	return !c.IsOutside() || c.Endpoint != nil && c.Endpoint.TakesContexts()
}

// Decides reports whether a parameter, such as generate.temperature, had a part in the answers: not where they are recorded, or where an
// endpoint is not told of it.
func (c Config) Decides(param string) bool {
	switch {
	case c.Log != nil:
		return strings.HasPrefix(param, "log.")
	case c.Endpoint != nil:
		return strings.HasPrefix(param, "endpoint.") || c.Endpoint.Accepts(param) ||
			c.Endpoint.TakesContexts() && !strings.HasPrefix(param, "generate.")
	case c.Index != nil:
		return !strings.HasPrefix(param, "chunk.")
	}
	return true
}

// validateOutside is Validate for a system that does not run here.
func (c Config) validateOutside() error {
	if c.Log != nil {
		return nil
	}
	if err := c.Endpoint.Validate(); err != nil {
		return err
	}
	if c.Endpoint.TakesContexts() {
		pipeline := c.pipeline()
		return pipeline.Validate()
	}
	if c.Endpoint.Accepts("retrieve.k") && (c.Retrieve.K < 1 || c.Retrieve.K > 1000) {
		return invalidField("retrieve.k", c.Retrieve.K, "a number from 1 to 1000")
	}
	return nil
}

// pipeline is the configuration of our own retrieval, for an endpoint that takes contexts. Its generator is never asked.
func (c Config) pipeline() Config {
	c.Endpoint, c.Log = nil, nil
	c.Generate.Model = DefaultConfig().Generate.Model
	return c
}

// outsideProviders lists the providers of a system that does not run here: those of our retrieval, where it is given our contexts.
func (c Config) outsideProviders() []string {
	if c.Endpoint == nil || !c.Endpoint.TakesContexts() {
		return nil
	}
	return c.pipeline().ProviderNames()
}

// WithEndpoint returns the configuration of an endpoint: of c it keeps what the endpoint's requests carry, because what they do not
// carry decides nothing.
func (c Config) WithEndpoint(e remote.Endpoint) Config {
	out := Config{Endpoint: &e}
	if e.TakesContexts() {
		out = c
		out.Endpoint, out.Generate, out.PostProcess = &e, Generate{}, nil
	}
	if e.Accepts("retrieve.k") {
		out.Retrieve.K = c.Retrieve.K
	}
	if e.Accepts("generate.prompt") {
		out.Generate.Prompt = c.Generate.Prompt
	}
	return out
}

// openOutside prepares a system that does not run here. A corpus, which may be nil, is where its contexts are looked for.
func openOutside(ctx context.Context, c Config, corpus *Corpus, providers Providers, indexes *Indexes, stages Stages) (*System, error) {
	s := &System{config: c, corpus: corpus, stages: stages, providers: providers, release: func() {}}
	if c.Log != nil {
		reach, err := outsideOf(providers)
		if err != nil {
			return nil, err
		}
		log, err := reach.Log(ctx, *c.Log)
		if err != nil {
			return nil, err
		}
		s.outside = newReplay(log, corpus, stages)
		return s, nil
	}
	live, err := newLive(c, corpus, providers, stages)
	if err != nil {
		return nil, err
	}
	if c.Endpoint.TakesContexts() {
		if corpus == nil {
			return nil, problem.New(problem.Invalid, "experiment_field",
				"the template of endpoint %s takes {{contexts}}, and there is no corpus to take them from", c.Endpoint.Name).
				With("field", "corpus").WithHint("name a corpus in the experiment file: corpus: NAME")
		}
		if live.pipeline, err = Open(ctx, c.pipeline(), corpus, providers, indexes, stages); err != nil {
			return nil, err
		}
		s.release = live.pipeline.Close
	}
	s.outside = live
	return s, nil
}

func outsideOf(providers Providers) (Outside, error) {
	reach, ok := providers.(Outside)
	if !ok {
		return nil, problem.New(problem.Internal, "outside", "these providers reach no system outside")
	}
	return reach, nil
}

// newLive is the endpoint of a configuration, without what finds its contexts.
func newLive(c Config, corpus *Corpus, providers Providers, stages Stages) (*liveSystem, error) {
	reach, err := outsideOf(providers)
	if err != nil {
		return nil, err
	}
	parsed, err := c.Endpoint.Parse()
	if err != nil {
		return nil, err
	}
	client, err := reach.Endpoint(*c.Endpoint)
	if err != nil {
		return nil, err
	}
	return &liveSystem{config: c, endpoint: *c.Endpoint, exchange: parsed, client: client, stages: stages, places: newPlaces(corpus)}, nil
}

// shown is what an endpoint replied, and what that took.
type shown struct {
	remote.Reply
	Measured *Measured `json:"measured,omitempty"`
}

// liveSystem is an endpoint as the system under test.
type liveSystem struct {
	config   Config
	endpoint remote.Endpoint
	exchange remote.Exchange
	client   llm.Provider
	stages   Stages
	places   *places
	pipeline *System // finds the contexts that the endpoint is given; nil where it finds its own
}

// answer asks the endpoint, or takes what it answered within this run before. Another run asks again: whether the system still
// answers the same is what that run wants to know.
func (r *liveSystem) answer(ctx context.Context, question string) (Answer, error) {
	a := remote.Asking{Question: question, K: r.config.Retrieve.K, Prompt: r.config.Generate.Prompt}
	var found Retrieval
	var foundKey string
	if r.pipeline != nil {
		var err error
		if found, foundKey, err = r.pipeline.Retrieve(ctx, question); err != nil {
			return Answer{}, err
		}
		a.Contexts = given(found.Hits)
	}
	req := r.request(ctx, a)
	key := r.replyKey(req)
	stages := r.stages
	if llm.ScopeOf(ctx).RunID == "" {
		stages = forgetful{} // asked by hand
	}
	reply, err := Remember(ctx, stages, "endpoint_reply", key, func(ctx context.Context) (shown, error) { return r.ask(ctx, req) })
	if n := notBought(err); n != nil {
		reply, err = standInReply(n, key), nil
	}
	if err != nil {
		return Answer{}, fmt.Errorf("endpoint %s: %w", r.endpoint.Name, err)
	}
	return r.keep(ctx, stages, question, key, reply, Answer{Retrieval: found, RetrievalKey: foundKey})
}

// forgetful keeps nothing.
type forgetful struct{}

// Stage finds nothing.
func (forgetful) Stage(context.Context, string) ([]byte, bool, error) { return nil, false, nil }

// PutStage drops the output.
func (forgetful) PutStage(context.Context, Stage) error { return nil }

// replyKey is the key of what the endpoint replies to a request, retrievalKey and generationKey those of the parts of an answer that a
// reply gives.
func (r *liveSystem) replyKey(req llm.Request) string {
	return StageKey("endpoint", "1", llm.KeyOf(r.client.Info(), req), r.endpoint.Answer, r.endpoint.Contexts, r.endpoint.ContextText,
		r.endpoint.ContextID)
}

func (r *liveSystem) retrievalKey(reply string) string {
	return StageKey("retrieve", "endpoint1", reply, r.places.digest())
}

func (r *liveSystem) generationKey(reply string) string {
	return StageKey("generate", "endpoint1", reply)
}

// keep stores the two parts of an answer as stages, which is where answers are kept. answer has what was retrieved before, where it was.
func (r *liveSystem) keep(ctx context.Context, stages Stages, question, key string, reply shown,
	answer Answer) (Answer, error) {
	answer.GenerationKey = r.generationKey(key)
	var err error
	if answer.Generation, err = Remember(ctx, stages, "generate", answer.GenerationKey, func(context.Context) (Generation, error) {
		return Generation{Text: reply.Answer, Measured: reply.Measured}, nil
	}); err != nil {
		return Answer{}, err
	}
	if r.pipeline != nil {
		return answer, nil
	}
	answer.RetrievalKey = r.retrievalKey(key)
	answer.Retrieval, err = Remember(ctx, stages, "retrieve", answer.RetrievalKey, func(context.Context) (Retrieval, error) {
		return r.places.retrieval(question, reply.Reply), nil
	})
	return answer, err
}

// request is one question as the client sends it.
func (r *liveSystem) request(ctx context.Context, a remote.Asking) llm.Request {
	scope := llm.ScopeOf(ctx)
	ask := r.exchange.Request(a)
	ask.Run, ask.Question = scope.Lineage(), scope.QuestionID
	data, err := json.Marshal(ask)
	if err != nil {
		panic("endpoint request is not JSON: " + err.Error()) // texts only
	}
	replicate := scope.Replicate
	if scope.KeepAnswers {
		replicate = 0
	}
	return llm.Request{Purpose: remote.Purpose, Model: r.endpoint.Name, Data: data, Replicate: replicate}
}

func (r *liveSystem) ask(ctx context.Context, req llm.Request) (shown, error) {
	var m shown
	reply, err := r.client.Complete(llm.WithScope(ctx, withStage(ctx, "endpoint")), req)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal([]byte(reply.Text), &m); err != nil {
		return m, &llm.Error{Cause: llm.CauseEndpointMapping, Message: "the mapped reply cannot be read", Err: err}
	}
	m.Measured = measuredOf(reply)
	return m, nil
}
