package rag

import (
	"context"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// Expect ranks for questions that are about to be asked in common passes over the vectors, where these are searched exactly in memory:
// [System.Retrieve] then finds each ranking at hand, with the scores and the order it would have found. Vectors of the questions are
// bought as it would buy them. It does nothing where a model rewrites the questions, or nothing is ranked here.
func (s *System) Expect(ctx context.Context, questions []string) error {
	if s.outside != nil || s.stored != nil || s.config.Rewrite.Asks() {
		return nil
	}
	queries := make([]string, len(questions))
	for i, q := range questions {
		var err error
		if queries[i], err = s.rewrite(ctx, q); err != nil {
			return fmt.Errorf("rewrite: %w", err)
		}
	}
	if err := s.index.rankMany(llm.WithScope(ctx, withStage(ctx, "embed")), queries, s.config.Asked()); err != nil {
		return fmt.Errorf("retrieve: %w", err)
	}
	return nil
}

// expectedAtOnce is how many rankings are made before they are cut to what is remembered: in hybrid each holds fuseDepth chunks.
const expectedAtOnce = 4 * search.Together

// rankMany remembers the rankings of queries, as [Index.ranking] does one by one. It changes queries.
func (x *Index) rankMany(ctx context.Context, queries []string, n int) error {
	if x.existing != nil || !x.retrieve.vectors() {
		return nil
	}
	dense, ok := x.vectors.dense.(*search.Vectors)
	if !ok {
		return nil
	}
	depth := rankDepth(n)
	queries = slices.DeleteFunc(queries, func(q string) bool {
		_, known := x.remembered(asked{query: q}, n)
		return known
	})
	for some := range slices.Chunk(queries, expectedAtOnce) {
		vectors := make([][]float32, len(some))
		for i, q := range some {
			var err error
			if vectors[i], err = x.embed(ctx, q); err != nil {
				return err
			}
		}
		nearest, err := dense.SearchMany(ctx, vectors, x.allowed, x.denseDepth(depth))
		if err != nil {
			return err
		}
		for i, q := range some {
			found, err := x.joined(ctx, q, nearest[i], depth)
			if err != nil {
				return err
			}
			x.rankings.Store(asked{query: q}, remembered{found: found, depth: depth})
		}
	}
	return nil
}
