package llm

import (
	"context"
	"net/http"
	"testing"
	"time"
)

// handClock stands still until somebody sleeps.
type handClock struct{ now time.Time }

func (c *handClock) Now() time.Time { return c.now }

func (c *handClock) Sleep(ctx context.Context, d time.Duration) error {
	c.now = c.now.Add(d)
	return ctx.Err()
}

func newHandClock() *handClock { return &handClock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func TestSeatsAreCutAndGrowBack(t *testing.T) {
	t.Parallel()
	c := newHandClock()
	g := newGate(Limits{Concurrency: 40}, c.Now, c.Sleep)
	round := func(busy int) {
		var seats []*seat
		for range busy {
			s, err := g.take(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			seats = append(seats, s)
		}
		for _, s := range seats {
			s.leave()
		}
		for range g.limit {
			g.thank()
		}
	}
	check := func(what string, want int) {
		t.Helper()
		if g.limit != want {
			t.Fatalf("%s: %d seats, want %d", what, g.limit, want)
		}
	}
	g.cut(0)
	g.cut(0)
	check("two refusals at once are one cut", 32)
	round(32)
	check("no growth in the cooldown", 32)
	c.now = c.now.Add(16 * time.Second)
	g.cut(time.Minute)
	check("a second cut after the cooldown", 25)
	c.now = c.now.Add(30 * time.Second)
	g.cut(0)
	check("the server's hint is longer than the cooldown", 25)
	round(25) // ends the troubled round
	c.now = c.now.Add(31 * time.Second)
	round(19)
	check("under 80% in use is no reason to grow", 25)
	round(20)
	check("one more after a busy round", 26)
	g.trouble()
	round(26)
	check("no growth in a round with a repetition", 26)
	for range 30 {
		round(g.limit)
	}
	check("never beyond what was configured", 40)
}

func TestSeatsThatNobodyConfiguredDoubleUntilTheFirstCut(t *testing.T) {
	t.Parallel()
	c := newHandClock()
	g := newGate(Limits{}, c.Now, c.Sleep)
	var sizes []int
	for range 4 {
		sizes = append(sizes, g.limit)
		var seats []*seat
		for range g.limit {
			s, err := g.take(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			seats = append(seats, s)
		}
		for _, s := range seats {
			s.leave()
			g.thank()
		}
	}
	if want := [4]int{8, 16, 32, 64}; [4]int(sizes) != want || g.limit != 64 {
		t.Fatalf("seats grew as %v to %d, want %v to 64", sizes, g.limit, want)
	}
}

func TestSeatsAreTakenInOrderAndCancelledWaitersLoseNone(t *testing.T) {
	t.Parallel()
	c := newHandClock()
	g := newGate(Limits{Concurrency: 1}, c.Now, c.Sleep)
	first, err := g.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := g.take(gone)
		left <- err
	}()
	cancel()
	if err := <-left; err == nil {
		t.Fatal("a cancelled caller got a seat")
	}
	first.leave()
	first.leave() // once is enough
	second, err := g.take(t.Context())
	if err != nil || g.booked.taken != 1 {
		t.Fatalf("%v; %d seats taken, want 1", err, g.booked.taken)
	}
	second.leave()
	if g.booked.taken != 0 {
		t.Fatalf("%d seats taken at the end", g.booked.taken)
	}
}

func TestBucket(t *testing.T) {
	t.Parallel()
	now := newHandClock().now
	b := newBucket(60, now) // one each second
	waits := []time.Duration{b.take(1, now), b.take(1, now), b.take(1, now)}
	if waits[0] != 0 || waits[1] != time.Second || waits[2] != 2*time.Second {
		t.Errorf("waits = %v, want 0s, 1s, 2s", waits)
	}
	b.give(1, now) // the last one was not sent
	if w := b.take(1, now.Add(2*time.Second)); w != 0 {
		t.Errorf("after two seconds and one returned: wait %s", w)
	}
	large := newBucket(6000, now) // a hundred each second
	if w := large.take(1000, now); w != 0 {
		t.Errorf("a full bucket lets even a large request go: wait %s", w)
	}
	if w := large.take(100, now); w != 10*time.Second {
		t.Errorf("wait for a debt of 900: %s, want 10s", w)
	}
	if w := newBucket(0, now).take(1e9, now); w != 0 {
		t.Errorf("no limit, yet wait %s", w)
	}
}

func TestAllowanceFollowsTheHeaders(t *testing.T) {
	t.Parallel()
	now := newHandClock().now
	var a allowance
	if w := a.take(now); w != 0 {
		t.Fatalf("nothing is known, yet wait %s", w)
	}
	told := func(left, reset string) http.Header {
		return http.Header{
			"X-Ratelimit-Limit-Requests": {"5"}, "X-Ratelimit-Remaining-Requests": {left}, "X-Ratelimit-Reset-Requests": {reset},
		}
	}
	a.observe(told("3", "800ms"), 2, now) // two others are on their way
	if w := a.take(now); w != 0 {
		t.Fatalf("one is left, yet wait %s", w)
	}
	if w := a.take(now); w != 800*time.Millisecond {
		t.Fatalf("wait %s, want until the reset", w)
	}
	a.observe(http.Header{}, 0, now)
	a.observe(told("many", "800ms"), 0, now)
	later := now.Add(time.Second)
	for i := range 5 {
		if w := a.take(later); w != 0 {
			t.Fatalf("request %d of the new window waits %s", i+1, w)
		}
	}
	if w := a.take(later); w != 800*time.Millisecond {
		t.Fatalf("wait %s, want a window as long as the last", w)
	}
}
