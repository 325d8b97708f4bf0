package llm

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rag-workbench/workbench/internal/llm/breaker"
)

const (
	longestNamedWait = 10 * time.Minute // what a provider asks for beyond this is not waited in one piece
	longestLimited   = 30 * time.Minute // then a call that is always rate limited gives up
	moreAsks         = 2
	moreSpellings    = 4
)

// Notice tells that a provider keeps its callers waiting, that the wait is over, or that something about its bill is odd.
type Notice struct {
	Provider string
	Cause    string        // why: a Cause constant, for example CauseRateLimited
	Waiting  bool          // true: nothing is sent for Wait; false: the provider answers again
	Wait     time.Duration // from now; a further notice follows when it is not enough
	Message  string        // for people; only with CauseAnomaly
}

// retrier sends the attempts of calls through one provider's limits and repeats the failed ones by class. It knows nothing
// of what is sent, so every client that talks HTTP can have one.
type retrier struct {
	provider string
	policy   Retry
	sleep    func(context.Context, time.Duration) error
	notify   func(Notice)
	gate     *gate
	breaker  *breaker.Breaker

	now       func() time.Time
	mutex     sync.Mutex
	jitter    *rand.Rand
	toldUntil time.Time   // the end of the wait that was announced last
	told      atomic.Bool // it is not over yet
}

// newRetrier returns a retrier for the provider with this name. notify may be nil.
func newRetrier(provider string, l Limits, policy Retry, seed uint64, now func() time.Time,
	sleep func(context.Context, time.Duration) error, notify func(Notice),
) *retrier {
	r := &retrier{
		provider: provider, policy: policy.withDefaults(), sleep: sleep, notify: notify,
		gate: newGate(l, now, sleep), now: now, jitter: rand.New(rand.NewPCG(seed, 0x77617669)),
	}
	r.breaker = breaker.New(now, sleep, r.announce)
	return r
}

func (r Retry) withDefaults() Retry {
	if r.Attempts <= 0 {
		r.Attempts = 6
	}
	if r.Base <= 0 {
		r.Base = time.Second
	}
	if r.Max <= 0 {
		r.Max = time.Minute
	}
	return r
}

// tally counts what one call has been through.
type tally struct {
	network, limited, asks, longer, dialect int
	waited                                  time.Duration // because of rate limits
	down                                    time.Time     // since when the circuit has been found open; zero when it is closed
}

// attempt is one try of a call, the n-th from 1. It must leave its seat as soon as the exchange has ended. A fault is what
// the provider did; an error is ours or the caller's and ends the call.
type attempt func(n int, t tally, s *seat) (*fault, error)

// do makes attempts until one gives no fault or the classes say stop; then it returns the last fault's error. key tells
// different calls apart; tokens is what one attempt may count against the limit of tokens per minute.
func (r *retrier) do(ctx context.Context, key string, tokens int, try attempt) error {
	var t tally
	for n := 1; ; n++ {
		f, probe, err := r.once(ctx, key, tokens, n, &t, try)
		if err != nil || f == nil {
			return err
		}
		wait, goOn := r.next(&t, f, probe)
		if !goOn {
			return f.err
		}
		switch {
		case f.retry == limited:
			r.gate.pause(wait)
			r.announce(f.err.Cause, wait)
		case f.retry == respell:
			f.adapt()
		case wait > 0:
			if err := r.sleep(ctx, wait); err != nil {
				return err
			}
		}
	}
}

// once makes one attempt in a seat, and tells gate and breaker what came of it.
func (r *retrier) once(ctx context.Context, key string, tokens, n int, t *tally, try attempt) (f *fault, probe bool, err error) {
	s, err := r.enter(ctx, &t.down, tokens)
	if err != nil {
		return nil, false, err
	}
	learned := false
	defer func() {
		s.leave()
		if s.probe && !learned {
			r.breaker.Abandon()
		}
	}()
	f, err = try(n, *t, s)
	if err != nil {
		return nil, s.probe, err
	}
	learned = r.learn(key, s, f)
	return f, s.probe, nil
}

