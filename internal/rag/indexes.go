package rag

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// Index finds the chunks of one corpus, cut, embedded and searched in one way.
type Index struct {
	key      string // stage key of everything that decides a search result, but for query and depth
	corpus   *Corpus
	chunking Chunking
	retrieve Retrieve
	*cutLayer
	allowed  []bool // by chunk: whether its document passes the filter; nil allows all
	vectors  *vectorLayer
	words    wordIndex
	existing *existing // an index of the team's, in the place of vectors and words; nil for our own
	embedder llm.Embedder
	asked    Embedding
	rankings sync.Map     // asked → remembered
	ranked   atomic.Int64 // bytes of the rankings
	lengthOrder
}

// cutLayer are the chunks in the order of the documents, and the number of each document's first.
type cutLayer struct {
	chunks   []Chunk
	first    map[string]int
	children map[Span]int // how many chunks each larger piece has
}

func newCutLayer(chunks []Chunk) *cutLayer {
	l := &cutLayer{chunks: chunks, first: map[string]int{}, children: map[Span]int{}}
	for i, c := range chunks {
		if _, known := l.first[c.DocID]; !known {
			l.first[c.DocID] = i
		}
		if c.Parent.Len() > 0 {
			l.children[c.within(c.Parent)]++
		}
	}
	return l
}

// vectorLayer are the vectors of all chunks.
type vectorLayer struct {
	dense    denseSearch
	unbought error // why there are none: a plan goes through the questions, and they are not bought yet
}

// wordIndex finds chunks by their words.
type wordIndex interface {
	Find(ctx context.Context, query string, set search.BM25, allowed []bool, n int) ([]search.Ranked, error)
}

// Chunks is the number of chunks.
func (x *Index) Chunks() int { return len(x.chunks) }

// indexKey covers exactly the parameters that indexing and searching use: k is not among them. A configuration that says no more than
// files could say before has the key it always had.
func indexKey(c Config, corpus *Corpus, providers Providers) (string, error) {
	c = c.Effective()
	r := c.Retrieve
	parts := []any{corpus.Digest, c.Chunk, r.Mode}
	if c.Index != nil {
		m := *c.Index
		m.Changed = false // it says what was, not what is searched
		parts = append(parts, "existing 1", m)
	}
	if r.vectors() {
		p, err := providers.Provider(c.Embedding.Provider)
		if err != nil {
			return "", err
		}
		info := p.Info()
		parts = append(parts, info.Kind, info.Origin, c.Embedding.Name)
		if !c.Embedding.plain() {
			said := c.Embedding
			said.Model = Model{}
			parts = append(parts, said)
		}
	}
	if !r.plain() {
		if !r.Approximates() {
			r.PGVector.Connection = "" // what is nearest is so in every database
		}
		r.Mode, r.K, r.Neighbours = "", 0, 0 // neighbours are added after the search
		parts = append(parts, r)
	}
	return StageKey("index", "2", parts...), nil
}

// ranking returns the n best chunks. It ranks deeper than asked and remembers, since the next run of a sweep often asks the
// same with another k, and the best 3 are the first 3 of the best 16.
func (x *Index) ranking(ctx context.Context, query string, n int) ([]search.Ranked, error) {
	if x.existing != nil { // an approximate search for 16 need not begin with what one for 3 finds
		return x.rank(ctx, query, n)
	}
	depth, at := rankDepth(n), asked{query: query}
	if x.retrieve.Approximates() { // nor need ours
		depth, at.depth = n, n
	}
	if found, known := x.remembered(at, n); known {
		return found, nil
	}
	found, err := x.rank(ctx, query, depth)
	if err != nil {
		return nil, err
	}
	x.rankings.Store(at, remembered{found: found, depth: depth})
	x.ranked.Add(int64(len(query) + rankingSize + len(found)*rankedSize))
	return found[:min(n, len(found))], nil
}

// remembered are the n best of a ranking that is known so deep.
func (x *Index) remembered(at asked, n int) ([]search.Ranked, bool) {
	known, ok := x.rankings.Load(at)
	if !ok {
		return nil, false
	}
	r := known.(remembered)
	return r.found[:min(n, len(r.found))], len(r.found) >= n || len(r.found) < r.depth
}

// rankDepth is how deep is ranked where n are wanted.
func rankDepth(n int) int {
	depth := 16
	for depth < n {
		depth *= 4
	}
	return depth
}

// asked is what a ranking is remembered under; depth is 0 where a deeper one begins with a less deep one.
type asked struct {
	query string
	depth int
}

