package rag

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/blas/blas32"
)

// newDenseIndex is an index of vectors.
func newDenseIndex(vectors [][]float32) (*denseIndex, error) {
	x := &denseIndex{matrix: newMatrix(len(vectors))}
	for _, v := range vectors {
		if err := x.add(v); err != nil {
			return nil, err
		}
	}
	x.done()
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
		normalise(out[i])
	}
	return out
}

// bare is what one dot product after the other gives.
func bare(vectors [][]float32, query []float32, allowed []bool, n int) []ranked {
	var all []ranked
	for i, v := range vectors {
		if allowed == nil || allowed[i] {
			score := blas32.Dot(blas32.Vector{N: len(v), Inc: 1, Data: v}, blas32.Vector{N: len(v), Inc: 1, Data: query})
			all = append(all, ranked{chunk: i, score: float64(score)})
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
		index, err := newDenseIndex(vectors)
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
			together, err := index.searchMany(t.Context(), queries, passes, 20)
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
	index, err := newDenseIndex(vectors)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for user := range 16 {
		wg.Go(func() {
			for i := user; i < len(vectors); i += 97 {
				found, err := index.search(t.Context(), vectors[i], nil, 5)
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

// What is found for questions does not depend on whether they were expected, and those that were are not ranked again.
func TestExpectedQuestionsFindTheSame(t *testing.T) {
	t.Parallel()
	texts, _ := twins()
	docs := make([]Document, len(texts))
	for i, s := range texts {
		docs[i] = Document{ID: fmt.Sprint(i), Text: s}
	}
	questions := []string{"医療費控除の対象は何ですか", "how lazy is the quick fox", "領収書は何年保存しますか", "how lazy is the quick fox"}
	for name, change := range map[string]func(*Config){
		"dense":     func(*Config) {},
		"hybrid":    func(c *Config) { c.Retrieve.Mode = "hybrid" },
		"bm25":      func(c *Config) { c.Retrieve.Mode = "bm25" },
		"rewritten": func(c *Config) { c.Rewrite = Rewrite{Mode: "expand"} },
		"varied":    func(c *Config) { c.Retrieve.MMR = DefaultMMR() },
		"reranked":  func(c *Config) { c.Rerank, c.Retrieve.K = Rerank{Mode: "lexical"}, 8 },
	} {
		r, expected := newRig(docs...), newRig(docs...)
		alone, system := r.open(t, change), expected.open(t, change)
		if err := system.Expect(t.Context(), questions); err != nil {
			t.Fatal(err)
		}
		if _, known := system.index.remembered(asked{query: questions[0]}, 3); known != (name != "bm25" && name != "rewritten") {
			t.Errorf("%s: the ranking is at hand: %v", name, known)
		}
		for _, q := range questions {
			want, _, err := alone.Retrieve(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := system.Retrieve(t.Context(), q)
			if diff := gocmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s: %q (-alone +expected):\n%s%v", name, q, diff, err)
			}
		}
	}
}
