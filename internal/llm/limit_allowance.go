package llm

import (
	"net/http"
	"time"
)

// allowance is what the provider's x-ratelimit headers say may still be sent. Keeping to it avoids refusals instead of
// answering them, without anybody having configured a limit.
type allowance struct {
	limit  int           // requests from one reset to the next; 0 while unknown
	left   int           // until the reset
	until  time.Time     // the reset
	period time.Duration // the longest time to a reset that was seen
}

// observe reads the headers of a reply while others are in flight, which the provider may not have counted yet.
func (a *allowance) observe(h http.Header, others int, now time.Time) {
	r := rateOf(h, "Requests")
	if !r.counted || r.limit <= 0 || r.reset <= 0 {
		return
	}
	reset := min(r.reset, longestNamedWait)
	a.limit, a.left, a.until = r.limit, max(0, r.left-others), now.Add(reset)
	a.period = max(a.period, reset)
}

// take uses up one request, or returns how long to wait before trying again.
func (a *allowance) take(now time.Time) time.Duration {
	if a.limit == 0 {
		return 0
	}
	if !now.Before(a.until) {
		// A new window, of which the first reply will tell more.
		a.left, a.until = a.limit, now.Add(a.period)
	}
	if a.left <= 0 {
		return a.until.Sub(now)
	}
	a.left--
	return 0
}

// open reports whether a request may be sent now.
func (a *allowance) open(now time.Time) bool {
	return a.limit == 0 || a.left > 0 || !now.Before(a.until)
}