// remembered is a ranking of up to depth chunks; fewer were found when it is shorter.
type remembered struct {
	found []search.Ranked
	depth int
}

// fuseDepth is what [Index.fuseDepth] says of an index of our own.
const fuseDepth = 1024

func (x *Index) rank(ctx context.Context, query string, n int) ([]search.Ranked, error) {
	r := x.retrieve
	if !r.vectors() {
		return x.words.Find(ctx, query, r.BM25, x.allowed, n)
	}
	vector, err := x.embed(ctx, query)
	if err != nil {
		return nil, err
	}
	return x.rankBy(ctx, query, vector, n)
}

// rankBy ranks by a vector, and in hybrid by the words of the query.
func (x *Index) rankBy(ctx context.Context, query string, vector []float32, n int) ([]search.Ranked, error) {
	dense, err := x.nearest(ctx, vector, x.denseDepth(n))
	if err != nil {
		return nil, err
	}
	return x.joined(ctx, query, dense, n)
}

// denseDepth is how many chunks are looked for by a vector where n are wanted.
func (x *Index) denseDepth(n int) int {
	if !x.retrieve.words() {
		return n
	}
	if table, ok := x.vectors.dense.(*tableIndex); ok && x.retrieve.Approximates() { // all that a search keeps, and no more
		return max(table.ef(n), n)
	}
	return x.fuseDepth(n)
}

// fuseDepth is how much of each ranking is fused. It is the same for every depth a configuration can ask for, so that the best 3 are
// always the first 3 of the best 100, whatever was asked before.
func (x *Index) fuseDepth(n int) int {
	if x.existing != nil {
		return max(existingDepth, n)
	}
	return max(fuseDepth, n)
}

// joined is the ranking by vectors, and in hybrid the best n of it and of the ranking by the words of the query.
func (x *Index) joined(ctx context.Context, query string, dense []search.Ranked, n int) ([]search.Ranked, error) {
	r := x.retrieve
	if !r.words() {
		return dense, nil
	}
	words, err := x.words.Find(ctx, query, r.BM25, x.allowed, x.fuseDepth(n))
	if err != nil {
		return nil, err
	}
	if r.Fusion == search.FusionConvex {
		return search.Convex(n, r.alpha(), r.Norm, dense, words), nil
	}
	constant := r.RRFK
	if constant == 0 {
		constant = search.RRFConstant
	}
	return search.Fuse(n, constant, r.Weights, dense, words), nil
}

// nearest are the chunks that are nearest to a vector.
func (x *Index) nearest(ctx context.Context, vector []float32, n int) ([]search.Ranked, error) {
	if x.existing != nil {
		return x.existing.nearest(ctx, vector, n)
	}
	return x.vectors.dense.Search(ctx, vector, x.allowed, n)
}

