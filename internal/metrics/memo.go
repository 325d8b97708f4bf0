package metrics

import "sync"

// memo remembers a pure function of a text. A sweep shows the offline judge the same passages and claims over and over:
// for every k, every overlap and every prompt that sees them. It holds a bounded number of texts and starts afresh when
// it is full, so that a long run does not grow.
type memo[V any] struct {
	compute func(string) V
	mu      sync.RWMutex
	items   map[string]V
}

// memoLimit bounds the texts a memo holds; at some kilobytes each that is tens of megabytes.
const memoLimit = 4096

func newMemo[V any](compute func(string) V) *memo[V] {
	return &memo[V]{compute: compute, items: map[string]V{}}
}

// of returns the value for s. Callers must not change what it points to.
func (m *memo[V]) of(s string) V {
	m.mu.RLock()
	v, ok := m.items[s]
	m.mu.RUnlock()
	if ok {
		return v
	}
	v = m.compute(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.items) >= memoLimit {
		clear(m.items)
	}
	m.items[s] = v
	return v
}

// What the offline judge prepares of texts.
var (
	passages = newMemo(preparePassage)
	claims   = newMemo(prepareClaim)
)

// newPassage prepares a text to support claims.
func newPassage(s string) passage { return passages.of(s) }

// distinctTerms prepares a claim. A claim of grammar only, without a content word or number, has no terms.
func distinctTerms(s string) claimTerms { return claims.of(s) }
