// Package breaker stops sending to a provider that is down. While its circuit is open callers wait, and their attempts are not counted.
// One caller at a time is let through to probe, so that an outage of ten minutes costs a handful of requests. A reply closes it.
//
// A caller asks [Breaker.Wait] before it sends. Who may probe must report what came of it: [Breaker.Success], [Breaker.Failure] or
// [Breaker.Abandon].
package breaker

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

// Outage is the error of a caller that met an open circuit for half an hour.
type Outage struct {
	Cause string        // of the failure that opened the circuit, in the words of who reported it
	For   time.Duration // how long the caller was patient
}

// Error says how long the provider has been silent, and why.
func (o *Outage) Error() string {
	return fmt.Sprintf("the provider has not answered for %s (%s)", o.For, o.Cause)
}

// Breaker is the circuit of one provider. It probes 30 s after it opened, then after 60 s, then every 2 minutes. It is safe for
// concurrent use.
type Breaker struct {
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

// New returns a closed circuit. sleep waits as long as it is told or until the context ends; tell hears that nothing is sent for a while,
// and why, each time such a wait begins or goes on.
func New(now func() time.Time, sleep func(context.Context, time.Duration) error, tell func(string, time.Duration)) *Breaker {
	b := &Breaker{now: now, sleep: sleep, tell: tell, keys: map[string]bool{}}
	b.state, b.change = context.WithCancel(context.Background())
	return b
}

// Wait returns at once while the circuit is closed. Otherwise it waits until it closes, or until it is the caller's turn to probe. since
// remembers when a call first met the open circuit; half an hour later it gives up with an [*Outage].
func (b *Breaker) Wait(ctx context.Context, since *time.Time) (probe bool, err error) {
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
			return false, &Outage{cause, longestOutage}
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
func (b *Breaker) doze(ctx, state context.Context, d time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(state, cancel)()
	_ = b.sleep(ctx, d)
}

// IsOpen reports whether the circuit is open.
func (b *Breaker) IsOpen() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.open
}

// Success closes the circuit: the provider answers.
func (b *Breaker) Success() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.failures = 0
	clear(b.keys)
	if b.open {
		b.open, b.probing = false, false
		b.changed()
	}
}

// Failure counts a failure of the network or the server in the request that key names. That of a probe keeps the circuit open for
// another interval; stragglers that were sent before it opened change nothing.
func (b *Breaker) Failure(key, cause string, probe bool) {
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

// Abandon lets somebody else probe, because the prober went away without a result.
func (b *Breaker) Abandon() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.probing {
		b.probing = false
		b.changed()
	}
}

// changed wakes who waits. The mutex is held.
func (b *Breaker) changed() {
	b.change()
	b.state, b.change = context.WithCancel(context.Background())
}
