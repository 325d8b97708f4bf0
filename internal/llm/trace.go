package llm

import (
	"context"
	"slices"
	"sync"
)

// Trace collects the ledger rows that something was computed from, so that a stored output can name them.
type Trace struct {
	outer *Trace

	mu    sync.Mutex
	calls []string
}

type traceKey struct{}

// WithTrace returns a context in which providers note the calls that answered, bought or served from the ledger. Traces nest: a
// call is noted in all of them.
func WithTrace(ctx context.Context) (context.Context, *Trace) {
	outer, _ := ctx.Value(traceKey{}).(*Trace)
	t := &Trace{outer: outer}
	return context.WithValue(ctx, traceKey{}, t), t
}

// Calls are the ids of the ledger rows, sorted and each once. The offline provider makes no calls.
func (t *Trace) Calls() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(t.calls)))
}

// note adds a call to the traces of ctx.
func note(ctx context.Context, callID string) {
	if callID == "" {
		return
	}
	t, _ := ctx.Value(traceKey{}).(*Trace)
	for ; t != nil; t = t.outer {
		t.mu.Lock()
		t.calls = append(t.calls, callID)
		t.mu.Unlock()
	}
}