// embed is the vector of a query.
func (x *Index) embed(ctx context.Context, query string) ([]float32, error) {
	vectors, err := x.asked.vectors(ctx, x.embedder, llm.RoleQuery, []string{query})
	if err == nil {
		err = x.vectors.unbought
	}
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// indexBuild puts an index together from layers, which other indexes may hold already.
type indexBuild struct {
	ctx       context.Context
	config    Config
	corpus    *Corpus
	providers Providers
	layers    *Indexes
	taken     []func()
	size      int64 // of the layers that were taken
}

// release gives the layers back.
func (b *indexBuild) release() {
	for _, r := range b.taken {
		r()
	}
}

// layerOf takes the layer under the key, building it when no index holds it. build says how much memory it takes, as soon as it knows, and
// goes no further when it is told that this is too much.
func layerOf[T any](b *indexBuild, key string, build func(take func(int64) error) (T, error)) (T, error) {
	var none T
	entry, release, err := b.layers.get(b.ctx, key, true, func(entry *held) (any, func(), error) {
		v, err := build(func(bytes int64) error { return b.grows(entry, bytes) })
		return v, nil, err
	})
	if err != nil {
		return none, err
	}
	b.taken = append(b.taken, release)
	b.size += b.layers.take(entry, 0)
	return entry.value.(T), b.fits(0)
}

func (b *indexBuild) build(key string) (*Index, error) {
	c := b.config
	x := &Index{key: key, chunking: c.Chunk, retrieve: c.Retrieve, asked: c.Embedding, corpus: b.corpus}
	if c.Index != nil {
		return x, b.addExisting(x)
	}
	var err error // indexes of one corpus hold its texts once, however often it was read
	if b.corpus, err = layerOf(b, StageKey("layer", "corpus", b.corpus.Digest), func(take func(int64) error) (*Corpus, error) {
		return b.corpus, take(b.corpus.bytes())
	}); err != nil {
		return nil, err
	}
	x.corpus = b.corpus
	b.layers.remember(x.corpus)
	cut := StageKey("layer", "cut", b.corpus.Digest, c.Chunk.cutting())
	if x.cutLayer, err = layerOf(b, cut, func(take func(int64) error) (*cutLayer, error) {
		b.room(b.corpus.size() / 2)
		layer := newCutLayer(c.Chunk.Chunks(b.corpus))
		return layer, take(layer.bytes())
	}); err != nil {
		return nil, err
	}
	if len(c.Retrieve.Filter) > 0 {
		if x.allowed, err = b.allowed(x.chunks); err != nil {
			return nil, err
		}
	}
	text := StageKey("layer", "text", cut, c.Chunk.Header)
	if c.Retrieve.vectors() {
		if err := b.addVectors(x, text); err != nil {
			return nil, err
		}
	}
	if c.Retrieve.words() {
		if err := b.addWords(x, text); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (b *indexBuild) allowed(chunks []Chunk) ([]bool, error) {
	fits, err := b.config.Retrieve.Filter.documents(b.corpus)
	if err != nil {
		return nil, err
	}
	allowed := make([]bool, len(chunks))
	for i, c := range chunks {
		allowed[i] = fits[c.DocID]
	}
	return allowed, nil
}

// searched is the text of a chunk that is embedded and indexed.
func (b *indexBuild) searched(c Chunk) string { return c.searched(b.corpus, b.config.Chunk) }

func (b *indexBuild) allSearched(chunks []Chunk) []string {
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = b.searched(c)
	}
	return texts
}

func (b *indexBuild) addVectors(x *Index, text string) error {
	c := b.config
	p, err := b.providers.Provider(c.Embedding.Provider)
	if err != nil {
		return err
	}
	x.embedder = p
	info := p.Info()
	parts := []any{text, info.Kind, info.Origin, c.Embedding.Name}
	if said := c.Embedding.passages(); said != (Embedding{}) {
		parts = append(parts, said)
	}
	key := StageKey("layer", "vectors", parts...)
	embed := func(texts []string) ([][]float32, error) {
		vectors, err := c.Embedding.vectors(b.ctx, p, llm.RolePassage, texts)
		if err != nil && notBought(err) == nil {
			err = fmt.Errorf("embed %d chunks: %w", len(texts), err)
		}
		return vectors, err
	}
	if c.Retrieve.Engine == EnginePGVector && b.layers.Databases != nil {
		return b.addTable(x, key, func() ([][]float32, error) { return embed(b.allSearched(x.chunks)) })
	}
	x.vectors, err = layerOf(b, key, func(take func(int64) error) (*vectorLayer, error) {
		at := max(1, len(x.chunks)) // what is bought is asked for at once, so that it goes out in full requests
		if info.Free {
			at = fewTexts
		}
		dense := search.NewVectors(len(x.chunks))
		for some := range slices.Chunk(x.chunks, at) {
			b.room(int64(len(some)) * vectorSize)
			vectors, err := embed(b.allSearched(some))
			if notBought(err) != nil {
				return &vectorLayer{unbought: err, dense: &search.Vectors{}}, nil // what is cut into chunks is known all the same
			}
			before := dense.Bytes()
			for i := 0; err == nil && i < len(vectors); i++ {
				err = dense.Add(vectors[i])
			}
			if err == nil {
				err = take(dense.Bytes() - before)
			}
			if err != nil {
				return nil, err
			}
		}
		grown := dense.Bytes()
		dense.Done()
		return &vectorLayer{dense: dense}, take(dense.Bytes() - grown)
	})
	return err
}

// fewTexts is how many texts a free embedder is asked for at once: their vectors are held as they come until the index has them.
const fewTexts = 256

func (b *indexBuild) addWords(x *Index, text string) error {
	set := b.config.Retrieve.BM25
	set.Analyzer = cmp.Or(set.Analyzer, search.AnalyzerAuto)
	found, err := layerOf(b, StageKey("layer", "postings", text, set.Analyzer), func(take func(int64) error) (*search.Postings, error) {
		b.room(b.corpus.size() / 2)
		index, err := search.NewPostings(set.Analyzer, len(x.chunks), func(i int) string { return b.searched(x.chunks[i]) })
		if err != nil {
			return nil, err
		}
		return index, take(index.Bytes())
	})
	x.words = found
	return err
}
