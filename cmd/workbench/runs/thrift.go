package runs

import (
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
)

// thrift has the collector of garbage let the heap grow to twice of what is live, as it does anyway, but less where that is more than some
// bytes: down to 1.4 times what is live. So a process that holds much takes less memory, and one that holds little no longer.
// A limit of memory would do the same up to the limit, and beyond it collect garbage all the time.
type thrift struct {
	comfortable float64               // bytes of heap
	set         func(percent int) int // of what is live, that the heap may grow by: debug.SetGCPercent
	usual       int

	mu   sync.Mutex
	over bool
}

// Growth of the heap, in percent of what is live.
const (
	mostGrowth  = 100
	leastGrowth = 40
)

// thrifty begins with thrift and returns what ends it. Where the environment says how garbage is collected, that holds.
func thrifty(comfortable float64, set func(percent int) int) (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	t := &thrift{comfortable: comfortable, set: set, usual: set(mostGrowth)}
	t.afterNext()
	return t.end
}

func (t *thrift) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	t.set(t.usual)
}

// afterNext looks at the heap once garbage was collected, which shows by an object that nobody holds.
func (t *thrift) afterNext() {
	runtime.AddCleanup(&struct{ of *thrift }{t}, func(t *thrift) { t.look() }, t)
}

func (t *thrift) look() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	t.set(growth(float64(live[0].Value.Uint64()), t.comfortable))
	t.afterNext()
}

// growth is by how many percent of what is live the heap may grow.
func growth(live, comfortable float64) int {
	if live <= 0 {
		return mostGrowth
	}
	return int(min(max(100*(comfortable-live)/live, leastGrowth), mostGrowth))
}

// sweepHeap is the heap, in bytes, that a sweep is comfortable with: with the program and what else the system counts it makes about a
// hundred megabytes more.
const sweepHeap = 140 << 20
