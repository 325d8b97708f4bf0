package rag

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"weak"
)

// Indexes keeps the most recently used indexes in memory, so that the runs of a sweep share them, and holds the layers below them
// once, however many indexes stand on them: chunks, vectors, postings.
// It is safe for concurrent use; what two callers want at once is built once.
type Indexes struct {
	// Databases are where the engine pgvector keeps vectors; nil searches in memory, whatever the engine, as exactly as it can be
	Databases Databases

	// Found is what an approximate search found for a question, for whoever computes a run again without the graph that it searched;
	// nil searches
	Found func(question string) (Retrieved, bool)

	mu     *sync.Mutex // the budget's, where there is one
	budget *Budget     // nil bounds nothing but the number
	keep   int
	small  int64 // bytes up to which more than keep stay
	items  map[string]*held
	order  []string                        // of indexes: least recently used first
	texts  map[string]weak.Pointer[Corpus] // by digest, of indexes that are or were held
}

// held is an index, or one of its layers.
type held struct {
	once  sync.Once
	value any
	err   error
	drop  func()
	users int
	layer bool  // dropped with its last user
	size  int64 // bytes, of the layers below not
	used  int64 // when it was last asked for, in the count of the budget
}

// NewIndexes keeps up to n indexes. Those in use always stay and count: one that nobody uses goes when room for another is needed.
func NewIndexes(n int) *Indexes {
	return &Indexes{mu: &sync.Mutex{}, keep: max(0, n), items: map[string]*held{}, texts: map[string]weak.Pointer[Corpus]{}}
}

// Corpus is a version of a corpus whose texts are in memory already, because an index over it is; nil where they are not, and have to be
// read.
func (x *Indexes) Corpus(name string, version int, digest string) *Corpus {
	x.mu.Lock()
	defer x.mu.Unlock()
	if c := x.texts[digest].Value(); c != nil && c.Name == name && c.Version == version {
		return c
	}
	return nil
}

// remember keeps hold of a corpus for as long as something else does.
func (x *Indexes) remember(c *Corpus) {
	x.mu.Lock()
	defer x.mu.Unlock()
	maps.DeleteFunc(x.texts, func(_ string, p weak.Pointer[Corpus]) bool { return p.Value() == nil })
	x.texts[c.Digest] = weak.Make(c)
}

// mostSmall bounds how many indexes stay however small they are.
const mostSmall = 64

// Roomy lets more indexes stay, as long as all together hold no more than so many bytes: building a small one again and again would cost
// more than it holds. Those that live in a database stay by their number alone.
func (x *Indexes) Roomy(bytes int64) *Indexes {
	x.small = bytes
	return x
}

// Get returns the index for this configuration and corpus, building it when it is not at hand. The caller must call
// release once when it is done with it. A failed build is not kept.
func (x *Indexes) Get(ctx context.Context, c Config, corpus *Corpus, providers Providers) (index *Index, release func(), err error) {
	key, err := indexKey(c, corpus, providers)
	if err != nil {
		return nil, nil, err
	}
	entry, release, err := x.get(ctx, key, false, func(*held) (any, func(), error) {
		x.builds(key)
		b := &indexBuild{ctx: ctx, config: c.Effective(), corpus: corpus, providers: providers, layers: x}
		index, err := b.build(key)
		if err != nil {
			b.release()
			return nil, nil, err
		}
		return index, b.release, nil
	})
	if err != nil {
		return nil, nil, err
	}
	return entry.value.(*Index), release, nil
}

