package llm_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// The tests of this file run in bubbles whose time moves only while everybody waits, so their clocks are exact. Sockets cannot
// be waited for in a bubble; the server is called directly.

type direct struct{ server http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.server.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// slowLedger takes its time to store replies, as a disk does.
type slowLedger struct {
	*memory
	pause time.Duration
}

func (l slowLedger) Begin(ctx context.Context, c llm.Call) error {
	time.Sleep(l.pause / 4)
	return l.memory.Begin(ctx, c)
}

func (l slowLedger) Bank(ctx context.Context, id string, raw llm.Raw) error {
	time.Sleep(l.pause)
	return l.memory.Bank(ctx, id, raw)
}

func (l slowLedger) Settle(ctx context.Context, id string, o llm.Outcome) error {
	time.Sleep(l.pause)
	return l.memory.Settle(ctx, id, o)
}

// bubble is a provider without sockets, on the clock of the test's bubble.
func bubble(t *testing.T, o fakeprovider.Options, adjust ...func(*llm.OpenAIConfig)) *rig {
	t.Helper()
	o.Now = time.Now
	r := &rig{server: fakeprovider.New(o), ledger: newMemory()}
	r.open(t, append([]func(*llm.OpenAIConfig){func(c *llm.OpenAIConfig) {
		c.BaseURL, c.Client, c.Now = "http://fake.example/v1", &http.Client{Transport: direct{r.server}}, time.Now
	}}, adjust...))
	return r
}

// ask sends n different requests from so many callers and returns how long that took, and the errors.
func (r *rig) ask(t *testing.T, n, callers int, adjust func(*llm.Request)) (time.Duration, []error) {
	t.Helper()
	start := time.Now()
	todo := make(chan int)
	var wg sync.WaitGroup
	var mutex sync.Mutex
	var failed []error
	for range callers {
		wg.Go(func() {
			for i := range todo {
				req := judgeRequest()
				req.Replicate = i
				if adjust != nil {
					adjust(&req)
				}
				if _, err := r.provider.Complete(t.Context(), req); err != nil {
					mutex.Lock()
					failed = append(failed, err)
					mutex.Unlock()
				}
			}
		})
	}
	for i := range n {
		todo <- i
	}
	close(todo)
	wg.Wait()
	return time.Since(start), failed
}

func count(entries []fakeprovider.Entry, status int) int {
	n := 0
	for _, e := range entries {
		if e.Status == status {
			n++
		}
	}
	return n
}

// TestBookingCostsNoThroughput holds every seat until the reply is banked, so that a crash can lose no more replies than there are
// seats; booking before and settling after do not show, however slow the disk is.
func TestBookingCostsNoThroughput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := bubble(t, fakeprovider.Options{Latency: 50 * time.Millisecond}, func(c *llm.OpenAIConfig) {
			c.Limits.Concurrency = 8
			c.Ledger = slowLedger{c.Ledger.(*memory), 20 * time.Millisecond}
		})
		took, failed := r.ask(t, 400, 16, nil)
		// 400 calls, 8 at a time, 50 ms each and 20 ms for banking; the first is booked before and the last settled after.
		if ideal := 400 / 8 * 70 * time.Millisecond; len(failed) > 0 || took > ideal+ideal*3/100 {
			t.Errorf("took %s, ideal is %s; %d failed", took, ideal, len(failed))
		}
	})
}

func TestRequestsPerMinuteAreKeptAndUsed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := bubble(t, fakeprovider.Options{Latency: 300 * time.Millisecond}, func(c *llm.OpenAIConfig) {
			c.Limits = llm.Limits{RequestsPerMinute: 600, Concurrency: 32}
		})
		took, failed := r.ask(t, 1200, 64, nil)
		if len(failed) > 0 || took < 118*time.Second || took > 121*time.Second {
			t.Errorf("1,200 requests at 600 a minute took %s; %d failed", took, len(failed))
		}
		entries := r.server.Ledger()
		for i := 610; i < len(entries); i++ {
			if span := entries[i].At.Sub(entries[i-610].At); span < time.Minute {
				t.Fatalf("611 requests within %s", span)
			}
		}
	})
}

