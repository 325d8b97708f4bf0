package app

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

// Tally counts what passes by. It hands out providers that never buy.
type Tally struct {
	workbench *Workbench
	alike     bool                    // stand-ins for answers follow from the question alone
	most      bool                    // stand-ins are as large as replies ever are; else as large as they usually are
	known     Config                  // with the providers that people added
	usage     []experiments.CallUsage // what calls have used so far
	mu        sync.Mutex
	stages    map[string]*StagePlan
	answer    int // tokens that an answer usually has
	seen      map[llm.Key]bool
	texts     map[string]bool
	tests     map[tested]bool // models for a purpose that are to be paid
}

// tested is what a test call is about.
type tested struct {
	provider, origin string
	aim
}

// Provider wraps a provider so that it counts instead of buying.
func (t *Tally) Provider(name string) (llm.Provider, error) {
	p, err := t.workbench.Providers.Provider(name)
	if err != nil {
		return nil, err
	}
	return &counting{Provider: p, tally: t}, nil
}

func (t *Tally) stage(name string) *StagePlan {
	s, ok := t.stages[name]
	if !ok {
		s = &StagePlan{Stage: name, PriceKnown: true}
		t.stages[name] = s
	}
	return s
}

func (t *Tally) count(stage string, add func(*StagePlan)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	add(t.stage(stage))
}

// buys reports whether anything has to be bought.
func (t *Tally) buys() bool {
	for _, s := range t.stages {
		if s.Buy > 0 {
			return true
		}
	}
	return false
}

// add counts one request for a provider's model that uses so much. A model without a price costs nothing that is known.
func (t *Tally) add(s *StagePlan, provider, model string, u llm.Usage) {
	micros, known := t.known.CostOf(provider, model, u)
	s.Buy++
	s.Tokens += u.PromptTokens
	s.PriceMicros += micros
	s.PriceKnown = s.PriceKnown && known
}

// counting is a provider that computes what is free, serves what is known, and makes up the rest.
type counting struct {
	llm.Provider
	tally *Tally
}

// builtStages are the stages in which the system under test takes the news that nothing was bought, and makes up what it needs.
var builtStages = []string{"embed", "rewrite", "rerank", "generate", "endpoint"}

// Complete counts the request. To one that would be bought a judge gets a stand-in reply that satisfies its schema, and the system
// under test [llm.NotBought].
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
	if call != nil && call.State == llm.CallUsable {
		c.tally.count(stage, func(s *StagePlan) { s.Known++ })
		return c.Provider.Complete(ctx, req)
	}
	if err := c.tally.preflight(ctx, c.Info(), aim{req.Model, llm.ProbePurposeOf(req)}); err != nil {
		return llm.Reply{}, err
	}
	text := standIn(req, c.tally.most)
	c.tally.count(stage, func(s *StagePlan) {
		if c.tally.seen[key] {
			return
		}
		c.tally.seen[key] = true
		c.tally.add(s, c.Info().Name, req.Model, c.tally.usageOf(req, text))
	})
	if slices.Contains(builtStages, stage) {
		return llm.Reply{}, c.tally.notBought()
	}
	return llm.Reply{Text: text, Model: req.Model, FinishReason: "stop"}, nil
}

// preflight counts the test calls before the first call for a purpose: a judge is tried in one form, or at most in all of them.
func (t *Tally) preflight(ctx context.Context, at llm.Info, a aim) error {
	t.mu.Lock()
	about := tested{at.Name, at.Origin, a}
	known := t.tests[about]
	if t.tests == nil {
		t.tests = map[tested]bool{}
	}
	t.tests[about] = true
	t.mu.Unlock()
	if known {
		return nil
	}
	due, err := t.workbench.Providers.untested(ctx, at, a)
	if err != nil || !due {
		return err
	}
	t.count(StagePreflight, func(s *StagePlan) {
		for _, u := range llm.ProbeUsage(a.purpose, t.most) {
			t.add(s, at.Name, a.model, u)
		}
	})
	return nil
}

// enoughCalls is how many calls for a purpose say what the next one uses.
const enoughCalls = 3

