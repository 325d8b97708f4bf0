package program

import (
	"runtime"
	"testing"
)

func TestHeapGrowsLessWhereMuchIsLive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		live, roots float64 // megabytes, of which 180 are comfortable
		want        int
	}{{0, 0, 4500}, {1, 0, 4475}, {5, 5, 1750}, {60, 0, 200}, {90, 0, 100}, {100, 0, 80}, {120, 0, 50}, {5000, 0, 30}} {
		if got := growth(c.live*(1<<20), c.roots*(1<<20), 180<<20); got != c.want {
			t.Errorf("with %v MB live and %v MB of roots the heap may grow by %d%%, want %d", c.live, c.roots, got, c.want)
		}
	}
}

func TestThriftLooksAfterEachCollection(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	held := make([]byte, 4*leastHeap)
	asked := make(chan int, 16)
	end := Thrifty(2*leastHeap, func(percent int) int { asked <- percent; return 70 })
	if first := <-asked; first != 200 {
		t.Errorf("it began with %d%%", first)
	}
	for i := range 3 {
		if i > 0 { // the first is made by what begins
			runtime.GC()
		}
		if percent := <-asked; percent != leastGrowth {
			t.Errorf("with more live than is comfortable the heap may grow by %d%%", percent)
		}
	}
	runtime.KeepAlive(held)
	end()
	for percent := range asked { // further collections may have come in between
		if percent == 70 {
			break
		}
	}
}

func TestThriftLeavesWhatTheEnvironmentSays(t *testing.T) {
	t.Setenv("GOGC", "200")
	Thrifty(1, func(int) int { t.Error("it was changed"); return 0 })()
}
