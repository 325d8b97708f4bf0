package rag

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// RerankAPI is the mode of a service that scores documents against a query.
const RerankAPI = "api"

// leastDepth is how many chunks a service sees at least, so that configurations with small k share its calls.
const leastDepth = 20

// RerankDepth is how many chunks a service sees where nothing is said, for the largest k that shares its calls.
func RerankDepth(k int) int { return max(4*k, leastDepth) }

// Asks reports whether a model puts the hits in order.
func (r Rerank) Asks() bool { return r.Mode == "llm" || r.Mode == RerankAPI }

// effective is the reranking without what has no effect in it.
func (r Rerank) effective() Rerank {
	switch r.Mode {
	case RerankAPI:
		if r.Dialect == llm.RerankCohere {
			r.Dialect = ""
		}
		return r
	case "llm":
		return Rerank{Mode: r.Mode, Depth: r.Depth, Model: r.Model}
	case "lexical":
		return Rerank{Mode: r.Mode, Depth: r.Depth}
	}
	return Rerank{Mode: r.Mode}
}

// batch is how many documents one call holds.
func (r Rerank) batch(documents int) int {
	switch {
	case r.Listwise:
		return documents
	case r.Batch > 0:
		return r.Batch
	case r.Dialect == llm.RerankTEI:
		return 32
	}
	return unitOfRerank
}

// unitOfRerank is what services bill and take at once.
const unitOfRerank = 100

// reranked are the first k hits in the new order.
func (s *System) reranked(ctx context.Context, question string, hits []Hit) ([]Hit, error) {
	shown := FillTexts(s.corpus, Retrieval{Hits: hits}).Hits
	if s.config.Rerank.Mode != RerankAPI {
		order, err := s.rerankOrder(ctx, question, shown)
		return reorder(hits, order, s.config.Retrieve.K), err
	}
	texts := make([]string, len(shown))
	for i, h := range shown {
		texts[i] = h.Text
	}
	scores, err := s.rerankScores(ctx, question, texts)
	if err != nil {
		return nil, err
	}
	all := make([]search.Ranked, len(scores))
	for i, v := range scores {
		all[i] = search.Ranked{Chunk: i, Score: v}
	}
	if least := s.config.Rerank.MinScore; least != nil {
		all = slices.DeleteFunc(all, func(r search.Ranked) bool { return r.Score < *least })
	}
	var out []Hit
	for _, r := range search.Top(all, s.config.Retrieve.K) {
		h := hits[r.Chunk]
		h.Score = r.Score
		out = append(out, h)
	}
	return out, nil
}

// rerankScores asks for the score of every text, in batches that go out side by side. A batch that is too large for the service is
// halved, once.
func (s *System) rerankScores(ctx context.Context, question string, texts []string) ([]float64, error) {
	size := max(1, s.config.Rerank.batch(len(texts)))
	return inBatches(texts, size, func(batch []string) ([]float64, error) {
		scores, err := s.rerankBatch(ctx, question, batch)
		if tooMany(err) && len(batch) > 1 && !s.config.Rerank.Listwise {
			return inBatches(batch, (len(batch)+1)/2, func(half []string) ([]float64, error) { return s.rerankBatch(ctx, question, half) })
		}
		return scores, err
	})
}

// inBatches scores texts in batches of a size, side by side.
func inBatches(texts []string, size int, score func([]string) ([]float64, error)) ([]float64, error) {
	batches := slices.Collect(slices.Chunk(texts, size))
	found, errs := make([][]float64, len(batches)), make([]error, len(batches))
	llm.SideBySide(len(batches), func(i int) { found[i], errs[i] = score(batches[i]) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(found...), nil
}

func tooMany(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.HTTPStatus == http.StatusRequestEntityTooLarge
}

func (s *System) rerankBatch(ctx context.Context, question string, texts []string) ([]float64, error) {
	r := s.config.Rerank
	req := request(prompts.PurposeRerankAPI, r.Model, "", llm.Reranking{Query: question, Documents: texts}, nil)
	if req.Rerank = r.Dialect; req.Rerank == "" {
		req.Rerank = llm.RerankCohere
	}
	scores, _, err := ask[[]float64](ctx, s, "rerank", r.Provider, req)
	return scores, err
}