// usageOf is what a request uses: at most, or as the calls for its purpose went so far. Where there were none it is what characters say.
func (t *Tally) usageOf(req llm.Request, standIn string) llm.Usage {
	u := llm.EstimateUsage(req)
	if t.most {
		u.PromptTokens += u.PromptTokens / tokenMargin
		return u
	}
	u.CompletionTokens = min(u.CompletionTokens, t.usualReply(req, standIn))
	for _, past := range t.usage {
		if past.Purpose == req.Purpose && past.Model == req.Model && past.Calls >= enoughCalls && past.RequestBytes > 0 {
			u.PromptTokens = int(int64(llm.RequestBytes(req)) * past.PromptTokens / past.RequestBytes)
			u.CompletionTokens = int(past.OutputTokens / int64(past.Calls))
		}
	}
	return u
}

func (t *Tally) notBought() *llm.NotBought {
	return &llm.NotBought{Most: t.most, Answer: t.answer, Alike: t.alike}
}

// answersOf notes how long the answers of a job usually are: as its generator's were so far, or else somewhat longer than the references.
func (t *Tally) answersOf(job Job) {
	for _, past := range t.usage {
		if past.Purpose == prompts.PurposeGenerate && past.Model == job.Setup.Config.Generate.Name && past.Calls >= enoughCalls {
			t.answer = int(past.OutputTokens / int64(past.Calls))
			return
		}
	}
	tokens, references := 0, 0
	for _, q := range job.Questions {
		if q.Reference != "" {
			tokens, references = tokens+llm.EstimateTokens(q.Reference), references+1
		}
	}
	t.answer = unknownAnswer
	if references > 0 {
		t.answer = min(20+2*tokens/references, mostGuessed)
	}
}

// Answers without a reference are taken to have unknownAnswer tokens, those with one mostGuessed at most.
const unknownAnswer, mostGuessed = 100, 250

// tokenMargin: an estimate from characters may be a quarter too low ([llm.EstimateTokens]).
const tokenMargin = 4

// usualOrder is how long an order of passages is, in tokens.
const usualOrder = 24

// usualReply is how long the reply to a request usually is, in tokens.
func (t *Tally) usualReply(req llm.Request, text string) int {
	switch {
	case req.Schema == nil:
		return t.answer
	case text == "":
		return usualOrder
	}
	return metrics.StandInTokens(req, text)
}

// Embed counts the texts. A search for which one would have to be bought is [llm.NotBought]; in any other place all of them, so that
// they are of one kind, get the vectors of the offline embedder.
func (c *counting) Embed(ctx context.Context, want llm.Embedding, texts []string) ([][]float32, error) {
	if c.Info().Free {
		c.tally.count("embed", func(s *StagePlan) { s.Free += len(texts) })
		return c.Provider.Embed(ctx, want, texts)
	}
	missing, err := llm.MissingVectors(ctx, c.tally.workbench.Store, c.Info(), want, texts)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		if err := c.tally.preflight(ctx, c.Info(), aim{want.Model, llm.ProbeEmbed}); err != nil {
			return nil, err
		}
	}
	c.tally.count("embed", func(s *StagePlan) {
		s.Known += len(texts) - len(missing)
		for _, text := range missing {
			key := llm.VectorSpace(c.Info(), want) + "\x00" + text
			if c.tally.texts[key] {
				continue
			}
			c.tally.texts[key] = true
			tokens := llm.EstimateTokens(text)
			if c.tally.most {
				tokens += (tokens + tokenMargin - 1) / tokenMargin
			}
			c.tally.add(s, c.Info().Name, want.Model, llm.Usage{PromptTokens: tokens})
		}
	})
	switch {
	case len(missing) == 0:
		return c.Provider.Embed(ctx, want, texts)
	case llm.ScopeOf(ctx).Stage == "embed":
		return nil, c.tally.notBought()
	}
	return newOffline().Embed(ctx, llm.Embedding{Model: "ngram"}, texts)
}

// standIn is a reply of plausible size, so that later stages are gone through too; "" for an order of passages.
func standIn(req llm.Request, most bool) string {
	if reply, ok := metrics.StandIn(req, most); ok {
		return reply
	}
	if req.Schema != nil && req.Purpose == prompts.PurposeRerank {
		return ""
	}
	digest := sha256.Sum256(req.Data) // answers to different questions are different answers
	return fmt.Sprintf("Stand-in answer %x. It has two sentences.", digest[:4])
}
