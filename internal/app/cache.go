package app

import (
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

// cache keeps the last few values that were asked for. Whoever asks for one that is being made waits for it. It is safe for concurrent
// use, and starts nothing: what is old goes when [cache.forget] is called.
type cache[T any] struct {
	items *lru.Cache[string, cached[T]]
	made  singleflight.Group
}

type cached[T any] struct {
	value T
	used  time.Time
}

func newCache[T any](most int) *cache[T] {
	items, err := lru.New[string, cached[T]](most)
	if err != nil {
		panic(fmt.Sprintf("a cache of %d items: %v", most, err)) // sizes are constants
	}
	return &cache[T]{items: items}
}

// get returns the value of a key, made when it is not there. Errors are not kept, and a panic is that of everybody who waits.
func (c *cache[T]) get(key string, now time.Time, fetch func() (T, error)) (T, error) {
	if item, ok := c.items.Get(key); ok {
		c.items.Add(key, cached[T]{item.value, now})
		return item.value, nil
	}
	made, err, _ := c.made.Do(key, func() (any, error) {
		if item, ok := c.items.Get(key); ok {
			return item, nil // another was faster
		}
		value, err := fetch()
		if err == nil {
			c.items.Add(key, cached[T]{value, now})
		}
		return cached[T]{value: value}, err
	})
	item, _ := made.(cached[T])
	return item.value, err
}

// forget drops what nobody has asked for since a time.
func (c *cache[T]) forget(before time.Time) {
	for _, key := range c.items.Keys() {
		if item, ok := c.items.Peek(key); ok && item.used.Before(before) {
			c.items.Remove(key)
		}
	}
}
