package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// The bars of docs/retrieval.md, row 2: chunks of 400 characters with an overlap of 80, cut at our separators.
func TestChunksEndWhereSentencesDo(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = "../../../../shared"
	}
	for name, bar := range map[string]float64{"jaquad": 0.16, "nta_tax_qa": 1, "covid_qa": 0.10, "clapnq": 0.10} {
		folder := filepath.Join(shared, "data", name)
		if _, err := os.Stat(folder); err != nil {
			if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
				t.Fatal(err)
			}
			t.Skipf("skipped: the data sets are not there (%v)", err)
		}
		n, err := measure(rag.Chunking{By: rag.ByRecursive, Size: 400, Overlap: 80}, folder, 100, 0)
		if err != nil {
			t.Fatal(err)
		}
		if share := float64(n.unmarked) / float64(n.chunks); share > bar {
			t.Errorf("%s: %s; at most %.0f%% may lack a mark", name, n, 100*bar)
		}
		if name == "nta_tax_qa" && n.inside > 0 { // every page ends in the laws that it cites, without a mark
			t.Errorf("%s: %s; none may end inside a sentence", name, n)
		}
		if n.word > 0 || n.mark > 0 {
			t.Errorf("%s: %s", name, n)
		}
	}
}

// Plain windows show that the measure sees what it is there to see.
func TestMarked(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"終わる。": true, "終わる。」": true, "It ends.)": true,
		"Why?": true, "終わ": false, "a, ": false, "（）": false, "": false} {
		if marked([]rune(s)) != want {
			t.Errorf("%q is marked: %v", s, !want)
		}
	}
	if !lineEnds([]rune(" \nx")) || !lineEnds(nil) || lineEnds([]rune(" x\n")) {
		t.Error("lines end at a line feed and with the text")
	}
}
