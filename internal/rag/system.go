package rag

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/text"
)

// Providers finds a provider by the name an experiment file uses. It returns a *problem.Problem for an unknown one.
type Providers interface {
	Provider(name string) (llm.Provider, error)
}

// System is the system under test: one configuration over one corpus, ready to answer.
type System struct {
	config    Config
	corpus    *Corpus
	index     *Index
	stages    Stages
	providers Providers
	release   func()
	outside   answerer // a system that does not run here; nil for the pipeline

	stored func(question string) (Retrieved, bool) // see Indexes.Found; nil searches
}

// Corpus is what the system searches: the corpus that it was opened with, or an equal one that is in memory already.
func (s *System) Corpus() *Corpus { return s.corpus }

// Close lets go of the index. The system must not be used afterwards.
func (s *System) Close() { s.release() }

// Open prepares the system. Indexing a corpus with a bought embedder buys the embeddings that are not stored yet.
func Open(ctx context.Context, c Config, corpus *Corpus, providers Providers, indexes *Indexes, stages Stages) (*System, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.IsOutside() {
		return openOutside(ctx, c, corpus, providers, indexes, stages)
	}
	for _, name := range c.ProviderNames() {
		if _, err := providers.Provider(name); err != nil {
			return nil, err
		}
	}
	index, release, err := indexes.Get(llm.WithScope(ctx, withStage(ctx, "embed")), c, corpus, providers)
	if err != nil {
		return nil, err
	}
	if same := index.corpus; same.Name == corpus.Name && same.Version == corpus.Version && same.Digest == corpus.Digest {
		corpus = same // its texts are in memory already
	}
	s := &System{config: c, corpus: corpus, index: index, stages: stages, providers: providers, release: release}
	if c.Retrieve.Approximates() {
		s.stored = indexes.Found
	}
	return s, nil
}

