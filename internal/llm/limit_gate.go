package llm

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Concurrency that nobody configured starts at startSeats and grows to mostSeats while the provider lets it.
const (
	startSeats = 8
	mostSeats  = 64
	// cutCooldown is how long a cut of the seats counts before another one, and before they grow again.
	cutCooldown = 15 * time.Second
)

// gate bounds what is sent: requests in flight, requests and tokens per minute. It holds everybody back while the provider
// asks for it.
//
// The number of seats adapts, after the rules of Inspect AI: a 429 takes a fifth of them, at most once in 15 s or the longer
// time that the server names. A round, as many replies as there are seats, gives some back when at least 80% of the seats
// were in use and nothing had to be repeated: as many again until the first cut, one afterwards.
type gate struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error

	mutex            sync.Mutex
	requests, tokens *bucket
	allowed          allowance
	ceiling, limit   int  // most seats ever, and now
	booksAhead       bool // a quarter more calls than seats may be booked in the ledger and wait for a seat
	booked,
	flying line // calls between booking and the end of their exchange; of those, when they are booked ahead, the ones in seats
	until      time.Time // pause
	cool       time.Time // of the last cut
	wasCut     bool
	good, peak int // replies in this round, most seats taken in it
	troubled   bool
}

func newGate(l Limits, now func() time.Time, sleep func(context.Context, time.Duration) error) *gate {
	g := &gate{now: now, sleep: sleep, ceiling: l.Concurrency, limit: l.Concurrency}
	if l.Concurrency <= 0 {
		g.ceiling, g.limit = mostSeats, startSeats
	}
	g.requests, g.tokens = newBucket(l.RequestsPerMinute, now()), newBucket(l.TokensPerMinute, now())
	return g
}

// seat is the right to have one request in flight. It is left when the reply is banked, so that a crash can lose no more replies than
// there are seats, and before the reply is parsed and settled, so that those cost no throughput.
type seat struct {
	gate   *gate
	tokens int  // reserved
	probe  bool // this request finds out whether a provider that was down is back
	flying bool
	left   bool
}

// line is a number of places, taken first come, first served.
type line struct {
	taken int
	queue []chan struct{}
}

// call lets those in who have waited longest.
func (l *line) call(size int) {
	for len(l.queue) > 0 && l.taken < size {
		close(l.queue[0])
		l.queue = l.queue[1:]
		l.taken++
	}
}

// join waits for a place in one of the gate's lines.
func (g *gate) join(ctx context.Context, l *line) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mutex.Lock()
	turn := make(chan struct{})
	l.queue = append(l.queue, turn)
	g.call()
	g.mutex.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		g.mutex.Lock()
		defer g.mutex.Unlock()
		for i, waiting := range l.queue {
			if waiting == turn {
				l.queue = append(l.queue[:i], l.queue[i+1:]...)
				return ctx.Err()
			}
		}
		l.taken-- // it was our turn at the same moment
		g.call()
		return ctx.Err()
	}
}

// call lets in who may come in. The mutex is held.
func (g *gate) call() {
	ahead := 0
	if g.booksAhead {
		ahead = max(1, g.limit/4)
	}
	g.booked.call(g.limit + ahead)
	g.flying.call(g.limit)
	g.peak = max(g.peak, g.inFlight())
}

// inFlight is how many seats are taken. The mutex is held.
func (g *gate) inFlight() int {
	if g.booksAhead {
		return g.flying.taken
	}
	return g.booked.taken
}

// take waits for a seat or, where calls are booked ahead, for the leave to book the call.
func (g *gate) take(ctx context.Context) (*seat, error) {
	if err := g.join(ctx, &g.booked); err != nil {
		return nil, err
	}
	return &seat{gate: g}, nil
}

// sit waits for the seat of a call that is booked ahead, and for the end of a pause. Booking takes a commit to disk; a few
// calls do that while others are in flight.
func (s *seat) sit(ctx context.Context) error {
	if !s.gate.booksAhead {
		return ctx.Err()
	}
	if err := s.gate.join(ctx, &s.gate.flying); err != nil {
		return err
	}
	s.flying = true
	return s.gate.rest(ctx)
}

// leave gives the seat back, once.
func (s *seat) leave() {
	g := s.gate
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if s.left {
		return
	}
	s.left = true
	g.booked.taken--
	if s.flying {
		g.flying.taken--
	}
	g.call()
}

// used corrects the tokens that were reserved by what the provider counted.
func (s *seat) used(tokens int) {
	s.gate.mutex.Lock()
	defer s.gate.mutex.Unlock()
	s.gate.tokens.give(float64(s.tokens-tokens), s.gate.now())
	s.tokens = tokens
}

// hold waits for the end of a pause and for the rates.
func (s *seat) hold(ctx context.Context, tokens int) error {
	g := s.gate
	if err := g.rest(ctx); err != nil {
		return err
	}
	g.mutex.Lock()
	now := g.now()
	if wait := g.allowed.take(now); wait > 0 {
		g.mutex.Unlock()
		if err := g.sleep(ctx, wait); err != nil {
			return err
		}
		return s.hold(ctx, tokens)
	}
	wait := max(g.requests.take(1, now), g.tokens.take(float64(tokens), now))
	s.tokens = tokens
	g.mutex.Unlock()
	if wait > 0 {
		if err := g.sleep(ctx, wait); err != nil {
			s.unsent()
			return err
		}
		// The provider may have asked for a pause meanwhile.
		return g.rest(ctx)
	}
	return ctx.Err()
}

// passable reports whether a request waits for nothing but a seat.
func (g *gate) passable() bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	now := g.now()
	return g.requests == nil && g.tokens == nil && !now.Before(g.until) && g.allowed.open(now)
}

// unsent gives back what was reserved for a request that was never sent.
func (s *seat) unsent() {
	g := s.gate
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.requests.give(1, g.now())
	g.tokens.give(float64(s.tokens), g.now())
	s.tokens = 0
}

// rest waits for the end of a pause.
func (g *gate) rest(ctx context.Context) error {
	var slept time.Time
	for {
		g.mutex.Lock()
		until, wait := g.until, g.until.Sub(g.now())
		g.mutex.Unlock()
		if wait <= 0 || until.Equal(slept) {
			return ctx.Err()
		}
		if err := g.sleep(ctx, wait); err != nil {
			return err
		}
		slept = until
	}
}

// pause holds back whatever has not been sent yet until d from now.
func (g *gate) pause(d time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if until := g.now().Add(d); until.After(g.until) {
		g.until = until
	}
}

// cut takes a fifth of the seats, because the provider found the requests too many.
func (g *gate) cut(hint time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.troubled = true
	now := g.now()
	if now.Before(g.cool) {
		return
	}
	g.limit = max(1, g.limit*4/5)
	g.cool = now.Add(max(cutCooldown, hint))
	g.wasCut = true
}

// heed reads what the reply's header says of the limits.
func (g *gate) heed(h http.Header) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.allowed.observe(h, g.booked.taken-1, g.now())
}

// trouble notes that something has to be repeated: no reason to send more.
func (g *gate) trouble() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.troubled = true
}

// thank notes a reply, and grows the seats at the end of a round without trouble.
func (g *gate) thank() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.good++
	if g.good < g.limit {
		return
	}
	if !g.troubled && g.peak*5 >= g.limit*4 && !g.now().Before(g.cool) {
		more := g.limit
		if g.wasCut {
			more = 1
		}
		g.limit = min(g.ceiling, g.limit+more)
		g.call()
	}
	g.good, g.peak, g.troubled = 0, g.inFlight(), false
}