func TestTokensPerMinuteAreCorrectedByUsage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := bubble(t, fakeprovider.Options{Latency: 100 * time.Millisecond}, func(c *llm.OpenAIConfig) {
			c.Limits = llm.Limits{TokensPerMinute: 60_000, Concurrency: 4}
		})
		// Each request may use more than 4,000 tokens and uses less than 300.
		took, failed := r.ask(t, 400, 4, func(q *llm.Request) { q.MaxTokens = 4000 })
		used := 0
		for _, e := range r.server.Ledger() {
			used += e.PromptTokens + e.CompletionTokens
		}
		least := time.Duration(float64(used)/1000*float64(time.Second)) - 5*time.Second
		if len(failed) > 0 || took < least || took > 2*least+30*time.Second {
			t.Errorf("%d tokens at 1,000 a second took %s; %d failed", used, took, len(failed))
		}
	})
}

// TestServerLimitWithoutConfiguration is P01: nothing fails, every wait is kept, and hardly anything is sent in vain.
func TestServerLimitWithoutConfiguration(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var notices []llm.Notice
		var mutex sync.Mutex
		r := bubble(t, fakeprovider.Options{
			Latency: 20 * time.Millisecond, Limits: fakeprovider.Limits{Requests: 5, Per: time.Second},
		}, func(c *llm.OpenAIConfig) {
			c.Notify = func(n llm.Notice) { mutex.Lock(); notices = append(notices, n); mutex.Unlock() }
		})
		took, failed := r.ask(t, 500, 16, nil)
		entries := r.server.Ledger()
		refused := count(entries, http.StatusTooManyRequests)
		if len(failed) > 0 || refused > 25 || took > 105*time.Second {
			t.Errorf("500 requests at 5 a second took %s, %d were refused and %d failed", took, refused, len(failed))
		}
		if refused > 0 && (len(notices) < 2 || !notices[0].Waiting || notices[0].Cause != llm.CauseRateLimited ||
			notices[len(notices)-1].Waiting) {
			t.Errorf("notices = %+v", notices)
		}
		t.Logf("sent %d for 500 allowed, %s for 100 s", len(entries), took)
	})
}

// TestServerLimitWithoutHeaders leaves nothing but refusals to learn from.
func TestServerLimitWithoutHeaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mutex sync.Mutex
		var start time.Time
		n := 0
		r := bubble(t, fakeprovider.Options{Latency: 20 * time.Millisecond, Behave: func(fakeprovider.Request) fakeprovider.Behaviour {
			mutex.Lock()
			defer mutex.Unlock()
			if now := time.Now(); now.Sub(start) >= time.Second {
				start, n = now, 0
			}
			if n++; n > 20 {
				return fakeprovider.Behaviour{Fault: fakeprovider.RateLimit, Header: map[string]string{"Retry-After": "1"}}
			}
			return fakeprovider.Behaviour{}
		}})
		took, failed := r.ask(t, 500, 64, nil)
		refused := count(r.server.Ledger(), http.StatusTooManyRequests)
		// 28 to 61 s were seen: in which order the requests run is open, and with it how soon the limit is learnt
		if len(failed) > 0 || refused > 250 || took > 80*time.Second {
			t.Errorf("500 requests at 20 a second took %s, %d were refused and %d failed", took, refused, len(failed))
		}
		t.Logf("sent %d for 500 allowed, %s for 25 s", 500+refused, took)
	})
}

