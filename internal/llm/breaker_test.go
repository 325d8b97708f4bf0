package llm

import (
	"context"
	"testing"
	"time"
)

// A reply between failures wipes out which requests failed before: one poisonous request alone never opens the circuit.
func TestAReplyForgetsWhichRequestsFailed(t *testing.T) {
	t.Parallel()
	b := newBreaker(func() time.Time { return time.Unix(0, 0) }, func(context.Context, time.Duration) error { return nil },
		func(string, time.Duration) {})
	for _, key := range []string{"a", "b", "c"} {
		b.failure(key, "down", false)
	}
	b.success()
	for range opensAfter {
		b.failure("a", "down", false)
	}
	if b.isOpen() {
		t.Error("requests that failed before a reply still count")
	}
	for _, key := range []string{"b", "c"} {
		b.failure(key, "down", false)
	}
	if !b.isOpen() {
		t.Error("three requests that fail on end do not open the circuit")
	}
}