// enter takes a seat and waits until something may be sent from it.
func (r *retrier) enter(ctx context.Context, down *time.Time, tokens int) (*seat, error) {
	s, err := r.gate.take(ctx)
	if err != nil {
		return nil, err
	}
	for {
		if s.probe, err = r.breaker.Wait(ctx, down); err == nil {
			err = s.hold(ctx, tokens)
		}
		var outage *breaker.Outage
		if errors.As(err, &outage) {
			err = &Error{Cause: CauseDown, Message: outage.Error()}
		}
		if err != nil {
			if s.probe {
				r.breaker.Abandon()
			}
			s.leave()
			return nil, err
		}
		if s.probe || !r.breaker.IsOpen() {
			return s, nil
		}
		s.unsent() // the circuit opened while we waited for the rate
	}
}

// learn tells gate and breaker what came of an attempt, and reports whether it says anything about the provider.
func (r *retrier) learn(key string, s *seat, f *fault) bool {
	switch {
	case f == nil:
		r.gate.thank()
	case f.retry == limited:
		r.gate.cut(f.wait)
	default:
		r.gate.trouble()
	}
	switch {
	case f != nil && f.retry == network:
		r.breaker.Failure(key, f.err.Cause, s.probe)
		return true
	case f != nil && f.err.HTTPStatus == 0:
		return false
	}
	r.breaker.Success()
	if f == nil || f.retry != limited {
		r.resumed()
	}
	return true
}

// announce says that nothing is sent for a while, unless that was said already.
func (r *retrier) announce(cause string, wait time.Duration) {
	r.mutex.Lock()
	until := r.now().Add(wait)
	known := r.told.Load() && until.Sub(r.toldUntil) < time.Second
	if !known {
		r.toldUntil = until
		r.told.Store(true)
	}
	r.mutex.Unlock()
	if !known {
		r.tell(Notice{Cause: cause, Waiting: true, Wait: wait})
	}
}

// resumed says, once, that the provider answers again.
func (r *retrier) resumed() {
	if r.told.Load() && r.told.CompareAndSwap(true, false) {
		r.tell(Notice{})
	}
}

func (r *retrier) tell(n Notice) {
	if r.notify != nil {
		n.Provider = r.provider
		r.notify(n)
	}
}

// next says whether a call that met f goes on, and after which wait. The failure of a probe is no attempt of the call that
// happened to make it, and no call ends for want of attempts while the circuit is open.
func (r *retrier) next(t *tally, f *fault, probe bool) (time.Duration, bool) {
	named := min(f.wait, longestNamedWait)
	switch f.retry {
	case network:
		if probe {
			return 0, true
		}
		t.network++
		return max(named, r.random(r.backoff(t.network))), t.network < r.policy.Attempts || r.breaker.IsOpen()
	case limited:
		t.limited++
		// Without a time named, at least half of the backoff: a failed request counts against most limits as well.
		half := r.backoff(t.limited) / 2
		wait := max(named, half+r.random(half))
		t.waited += wait
		return wait, t.waited <= longestLimited
	case longer:
		t.longer++
		return 0, t.longer <= 1
	case again:
		t.asks++
		return 0, t.asks <= moreAsks
	case respell:
		t.dialect++
		return 0, t.dialect <= moreSpellings
	default:
		return 0, false
	}
}

// backoff is Base doubled n-1 times, at most Max.
func (r *retrier) backoff(n int) time.Duration {
	d := r.policy.Base
	for ; n > 1 && d < r.policy.Max; n-- {
		d *= 2
	}
	return min(d, r.policy.Max)
}

// random is a duration from 0 to d, both included.
func (r *retrier) random(d time.Duration) time.Duration {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return time.Duration(r.jitter.Int64N(int64(d) + 1))
}
