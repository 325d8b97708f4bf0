package search

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// Vectors finds chunks by the dot product of normalised vectors: exact, deterministic, in memory. Searches that come while every
// processor is searching wait, and then go through the vectors together: what is read for one serves all.
type Vectors struct {
	matrix

	mu      sync.Mutex
	waiting []*vectorSearch
	passes  int // going through the vectors now
}

// NewVectors has room for some vectors, which are added one by one; done ends that.
func NewVectors(rows int) *Vectors { return &Vectors{matrix: newMatrix(rows)} }

// vectorSearch is one search on its way.
type vectorSearch struct {
	vector  []float32
	allowed []bool
	best    *shortlist
	done    chan struct{}
}

// Rows are the vectors of chunks.
func (x *Vectors) Rows(_ context.Context, chunks []int) ([][]float32, error) {
	out := make([][]float32, len(chunks))
	for i, c := range chunks {
		out[i] = x.row(c)
	}
	return out, nil
}

// Search returns the n best of the chunks that are allowed; nil allows all.
func (x *Vectors) Search(ctx context.Context, query []float32, allowed []bool, n int) ([]Ranked, error) {
	found, err := x.SearchMany(ctx, [][]float32{query}, allowed, n)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// SearchMany is search for each of several queries. Scores and order are the same, however many go together.
func (x *Vectors) SearchMany(_ context.Context, queries [][]float32, allowed []bool, n int) ([][]Ranked, error) {
	found := make([][]Ranked, len(queries))
	if x.dim == 0 {
		return found, nil
	}
	searches := make([]*vectorSearch, len(queries))
	for i, q := range queries {
		if len(q) != x.dim {
			return nil, fmt.Errorf("query has %d dimensions, the index has %d", len(q), x.dim)
		}
		searches[i] = &vectorSearch{vector: q, allowed: allowed, best: newShortlist(n, x.count), done: make(chan struct{})}
	}
	x.start(searches)
	for i, s := range searches {
		<-s.done
		found[i] = s.best.best()
	}
	return found, nil
}

// Together is how many searches go through the vectors in one pass.
const Together = 64

// start has the searches made, on as many processors as are free and of use.
func (x *Vectors) start(searches []*vectorSearch) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.waiting = append(x.waiting, searches...)
	for wanted := (len(searches) + Together - 1) / Together; wanted > 0 && x.passes < runtime.GOMAXPROCS(0); wanted-- {
		x.passes++
		go x.pass()
	}
}

// pass goes through the vectors until nobody waits.
func (x *Vectors) pass() {
	for {
		x.mu.Lock()
		n := min(Together, len(x.waiting))
		searches := x.waiting[:n:n]
		if x.waiting = x.waiting[n:]; n == 0 {
			x.waiting = nil
			x.passes--
		}
		x.mu.Unlock()
		if n == 0 {
			return
		}
		x.scan(searches)
	}
}

// block is how many rows are compared with every query before the next ones are read: they stay close to the processor meanwhile.
const block = 64

func (x *Vectors) scan(searches []*vectorSearch) {
	for first := 0; first < x.count; first += block {
		last := min(first+block, x.count)
		for _, s := range searches {
			for i := first; i < last; i++ {
				if s.allowed == nil || s.allowed[i] {
					s.best.add(Ranked{Chunk: i, Score: float64(x.dot(i, s.vector))})
				}
			}
		}
	}
	for _, s := range searches {
		close(s.done)
	}
}
