package app_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
)

// TestCache: a value is made once for all who ask, errors and panics are not kept, and the least used goes first.
func TestCache(t *testing.T) {
	t.Parallel()
	c := app.NewCache[*int](2)
	monday := time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)
	made := map[string]int{}
	get := func(key string, at time.Time) *int {
		v, err := c.Get(key, at, func() (*int, error) { made[key]++; n := made[key]; return &n, nil })
		if err != nil || v == nil {
			t.Fatalf("%s: %v, %v", key, v, err)
		}
		return v
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = c.Get("a", monday, func() (*int, error) { panic("the first fetch breaks") })
	}()
	get("a", monday) // neither nil nor an old panic
	if _, err := c.Get("b", monday, func() (*int, error) { return nil, errors.New("not now") }); err == nil {
		t.Error("the error was swallowed")
	}
	get("b", monday)
	get("a", monday.Add(time.Hour))
	get("c", monday.Add(time.Hour)) // b goes
	get("b", monday.Add(2*time.Hour))
	if made["a"] != 1 || made["b"] != 2 {
		t.Errorf("made %v", made)
	}
	c.Forget(monday.Add(2 * time.Hour))
	get("b", monday.Add(3*time.Hour))
	if get("c", monday.Add(3*time.Hour)); made["b"] != 2 || made["c"] != 2 {
		t.Errorf("after forgetting, made %v", made)
	}
}

// TestCacheMakesOnce: many who ask for one value at the same time wait for one fetch.
func TestCacheMakesOnce(t *testing.T) {
	t.Parallel()
	c := app.NewCache[int](2)
	begun, end := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			v, err := c.Get("a", time.Time{}, func() (int, error) {
				if i >= 0 {
					close(begun) // twice is a panic
				}
				<-end
				return 7, nil
			})
			if v != 7 || err != nil {
				t.Errorf("%d, %v", v, err)
			}
		})
	}
	<-begun
	close(end)
	all.Wait()
}
