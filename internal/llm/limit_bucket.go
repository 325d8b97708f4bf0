package llm

import "time"

// bucket paces something countable, requests or tokens, to a rate. Whoever finds it full enough goes at once and may leave it
// in debt, which later takers wait off. So any span of time sees at most rate × span, plus one burst, plus one taking.
type bucket struct {
	rate  float64 // per second
	burst float64
	level float64 // below 0 while in debt
	at    time.Time
}

// newBucket is full. A burst of one second's worth keeps any minute within 1.02 of the limit.
func newBucket(perMinute int, now time.Time) *bucket {
	if perMinute <= 0 {
		return nil
	}
	rate := float64(perMinute) / 60
	burst := max(1, rate)
	return &bucket{rate: rate, burst: burst, level: burst, at: now}
}

// take reserves n and returns how long to wait before using it.
func (b *bucket) take(n float64, now time.Time) time.Duration {
	if b == nil {
		return 0
	}
	b.fill(now)
	missing := min(n, b.burst) - b.level
	b.level -= n
	if missing <= 0 {
		return 0
	}
	return seconds(missing / b.rate)
}

// give returns what was reserved but not used; a negative n books what was used beyond the reservation.
func (b *bucket) give(n float64, now time.Time) {
	if b == nil {
		return
	}
	b.fill(now)
	b.level = min(b.burst, b.level+n)
}

func (b *bucket) fill(now time.Time) {
	if past := now.Sub(b.at); past > 0 {
		b.level = min(b.burst, b.level+past.Seconds()*b.rate)
		b.at = now
	}
}
