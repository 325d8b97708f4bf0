package rag

import (
	"context"
	"maps"
	"sync"
)

// StageBatch collects the outputs of stages until the next commit, so that they are committed together with the results that
// point to them. An output can be read from the moment it is there, before it is stored.
type StageBatch struct {
	below Stages
	mu    sync.Mutex
	fresh map[string]Stage
	order []string // keys of fresh
}

// NewStageBatch collects what is to be stored below.
func NewStageBatch(below Stages) *StageBatch {
	return &StageBatch{below: below, fresh: map[string]Stage{}}
}

// Stage looks among the fresh outputs, then in the store.
func (b *StageBatch) Stage(ctx context.Context, key string) ([]byte, bool, error) {
	b.mu.Lock()
	s, ok := b.fresh[key]
	b.mu.Unlock()
	if ok {
		return s.Body, true, nil
	}
	return b.below.Stage(ctx, key)
}

// StageBodies looks for the keys among the fresh outputs, then for what is left in the store, with one question where it can.
func (b *StageBatch) StageBodies(ctx context.Context, keys []string) (map[string][]byte, error) {
	fresh, rest := map[string][]byte{}, make([]string, 0, len(keys))
	b.mu.Lock()
	for _, key := range keys {
		if s, ok := b.fresh[key]; ok {
			fresh[key] = s.Body
		} else {
			rest = append(rest, key)
		}
	}
	b.mu.Unlock()
	stored := map[string][]byte{}
	if len(rest) > 0 {
		var err error
		if stored, err = StageBodies(ctx, b.below, rest); err != nil {
			return nil, err
		}
	}
	maps.Copy(fresh, stored)
	return fresh, nil
}

// PutStage keeps the output until it is committed.
func (b *StageBatch) PutStage(ctx context.Context, s Stage) error {
	return b.PutStages(ctx, []Stage{s})
}

// PutStages keeps outputs until they are committed, all with one commit.
func (b *StageBatch) PutStages(_ context.Context, out []Stage) error {
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

// Flush stores what is fresh, together. It is for work without a result of its own; results bring their stages with [StageBatch.Commit].
func (b *StageBatch) Flush(ctx context.Context) error {
	return b.Commit(func(out []Stage) error {
		if len(out) == 0 {
			return nil
		}
		return PutStages(ctx, b.below, out)
	})
}

// Commit hands the fresh outputs to save and forgets them once they are stored. One caller at a time.
func (b *StageBatch) Commit(save func([]Stage) error) error {
	b.mu.Lock()
	out := make([]Stage, len(b.order))
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
