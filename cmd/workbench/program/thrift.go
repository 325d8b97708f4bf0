package program

import (
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
)

// thrift has the collector of garbage leave a heap alone that is smaller than some bytes, and lets a larger one grow less than it would: to
// twice what is live, where that is comfortable, down to 1.3 times of it. So what holds little is not looked through again and again while
// it grows, and what holds much takes less memory. A limit of memory would do the same up to the limit, and beyond it collect all the time.
type thrift struct {
	comfortable float64               // bytes of heap
	set         func(percent int) int // of what is live, that the heap may grow by: debug.SetGCPercent
	usual       int

	mu   sync.Mutex
	over bool
}

const (
	leastGrowth = 30      // in percent of what is live
	leastHeap   = 4 << 20 // bytes below which the collector begins at a growth of 100%, and in proportion with another one
)

// Heaps, in bytes, that commands are comfortable with: the program and what else the system counts make about sixty megabytes more. A
// workbook with causes of two runs of 10,000 questions has 60 MB live, and is to stay below 150.
const (
	SweepHeap   = 140 << 20
	CompareHeap = 120 << 20
	ReportHeap  = 72 << 20
)

// Thrifty begins with thrift and returns what ends it. Where the environment says how garbage is collected, that holds.
func Thrifty(comfortable float64, set func(percent int) int) (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	t := &thrift{comfortable: comfortable, set: set, usual: set(growth(0, 0, comfortable))}
	runtime.GC() // one that had begun already would not see what is looked for, and end with a percentage of another heap
	t.look()
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
	read := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/globals:bytes"}, {Name: "/gc/scan/stack:bytes"}}
	metrics.Read(read)
	bytes := func(i int) float64 { return float64(read[i].Value.Uint64()) }
	t.set(growth(bytes(0), bytes(1)+bytes(2), t.comfortable))
	t.afterNext()
}

// growth is by how many percent of what is live the heap may grow. The collector takes them of roots, too: of globals and stacks, which
// are as much as the heap while that is small.
func growth(live, roots, comfortable float64) int {
	return int(max(100*(comfortable-live)/max(live+roots, leastHeap), leastGrowth))
}