// TestOutage is P05: ten minutes without the provider cost at most 20 requests and no question, and nobody has to resume.
func TestOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mutex sync.Mutex
		var notices []llm.Notice
		r := bubble(t, fakeprovider.Options{
			Latency: 200 * time.Millisecond, Outages: []fakeprovider.Outage{{From: 5 * time.Second, To: 605 * time.Second}},
		}, func(c *llm.OpenAIConfig) {
			c.Limits.Concurrency = 8
			c.Notify = func(n llm.Notice) { mutex.Lock(); notices = append(notices, n); mutex.Unlock() }
		})
		took, failed := r.ask(t, 500, 8, nil)
		wasted := count(r.server.Ledger(), http.StatusServiceUnavailable)
		if len(failed) > 0 || wasted > 20 || took > 605*time.Second+130*time.Second {
			t.Errorf("took %s, %d requests were wasted, %d questions failed: %v", took, wasted, len(failed), failed)
		}
		last := notices[len(notices)-1]
		if notices[0].Cause != llm.CauseServer || !notices[0].Waiting || notices[0].Wait != 30*time.Second || last.Waiting {
			t.Errorf("notices = %+v", notices)
		}
		t.Logf("%d requests wasted; back %s after the end of the outage", wasted, (took - 605*time.Second).Round(time.Second))
	})
}

func TestOutageForEverEndsTheRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := bubble(t, fakeprovider.Options{Behave: func(fakeprovider.Request) fakeprovider.Behaviour {
			return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
		}}, func(c *llm.OpenAIConfig) { c.Limits.Concurrency = 4 })
		took, failed := r.ask(t, 4, 4, nil)
		for _, err := range failed {
			if llm.CauseOf(err) != llm.CauseDown || !llm.Fatal(err) {
				t.Errorf("error = %v", err)
			}
		}
		sent := len(r.server.Ledger())
		if len(failed) != 4 || took < 30*time.Minute || took > 35*time.Minute || sent > 32 {
			t.Errorf("%d calls gave up after %s and %d requests", len(failed), took, sent)
		}
		// A later run looks for itself: at once, and not for ever.
		again, failed := r.ask(t, 1, 1, func(q *llm.Request) { q.Instruction = "again" })
		if len(failed) != 1 || llm.CauseOf(failed[0]) != llm.CauseDown || again > 35*time.Minute || len(r.server.Ledger()) == sent {
			t.Errorf("the second run: %v after %s", failed, again)
		}
	})
}

func TestOnePoisonousRequestOpensNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		poison := func(q fakeprovider.Request) fakeprovider.Behaviour {
			if q.Model == "poison" {
				return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
			}
			return fakeprovider.Behaviour{}
		}
		r := bubble(t, fakeprovider.Options{Behave: poison}, func(c *llm.OpenAIConfig) {
			c.Retry.Attempts = 30
			c.Notify = func(n llm.Notice) { t.Errorf("notice %+v", n) }
		})
		_, failed := r.ask(t, 1, 1, func(q *llm.Request) { q.Model = "poison" })
		if len(failed) != 1 || llm.CauseOf(failed[0]) != llm.CauseServer {
			t.Errorf("errors = %v", failed)
		}
		if took, failed := r.ask(t, 5, 1, nil); len(failed) > 0 || took > time.Second {
			t.Errorf("others waited %s: %v", took, failed)
		}
	})
}

// TestCancelledProbeLetsAnotherProbe cancels whoever probes; the next caller must not wait for it for ever.
func TestCancelledProbeLetsAnotherProbe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := bubble(t, fakeprovider.Options{
			Latency: time.Second, Outages: []fakeprovider.Outage{{To: 20 * time.Second}},
		}, func(c *llm.OpenAIConfig) { c.Limits.Concurrency = 12 })
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				req := judgeRequest()
				req.Replicate = i
				_, _ = r.provider.Complete(ctx, req)
			})
		}
		time.Sleep(31 * time.Second) // the probe is on its way
		cancel()
		wg.Wait()
		if took, failed := r.ask(t, 3, 3, func(q *llm.Request) { q.Instruction = "later" }); len(failed) > 0 || took > 5*time.Second {
			t.Errorf("the next callers took %s: %v", took, failed)
		}
	})
}