// get returns what is held under the key, or builds it. build also returns what is called when it is dropped.
func (x *Indexes) get(ctx context.Context, key string, layer bool, build func(*held) (any, func(), error)) (*held, func(), error) {
	for {
		entry, drops := x.use(key, layer)
		for _, drop := range drops { // before anything is built in their place
			drop()
		}
		mine := false
		entry.once.Do(func() {
			mine = true
			entry.value, entry.drop, entry.err = build(entry)
		})
		if entry.err == nil {
			return entry, sync.OnceFunc(func() { x.release(key, entry) }), nil
		}
		x.release(key, entry)
		// That another caller was cancelled while building is no reason for this one to fail.
		if mine || ctx.Err() != nil || !errors.Is(entry.err, context.Canceled) && !errors.Is(entry.err, context.DeadlineExceeded) {
			return nil, nil, entry.err
		}
	}
}

// use puts one user on an entry, and returns what has to be called for those that are held no longer.
func (x *Indexes) use(key string, layer bool) (entry *held, drops []func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	entry, ok := x.items[key]
	if !ok {
		entry = &held{layer: layer}
		x.items[key] = entry
	}
	entry.users++
	if !layer {
		x.order = append(without(x.order, key), key)
		entry.used = x.budget.next()
	}
	return entry, x.evict(nil)
}

func (x *Indexes) release(key string, entry *held) {
	for _, drop := range x.idle(key, entry) {
		drop() // outside the lock: it releases layers
	}
	if !entry.layer {
		x.budget.settle(0)
	}
}

// idle takes one user off an entry and returns what has to be called for those that are held no longer.
func (x *Indexes) idle(key string, entry *held) (drops []func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	entry.users--
	if index, ok := entry.value.(*Index); ok {
		entry.size = index.own()
	}
	if x.items[key] == entry && (entry.err != nil || entry.layer && entry.users == 0) {
		drops = x.forget(drops, key)
	}
	return x.evict(drops)
}

// evict gives up indexes that nobody uses, the oldest first, until no more are held than may be kept. What a small one frees is known
// when its layers are released, so that of those each look gives up one.
func (x *Indexes) evict(drops []func()) []func() {
	bytes := x.bytes()
	for _, old := range slices.Clone(x.order) {
		if len(x.order) <= x.keep {
			break
		}
		item := x.items[old]
		if item.users > 0 {
			continue
		}
		index, _ := item.value.(*Index)
		small := x.small > 0 && index.inMemory() && len(x.order) <= mostSmall
		if small && bytes <= x.small {
			continue
		}
		drops = x.forget(drops, old)
		if small {
			break
		}
	}
	return drops
}

// Shrink gives up the indexes that nobody uses, the oldest first, until all together hold no more than so many bytes: whoever is done with
// one and about to build another says so first, or both would be held meanwhile.
func (x *Indexes) Shrink(bytes int64) {
	for drops := x.oldest(bytes); len(drops) > 0; drops = x.oldest(bytes) { // what one frees is known when its layers are released
		for _, drop := range drops {
			drop() // outside the lock: it releases layers
		}
	}
}

// oldest takes out the oldest index that nobody uses, where all hold more than so many bytes.
func (x *Indexes) oldest(bytes int64) []func() {
	x.mu.Lock()
	defer x.mu.Unlock()
	idle := slices.IndexFunc(x.order, func(key string) bool { return x.items[key].users == 0 })
	if idle < 0 || x.bytes() <= bytes {
		return nil
	}
	return x.forget(nil, x.order[idle])
}

// Held is how many bytes all of them hold, in use or not.
func (x *Indexes) Held() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.bytes()
}

// bytes is what all of them hold. The lock is held.
func (x *Indexes) bytes() (n int64) {
	for _, item := range x.items {
		n += item.size
	}
	return n
}

// inMemory reports whether the index is here, and not in a database.
func (x *Index) inMemory() bool {
	return x != nil && x.existing == nil && x.retrieve.Engine != EnginePGVector
}

func (x *Indexes) forget(drops []func(), key string) []func() {
	if drop := x.items[key].drop; drop != nil {
		drops = append(drops, drop)
	}
	delete(x.items, key)
	x.order = without(x.order, key)
	return drops
}

func without(keys []string, key string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == key })
}
