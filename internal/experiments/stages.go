package experiments

import (
	"context"
	"sync"

	"github.com/rag-workbench/workbench/internal/rag"
)

// stageBatch collects the outputs of stages until the next commit, so that they are committed together with the results that
// point to them. An output can be read from the moment it is there, before it is stored.
type stageBatch struct {
	below rag.Stages
	mu    sync.Mutex
	fresh map[string]rag.Stage
	order []string // keys of fresh
}

func newStageBatch(below rag.Stages) *stageBatch {
	return &stageBatch{below: below, fresh: map[string]rag.Stage{}}
}

// Stage looks among the fresh outputs, then in the store.
func (b *stageBatch) Stage(ctx context.Context, key string) ([]byte, bool, error) {
	b.mu.Lock()
	s, ok := b.fresh[key]
	b.mu.Unlock()
	if ok {
		return s.Body, true, nil
	}
	return b.below.Stage(ctx, key)
}

// PutStage keeps the output until it is committed.
func (b *stageBatch) PutStage(ctx context.Context, s rag.Stage) error {
	return b.PutStages(ctx, []rag.Stage{s})
}

// PutStages keeps outputs until they are committed, all with one commit.
func (b *stageBatch) PutStages(_ context.Context, out []rag.Stage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range out {
		if _, ok := b.fresh[s.Key]; !ok {
			b.fresh[s.Key] = s
			b.order = append(b.order, s.Key)
		}
	}
	return nil
}

// commit hands the fresh outputs to save and forgets them once they are stored. One caller at a time.
func (b *stageBatch) commit(save func([]rag.Stage) error) error {
	b.mu.Lock()
	out := make([]rag.Stage, len(b.order))
	for i, key := range b.order {
		out[i] = b.fresh[key]
	}
	b.mu.Unlock()
	if err := save(out); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.order = b.order[len(out):]
	for _, s := range out {
		delete(b.fresh, s.Key)
	}
	return nil
}
