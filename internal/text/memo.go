package text

import "sync"

// Memo remembers a pure function of a text. A sweep shows the same passages, sentences and answers over and over: for every
// k, every overlap and every prompt that sees them. It holds a bounded number of texts and starts afresh when it is full,
// so that a long run does not grow. It is safe for concurrent use.
type Memo[V any] struct {
	compute func(string) V
	limit   int
	mu      sync.RWMutex
	items   map[string]V
}

// NewMemo remembers compute for up to limit texts.
func NewMemo[V any](limit int, compute func(string) V) *Memo[V] {
	return &Memo[V]{compute: compute, limit: max(1, limit), items: map[string]V{}}
}

// Of returns the value for s. Callers must not change what it points to.
func (m *Memo[V]) Of(s string) V {
	m.mu.RLock()
	v, ok := m.items[s]
	m.mu.RUnlock()
	if ok {
		return v
	}
	v = m.compute(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.items) >= m.limit {
		clear(m.items)
	}
	m.items[s] = v
	return v
}
