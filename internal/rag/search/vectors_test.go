package search

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/blas/blas32"
)

// vectorsOf is an index of vectors.
func vectorsOf(vectors [][]float32) (*Vectors, error) {
	x := NewVectors(len(vectors))
	for _, v := range vectors {
		if err := x.Add(v); err != nil {
			return nil, err
		}
	}
	x.Done()
	return x, nil
}

// thinVectors are zero nearly everywhere, as those of the offline embedder ngram are; every third one is the one before it again.
func thinVectors(seed uint64, n, dim int) [][]float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([][]float32, n)
	for i := range out {
		if out[i] = make([]float32, dim); i%3 == 2 {
			copy(out[i], out[i-1])
			continue
		}
		for range dim / 10 {
			out[i][r.IntN(dim)] = float32(r.NormFloat64())
		}
		Unit(out[i])
	}
	return out
}

// bare is what one dot product after the other gives.
func bare(vectors [][]float32, query []float32, allowed []bool, n int) []Ranked {
	var all []Ranked
	for i, v := range vectors {
		if allowed == nil || allowed[i] {
			score := blas32.Dot(blas32.Vector{N: len(v), Inc: 1, Data: v}, blas32.Vector{N: len(v), Inc: 1, Data: query})
			all = append(all, Ranked{Chunk: i, Score: float64(score)})
		}
	}
	slices.SortFunc(all, byScore)
	return all[:min(n, len(all))]
}

// However many searches go together, and however the vectors are held, scores and order are those of bare dot products to the last bit.
func TestSearchesTogetherAreThoseAlone(t *testing.T) {
	t.Parallel()
	for name, vectors := range map[string][][]float32{
		"whole": unitVectors(1, 500, 70), "thin": thinVectors(2, 500, 2048),
		"of odd length": thinVectors(3, 500, 100), "first thin": append(thinVectors(4, 200, 160), unitVectors(5, 200, 160)...),
	} {
		index, err := vectorsOf(vectors)
		if err != nil {
			t.Fatal(err)
		}
		if want := name == "thin" && addsInLanes(2048); index.sparse != want {
			t.Errorf("%s: only what is not zero is held: %v", name, index.sparse)
		}
		allowed := make([]bool, len(vectors))
		for i := range allowed {
			allowed[i] = i%7 != 0
		}
		queries := append(slices.Clone(vectors[:90]), unitVectors(6, 60, len(vectors[0]))...)
		for _, passes := range [][]bool{nil, allowed} {
			together, err := index.SearchMany(t.Context(), queries, passes, 20)
			if err != nil {
				t.Fatal(err)
			}
			for i, q := range queries {
				if want := bare(vectors, q, passes, 20); !slices.Equal(want, together[i]) {
					t.Fatalf("%s: query %d found %v, alone %v", name, i, together[i], want)
				}
			}
		}
		for i := range vectors {
			if !slices.Equal(vectors[i], index.row(i)) {
				t.Fatalf("%s: row %d is another one", name, i)
			}
		}
	}
}

func TestSearchesAtOnceEachFindTheirOwn(t *testing.T) {
	t.Parallel()
	vectors := unitVectors(7, 2000, 64)
	index, err := vectorsOf(vectors)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for user := range 16 {
		wg.Go(func() {
			for i := user; i < len(vectors); i += 97 {
				found, err := index.Search(t.Context(), vectors[i], nil, 5)
				if want := bare(vectors, vectors[i], nil, 5); err != nil || !slices.Equal(want, found) {
					t.Errorf("vector %d found %v, alone %v, %v", i, found, want, err)
				}
			}
		})
	}
	wg.Wait()
	for left := func() int { // a pass ends a moment after its last search
		index.mu.Lock()
		defer index.mu.Unlock()
		return index.passes + len(index.waiting)
	}; left() > 0; {
		runtime.Gosched()
	}
}

func TestDenseSearchIsExact(t *testing.T) {
	t.Parallel()
	for _, dim := range []int{1, 2, 3, 7, 16, 130} {
		vectors := unitVectors(uint64(dim), 400, dim)
		index, err := vectorsOf(vectors)
		if err != nil {
			t.Fatal(err)
		}
		for _, query := range unitVectors(99, 5, dim) {
			type scored struct {
				chunk int
				dot   float64
			}
			want := make([]scored, len(vectors))
			for i, v := range vectors {
				want[i].chunk = i
				for j := range v {
					want[i].dot += float64(v[j]) * float64(query[j])
				}
			}
			slices.SortFunc(want, func(a, b scored) int { return cmp.Compare(b.dot, a.dot) })
			for _, n := range []int{1, 3, 60, 400, 500} {
				got, err := index.Search(t.Context(), query, nil, n)
				if err != nil || len(got) != min(n, len(vectors)) {
					t.Fatalf("%d dimensions: %d of %d found, %v", dim, len(got), n, err)
				}
				for i, g := range got { // float32 sums may exchange two that are closer than its precision
					if d := g.Score - want[i].dot; d > 1e-5 || d < -1e-5 {
						t.Fatalf("%d dimensions: place %d has %v, brute force %v", dim, i, g, want[i])
					}
				}
			}
		}
	}
}

func TestDenseSearchFaults(t *testing.T) {
	t.Parallel()
	if _, err := vectorsOf([][]float32{{1, 0}, {1}}); err == nil {
		t.Error("vectors of two lengths were accepted")
	}
	index, err := vectorsOf([][]float32{{1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := index.Search(t.Context(), []float32{1}, nil, 1); err == nil {
		t.Error("a query of another length was accepted")
	}
	empty, err := vectorsOf(nil)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := empty.Search(t.Context(), []float32{1}, nil, 3); err != nil || len(found) != 0 {
		t.Errorf("an empty index found %v, %v", found, err)
	}
}

func TestTopKeepsTheOrderOfEquals(t *testing.T) {
	t.Parallel()
	for _, total := range []int{0, 1, 7, 100, 5000} {
		all := make([]Ranked, total)
		for i := range all {
			all[i] = Ranked{Chunk: i, Score: float64(i * 7919 % 13)}
		}
		want := slices.Clone(all)
		slices.SortStableFunc(want, func(a, b Ranked) int { return cmp.Compare(b.Score, a.Score) })
		for _, n := range []int{0, 1, 5, 50, total} {
			got := Top(slices.Clone(all), n)
			if diff := gocmp.Diff(want[:min(n, total)], got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%d of %d (-want +got):\n%s", n, total, diff)
			}
		}
	}
}

// unitVectors are n random vectors of length 1, one after the other in one array as a dense index keeps them.
func unitVectors(seed uint64, n, dim int) [][]float32 {
	r := rand.New(rand.NewPCG(seed, 0))
	vectors := make([][]float32, n)
	for i := range vectors {
		v := make([]float32, dim)
		for j := range v {
			v[j] = float32(r.NormFloat64())
		}
		vectors[i] = Unit(v)
	}
	return vectors
}
