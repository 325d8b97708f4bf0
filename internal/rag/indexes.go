package rag

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
)

// Index finds the chunks of one corpus, cut and embedded in one way.
type Index struct {
	key      string // stage key of everything that decides a search result, but for query and depth
	mode     string
	chunks   []Span
	dense    *denseIndex
	lexical  *lexicalIndex
	embedder llm.Embedder
	model    string
	rankings sync.Map // query → remembered
	unbought error    // why there are no vectors: a plan goes through the questions, and they are not bought yet
	lengthOrder
}

// Chunks is the number of chunks.
func (x *Index) Chunks() int { return len(x.chunks) }

// indexKey covers exactly the parameters that indexing and searching use: k is not among them.
func indexKey(c Config, corpus *Corpus, providers Providers) (string, error) {
	if c.Retrieve.Mode == "bm25" {
		return StageKey("index", "2", corpus.Digest, c.Chunk, c.Retrieve.Mode), nil
	}
	p, err := providers.Provider(c.Embedding.Provider)
	if err != nil {
		return "", err
	}
	info := p.Info()
	return StageKey("index", "2", corpus.Digest, c.Chunk, c.Retrieve.Mode, info.Kind, info.Origin, c.Embedding.Name), nil
}

// search returns the n best chunks, without their texts.
func (x *Index) search(ctx context.Context, query string, n int) ([]Hit, error) {
	if len(x.chunks) == 0 {
		return nil, nil
	}
	found, err := x.ranking(ctx, query, n)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, len(found))
	for i, r := range found {
		hits[i] = Hit{Span: x.chunks[r.chunk], Score: r.score}
	}
	return hits, nil
}

// ranking returns the n best chunks. It ranks deeper than asked and remembers, since the next run of a sweep often asks the
// same with another k, and the best 3 are the first 3 of the best 16.
func (x *Index) ranking(ctx context.Context, query string, n int) ([]ranked, error) {
	if known, ok := x.rankings.Load(query); ok {
		if r := known.(remembered); len(r.found) >= n || len(r.found) < r.depth {
			return r.found[:min(n, len(r.found))], nil
		}
	}
	depth := 16
	for depth < n {
		depth *= 4
	}
	found, err := x.rank(ctx, query, depth)
	if err != nil {
		return nil, err
	}
	x.rankings.Store(query, remembered{found: found, depth: depth})
	return found[:min(n, len(found))], nil
}

// remembered is a ranking of up to depth chunks; fewer were found when it is shorter.
type remembered struct {
	found []ranked
	depth int
}

// fuseDepth is how much of each ranking is fused. It is the same for every depth a configuration can ask for, so that the
// best 3 are always the first 3 of the best 100, whatever was asked before.
const fuseDepth = 1024

func (x *Index) rank(ctx context.Context, query string, n int) ([]ranked, error) {
	if x.mode == "bm25" {
		return x.lexical.search(ctx, query, n)
	}
	vectors, err := x.embedder.Embed(ctx, x.model, []string{query})
	if err == nil {
		err = x.unbought
	}
	if err != nil {
		return nil, err
	}
	if x.mode == "dense" {
		return x.dense.search(vectors[0], n)
	}
	depth := max(fuseDepth, n)
	dense, err := x.dense.search(vectors[0], depth)
	if err != nil {
		return nil, err
	}
	lexical, err := x.lexical.search(ctx, query, depth)
	if err != nil {
		return nil, err
	}
	return fuse(n, dense, lexical), nil
}

// close stops the lexical index's background work. What it holds is in memory only, so an error loses nothing.
func (x *Index) close() {
	if x.lexical != nil {
		_ = x.lexical.index.Close()
	}
}

func buildIndex(ctx context.Context, key string, c Config, corpus *Corpus, providers Providers) (*Index, error) {
	chunks, err := c.Chunk.Cut(corpus)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(chunks))
	for i, s := range chunks {
		texts[i] = corpus.Text(s)
	}
	x := &Index{key: key, mode: c.Retrieve.Mode, chunks: chunks, model: c.Embedding.Name}
	if x.mode != "bm25" {
		p, err := providers.Provider(c.Embedding.Provider)
		if err != nil {
			return nil, err
		}
		x.embedder = p
		vectors, err := p.Embed(ctx, c.Embedding.Name, texts)
		if notBought(err) != nil {
			x.unbought, err = err, nil // nothing can be found in it, but what is cut into chunks is known
		}
		if err != nil {
			return nil, fmt.Errorf("embed %d chunks: %w", len(texts), err)
		}
		if x.dense, err = newDenseIndex(vectors); err != nil {
			return nil, err
		}
	}
	if x.mode != "dense" {
		if x.lexical, err = newLexicalIndex(texts); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Indexes keeps the most recently used indexes in memory, so that the runs of a sweep share them.
// It is safe for concurrent use; an index that two callers want at once is built once.
type Indexes struct {
	mu    sync.Mutex
	keep  int
	items map[string]*indexEntry
	order []string // least recently used first
}

type indexEntry struct {
	once  sync.Once
	index *Index
	err   error
	users int
}

// NewIndexes keeps up to n indexes that nobody uses; those in use always stay.
func NewIndexes(n int) *Indexes {
	return &Indexes{keep: max(0, n), items: map[string]*indexEntry{}}
}

// Get returns the index for this configuration and corpus, building it when it is not at hand. The caller must call
// release once when it is done with it. A failed build is not kept.
func (x *Indexes) Get(ctx context.Context, c Config, corpus *Corpus, providers Providers) (index *Index, release func(), err error) {
	key, err := indexKey(c, corpus, providers)
	if err != nil {
		return nil, nil, err
	}
	for {
		entry, mine := x.use(key), false
		entry.once.Do(func() {
			mine = true
			entry.index, entry.err = buildIndex(ctx, key, c, corpus, providers)
		})
		if entry.err == nil {
			return entry.index, sync.OnceFunc(func() { x.release(key, entry) }), nil
		}
		x.release(key, entry)
		// That another caller was cancelled while building is no reason for this one to fail.
		if mine || ctx.Err() != nil || !errors.Is(entry.err, context.Canceled) && !errors.Is(entry.err, context.DeadlineExceeded) {
			return nil, nil, entry.err
		}
	}
}

func (x *Indexes) use(key string) *indexEntry {
	x.mu.Lock()
	defer x.mu.Unlock()
	entry, ok := x.items[key]
	if !ok {
		entry = &indexEntry{}
		x.items[key] = entry
	}
	entry.users++
	x.order = append(without(x.order, key), key)
	return entry
}

func (x *Indexes) release(key string, entry *indexEntry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	entry.users--
	if entry.err != nil && x.items[key] == entry {
		delete(x.items, key)
		x.order = without(x.order, key)
	}
	idle := 0
	for i := len(x.order) - 1; i >= 0; i-- { // newest first: the oldest idle ones go
		old := x.order[i]
		if x.items[old].users > 0 {
			continue
		}
		if idle++; idle > x.keep {
			x.items[old].index.close()
			delete(x.items, old)
			x.order = without(x.order, old)
		}
	}
}

func without(keys []string, key string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == key })
}
