package llm

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// When the circuit opens, how it probes and when a caller stops waiting (reliability.md, P05).
const (
	opensAfter    = 10 // consecutive failures of the network or the server
	opensOver     = 3  // of at least so many different requests: one poisonous request proves nothing
	firstProbe    = 30 * time.Second
	slowestProbe  = 2 * time.Minute
	longestOutage = 30 * time.Minute
)

// breaker stops sending to a provider that is down. While it is open callers wait, and their attempts are not counted. One
// caller at a time is let through to probe: after 30 s, then 60 s, then every 2 minutes, so that an outage of ten minutes
// costs a handful of requests. A reply closes it.
type breaker struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
	tell  func(cause string, wait time.Duration) // a wait begins or goes on

	mutex    sync.Mutex
	failures int
	keys     map[string]bool // of the consecutive failures, at most opensOver of them
	open     bool
	cause    string
	interval time.Duration
	probeAt  time.Time
	probing  bool
	state    context.Context // ends when open or probing changes
	change   context.CancelFunc
}

func newBreaker(now func() time.Time, sleep func(context.Context, time.Duration) error, tell func(string, time.Duration)) *breaker {
	b := &breaker{now: now, sleep: sleep, tell: tell, keys: map[string]bool{}}
	b.state, b.change = context.WithCancel(context.Background())
	return b
}

// wait returns at once while the circuit is closed. Otherwise it waits until it closes, or until it is the caller's turn to
// probe; who probes must report with success, failure or abandon. since remembers when a call first met the open circuit;
// half an hour later it gives up with a fatal error.
func (b *breaker) wait(ctx context.Context, since *time.Time) (probe bool, err error) {
	var dozed time.Time
	for {
		b.mutex.Lock()
		if !b.open {
			b.mutex.Unlock()
			*since = time.Time{}
			return false, ctx.Err()
		}
		now := b.now()
		if since.IsZero() {
			*since = now
		}
		state, cause, at := b.state, b.cause, b.probeAt
		free := !b.probing && (!now.Before(at) || dozed.Equal(at)) && ctx.Err() == nil
		patient := now.Sub(*since) < longestOutage
		if free && patient {
			b.probing = true
		}
		probing := b.probing
		b.mutex.Unlock()
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case !patient:
			return false, &Error{Cause: CauseDown, Message: fmt.Sprintf("the provider has not answered for %s (%s)", longestOutage, cause)}
		case free:
			return true, nil
		case probing:
			select {
			case <-state.Done():
			case <-ctx.Done():
			}
		default:
			b.doze(ctx, state, at.Sub(now))
			if state.Err() == nil {
				dozed = at
			}
		}
	}
}

// doze sleeps for d, or until the circuit changes or the caller goes.
func (b *breaker) doze(ctx, state context.Context, d time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(state, cancel)()
	_ = b.sleep(ctx, d)
}

// isOpen reports whether the circuit is open.
func (b *breaker) isOpen() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.open
}

// success closes the circuit: the provider answers.
func (b *breaker) success() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.failures = 0
	clear(b.keys)
	if b.open {
		b.open, b.probing = false, false
		b.changed()
	}
}

// failure counts a failure of the network or the server. That of a probe keeps the circuit open for another interval;
// stragglers that were sent before it opened change nothing.
func (b *breaker) failure(key, cause string, probe bool) {
	b.mutex.Lock()
	b.failures++
	if len(b.keys) < opensOver {
		b.keys[key] = true
	}
	switch {
	case b.open && probe:
		b.interval = min(2*b.interval, slowestProbe)
		b.probing = false
	case !b.open && b.failures >= opensAfter && len(b.keys) >= opensOver:
		b.open, b.interval = true, firstProbe
	default:
		b.mutex.Unlock()
		return
	}
	b.cause, b.probeAt = cause, b.now().Add(b.interval)
	b.changed()
	wait := b.interval
	b.mutex.Unlock()
	b.tell(cause, wait)
}

// abandon lets somebody else probe, because the prober went away without a result.
func (b *breaker) abandon() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.probing {
		b.probing = false
		b.changed()
	}
}

// changed wakes who waits. The mutex is held.
func (b *breaker) changed() {
	b.change()
	b.state, b.change = context.WithCancel(context.Background())
}
