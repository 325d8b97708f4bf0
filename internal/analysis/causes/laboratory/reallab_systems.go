package laboratory

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Systems stay open as far as their indexes fit into the memory set aside for them: building an index is what a diagnosis costs in
// time, and keeping it what it costs in space.
const (
	systemsMemory = 512 << 20 // bytes
	chunkMemory   = 10 << 10  // bytes for one chunk: its vector and its words
	fewestSystems = 6
	mostSystems   = 48
)

// systemsKept is how many systems over a corpus stay open.
func systemsKept(corpus *rag.Corpus, size int) int {
	if corpus == nil {
		return fewestSystems
	}
	chunks := max(len(corpus.Documents), corpus.Chars()/max(1, size))
	return max(fewestSystems, min(mostSystems, systemsMemory/(chunkMemory*max(1, chunks))))
}

// labSystems keeps the systems that a diagnosis retrieves with.
type labSystems struct {
	corpus    *rag.Corpus
	providers rag.Providers
	indexes   *rag.Indexes
	stages    rag.Stages
	keep      int // systems that stay open though nobody uses them

	mu    sync.Mutex
	items map[string]*labSystem
	order []string // least recently used first
}

type labSystem struct {
	once   sync.Once
	system *rag.System
	err    error
	users  int
}

func newLabSystems(o LabOptions) *labSystems {
	size := o.Evaluation.Run.Setup.Config.Chunk.Size
	if o.Evaluation.Run.Setup.Config.Chunk.By == "sentences" || o.Evaluation.Run.Setup.Config.Chunk.By == "paragraphs" {
		size *= causes.WindowChars // characters, roughly
	}
	return &labSystems{
		corpus: o.Corpus, providers: o.Providers, indexes: o.Indexes, stages: o.Stages, keep: systemsKept(o.Corpus, size),
		items: map[string]*labSystem{},
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
		item.system, item.err = rag.Open(context.WithoutCancel(ctx), c, s.corpus, s.providers, s.indexes, s.stages)
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
	for _, k := range slices.Clone(s.order) {
		if len(s.order) <= s.keep {
			return
		}
		if s.items[k].users == 0 {
			s.drop(k)
		}
	}
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
