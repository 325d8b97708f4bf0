package rag

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

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
		"varied":    func(c *Config) { c.Retrieve.MMR = search.DefaultMMR() },
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

// TestStandInsAreMiddlingOrTheLongest: a plan expects chunks of middle length and is bounded by the longest.
func TestStandInsAreMiddlingOrTheLongest(t *testing.T) {
	t.Parallel()
	var docs []Document
	for i := range 5 {
		docs = append(docs, Document{ID: fmt.Sprint(i), Lang: "en", Text: strings.Repeat("Some words of a page. ", 3*(i+1))})
	}
	s := newRig(docs...).open(t, func(c *Config) { c.Chunk.Size, c.Chunk.Overlap = 1000, 0 })
	for most, want := range map[bool][]string{false: {"1", "2"}, true: {"3", "4"}} {
		var got []string
		for _, h := range s.standInHits(&llm.NotBought{Most: most}, "0123456789abcdef", 2) {
			got = append(got, h.DocID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("most %t (-want +got):\n%s", most, diff)
		}
	}
}
