package experiments

import (
	"context"
	"sync"

	"github.com/rag-workbench/workbench/internal/rag"
)

// Shelf is a library out of which each version is read once, for evaluations that are loaded together. Versions are immutable; a reference
// without one is the newest at its first look. It is safe for concurrent use: one reads, and others wait for it.
type Shelf struct {
	Library
	mu       sync.Mutex
	corpora  map[string]*rag.Corpus
	datasets map[string]*Dataset
}

// NewShelf returns an empty shelf.
func NewShelf(l Library) *Shelf {
	return &Shelf{Library: l, corpora: map[string]*rag.Corpus{}, datasets: map[string]*Dataset{}}
}

// Corpus implements [Library].
func (s *Shelf) Corpus(ctx context.Context, ref string) (*rag.Corpus, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return once(ctx, s.corpora, ref, s.Library.Corpus)
}

// Dataset implements [Library].
func (s *Shelf) Dataset(ctx context.Context, ref string) (*Dataset, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return once(ctx, s.datasets, ref, s.Library.Dataset)
}

func once[T any](ctx context.Context, known map[string]*T, ref string, read func(context.Context, string) (*T, error)) (*T, error) {
	if v, ok := known[ref]; ok {
		return v, nil
	}
	v, err := read(ctx, ref)
	if err == nil {
		known[ref] = v
	}
	return v, err
}
