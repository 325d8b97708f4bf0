package app

import (
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

// Cache keeps the last few values that were asked for. Whoever asks for one that is being made waits for it. It is safe for concurrent
// use, and starts nothing: what is old goes when [Cache.Forget] is called.
type Cache[T any] struct {
	items *lru.Cache[string, cached[T]]
	made  singleflight.Group
}

type cached[T any] struct {
	value T
	used  time.Time
}

// NewCache returns an empty cache that keeps the most recently used values, at most that many.
func NewCache[T any](most int) *Cache[T] {
	items, err := lru.New[string, cached[T]](most)
	if err != nil {
		panic(fmt.Sprintf("a cache of %d items: %v", most, err)) // sizes are constants
	}
	return &Cache[T]{items: items}
}

// Get returns the value of a key, made when it is not there. Errors are not kept, and a panic is that of everybody who waits.
func (c *Cache[T]) Get(key string, now time.Time, fetch func() (T, error)) (T, error) {
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

// Peek returns the value of a key where it is there.
func (c *Cache[T]) Peek(key string, now time.Time) (value T, ok bool) {
	item, ok := c.items.Get(key)
	if ok {
		c.items.Add(key, cached[T]{item.value, now})
	}
	return item.value, ok
}

// Put keeps a value that was made together with others.
func (c *Cache[T]) Put(key string, now time.Time, value T) { c.items.Add(key, cached[T]{value, now}) }

// Forget drops what nobody has asked for since a time.
func (c *Cache[T]) Forget(before time.Time) {
	for _, key := range c.items.Keys() {
		if item, ok := c.items.Peek(key); ok && item.used.Before(before) {
			c.items.Remove(key)
		}
	}
}
