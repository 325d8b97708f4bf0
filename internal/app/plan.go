package app

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Plan says what jobs would ask for and what is known already. It is found by going through every question without
// buying anything: a reply that would have to be bought is replaced by a stand-in, and everything that depends on it
// counts as still to buy. Buy is therefore an upper bound.
type Plan struct {
	Runs        int         `json:"runs"`
	Questions   int         `json:"questions"` // over all runs
	Stages      []StagePlan `json:"stages"`
	Buy         int         `json:"buy"` // calls
	PriceMicros int64       `json:"price_micros"`
	PriceKnown  bool        `json:"price_known"` // false: some model has no price, and PriceMicros leaves it out
	Currency    string      `json:"currency"`
}

// StagePlan is one stage of a plan.
type StagePlan struct {
	Stage       string `json:"stage"`  // "embed" counts texts, the others calls
	Free        int    `json:"free"`   // computed here, at no cost
	Known       int    `json:"known"`  // bought before: served from the ledger
	Buy         int    `json:"buy"`    // to be bought, each distinct request once
	Tokens      int    `json:"tokens"` // estimate of what is to be sent
	PriceMicros int64  `json:"price_micros"`
	PriceKnown  bool   `json:"price_known"`
}

// Plan goes through the jobs without buying anything.
func (w *Workbench) Plan(ctx context.Context, jobs []Job) (Plan, error) {
	t := &tally{workbench: w, stages: map[string]*StagePlan{}, seen: map[llm.Key]bool{}, texts: map[string]bool{}}
	plan := Plan{Runs: len(jobs), PriceKnown: true, Currency: w.Config.Currency}
	stages := &memory{items: map[string][]byte{}}
	indexes := rag.NewIndexes(2)
	for _, job := range jobs {
		plan.Questions += len(job.Questions)
		if err := t.walk(ctx, job, stages, indexes); err != nil {
			return plan, err
		}
	}
	for _, name := range []string{"embed", "rewrite", "rerank", "generate", "endpoint", "judge"} {
		s, ok := t.stages[name]
		if !ok {
			continue
		}
		plan.Stages = append(plan.Stages, *s)
		plan.Buy += s.Buy
		plan.PriceMicros += s.PriceMicros
		plan.PriceKnown = plan.PriceKnown && s.PriceKnown
	}
	return plan, nil
}

// tally counts what passes by. It hands out providers that never buy.
type tally struct {
	workbench *Workbench
	mu        sync.Mutex
	stages    map[string]*StagePlan
	seen      map[llm.Key]bool
	texts     map[string]bool
}

func (t *tally) walk(ctx context.Context, job Job, stages rag.Stages, indexes *rag.Indexes) error {
	corpus, err := t.workbench.corpusOf(ctx, job.Setup)
	if err != nil {
		return err
	}
	system, err := rag.Open(ctx, job.Setup.Config, corpus, t, indexes, stages)
	if err != nil {
		return err
	}
	defer system.Close()
	suite, err := metrics.NewSuite(job.Setup.Suite, job.Setup.Judge, t, stages)
	if err != nil {
		return err
	}
	for _, q := range job.Questions {
		answer, err := system.Answer(llm.WithScope(ctx, llm.Scope{QuestionID: q.ID}), q.Text)
		if llm.CauseOf(err) == llm.CauseNoLoggedAnswer {
			continue // nothing to judge
		}
		if err != nil {
			return err
		}
		if _, err := suite.Score(ctx, q.Sample(corpus, answer)); err != nil {
			return err
		}
	}
	return nil
}

// Provider wraps a provider so that it counts instead of buying.
func (t *tally) Provider(name string) (llm.Provider, error) {
	p, err := t.workbench.providers.Provider(name)
	if err != nil {
		return nil, err
	}
	return &counting{Provider: p, tally: t}, nil
}

