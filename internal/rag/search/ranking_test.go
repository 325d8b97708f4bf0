package search

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recordedCases are cases that bench/retrieval/oracles.py computed with other programs.
func recordedCases(t *testing.T) (out rankingCases) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "ranking.json"))
	if err == nil {
		err = json.Unmarshal(body, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

type rankingCases struct {
	BM25 []struct {
		K1, B   float64
		Texts   []string
		Queries []struct {
			Query  string
			Scores []float64
		}
	}
	Fusion []struct {
		Dense, Words [][2]float64
		RRF, Convex  map[string]float64
	}
	MMR []struct {
		Lambda     float64
		Query      []float32
		Candidates [][]float32
		Order      []int
	}
}

// Every score is that of bm25s, method lucene, over the same terms; and settings that search at the same time do not mix.
func TestBM25IsThatOfTheTextbook(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for _, c := range recordedCases(t).BM25 {
		wg.Go(func() {
			index, err := postingsOf(c.Texts)
			if err != nil {
				t.Error(err)
				return
			}
			for _, q := range c.Queries {
				found, err := index.search(q.Query, BM25{K1: c.K1, B: c.B}, nil, len(c.Texts))
				if err != nil {
					t.Error(err)
				}
				got := make([]float64, len(c.Texts))
				for _, f := range found {
					got[f.Chunk] = f.Score
				}
				for i, want := range q.Scores {
					if math.Abs(want-got[i]) > 1e-4 {
						t.Errorf("k1 %v, b %v: %q in text %d scores %v, bm25s says %v", c.K1, c.B, q.Query, i, got[i], want)
					}
				}
				if short, _ := index.search(q.Query, BM25{K1: c.K1, B: c.B}, nil, 5); !slices.Equal(short, found[:min(5, len(found))]) {
					t.Errorf("the best 5 are not the first 5 of all")
				}
			}
		})
	}
	wg.Wait()
}

func rankedOf(pairs [][2]float64) []Ranked {
	out := make([]Ranked, len(pairs))
	for i, p := range pairs {
		out[i] = Ranked{Chunk: int(p[0]), Score: p[1]}
	}
	return out
}

func TestFusionIsThatOfRanx(t *testing.T) {
	t.Parallel()
	equal := func(name string, want map[string]float64, got []Ranked) {
		if len(want) != len(got) {
			t.Errorf("%s: %d of %d chunks", name, len(got), len(want))
		}
		for _, g := range got {
			if math.Abs(want[strconv.Itoa(g.Chunk)]-g.Score) > 1e-9 {
				t.Errorf("%s: chunk %d has %v, ranx says %v", name, g.Chunk, g.Score, want[strconv.Itoa(g.Chunk)])
			}
		}
	}
	for _, c := range recordedCases(t).Fusion {
		dense, words := rankedOf(c.Dense), rankedOf(c.Words)
		equal("rrf", c.RRF, Fuse(100, 60, nil, dense, words))
		equal("convex", c.Convex, Convex(100, 0.3, NormMinMax, dense, words))
	}
}

func TestFusionSettings(t *testing.T) {
	t.Parallel()
	dense, words := []Ranked{{1, 0.9}, {2, 0.5}}, []Ranked{{2, 8}, {3, 4}}
	if got := Fuse(3, 60, []float64{0, 1}, dense, words); got[0].Chunk != 2 || got[2].Score != 0 {
		t.Errorf("with no weight on dense: %v", got)
	}
	if got := Convex(3, 1, NormMinMax, dense, words); got[0].Chunk != 1 || got[0].Score != 1 {
		t.Errorf("alpha 1 is not dense: %v", got)
	}
	// A single hit was found best of all: ranx would give it nothing.
	if got := Convex(1, 0.5, NormMinMax, nil, words[:1]); got[0].Score != 0.5 {
		t.Errorf("a single hit scores %v", got)
	}
	if got := normalised(NormTheoretical, -1, dense); got[0] != 1 || math.Abs(got[1]-1.5/1.9) > 1e-12 {
		t.Errorf("theoretical: %v", got)
	}
	if got := normalised(NormZ, 0, words); got[0] != 1 || got[1] != -1 {
		t.Errorf("z: %v", got)
	}
	if got := normalised(NormZ, 0, words[:1]); got[0] != 0 {
		t.Errorf("z of one: %v", got)
	}
}

func TestMMRIsThatOfLangChain(t *testing.T) {
	t.Parallel()
	for _, c := range recordedCases(t).MMR {
		got := MMR{Lambda: c.Lambda, FetchK: 12}.Choose(c.Query, c.Candidates, len(c.Order))
		if diff := cmp.Diff(c.Order, got); diff != "" {
			t.Errorf("lambda %v (-langchain +ours):\n%s", c.Lambda, diff)
		}
		if fewer := (MMR{Lambda: c.Lambda, FetchK: 12}).Choose(c.Query, c.Candidates, 3); !slices.Equal(fewer, got[:3]) {
			t.Errorf("the choice for 3 is not the beginning of that for 6: %v, %v", fewer, got)
		}
	}
}

func TestAnalyzers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		analyzer, text string
		want           []string
	}{
		{AnalyzerAuto, "領収書は Paid", []string{"領収", "収書", "書は", "paid"}},
		{AnalyzerWhitespace, "The Forms, the forms", []string{"The", "Forms,", "the", "forms"}},
		{AnalyzerStandard, "The Forms, the forms", []string{"the", "forms", "the", "forms"}},
		{AnalyzerEnglish, "The Forms, the forms", []string{"form", "form"}},
		{AnalyzerAuto, "", []string{}},
	} {
		var got []string
		err := eachTerm(c.analyzer, c.text, func(term []byte) { got = append(got, string(term)) })
		if err != nil || !slices.Equal(c.want, got) {
			t.Errorf("%s of %q: %q, want %q (%v)", c.analyzer, c.text, got, c.want, err)
		}
	}
}
