package rag

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/text"
)

// oracle reads what `bench/retrieval/oracles.py full` recorded over data sets that this repository does not hold.
func oracle[T any](t *testing.T, name string) T {
	t.Helper()
	folder := os.Getenv("WORKBENCH_ORACLES")
	if folder == "" {
		t.Skip("set WORKBENCH_ORACLES to the folder of bench/retrieval/oracles.py full")
	}
	var out T
	body, err := os.ReadFile(filepath.Join(folder, name))
	if err == nil {
		err = json.Unmarshal(body, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFullSampleOfSplits(t *testing.T) {
	golden := oracle[splitCases](t, "splits.json")
	golden.compare(t)
	t.Logf("%d texts, %d cases", len(golden.Texts), len(golden.Texts)*len(golden.Cases))
}

func TestFullSampleOfTokens(t *testing.T) {
	golden := oracle[map[string]json.RawMessage](t, "tokens.json")
	var texts []string
	if err := json.Unmarshal(golden["texts"], &texts); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, encoding := range []string{"cl100k_base", "o200k_base"} {
		var want [][2]any
		if err := json.Unmarshal(golden[encoding], &want); err != nil {
			t.Fatal(err)
		}
		count := text.TokenCounter(encoding)
		for i, s := range texts {
			spans := text.Tokens(encoding, s)
			ends := make([]string, len(spans))
			for n, span := range spans {
				ends[n] = fmt.Sprint(span.End)
			}
			sum := sha256.Sum256([]byte(strings.Join(ends, ",")))
			if got := hex.EncodeToString(sum[:])[:16]; float64(count([]rune(s))) != want[i][0] || got != want[i][1] {
				t.Errorf("%s, text %d: %d tokens, ends %s; tiktoken has %v", encoding, i, count([]rune(s)), got, want[i])
			}
			compared++
		}
	}
	t.Logf("%d texts compared", compared)
}

func TestFullSampleOfWords(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		golden := oracle[struct {
			Texts, Queries []string
			Cases          []struct {
				K1, B float64
				Best  [][][2]float64
			}
		}](t, "words_"+lang+".json")
		index, err := search.NewPostings(search.AnalyzerWhitespace, len(golden.Texts), func(i int) string { return golden.Texts[i] })
		if err != nil {
			t.Fatal(err)
		}
		asked, same, off := 0, 0, 0.0
		for _, c := range golden.Cases {
			for i, q := range golden.Queries {
				found, err := index.Find(t.Context(), q, search.BM25{K1: c.K1, B: c.B, Analyzer: search.AnalyzerWhitespace}, nil, 10)
				if err != nil {
					t.Fatal(err)
				}
				scores := map[int]float64{}
				for _, f := range found {
					scores[f.Chunk] = f.Score
				}
				for _, best := range c.Best[i] {
					if best[1] == 0 {
						continue // without a word of the question
					}
					asked++
					if score, ok := scores[int(best[0])]; ok {
						same++
						off = max(off, math.Abs(score-best[1]))
					}
				}
			}
		}
		t.Logf("%s: %d chunks, %d questions: %d of %d of the best ten, scores off by %.1e at most", lang, len(golden.Texts),
			len(golden.Queries), same, asked, off)
		if float64(same) < 0.99*float64(asked) || off > 1e-4 {
			t.Errorf("%s is not that of bm25s", lang)
		}
	}
}
