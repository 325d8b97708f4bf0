package rag

import (
	"fmt"
	"sync"
	"unsafe"
	"weak"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// Budget bounds what the indexes of a process hold of memory together: texts, chunks, vectors, postings and rankings. Where more would be
// held, the indexes that nobody uses are given up, the least recently used first; one that is asked for again is built again, and gives
// the same. Indexes in use are never given up: nobody waits for anybody, so that what several use at once may be more than the budget. One
// index that alone is larger is refused. A nil budget bounds nothing.
type Budget struct {
	limit int64
	told  func(Pressure)

	mu      sync.Mutex // of the indexes below, too
	members []weak.Pointer[Indexes]
	clock   int64
	given   map[string]bool // keys of indexes that were given up and not built again
	over    bool            // indexes in use hold more, and it was said
	use     BudgetUse
}

// BudgetUse is what became of a budget.
type BudgetUse struct {
	Limit   int64 `json:"limit_bytes"`
	Most    int64 `json:"most_bytes"` // that were held at one time
	GivenUp int   `json:"given_up"`   // indexes
	Rebuilt int   `json:"rebuilt"`    // of those, built again
}

// Pressure is one thing that a budget caused.
type Pressure struct {
	Kind  string // PressureGivenUp | PressureRebuilt | PressureOver
	Freed int64  // bytes, of an index that was given up
	Held  int64  // bytes that are held now
	Limit int64
}

// Words of what a budget causes.
const (
	PressureGivenUp = "given_up" // an index that nobody uses was given up
	PressureRebuilt = "rebuilt"  // one that was given up is needed, and built again
	PressureOver    = "over"     // what is in use is more than the budget
)

// NewBudget bounds what is held to some bytes; nil for 0. told hears what it causes, and may be nil.
func NewBudget(bytes int64, told func(Pressure)) *Budget {
	if bytes <= 0 {
		return nil
	}
	if told == nil {
		told = func(Pressure) {}
	}
	return &Budget{limit: bytes, told: told, given: map[string]bool{}, use: BudgetUse{Limit: bytes}}
}

// Use is what became of it so far; nil for a nil budget.
func (b *Budget) Use() *BudgetUse {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	use := b.use
	return &use
}

// Under puts indexes that were just made under a budget, which others share. It returns them.
func (x *Indexes) Under(b *Budget) *Indexes {
	if b == nil {
		return x
	}
	x.budget, x.mu = b, &b.mu
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members = append(b.members, weak.Make(x))
	return x
}

// Budget is what bounds them; nil without.
func (x *Indexes) Budget() *Budget { return x.budget }

// next counts what is asked for. The lock is held.
func (b *Budget) next() int64 {
	if b == nil {
		return 0
	}
	b.clock++
	return b.clock
}

// each visits the indexes that are still there, and forgets the others. The lock is held.
func (b *Budget) each(visit func(*Indexes)) {
	there := b.members[:0]
	for _, m := range b.members {
		if x := m.Value(); x != nil {
			there = append(there, m)
			visit(x)
		}
	}
	clear(b.members[len(there):])
	b.members = there
}

// held is what all of them hold. The lock is held.
func (b *Budget) held() (bytes int64) {
	b.each(func(x *Indexes) { bytes += x.bytes() })
	b.use.Most = max(b.use.Most, bytes)
	return bytes
}

// settle gives up indexes until no more is held than may be, once further bytes are held that will soon be.
func (b *Budget) settle(soon int64) {
	for b != nil {
		before, drops, found := b.oldest(soon)
		if !found {
			return
		}
		for _, drop := range drops {
			drop() // without the lock: it releases layers
		}
		b.mu.Lock()
		b.use.GivenUp++
		now := b.held()
		b.mu.Unlock()
		b.told(Pressure{Kind: PressureGivenUp, Freed: before - now, Held: now, Limit: b.limit})
	}
}

// oldest takes the index out that has not been asked for the longest of those that nobody uses, where more is held than may be.
func (b *Budget) oldest(soon int64) (held int64, drops []func(), found bool) {
	b.mu.Lock()
	if held = b.held(); held+soon <= b.limit {
		b.over = b.over && soon > 0
		b.mu.Unlock()
		return held, nil, false
	}
	var of *Indexes
	key, at := "", b.clock+1
	b.each(func(x *Indexes) {
		for _, k := range x.order {
			if item := x.items[k]; item.users == 0 && item.used < at {
				of, key, at = x, k, item.used
			}
		}
	})
	if of != nil {
		b.given[key] = true
		drops = of.forget(nil, key)
		b.mu.Unlock()
		return held, drops, true
	}
	said := b.over || held <= b.limit
	b.over = !said || b.over
	b.mu.Unlock()
	if !said {
		b.told(Pressure{Kind: PressureOver, Held: held, Limit: b.limit})
	}
	return held, nil, false
}

// builds says where an index is built that was given up.
func (x *Indexes) builds(key string) {
	b := x.budget
	if b == nil {
		return
	}
	b.mu.Lock()
	again := b.given[key]
	if again {
		b.use.Rebuilt++
		delete(b.given, key)
	}
	held := b.held()
	b.mu.Unlock()
	if again {
		b.told(Pressure{Kind: PressureRebuilt, Held: held, Limit: b.limit})
	}
}

// take counts further bytes of a layer and returns all of it.
func (x *Indexes) take(layer *held, bytes int64) int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	layer.size += bytes
	return layer.size
}

