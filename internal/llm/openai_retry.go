package llm

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	longestNamedWait = 10 * time.Minute // what a provider asks for beyond this is not waited in one piece
	longestLimited   = 30 * time.Minute // then a call that is always rate limited gives up
	moreAsks         = 2
	moreSpellings    = 4
)

// tally counts what one call has been through.
type tally struct {
	network, limited, asks, longer, dialect int
	waited                                  time.Duration // because of rate limits
}

// next says whether a call that met f goes on, and after which wait.
func (p *openAI) next(t *tally, f *fault) (time.Duration, bool) {
	named := min(f.wait, longestNamedWait)
	switch f.retry {
	case network:
		t.network++
		return max(named, p.random(p.backoff(t.network))), t.network < p.cfg.Retry.Attempts
	case limited:
		t.limited++
		// Without a time named, at least half of the backoff: a failed request counts against most limits as well.
		half := p.backoff(t.limited) / 2
		wait := max(named, half+p.random(half))
		t.waited += wait
		return wait, t.waited <= longestLimited
	case longer:
		t.longer++
		return 0, t.longer <= 1
	case again:
		t.asks++
		return 0, t.asks <= moreAsks
	case dialect:
		t.dialect++
		return 0, t.dialect <= moreSpellings
	default:
		return 0, false
	}
}

// backoff is Base doubled n-1 times, at most Max.
func (p *openAI) backoff(n int) time.Duration {
	d := p.cfg.Retry.Base
	for ; n > 1 && d < p.cfg.Retry.Max; n-- {
		d *= 2
	}
	return min(d, p.cfg.Retry.Max)
}

// random is a duration from 0 to d, both included.
func (p *openAI) random(d time.Duration) time.Duration {
	p.jitterMutex.Lock()
	defer p.jitterMutex.Unlock()
	return time.Duration(p.jitter.Int64N(int64(d) + 1))
}

// waitNamed is what the header asks us to wait, counted from now; 0 when it asks nothing. Retry-After wins over the
// x-ratelimit-reset headers, which mean something only for a limited call; of those the longer one counts, unless its limit
// is not used up.
func waitNamed(h http.Header, now time.Time, retry class) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return seconds(ms / 1000)
	}
	if after := strings.TrimSpace(h.Get("Retry-After")); after != "" {
		if s, err := strconv.ParseFloat(after, 64); err == nil {
			return seconds(s)
		}
		if at, err := http.ParseTime(after); err == nil {
			return max(0, at.Sub(now))
		}
	}
	if retry != limited {
		return 0
	}
	var wait time.Duration
	for _, kind := range []string{"requests", "tokens"} {
		if left := h.Get("X-Ratelimit-Remaining-" + kind); left != "" && left != "0" {
			continue
		}
		wait = max(wait, resetIn(h.Get("X-Ratelimit-Reset-"+kind)))
	}
	if wait == 0 {
		// Nothing claims to be used up, yet the call was refused: take the longer time.
		wait = max(resetIn(h.Get("X-Ratelimit-Reset-Requests")), resetIn(h.Get("X-Ratelimit-Reset-Tokens")))
	}
	return wait
}

// resetIn reads "6m0s", "120ms" or plain seconds. A number too large for a wait is a point in time in some dialect we do
// not know, and is ignored.
func resetIn(s string) time.Duration {
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		if n > 86_400 {
			return 0
		}
		return seconds(n)
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0
	}
	return max(0, d)
}

func seconds(s float64) time.Duration {
	if math.IsNaN(s) || s <= 0 {
		return 0
	}
	return time.Duration(math.Ceil(min(s, 1e6) * float64(time.Second)))
}

// gate bounds requests in flight and per minute, and holds everybody back while the provider asks for it.
type gate struct {
	slots chan struct{}
	rate  *rate.Limiter
	now   func() time.Time
	sleep func(context.Context, time.Duration) error

	mutex sync.Mutex
	until time.Time
}

func newGate(l Limits, now func() time.Time, sleep func(context.Context, time.Duration) error) *gate {
	g := &gate{slots: make(chan struct{}, l.Concurrency), now: now, sleep: sleep, rate: rate.NewLimiter(rate.Inf, 1)}
	if l.RequestsPerMinute > 0 {
		perSecond := float64(l.RequestsPerMinute) / 60
		// A burst of one second's worth keeps any minute within 1.02 of the limit.
		g.rate = rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond)))
	}
	return g
}

// enter waits for a slot, for the end of a pause and for the rate, in this order. leave gives the slot back.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := g.hold(ctx); err != nil {
		g.leave()
		return err
	}
	return nil
}

func (g *gate) hold(ctx context.Context) error {
	g.mutex.Lock()
	pause := g.until.Sub(g.now())
	g.mutex.Unlock()
	if pause > 0 {
		if err := g.sleep(ctx, pause); err != nil {
			return err
		}
	}
	now := g.now()
	r := g.rate.ReserveN(now, 1)
	if d := r.DelayFrom(now); d > 0 {
		if err := g.sleep(ctx, d); err != nil {
			r.CancelAt(g.now())
			return err
		}
	}
	return ctx.Err()
}

func (g *gate) leave() { <-g.slots }

// pause holds back whatever has not entered yet until d from now.
func (g *gate) pause(d time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if until := g.now().Add(d); until.After(g.until) {
		g.until = until
	}
}