// ProviderNames lists the providers the configuration uses, each once.
func (c Config) ProviderNames() []string {
	if c.IsOutside() {
		return c.outsideProviders()
	}
	names := []string{c.Generate.Provider}
	if c.Retrieve.Mode != "bm25" {
		names = append(names, c.Embedding.Provider)
	}
	if c.Rewrite.Asks() {
		names = append(names, c.Rewrite.Provider)
	}
	if c.Rerank.Asks() {
		names = append(names, c.Rerank.Provider)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func withStage(ctx context.Context, stage string) llm.Scope {
	s := llm.ScopeOf(ctx)
	s.Stage = stage
	return s
}

// Answer rewrites, retrieves, reranks, generates and post-processes. Errors are *llm.Error where a model failed. Where only the
// generation failed, what was retrieved is returned with the error: an Answer without a GenerationKey.
func (s *System) Answer(ctx context.Context, question string) (Answer, error) {
	if s.outside != nil {
		return s.outside.answer(ctx, question)
	}
	retrieval, key, err := s.Retrieve(ctx, question)
	if err != nil {
		return Answer{}, err
	}
	generation, generationKey, err := s.generate(ctx, question, retrieval.Hits)
	if err != nil {
		return Answer{Retrieval: retrieval, RetrievalKey: key}, err
	}
	return Answer{Retrieval: retrieval, Generation: generation, RetrievalKey: key, GenerationKey: generationKey}, nil
}

// Retrieve returns the contexts for a question, with their texts, and the key they are stored under.
func (s *System) Retrieve(ctx context.Context, question string) (Retrieval, string, error) {
	if s.outside != nil {
		a, err := s.outside.answer(ctx, question)
		return a.Retrieval, a.RetrievalKey, err
	}
	if s.stored != nil {
		if found, ok := s.stored(question); ok {
			again, err := Remember(ctx, s.stages, "retrieve", found.RetrievalKey, func(context.Context) (Retrieval, error) {
				return found.Retrieval, nil
			})
			return FillTexts(s.corpus, again), found.RetrievalKey, err
		}
	}
	query, search, err := s.searched(ctx, question)
	unknown := notBought(err)
	if err != nil && unknown == nil {
		return Retrieval{}, "", fmt.Errorf("rewrite: %w", err)
	}
	found, key, err := search(ctx)
	if missing := notBought(err); missing != nil {
		unknown, err = missing, nil
	}
	if err != nil {
		return Retrieval{}, "", fmt.Errorf("retrieve: %w", err)
	}
	if unknown != nil {
		found = Retrieval{Query: query, Hits: s.standInHits(unknown, key, s.depth())}
	}
	if s.config.Rerank.Mode == "none" {
		return FillTexts(s.corpus, found), key, nil
	}
	found, key, err = s.rerank(ctx, question, found, key)
	if missing := notBought(err); missing != nil {
		unknown, err = missing, nil
	}
	if err != nil {
		return Retrieval{}, "", fmt.Errorf("rerank: %w", err)
	}
	if unknown != nil { // in what order they would come is not known either
		found = Retrieval{Query: query, Hits: s.standInHits(unknown, key, s.config.Retrieve.K)}
	}
	return FillTexts(s.corpus, found), key, nil
}

// searched rewrites the question and returns what is searched, and the search for it.
func (s *System) searched(ctx context.Context, question string) (string, func(context.Context) (Retrieval, string, error), error) {
	if s.config.Rewrite.several() {
		queries, err := s.rewrites(ctx, question)
		return strings.Join(queries, "\n"), func(ctx context.Context) (Retrieval, string, error) {
			return s.searchSeveral(ctx, question, queries)
		}, err
	}
	query, err := s.rewrite(ctx, question)
	return query, func(ctx context.Context) (Retrieval, string, error) { return s.search(ctx, query) }, err
}

// search finds the chunks for a query, and the key they are stored under.
func (s *System) search(ctx context.Context, query string) (Retrieval, string, error) {
	key := s.retrieveKey(query)
	found, err := Remember(ctx, s.stages, "retrieve", key, func(ctx context.Context) (Retrieval, error) {
		hits, near, err := s.index.searchMeasured(llm.WithScope(ctx, withStage(ctx, "embed")), query, s.depth())
		if s.config.Rerank.Mode == "none" {
			hits = s.index.widen(hits, s.config.Retrieve.Neighbours)
		}
		return s.found(query, hits, near), err
	})
	return found, key, err
}

// found is what a search brought, with how near an approximate one came, and what an index that exists already does not show of it.
func (s *System) found(query string, hits []Hit, near *Approximation) Retrieval {
	return Retrieval{Query: query, Hits: hits, Approximate: near, Hidden: s.index.hides(hits)}
}

// FillTexts returns the retrieval with the text of every hit that has none taken from the corpus.
func FillTexts(corpus *Corpus, r Retrieval) Retrieval {
	r.Hits = slices.Clone(r.Hits)
	r.Fill(corpus)
	return r
}

// Fill is [FillTexts] of a retrieval that nobody else holds.
func (r *Retrieval) Fill(corpus *Corpus) {
	for i := range r.Hits {
		if h := &r.Hits[i]; h.Text == "" {
			h.Text = h.Lead + corpus.Text(h.Span)
		}
	}
}

func (s *System) depth() int { return s.config.depth() }

// depth is how many chunks the search returns: k, or what the reranker chooses from.
func (c Config) depth() int {
	switch {
	case c.Rerank.Mode == "none":
		return c.Retrieve.K
	case c.Rerank.Depth > 0:
		return c.Rerank.Depth
	case c.Rerank.Mode == RerankAPI:
		return RerankDepth(c.Retrieve.K)
	default:
		return 4 * c.Retrieve.K
	}
}

func (s *System) retrieveKey(query string) string {
	parts := []any{s.index.key, s.depth(), query}
	if s.config.Rerank.Mode == "none" {
		parts = append(parts, s.neighbours()...)
	}
	return StageKey("retrieve", "1", parts...)
}

// neighbours are the parts of a key that say how many are added; none where none are.
func (s *System) neighbours() []any {
	if n := s.config.Retrieve.Neighbours; n > 0 {
		return []any{n}
	}
	return nil
}

func (s *System) rewrite(ctx context.Context, question string) (string, error) {
	r := s.config.Rewrite
	switch r.Mode {
	case "expand":
		return offline.Expand(question), nil
	case "damage":
		return offline.Damage(question), nil
	case "llm":
		instruction := prompts.RewriteInstruction.In(text.Language(question))
		req := request(prompts.PurposeRewrite, r.Model, instruction, prompts.RewriteData{Question: question},
			prompts.RewriteSchema)
		reply, key, err := ask[prompts.RewriteReply](ctx, s, "rewrite", r.Provider, req)
		if n := notBought(err); n != nil {
			reply.Query = standInText(key, choose(n, typicalQuery, mostQuery))
		}
		return reply.Query, err
	default:
		return question, nil
	}
}

func (s *System) rerank(ctx context.Context, question string, found Retrieval, foundKey string) (Retrieval, string, error) {
	key, err := s.rerankKey(question, foundKey)
	if err != nil {
		return Retrieval{}, "", err
	}
	out, err := Remember(ctx, s.stages, "rerank", key, func(ctx context.Context) (Retrieval, error) {
		hits, err := s.reranked(ctx, question, found.Hits)
		return s.found(found.Query, s.index.widen(hits, s.config.Retrieve.Neighbours), found.Approximate), err
	})
	return out, key, err
}

// rerankKey covers what reordering uses. How many chunks there are to choose from is part of foundKey.
func (s *System) rerankKey(question, foundKey string) (string, error) {
	r, k := s.config.Rerank, s.config.Retrieve.K
	if !r.Asks() {
		return StageKey("rerank", "2", append([]any{r.Mode, k, question, foundKey}, s.neighbours()...)...), nil
	}
	p, err := s.providers.Provider(r.Provider)
	if err != nil {
		return "", err
	}
	info := p.Info() // a provider's name may come to mean another origin
	parts := []any{r.Mode, info.Kind, info.Origin, r.Name, k, question, foundKey}
	if r.MinScore != nil {
		parts = append(parts, "min_score", *r.MinScore)
	}
	return StageKey("rerank", "2", append(parts, s.neighbours()...)...), nil
}

// rerankOrder returns indices of hits, best first, each once.
func (s *System) rerankOrder(ctx context.Context, question string, hits []Hit) ([]int, error) {
	if s.config.Rerank.Mode == "lexical" {
		texts := make([]string, len(hits))
		for i, h := range hits {
			texts[i] = h.Text
		}
		return offline.Rank(question, texts), nil
	}
	instruction := prompts.RerankInstruction.In(text.Language(question))
	req := request(prompts.PurposeRerank, s.config.Rerank.Model, instruction,
		prompts.RerankData{Question: question, Passages: passages(hits)}, prompts.RerankSchema)
	reply, _, err := ask[prompts.RerankReply](ctx, s, "rerank", s.config.Rerank.Provider, req)
	return completeOrder(reply.Order, len(hits)), err
}

// completeOrder turns a model's list of passage numbers into indices: numbers that do not exist or repeat are passed over,
// passages it forgot follow in the order they were found.
func completeOrder(numbers []int, n int) []int {
	order := make([]int, 0, n)
	seen := make([]bool, n)
	take := func(i int) {
		if i >= 0 && i < n && !seen[i] {
			seen[i] = true
			order = append(order, i)
		}
	}
	for _, number := range numbers {
		take(number - 1)
	}
	for i := range n {
		take(i)
	}
	return order
}

// reorder keeps the first k hits of the order. The score becomes 1/rank, since scores of another order mean nothing.
func reorder(hits []Hit, order []int, k int) []Hit {
	out := make([]Hit, 0, k)
	for rank, i := range order[:min(k, len(order))] {
		h := hits[i]
		h.Score = 1 / float64(rank+1)
		out = append(out, h)
	}
	return out
}

func (s *System) generate(ctx context.Context, question string, hits []Hit) (Generation, string, error) {
	g := s.config.Generate
	provider, err := s.providers.Provider(g.Provider)
	if err != nil {
		return Generation{}, "", err
	}
	req := s.written(ctx, question, hits)
	key := s.generationKey(provider.Info(), req)
	out, err := Remember(ctx, s.stages, "generate", key, func(ctx context.Context) (Generation, error) {
		reply, err := provider.Complete(llm.WithScope(ctx, withStage(ctx, "generate")), req)
		if err != nil {
			return Generation{}, err
		}
		generation := Generation{Text: s.config.PostProcess.apply(reply.Text), FinishReason: reply.FinishReason,
			Measured: measuredOf(reply)}
		if generation.Text != reply.Text {
			generation.Raw = reply.Text
		}
		return generation, nil
	})
	if n := notBought(err); n != nil {
		of := key
		if n.Alike {
			of = StageKey("alike", "1", g.Model, question)
		}
		return Generation{Text: standInAnswer(n, of, g.MaxTokens)}, key, nil
	}
	if err != nil {
		return Generation{}, "", fmt.Errorf("generate: %w", err)
	}
	return out, key, nil
}

// written is the request for an answer from these contexts.
func (s *System) written(ctx context.Context, question string, hits []Hit) llm.Request {
	g := s.config.Generate
	instruction := g.Prompt
	if strings.TrimSpace(instruction) == "" {
		instruction = prompts.GenerateInstruction.In(text.Language(question))
	}
	req := request(prompts.PurposeGenerate, g.Model, instruction, prompts.GenerateData{Question: question, Contexts: passages(hits)}, nil)
	req.Temperature, req.MaxTokens, req.Replicate, req.Fresh = g.Temperature, g.MaxTokens, llm.ScopeOf(ctx).
		Replicate, llm.ScopeOf(ctx).Fresh
	return req
}

// generationKey covers the texts of the contexts, which are in the request, and not their places: equal contexts share the answer,
// however they were cut.
func (s *System) generationKey(by llm.Info, req llm.Request) string {
	steps := append(PostModes{}, s.config.PostProcess...) // no steps are one key, whether nil or empty
	return StageKey("generate", "1", llm.KeyOf(by, req), steps)
}

// ask completes a request whose reply is JSON and decodes it; an equal request is answered from the stages.
func ask[T any](ctx context.Context, s *System, kind, provider string, req llm.Request) (T, string, error) {
	var out T
	p, err := s.providers.Provider(provider)
	if err != nil {
		return out, "", err
	}
	req.Replicate, req.Fresh = llm.ScopeOf(ctx).Replicate, llm.ScopeOf(ctx).Fresh
	key := StageKey(kind, "1", llm.KeyOf(p.Info(), req))
	out, err = Remember(ctx, s.stages, kind+"_reply", key, func(ctx context.Context) (T, error) {
		var out T
		reply, err := p.Complete(llm.WithScope(ctx, withStage(ctx, kind)), req)
		if err != nil {
			return out, err
		}
		if err := json.Unmarshal([]byte(reply.Text), &out); err != nil {
			return out, &llm.Error{Cause: llm.CauseSchema, Message: req.Purpose + " reply is not the JSON that was asked for", Err: err}
		}
		return out, nil
	})
	return out, key, err
}
