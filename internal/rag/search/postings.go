package search

import (
	"context"
	"encoding/binary"
	"math"
	"sync"
)

// Postings say which chunks hold a term, and how often: what any k1 and b can search. They are packed, since there are about as many as
// words: of each chunk that holds a term stands how many chunks after the one before it comes, doubled, plus one where the term stands in
// it more than once; then how often follows. Numbers are of variable length, one byte for the most.
type Postings struct {
	analyzer string
	terms    map[string]uint32 // numbers of the terms, in the order in which they were met
	held     []uint32          // by term: how many chunks hold it
	ends     []int             // by term: where its bytes end
	packed   []byte
	lengths  []int32 // terms of each chunk
	mean     float64
	scores   sync.Pool // *[]float64, one for each chunk
}

// growing are the postings of one term while chunks are added. The last is packed when the next one comes: the term may stand in that
// chunk once more.
type growing struct {
	packed             []byte
	held, chunk, count uint32 // how many are packed; of the last: its chunk, and how often the term stands in it
	next               uint32 // the chunk after that of the last one packed
}

func (g *growing) add(chunk uint32) {
	if g.count > 0 && g.chunk == chunk {
		g.count++
		return
	}
	g.flush()
	g.chunk, g.count = chunk, 1
}

func (g *growing) flush() {
	if g.count == 0 {
		return
	}
	gap := uint64(g.chunk-g.next) << 1
	if g.count > 1 {
		gap++
	}
	g.packed = binary.AppendUvarint(g.packed, gap)
	if g.count > 1 {
		g.packed = binary.AppendUvarint(g.packed, uint64(g.count))
	}
	g.held++
	g.next, g.count = g.chunk+1, 0
}

// NewPostings indexes n texts.
func NewPostings(analyzer string, n int, text func(chunk int) string) (*Postings, error) {
	x := &Postings{analyzer: analyzer, terms: map[string]uint32{}, lengths: make([]int32, n)}
	var lists []growing
	total := 0
	for i := range n {
		if err := eachTerm(analyzer, text(i), func(term []byte) {
			x.lengths[i]++
			at, known := x.terms[string(term)]
			if !known {
				at = uint32(len(lists))
				x.terms[string(term)] = at
				lists = append(lists, growing{})
			}
			lists[at].add(uint32(i))
		}); err != nil {
			return nil, err
		}
		total += int(x.lengths[i])
	}
	x.mean = float64(total) / float64(max(1, n))
	x.pack(lists)
	return x, nil
}

// pack puts the lists behind each other, so that there is one piece of memory and none of it is spare.
func (x *Postings) pack(lists []growing) {
	size := 0
	for i := range lists {
		lists[i].flush()
		size += len(lists[i].packed)
	}
	x.packed, x.held, x.ends = make([]byte, 0, size), make([]uint32, len(lists)), make([]int, len(lists))
	for i := range lists {
		x.packed = append(x.packed, lists[i].packed...)
		x.held[i], x.ends[i] = lists[i].held, len(x.packed)
		lists[i].packed = nil
	}
}

// Bytes is what they take of memory, about: of the map of terms only its content is known.
func (x *Postings) Bytes() int64 {
	const entry = 40 // a term without its letters, its number, and what a map leaves free

	n := int64(len(x.packed) + 4*len(x.held) + 8*len(x.ends) + 12*len(x.lengths)) // lengths, and the scores of a search
	for term := range x.terms {
		n += int64(len(term)) + entry
	}
	return n
}

// search returns the n best of the chunks that are allowed and hold a term of the query; nil allows all.
func (x *Postings) search(query string, set BM25, allowed []bool, n int) ([]Ranked, error) {
	scratch, _ := x.scores.Get().(*[]float64)
	if scratch == nil {
		scores := make([]float64, len(x.lengths))
		scratch = &scores
	}
	defer x.scores.Put(scratch)
	scores := *scratch
	clear(scores)
	err := eachTerm(x.analyzer, query, func(term []byte) {
		if at, known := x.terms[string(term)]; known {
			x.score(at, set, scores)
		}
	})
	if err != nil {
		return nil, err
	}
	found := newShortlist(n, len(scores))
	for chunk, score := range scores {
		if score > 0 && (allowed == nil || allowed[chunk]) {
			found.add(Ranked{Chunk: chunk, Score: score})
		}
	}
	return found.best(), nil
}

// score adds what a term gives to each chunk that holds it.
func (x *Postings) score(term uint32, set BM25, scores []float64) {
	idf := x.idf(x.held[term])
	x.each(term, func(chunk int, tf float64) {
		length := 1 - set.B + set.B*float64(x.lengths[chunk])/x.mean
		scores[chunk] += idf * tf / (tf + set.K1*length)
	})
}

// idf is the weight of a term that so many chunks hold.
func (x *Postings) idf(held uint32) float64 {
	in, missing := float64(held), float64(len(x.lengths)-int(held))
	return math.Log(1 + (missing+0.5)/(in+0.5))
}

// each visits the chunks that hold a term, and how often they do.
func (x *Postings) each(term uint32, visit func(chunk int, count float64)) {
	first := 0
	if term > 0 {
		first = x.ends[term-1]
	}
	chunk := uint64(0)
	for list := x.packed[first:x.ends[term]]; len(list) > 0; chunk++ {
		gap, n := uint64(list[0]), 1
		if gap >= 0x80 { // longer than one byte
			gap, n = binary.Uvarint(list)
		}
		list = list[n:]
		tf := 1.0
		if gap&1 == 1 {
			count, n := binary.Uvarint(list)
			tf, list = float64(count), list[n:]
		}
		chunk += gap >> 1
		visit(int(chunk), tf) //nolint:gosec // the number of a chunk
	}
}

// Find returns the n best of the chunks that are allowed and hold a term of the query; nil allows all. The zero set scores as bleve does.
func (x *Postings) Find(_ context.Context, query string, set BM25, allowed []bool, n int) ([]Ranked, error) {
	if set == (BM25{}) {
		return x.searchRoots(query, n)
	}
	return x.search(query, set, allowed, n)
}
