package text

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

func TestMemo(t *testing.T) {
	t.Parallel()
	var computed atomic.Int32
	m := NewMemo(10, func(s string) int { computed.Add(1); return len(s) })
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range 1000 {
				if s := strconv.Itoa(i % 8); m.Of(s) != len(s) {
					t.Errorf("wrong value for %s", s)
				}
			}
		})
	}
	wait.Wait()
	if n := computed.Load(); n > 4*8 {
		t.Errorf("computed %d times for 8 texts and 4 callers", n)
	}
	for i := range 100 {
		m.Of("long text " + strconv.Itoa(i))
	}
	if n := len(m.items); n > 10 {
		t.Errorf("holds %d texts, the limit is 10", n)
	}
}
