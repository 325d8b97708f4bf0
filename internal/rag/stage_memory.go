package rag

import (
	"context"
	"sync"
)

// MemoryStages keeps stage outputs as long as it lives, for work that nobody stores. The zero value is empty; it is safe for
// concurrent use.
type MemoryStages struct {
	mu     sync.Mutex
	bodies map[string][]byte
}

// Stage returns the body kept under key; it never fails.
func (m *MemoryStages) Stage(_ context.Context, key string) (body []byte, found bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	body, found = m.bodies[key]
	return body, found, nil
}

// PutStage keeps an output; it never fails.
func (m *MemoryStages) PutStage(_ context.Context, s Stage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bodies == nil {
		m.bodies = map[string][]byte{}
	}
	m.bodies[s.Key] = s.Body
	return nil
}
