package laboratory

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Systems stay open as far as their indexes fit into the memory set aside for them: building an index is what a diagnosis costs in
// time, and keeping it what it costs in space.
const (
	systemsMemory = 512 << 20 // bytes
	fewestSystems = 6
	mostSystems   = 48
)

// labSystems keeps the systems that a diagnosis retrieves with.
type labSystems struct {
	open func(context.Context, rag.Config) (*rag.System, error)
	held func() int64 // bytes of all indexes
	room int64        // bytes that they may hold while more than the fewest systems stay open though nobody uses them

	mu    sync.Mutex
	items map[string]*labSystem
	order []string       // least recently used first
	asked map[string]int // how often each was used, open or not
}

type labSystem struct {
	once   sync.Once
	system *rag.System
	err    error
	users  int
}

func newLabSystems(o LabOptions) *labSystems {
	room := int64(systemsMemory)
	if use := o.Indexes.Budget().Use(); use != nil {
		room = min(room, use.Limit)
	}
	return &labSystems{
		open: func(ctx context.Context, c rag.Config) (*rag.System, error) {
			return rag.Open(context.WithoutCancel(ctx), c, o.Corpus, o.Providers, o.Indexes, o.Stages)
		},
		held: o.Indexes.Held, room: room, items: map[string]*labSystem{}, asked: map[string]int{},
	}
}

// with opens the system of a configuration, or takes the open one, and uses it.
func (s *labSystems) with(ctx context.Context, c rag.Config, use func(*rag.System) error) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	key := string(body)
	item := s.take(key)
	defer s.release(key, item)
	item.once.Do(func() {
		item.system, item.err = s.open(ctx, c)
	})
	if item.err != nil {
		return item.err
	}
	return use(item.system)
}

func (s *labSystems) take(key string) *labSystem {
	s.mu.Lock()
	defer s.mu.Unlock()
	item, ok := s.items[key]
	if !ok {
		item = &labSystem{}
		s.items[key] = item
	}
	item.users++
	s.asked[key]++
	s.order = append(slices.DeleteFunc(s.order, func(k string) bool { return k == key }), key)
	return item
}

func (s *labSystems) release(key string, item *labSystem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	item.users--
	if item.err != nil && item.users == 0 && s.items[key] == item { // the next one may fare better
		s.drop(key)
	}
	if n := len(s.order); n > mostSystems || n > fewestSystems && s.held() > s.room {
		if key, found := s.dispensable(); found { // one at a time: what it frees is known when it is closed
			s.drop(key)
		}
	}
}

// dispensable is a system that nobody uses. Questions are looked into in turn, and each tries the same changes in the same order, until one
// heals it: the system that was used last is the one whose turn comes last, so it goes, not the oldest; but before it those that are seldom
// needed at all. The caller holds the lock.
func (s *labSystems) dispensable() (key string, found bool) {
	const turn = 4 // uses in which systems differ although each is needed in every turn
	idle := slices.DeleteFunc(slices.Clone(s.order), func(k string) bool { return s.items[k].users > 0 })
	if len(idle) == 0 {
		return "", false
	}
	least := s.asked[idle[0]]
	for _, k := range idle {
		least = min(least, s.asked[k])
	}
	for _, k := range slices.Backward(idle) {
		if s.asked[k] <= least+turn {
			return k, true
		}
	}
	return "", false
}

// drop closes a system that nobody uses. The caller holds the lock.
func (s *labSystems) drop(key string) {
	if item := s.items[key]; item.system != nil {
		item.system.Close()
	}
	delete(s.items, key)
	s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
}

func (s *labSystems) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range slices.Clone(s.order) {
		s.drop(k)
	}
}

// retrieve returns what a configuration retrieves for a text. Which contexts a rewriting model leads to is asked under the first
// replicate, as the run did.
func (s *labSystems) retrieve(ctx context.Context, c rag.Config, query string) (rag.Retrieval, error) {
	scope := llm.ScopeOf(ctx)
	scope.Replicate = 0
	var found rag.Retrieval
	err := s.with(ctx, c, func(system *rag.System) error {
		var err error
		found, _, err = system.Retrieve(llm.WithScope(ctx, scope), query)
		return err
	})
	return found, err
}
