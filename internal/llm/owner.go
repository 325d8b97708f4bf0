package llm

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Owners is a [Ledger] that knows whose a call is: of equal requests one is under way at a time, over all processes and hosts that
// share the ledger. Its Begin fails with [*Held] where an equal call is under way or was answered meanwhile.
type Owners interface {
	// UnderWay returns the call with this key that somebody has sent, or whose reply somebody is reading; nil when there is none.
	UnderWay(ctx context.Context, key Key) (*Held, error)
	// Beat says that the owner is alive: the beats of its calls go on.
	Beat(ctx context.Context, owner string) error
	// Overtake takes a call for lost whose owner has not been heard of since h was read, as a restart would do with those of a dead
	// process. Nothing changes when the owner was heard of meanwhile.
	Overtake(ctx context.Context, h Held) error
}

// Held says that a call with the same key is under way in another place.
type Held struct {
	CallID string // "" where it was answered meanwhile
	Owner  string
	Beat   int64 // grows while the owner is alive
}

// Error says whose the call is.
func (h *Held) Error() string { return "an equal call is under way at " + h.Owner }

// CauseEqualWork is the cause of a [Notice], never of an error: equal calls are under way in another process, and their replies are
// waited for instead of being bought again.
const CauseEqualWork = "equal_work"

// Times of waiting for another's call. An owner that was not heard of for a lease is taken for dead; a beat comes often enough that
// a busy disk does not kill it. Owners that are seen to be dead are not waited for.
const (
	defaultLease  = 30 * time.Second
	beatsInLease  = 6
	shortestCheck = 20 * time.Millisecond
	longestCheck  = 500 * time.Millisecond
)

// owning waits for the calls of others and keeps those of this process alive.
type owning struct {
	ledger Owners // nil where the ledger knows no owners: then nothing is held
	owner  string
	alive  func(owner string) bool // nil takes everybody for alive
	lease  time.Duration
	tell   func(Notice)

	mutex    sync.Mutex
	inFlight int
	stop     chan struct{}
	told     map[string]bool // owners whose work was announced
}

func newOwning(ledger Ledger, owner string, alive func(string) bool, lease time.Duration, tell func(Notice)) *owning {
	o := &owning{owner: owner, alive: alive, lease: lease, tell: tell, told: map[string]bool{}}
	o.ledger, _ = ledger.(Owners)
	if o.lease <= 0 {
		o.lease = defaultLease
	}
	return o
}

// keep keeps the calls of this process alive until done is called.
func (o *owning) keep() (done func()) {
	if o.ledger == nil {
		return func() {}
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.inFlight++; o.inFlight == 1 {
		o.stop = make(chan struct{})
		go o.beat(o.stop)
	}
	return func() {
		o.mutex.Lock()
		defer o.mutex.Unlock()
		if o.inFlight--; o.inFlight == 0 {
			close(o.stop)
		}
	}
}

// beat goes on while calls are in flight. That one beat fails is made up for by the next.
func (o *owning) beat(stop <-chan struct{}) {
	ticks := time.NewTicker(o.lease / beatsInLease)
	defer ticks.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticks.C:
			ctx, cancel := context.WithTimeout(context.Background(), o.lease)
			_ = o.ledger.Beat(ctx, o.owner)
			cancel()
		}
	}
}

// await waits until the call that holds a key has ended or its owner is dead; then the caller looks again.
func (o *owning) await(ctx context.Context, key Key, h *Held) error {
	if h.CallID == "" {
		return ctx.Err()
	}
	o.announce(h.Owner)
	last, silent, pause := *h, time.Duration(0), shortestCheck
	for {
		if silent >= o.lease || o.alive != nil && !o.alive(last.Owner) {
			return o.ledger.Overtake(ctx, last)
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		now, err := o.ledger.UnderWay(ctx, key)
		if err != nil || now == nil {
			return err
		}
		if *now != last {
			last, silent = *now, 0
		}
		silent += pause
		pause = min(2*pause, longestCheck)
	}
}

// announce says once for each owner that its replies are waited for.
func (o *owning) announce(owner string) {
	o.mutex.Lock()
	known := o.told[owner] || owner == o.owner
	o.told[owner] = true
	o.mutex.Unlock()
	if !known {
		o.tell(Notice{Cause: CauseEqualWork,
			Message: fmt.Sprintf("equal calls are under way at %s: their replies are waited for, and nothing is bought twice", owner)})
	}
}
