package search

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/blas/blas32"
)

// matrix holds the vectors of chunks, one row each. Of rows that are zero nearly everywhere, as those of the offline embedder ngram are,
// it holds the other numbers only; what is computed of them is the same to the last bit.
type matrix struct {
	dim, count int
	expected   int       // rows
	flat       []float32 // all numbers; nil where rows are sparse

	sparse bool
	filled int // numbers that are not zero
	sealed []thinRows
	last   thinRows // grows until it has [sealedRows]
}

// thinRows are sparse rows that follow each other.
type thinRows struct {
	ends   []int32  // by row: where its numbers end
	places []uint16 // of the numbers, ascending in each row
	values []float32
}

// sealedRows is how many rows are held together, in memory that is as large as they are.
const sealedRows = 256

// newMatrix has room for some rows.
func newMatrix(rows int) matrix { return matrix{expected: rows} }

// Add appends a row. All have one length.
func (m *matrix) Add(v []float32) error {
	if m.count == 0 {
		m.dim = len(v)
		m.sparse = addsInLanes(m.dim)
	}
	if len(v) != m.dim {
		return fmt.Errorf("vector %d has %d dimensions, the first has %d", m.count, len(v), m.dim)
	}
	if m.flat == nil && (!m.sparse || m.crowded(v)) {
		m.spread()
	}
	m.count++
	if !m.sparse {
		m.flat = append(m.flat, v...)
		return nil
	}
	m.filled += m.last.add(v)
	if len(m.last.ends) == sealedRows {
		m.sealed = append(m.sealed, m.last.sealed())
		m.last = thinRows{ends: m.last.ends[:0], places: m.last.places[:0], values: m.last.values[:0]}
	}
	return nil
}

// Done gives back what only growing needed.
func (m *matrix) Done() { m.last = m.last.sealed() }

// add appends a row and returns how many numbers of it are held.
func (t *thinRows) add(v []float32) int {
	before := len(t.places)
	for i, x := range v {
		if x != 0 {
			t.places, t.values = append(t.places, uint16(i)), append(t.values, x)
		}
	}
	t.ends = append(t.ends, int32(len(t.places)))
	return len(t.places) - before
}

func (t *thinRows) sealed() thinRows {
	return thinRows{ends: slices.Clone(t.ends), places: slices.Clone(t.places), values: slices.Clone(t.values)}
}

// row are the numbers of a row and their places.
func (t *thinRows) row(i int) ([]uint16, []float32) {
	first, last := int32(0), t.ends[i]
	if i > 0 {
		first = t.ends[i-1]
	}
	return t.places[first:last], t.values[first:last]
}

// crowded reports whether more than a quarter of all numbers is not zero with one more row: to hold the others only would save little
// then. A few crowded rows among many do not matter.
func (m *matrix) crowded(v []float32) bool {
	n := m.filled
	for _, x := range v {
		if x != 0 {
			n++
		}
	}
	return n > (m.count+fewRows)*m.dim/4
}

const fewRows = 64

// spread holds all numbers from now on.
func (m *matrix) spread() {
	flat := make([]float32, m.count*m.dim, max(m.count, m.expected)*m.dim)
	for i := range m.count {
		copy(flat[i*m.dim:], m.row(i))
	}
	*m = matrix{dim: m.dim, count: m.count, flat: flat}
}

// Dimensions is the length of the rows; 0 without any.
func (m *matrix) Dimensions() int { return m.dim }

// Bytes is what the rows take of memory.
func (m *matrix) Bytes() int64 {
	n := int64(4 * cap(m.flat))
	for _, t := range m.sealed {
		n += t.bytes()
	}
	return n + m.last.bytes()
}

func (t *thinRows) bytes() int64 {
	return int64(4*cap(t.ends) + 2*cap(t.places) + 4*cap(t.values))
}

// row is a vector. It must not be changed.
func (m *matrix) row(i int) []float32 {
	if !m.sparse {
		return m.flat[i*m.dim : (i+1)*m.dim]
	}
	v := make([]float32, m.dim)
	places, values := m.held(i)
	for j, at := range places {
		v[at] = values[j]
	}
	return v
}

// held are the numbers of a sparse row, with their places.
func (m *matrix) held(i int) ([]uint16, []float32) {
	if n := i / sealedRows; n < len(m.sealed) {
		return m.sealed[n].row(i % sealedRows)
	}
	return m.last.row(i % sealedRows)
}

// dot is the dot product of a row with a vector of its length.
func (m *matrix) dot(i int, v []float32) float32 {
	if !m.sparse {
		return blas32.Dot(blas32.Vector{N: m.dim, Inc: 1, Data: m.row(i)}, blas32.Vector{N: m.dim, Inc: 1, Data: v})
	}
	places, values := m.held(i)
	var sums [lanes]float32
	for j, at := range places {
		sums[at%lanes] += float32(values[j] * v[at]) // rounded: the two must not become one operation
	}
	return (sums[0] + sums[4] + (sums[1] + sums[5])) + (sums[2] + sums[6] + (sums[3] + sums[7]))
}

// lanes is in how many sums blas32.Dot adds up two vectors on amd64, where their length is a multiple of 16: number i goes into sum i
// modulo lanes, in the order of the places. A zero changes no sum, so that leaving it out gives the same.
const lanes = 8

// addsInLanes reports whether that is so of vectors of this length. Others are held whole.
func addsInLanes(dim int) bool {
	return runtime.GOARCH == "amd64" && dim > 0 && dim%16 == 0 && dim <= math.MaxUint16
}
