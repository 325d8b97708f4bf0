package breaker

import (
	"context"
	"testing"
	"time"
)

// A reply between failures wipes out which requests failed before: one poisonous request alone never opens the circuit.
func TestAReplyForgetsWhichRequestsFailed(t *testing.T) {
	t.Parallel()
	b := New(func() time.Time { return time.Unix(0, 0) }, func(context.Context, time.Duration) error { return nil },
		func(string, time.Duration) {})
	for _, key := range []string{"a", "b", "c"} {
		b.Failure(key, "down", false)
	}
	b.Success()
	for range opensAfter {
		b.Failure("a", "down", false)
	}
	if b.IsOpen() {
		t.Error("requests that failed before a reply still count")
	}
	for _, key := range []string{"b", "c"} {
		b.Failure(key, "down", false)
	}
	if !b.IsOpen() {
		t.Error("three requests that fail on end do not open the circuit")
	}
}