// grows counts further bytes of a layer that is being built, and gives up what nobody uses where they are too many.
func (b *indexBuild) grows(layer *held, bytes int64) error {
	if err := b.fits(b.layers.take(layer, bytes)); err != nil {
		return err
	}
	b.layers.budget.settle(0)
	return nil
}

// room gives up what nobody uses before about so many bytes are needed.
func (b *indexBuild) room(bytes int64) { b.layers.budget.settle(bytes) }

// fits refuses an index that is larger than the budget, with further bytes.
func (b *indexBuild) fits(bytes int64) error {
	budget := b.layers.budget
	if budget == nil || b.size+bytes <= budget.limit {
		return nil
	}
	needed, allowed := fmt.Sprintf("%.1f MB", float64(b.size+bytes)/1e6), fmt.Sprintf("%.1f MB", float64(budget.limit)/1e6)
	return problem.New(problem.Invalid, "index_over_memory", "one index over corpus %s takes %s or more, and --memory allows %s for all",
		b.corpus.Name, needed, allowed).With("corpus", b.corpus.Name).With("needed", needed).With("allowed", allowed).
		WithHint("allow more (--memory), cut larger chunks, search by words alone (retrieve.mode: bm25), " +
			"or keep vectors in PostgreSQL (retrieve.engine: pgvector)")
}

// Sizes of what is held beside numbers and letters, in bytes, about.
const (
	rankedSize  = int(unsafe.Sizeof(search.Ranked{}))
	rankingSize = 160 // an entry of the map, its key and its value
	chunkSize   = int64(unsafe.Sizeof(Chunk{}))
	vectorSize  = 512 // a sparse one
	entrySize   = 64  // an entry of a map from short texts or places to numbers
)

// own is what an index holds beside its layers.
func (x *Index) own() int64 {
	n := int64(len(x.allowed)) + x.ranked.Load()
	if x.existing != nil {
		n += x.cutLayer.bytes() // of rows of the team's, which nobody shares
	}
	return n
}

// bytes is what the texts take, with the places of their characters.
func (c *Corpus) bytes() (n int64) {
	c.prepare()
	for i, d := range c.Documents {
		n += int64(unsafe.Sizeof(d)) + entrySize + int64(len(d.ID)+len(d.Title)+len(d.Text)+len(d.Source)) + c.index[i].Bytes()
		for k, v := range d.Metadata {
			n += int64(len(k)+len(v)) + entrySize
		}
	}
	return n
}

// size is what the texts alone take: what is made of them takes about half as much.
func (c *Corpus) size() (n int64) {
	for _, d := range c.Documents {
		n += int64(len(d.Text))
	}
	return n
}

func (l *cutLayer) bytes() int64 {
	return int64(cap(l.chunks))*chunkSize + int64(len(l.first)+len(l.children))*entrySize
}
