package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// BenchmarkSweep runs the sweep of the founding paper's kind (chunk size × overlap × k × search) over 153 Japanese
// questions, from an empty data directory each time.
func BenchmarkSweep(b *testing.B) {
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	data := filepath.Join(shared, "data", "nta_tax_qa")
	if _, err := os.Stat(data); err != nil {
		b.Skipf("no shared data: %v", err)
	}
	definition, err := experiments.ParseDefinition([]byte(`
name: nta
corpus: nta
dataset: nta
base: {embedding: {provider: offline, model: ngram}}
sweep: {chunk.size: [200, 400, 800, 1000], chunk.overlap: [0, 200], retrieve.k: [3, 4], retrieve.mode: [bm25, dense]}
`), "")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w, err := app.Open(b.Context(), app.Options{DataDir: b.TempDir(), Getenv: func(string) string { return "" },
			Now: apptest.SteadyClock()})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.ImportCorpus(b.Context(), filepath.Join(data, "corpus.jsonl"), "nta", false); err != nil {
			b.Fatal(err)
		}
		if _, _, err := w.ImportDataset(b.Context(), filepath.Join(data, "questions.jsonl"), "nta", "nta", nil); err != nil {
			b.Fatal(err)
		}
		e, err := w.Store.PutExperiment(b.Context(), definition, w.Options.Now())
		if err != nil {
			b.Fatal(err)
		}
		jobs, _, err := w.SweepJobs(b.Context(), e, app.Select{})
		if err != nil {
			b.Fatal(err)
		}
		if _, runs, err := w.Sweep(b.Context(), e, jobs); err != nil || len(runs) != 28 {
			b.Fatalf("%d runs, %v", len(runs), err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
