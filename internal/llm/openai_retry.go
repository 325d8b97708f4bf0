package llm

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

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
