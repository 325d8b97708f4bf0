package text

import (
	"bytes"
	"compress/gzip"
	_ "embed" // of the tables
	"io"
	"math"
	"strings"
	"sync"
)

// The tables hold the tokens of a vocabulary in the order of their ranks: the length of each in a byte, a zero, and the tokens one behind
// the other. Written as Go they would take seven megabytes of the program. Tests compare them with a library's.
var (
	//go:embed o200k_base.gz
	o200kTable []byte
	//go:embed cl100k_base.gz
	cl100kTable []byte
)

// Unpacking takes some fifty milliseconds, so only programs that count tokens pay, and only for the vocabulary that they count in.
var (
	o200k  = sync.OnceValue(func() vocabulary { return vocabulary{unpacked(o200kTable), o200kPiece} })
	cl100k = sync.OnceValue(func() vocabulary { return vocabulary{unpacked(cl100kTable), cl100kPiece} })
)

// vocabulary is what byte-pair encoding goes by.
type vocabulary struct {
	ranks map[string]uint32  // of all tokens; pairs of a lower one are merged first
	piece func(s string) int // bytes of the first piece of a text that is not empty; no token reaches over two pieces
}

// vocabularyOf is that of this name: cl100k_base, or for any other name o200k_base, that of current OpenAI models.
func vocabularyOf(encoding string) vocabulary {
	if encoding == "cl100k_base" {
		return cl100k()
	}
	return o200k()
}

// unpacked reads a table. It panics where that is damaged.
func unpacked(table []byte) map[string]uint32 {
	r, err := gzip.NewReader(bytes.NewReader(table))
	if err != nil {
		panic(err)
	}
	var all strings.Builder
	if _, err := io.Copy(&all, r); err != nil {
		panic(err)
	}
	lengths, tokens, _ := strings.Cut(all.String(), "\x00")
	ranks := make(map[string]uint32, len(lengths))
	for rank := range len(lengths) {
		n := int(lengths[rank])
		ranks[tokens[:n]] = uint32(rank)
		tokens = tokens[n:]
	}
	return ranks
}

// tokens calls found with the bytes of each token of s, in order.
func (v vocabulary) tokens(s string, found func(size int)) {
	var m merger
	for s != "" {
		n := v.piece(s)
		if _, ok := v.ranks[s[:n]]; ok {
			found(n)
		} else {
			m.merge(s[:n], v.ranks, found)
		}
		s = s[n:]
	}
}

// merger merges the bytes of a piece to tokens: always the neighbours that are the token of the lowest rank, and of several such the
// first.
type merger struct {
	parts []part
	queue []uint64 // a heap of the ranks that neighbours have or had, each above the place of the left one
}

// part begins at its place in the piece.
type part struct {
	before, after int32  // places of its neighbours; the last part is empty and stands at the end
	rank          uint32 // of what it makes with the one after it
}

// none is the rank of what is no token, and of a part that was merged with the one before it.
const none = math.MaxUint32

func (m *merger) merge(piece string, ranks map[string]uint32, found func(size int)) {
	m.parts, m.queue = m.parts[:0], m.queue[:0]
	last := int32(len(piece))
	for i := range last + 1 {
		m.parts = append(m.parts, part{i - 1, i + 1, none})
	}
	rank := func(i int32) {
		m.parts[i].rank = none
		if j := m.parts[i].after; j < last {
			if r, ok := ranks[piece[i:m.parts[j].after]]; ok {
				m.parts[i].rank = r
				m.push(uint64(r)<<32 | uint64(i))
			}
		}
	}
	for i := range last {
		rank(i)
	}
	for len(m.queue) > 0 {
		least := m.pop()
		i := int32(least & math.MaxUint32)
		if m.parts[i].rank != uint32(least>>32) {
			continue // one of the two was merged with another since
		}
		j := m.parts[i].after
		next := m.parts[j].after
		m.parts[j].rank = none
		m.parts[i].after, m.parts[next].before = next, i
		rank(i)
		if before := m.parts[i].before; before >= 0 {
			rank(before)
		}
	}
	for i := int32(0); i < last; i = m.parts[i].after {
		found(int(m.parts[i].after - i))
	}
}

func (m *merger) push(x uint64) {
	m.queue = append(m.queue, x)
	for i := len(m.queue) - 1; i > 0; {
		above := (i - 1) / 2
		if m.queue[above] <= m.queue[i] {
			break
		}
		m.queue[above], m.queue[i] = m.queue[i], m.queue[above]
		i = above
	}
}

func (m *merger) pop() uint64 {
	least, n := m.queue[0], len(m.queue)-1
	m.queue[0] = m.queue[n]
	m.queue = m.queue[:n]
	for i := 0; 2*i+1 < n; {
		below := 2*i + 1
		if below+1 < n && m.queue[below+1] < m.queue[below] {
			below++
		}
		if m.queue[i] <= m.queue[below] {
			break
		}
		m.queue[i], m.queue[below] = m.queue[below], m.queue[i]
		i = below
	}
	return least
}
