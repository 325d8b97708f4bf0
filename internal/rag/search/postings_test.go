package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Packed postings give the scores of lists that hold every number whole, to the last bit: terms of every chunk, of a few far apart, and
// of one chunk hundreds of times.
func TestPackedPostingsScoreAsPlainLists(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	texts := make([]string, 20_000)
	plain, lengths, total := map[string]map[int]float64{}, make([]float64, len(texts)), 0.0
	for i := range texts {
		words := []string{"all", fmt.Sprint("w", r.IntN(200))}
		if i%9_000 == 0 {
			words = append(words, "rare")
		}
		for range r.IntN(3) * r.IntN(100) {
			words = append(words, "often")
		}
		if i != 7 { // an empty chunk has no terms
			texts[i] = strings.Join(words, " ")
			lengths[i] = float64(len(words))
			total += lengths[i]
			for _, w := range words {
				if plain[w] == nil {
					plain[w] = map[int]float64{}
				}
				plain[w][i]++
			}
		}
	}
	index, err := postingsOf(texts)
	if err != nil {
		t.Fatal(err)
	}
	mean, n := total/float64(len(texts)), float64(len(texts))
	for _, set := range []BM25{{K1: 1.2, B: 0.75}, {K1: 0, B: 0.5}, {K1: 2, B: 0}} {
		for _, query := range []string{"rare often", "all often often w3", "w1 w2 w3 unknown", ""} {
			want := make([]Ranked, len(texts))
			for i := range want {
				want[i].Chunk = i
			}
			for term := range strings.FieldsSeq(query) {
				held := float64(len(plain[term]))
				idf := math.Log(1 + (n-held+0.5)/(held+0.5))
				for i, tf := range plain[term] {
					length := 1 - set.B + set.B*lengths[i]/mean
					want[i].Score += idf * tf / (tf + set.K1*length)
				}
			}
			want = slices.DeleteFunc(want, func(r Ranked) bool { return r.Score == 0 })
			slices.SortFunc(want, byScore)
			got, err := index.search(query, set, nil, len(texts))
			if err != nil || !slices.Equal(want, got) {
				t.Errorf("%v: %q finds %d chunks, plain lists %d, or other scores; %v", set, query, len(got), len(want), err)
			}
		}
	}
}

// postingsOf indexes texts whose terms are what white space separates.
func postingsOf(texts []string) (*Postings, error) {
	return NewPostings(AnalyzerWhitespace, len(texts), func(i int) string { return texts[i] })
}