func (t *tally) stage(name string) *StagePlan {
	s, ok := t.stages[name]
	if !ok {
		s = &StagePlan{Stage: name, PriceKnown: true}
		t.stages[name] = s
	}
	return s
}

// counting is a provider that computes what is free, serves what is known, and makes up the rest.
type counting struct {
	llm.Provider
	tally *tally
}

// Complete counts the request. A request that would be bought gets a stand-in reply that satisfies its schema.
func (c *counting) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	stage := llm.ScopeOf(ctx).Stage
	if c.Info().Free {
		c.tally.count(stage, func(s *StagePlan) { s.Free++ })
		return c.Provider.Complete(ctx, req)
	}
	key := llm.KeyOf(c.Info(), req)
	call, err := c.tally.workbench.Store.Lookup(ctx, key)
	if err != nil {
		return llm.Reply{}, err
	}
	if call != nil {
		c.tally.count(stage, func(s *StagePlan) { s.Known++ })
		return c.Provider.Complete(ctx, req)
	}
	c.tally.count(stage, func(s *StagePlan) {
		if c.tally.seen[key] {
			return
		}
		c.tally.seen[key] = true
		micros, known := c.prices().Estimate(req)
		s.add(llm.EstimateTokens(req.Instruction)+llm.EstimateTokens(string(req.Data)), micros, known)
	})
	return llm.Reply{Text: standIn(req), Model: req.Model, FinishReason: "stop"}, nil
}

func (s *StagePlan) add(tokens int, micros int64, known bool) {
	s.Buy++
	s.Tokens += tokens
	s.PriceMicros += micros
	s.PriceKnown = s.PriceKnown && known
}

func (c *counting) prices() llm.Prices { return llm.Prices(c.tally.workbench.Config.Prices) }

// Embed counts the texts. Those that would be bought get the vectors of the offline embedder.
func (c *counting) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	if c.Info().Free {
		c.tally.count("embed", func(s *StagePlan) { s.Free += len(texts) })
		return c.Provider.Embed(ctx, model, texts)
	}
	missing, err := llm.MissingVectors(ctx, c.tally.workbench.Store, c.Info(), model, texts)
	if err != nil {
		return nil, err
	}
	c.tally.count("embed", func(s *StagePlan) {
		s.Known += len(texts) - len(missing)
		for _, text := range missing {
			key := model + "\x00" + text
			if c.tally.texts[key] {
				continue
			}
			c.tally.texts[key] = true
			micros, known := c.prices().EstimateEmbedding(model, []string{text})
			s.add(llm.EstimateTokens(text), micros, known)
		}
	})
	if len(missing) == 0 {
		return c.Provider.Embed(ctx, model, texts)
	}
	return newOffline().Embed(ctx, "ngram", texts)
}

func (t *tally) count(stage string, add func(*StagePlan)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	add(t.stage(stage))
}

// standIn is a reply of plausible size, so that later stages are gone through too.
func standIn(req llm.Request) string {
	if reply, ok := metrics.StandIn(req); ok {
		return reply
	}
	switch req.Purpose {
	case rag.PurposeEndpoint:
		return rag.StandInReply
	case rag.PurposeRewrite:
		return `{"query":"stand-in"}`
	case rag.PurposeRerank:
		return `{"order":[]}`
	}
	digest := sha256.Sum256(req.Data) // answers to different questions are different answers
	return fmt.Sprintf("Stand-in answer %x. It has two sentences.", digest[:4])
}

// memory keeps stage outputs for the time of a plan. The store's are left aside on purpose: what is known is counted
// where it was bought, in the ledger.
type memory struct {
	mu    sync.Mutex
	items map[string][]byte
}

// Stage looks in memory.
func (m *memory) Stage(_ context.Context, key string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	body, ok := m.items[key]
	return body, ok, nil
}

// PutStage keeps the output in memory.
func (m *memory) PutStage(_ context.Context, s rag.Stage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items[s.Key] = s.Body
	return nil
}
