package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/bench/retrieval/evidence"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/stats"
)

// TestSplittingKeepsEachHop is row 19 of docs/retrieval.md for one of its searches: with equally many hits, the parts that a model made of
// a question find no less of either hop than the question alone.
func TestSplittingKeepsEachHop(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = "../../../../shared"
	}
	folder := filepath.Join(shared, "data", "hotpotqa_100")
	if _, err := os.Stat(folder); err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatal(err)
		}
		t.Skipf("skipped: the data set is not there (%v)", err)
	}
	corpus, err := evidence.Corpus(folder)
	if err != nil {
		t.Fatal(err)
	}
	questions, err := evidence.Questions(folder)
	if err != nil {
		t.Fatal(err)
	}
	err = recorded.In(t.Context(), "", replies, func(w *app.Workbench) error {
		plain, split, err := compare(t.Context(), w, corpus, questions, "bm25", 4)
		kept := split.first >= plain.first && split.second >= plain.second && stats.Mean(split.recall) > stats.Mean(plain.recall)
		if err == nil && !kept {
			t.Errorf("the question alone finds %.3f and %.3f, its parts %.3f and %.3f", plain.first, plain.second, split.first, split.second)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
