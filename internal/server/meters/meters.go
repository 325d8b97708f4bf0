// Package meters counts how often many who ask have asked, in memory of a fixed size.
package meters

import (
	"hash/maphash"
	"math"
	"sync"
	"time"
)

// Meters are token buckets by key. Their number is fixed: a key falls on one of them by a hash that nobody outside can foresee. So
// no flood of keys takes memory, and none can empty the bucket of somebody in particular.
type Meters struct {
	rate, burst float64 // tokens a second, and at most

	seed  maphash.Seed
	mu    sync.Mutex
	slots []meter
}

// meter holds no pointer: what nobody has used is never looked at by who collects garbage, and takes no memory.
type meter struct {
	used float64 // tokens that are missing
	at   int64   // nanoseconds since 1970
}

// meterCount bounds the memory of one kind of limit to a quarter of a MiB.
const meterCount = 1 << 14

// New has full buckets: rate is in tokens a second, burst is how many there are at most.
func New(rate, burst float64) *Meters {
	return &Meters{rate: rate, burst: burst, seed: maphash.MakeSeed(), slots: make([]meter, meterCount)}
}

// Take takes a token, or says how long it takes until there is one.
func (m *Meters) Take(key string, now time.Time) (wait time.Duration) {
	slot := &m.slots[maphash.String(m.seed, key)%uint64(len(m.slots))]
	m.mu.Lock()
	defer m.mu.Unlock()
	if passed := time.Duration(now.UnixNano() - slot.at).Seconds(); passed > 0 {
		slot.used, slot.at = math.Max(0, slot.used-passed*m.rate), now.UnixNano()
	}
	if slot.used+1 > m.burst+1e-9 {
		return time.Duration((slot.used + 1 - m.burst) / m.rate * float64(time.Second))
	}
	slot.used++
	return 0
}

// Back gives a token back.
func (m *Meters) Back(key string) {
	slot := &m.slots[maphash.String(m.seed, key)%uint64(len(m.slots))]
	m.mu.Lock()
	defer m.mu.Unlock()
	slot.used = math.Max(0, slot.used-1)
}
