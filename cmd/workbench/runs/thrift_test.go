package runs

import (
	"runtime"
	"testing"
)

func TestHeapGrowsLessWhereMuchIsLive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		live, comfortable float64
		want              int
	}{{0, 180, 100}, {60, 180, 100}, {90, 180, 100}, {100, 180, 80}, {120, 180, 50}, {5000, 180, 40}} {
		if got := growth(c.live, c.comfortable); got != c.want {
			t.Errorf("of %v live and %v comfortable the heap may grow by %d %%, want %d", c.live, c.comfortable, got, c.want)
		}
	}
}

func TestThriftLooksAfterEachCollection(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	asked := make(chan int, 16)
	end := thrifty(1, func(percent int) int { asked <- percent; return 70 })
	if first := <-asked; first != mostGrowth {
		t.Errorf("it began with %d %%", first)
	}
	for range 2 {
		runtime.GC()
		if percent := <-asked; percent != leastGrowth {
			t.Errorf("with more live than is comfortable the heap may grow by %d %%", percent)
		}
	}
	end()
	for percent := range asked { // further collections may have come in between
		if percent == 70 {
			break
		}
	}
}

func TestThriftLeavesWhatTheEnvironmentSays(t *testing.T) {
	t.Setenv("GOGC", "200")
	thrifty(1, func(int) int { t.Error("it was changed"); return 0 })()
}
