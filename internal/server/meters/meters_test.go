package meters

import (
	"fmt"
	"testing"
	"time"
	"unsafe"
)

// A million keys take no memory, and leave the bucket of somebody else full.
func TestMetersAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	m := New(1, 5)
	for i := range 1_000_000 {
		m.Take(fmt.Sprint("attacker ", i%1000, i), now.Add(time.Duration(i)*100*time.Microsecond))
	}
	if size := len(m.slots) * int(unsafe.Sizeof(meter{})); len(m.slots) != meterCount || size > 1<<18 {
		t.Errorf("%d slots of %d bytes in all", len(m.slots), size)
	}
	one := New(1, 5)
	for range 5 {
		if one.Take("a", now) != 0 {
			t.Fatal("the first five are free")
		}
	}
	if wait := one.Take("a", now); wait.Round(time.Millisecond) != time.Second {
		t.Errorf("wait %s", wait)
	}
	one.Back("a")
	if one.Take("a", now) != 0 {
		t.Error("what was given back is gone")
	}
}
