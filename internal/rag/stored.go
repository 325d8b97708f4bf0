package rag

import (
	"context"

	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// Keys says under which keys the parts of an answer must stand: what is retrieved for a question, and what is written from these contexts.
// It buys nothing and searches nothing: of what a model rewrote only the stored reply is read, from the stages that the system was
// opened with.
func (s *System) Keys(ctx context.Context, question string, hits []Hit) (retrieval, generation string, err error) {
	if s.outside != nil {
		return s.outside.keys(ctx, question, hits)
	}
	if retrieval, err = s.foundKey(ctx, question); err != nil {
		return "", "", err
	}
	provider, err := s.providers.Provider(s.config.Generate.Provider)
	if err != nil {
		return "", "", err
	}
	return retrieval, s.generationKey(provider.Info(), s.written(ctx, question, hits)), nil
}

// foundKey is the key of what is retrieved for a question.
func (s *System) foundKey(ctx context.Context, question string) (key string, err error) {
	if s.config.Rewrite.several() {
		var queries []string
		if queries, err = s.rewrites(ctx, question); err == nil {
			key = s.severalKey(question, queries)
		}
	} else {
		var query string
		if query, err = s.rewrite(ctx, question); err == nil {
			key = s.retrieveKey(query)
		}
	}
	if err != nil || s.config.Rerank.Mode == "none" {
		return key, err
	}
	return s.rerankKey(question, key)
}

// OpenForKeys prepares a system for [System.Keys] and nothing else: it has no index.
func OpenForKeys(ctx context.Context, c Config, corpus *Corpus, providers Providers, stages Stages) (*System, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := &System{config: c, corpus: corpus, stages: stages, providers: providers, release: func() {}}
	if c.IsOutside() {
		return s, s.lookOutside(ctx)
	}
	key, err := indexKey(c, corpus, providers)
	s.index = &Index{key: key, corpus: corpus, retrieve: c.Retrieve}
	return s, err
}

// lookOutside is openOutside for keys.
func (s *System) lookOutside(ctx context.Context) error {
	if e := s.config.Endpoint; e == nil || !e.TakesContexts() {
		opened, err := openOutside(ctx, s.config, s.corpus, s.providers, nil, s.stages)
		if err == nil {
			s.outside = opened.outside
		}
		return err
	}
	pipeline, err := OpenForKeys(ctx, s.config.pipeline(), s.corpus, s.providers, s.stages)
	if err != nil {
		return err
	}
	live, err := newLive(s.config, s.corpus, s.providers, s.stages)
	if err == nil {
		live.pipeline, s.outside = pipeline, live
	}
	return err
}

func (r *replay) keys(ctx context.Context, question string, _ []Hit) (retrieval, generation string, err error) {
	logged, err := r.logged(ctx, question)
	return r.retrievalKey(logged), generationKeyOf(logged), err
}

func (r *replay) retrievalKey(logged LoggedAnswer) string {
	return StageKey("retrieve", "log1", logged.Question, logged.Contexts, logged.Notes, r.places.digest())
}

func generationKeyOf(logged LoggedAnswer) string {
	return StageKey("generate", "log1", logged.Question, logged.Answer, logged.Measured)
}

func (r *liveSystem) keys(ctx context.Context, question string, hits []Hit) (retrieval, generation string, err error) {
	a := remote.Asking{Question: question, K: r.config.Retrieve.K, Prompt: r.config.Generate.Prompt}
	if r.pipeline != nil {
		if retrieval, err = r.pipeline.foundKey(ctx, question); err != nil {
			return "", "", err
		}
		a.Contexts = given(hits)
	}
	key := r.replyKey(r.request(ctx, a))
	if r.pipeline == nil {
		retrieval = r.retrievalKey(key)
	}
	return retrieval, r.generationKey(key), nil
}

// given are the texts of the contexts that an endpoint gets.
func given(hits []Hit) (texts []string) {
	for _, h := range hits {
		texts = append(texts, h.Text)
	}
	return texts
}
