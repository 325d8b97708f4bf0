package experiments

import (
	"context"
	"sync"

	"github.com/rag-workbench/workbench/internal/rag"
)

// stageBatch collects the stage outputs of a batch of questions, so that they are committed together with the results
// that point to them. Within the batch an output can be read before it is stored.
type stageBatch struct {
	below rag.Stages
	mu    sync.Mutex
	fresh map[string]rag.Stage
	order []string
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

// PutStage keeps the output until take.
func (b *stageBatch) PutStage(_ context.Context, s rag.Stage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.fresh[s.Key]; !ok {
		b.fresh[s.Key] = s
		b.order = append(b.order, s.Key)
	}
	return nil
}

// take returns the fresh outputs and forgets them; the caller stores them.
func (b *stageBatch) take() []rag.Stage {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]rag.Stage, len(b.order))
	for i, key := range b.order {
		out[i] = b.fresh[key]
	}
	b.fresh, b.order = map[string]rag.Stage{}, nil
	return out
}
