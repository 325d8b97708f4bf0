package search

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/blas/blas32"
)

// BenchmarkDenseSearch searches 100,000 chunks of 384 dimensions. Its metric "x-bare-dot" is the time of the search over
// the time of nothing but the dot products, measured in turns on the same vectors.
func BenchmarkDenseSearch(b *testing.B) {
	const chunks, dim, k = 100_000, 384, 10
	index, err := vectorsOf(unitVectors(1, chunks, dim))
	if err != nil {
		b.Fatal(err)
	}
	query := unitVectors(2, 1, dim)[0]
	var search, bare time.Duration
	var sink float32
	for b.Loop() {
		start := time.Now()
		for i := range chunks {
			row := blas32.Vector{N: dim, Inc: 1, Data: index.flat[i*dim : (i+1)*dim]}
			sink += blas32.Dot(row, blas32.Vector{N: dim, Inc: 1, Data: query})
		}
		between := time.Now()
		found, err := index.Search(b.Context(), query, nil, k)
		if err != nil || len(found) != k {
			b.Fatalf("%d found, %v", len(found), err)
		}
		bare += between.Sub(start)
		search += time.Since(between)
	}
	if sink != sink {
		b.Fatal("a dot product is not a number")
	}
	b.ReportMetric(float64(search)/float64(bare), "x-bare-dot")
	b.ReportMetric(float64(search.Milliseconds())/float64(b.N), "ms/search")
}
