package rag

import (
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/blas/blas32"
)

// matrix holds the vectors of chunks, one row each. Of rows that are zero nearly everywhere, as those of the offline embedder ngram are,
// it holds the other numbers only; what is computed of them is the same to the last bit.
type matrix struct {
	dim, count int
	flat       []float32 // all numbers; nil where rows are sparse

	sparse bool
	ends   []int    // by row: where its numbers end
	places []uint16 // of the numbers, ascending in each row
	values []float32
}

// newMatrix has room for some rows.
func newMatrix(rows int) matrix { return matrix{ends: make([]int, 0, rows)} }

// add appends a row. All have one length.
func (m *matrix) add(v []float32) error {
	if m.count == 0 {
		m.dim = len(v)
		if m.sparse = addsInLanes(m.dim) && m.thin(v); !m.sparse {
			m.spread()
		}
	}
	if len(v) != m.dim {
		return fmt.Errorf("vector %d has %d dimensions, the first has %d", m.count, len(v), m.dim)
	}
	if m.sparse && !m.thin(v) {
		m.spread()
	}
	m.count++
	if !m.sparse {
		m.flat = append(m.flat, v...)
		return nil
	}
	for i, x := range v {
		if x != 0 {
			m.places, m.values = append(m.places, uint16(i)), append(m.values, x)
		}
	}
	m.ends = append(m.ends, len(m.places))
	return nil
}

// thin reports whether holding only what is not zero is worth it.
func (m *matrix) thin(v []float32) bool {
	n := 0
	for _, x := range v {
		if x != 0 {
			n++
		}
	}
	return n <= len(v)/8
}

// spread holds all numbers from now on.
func (m *matrix) spread() {
	flat := make([]float32, m.count*m.dim, max(m.count, cap(m.ends))*m.dim)
	for i := range m.count {
		copy(flat[i*m.dim:], m.row(i))
	}
	*m = matrix{dim: m.dim, count: m.count, flat: flat}
}

// row is a vector. It must not be changed.
func (m *matrix) row(i int) []float32 {
	if !m.sparse {
		return m.flat[i*m.dim : (i+1)*m.dim]
	}
	v := make([]float32, m.dim)
	first, last := m.held(i)
	for j := first; j < last; j++ {
		v[m.places[j]] = m.values[j]
	}
	return v
}

// held are the places at which the numbers of a sparse row stand.
func (m *matrix) held(i int) (first, last int) {
	if i > 0 {
		first = m.ends[i-1]
	}
	return first, m.ends[i]
}

// dot is the dot product of a row with a vector of its length.
func (m *matrix) dot(i int, v []float32) float32 {
	if !m.sparse {
		return blas32.Dot(blas32.Vector{N: m.dim, Inc: 1, Data: m.row(i)}, blas32.Vector{N: m.dim, Inc: 1, Data: v})
	}
	first, last := m.held(i)
	var sums [lanes]float32
	for j := first; j < last; j++ {
		at := m.places[j]
		sums[at%lanes] += float32(m.values[j] * v[at]) // rounded: the two must not become one operation
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
