package app_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// manyPassages needs two calls for the verdicts on one question: its contexts are more than one call holds.
const manyPassages = `
name: passages
suite: [compact, retrieval]
judge: {provider: openai, model: judge-1}
base:
  chunk: {size: 12}
  embedding: {provider: offline, model: ngram}
  retrieve: {mode: dense, k: 20}
  generate: {provider: openai, model: writer-1}
`

// TestBrokenOffWorkAsksForNothingElse: however many questions are worked at a time, and wherever a run is broken off and gone on with, it
// buys the requests of an undisturbed run, each once: what is asked in one call does not depend on what happened to be finished.
func TestBrokenOffWorkAsksForNothingElse(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	var mu sync.Mutex
	paid := map[string]int{}
	w.Provider = fakeprovider.New(fakeprovider.Options{
		Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(),
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			mu.Lock()
			defer mu.Unlock()
			paid[r.Hash]++
			return fakeprovider.Behaviour{}
		},
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var undisturbed []string
	for _, how := range []struct{ inFlight, calls int }{{1, 0}, {6, 0}, {1, 5}, {3, 7}, {6, 3}} {
		other := *w // a folder of its own: the same provider, nothing bought, and the same secret in prompts
		other.Dir = t.TempDir()
		if err := os.CopyFS(other.Dir, os.DirFS(w.Dir)); err != nil {
			t.Fatal(err)
		}
		other.OpenAgain(t, "")
		other.Options.Concurrency = how.inFlight
		clear(paid)
		job := other.JobFile(t, manyPassages)
		job.Budget = experiments.Budget{Calls: how.calls}
		run, err := other.Run(t.Context(), job)
		for parts := 2; err != nil; parts++ {
			if parts > 100 || run.ID == "" || !strings.Contains(err.Error(), "budget") {
				t.Fatalf("%+v: %v", how, err)
			}
			if err := other.SetBudget(t.Context(), run.ID, experiments.Budget{Calls: parts * how.calls}); err != nil {
				t.Fatal(err)
			}
			_, err = other.Resume(t.Context(), run.ID)
		}
		bought := slices.Sorted(maps.Keys(paid))
		for _, hash := range bought {
			if paid[hash] > 1 {
				t.Errorf("%+v: a request was bought %d times", how, paid[hash])
			}
		}
		if undisturbed == nil {
			undisturbed = bought
			calls, err := other.Store.Calls(t.Context(), run.ID)
			verdicts := 0
			for _, c := range calls {
				if c.Purpose == metrics.PurposeVerify {
					verdicts++
				}
			}
			if err != nil || verdicts <= 2*len(apptest.AskedQuestions) {
				t.Fatalf("%d calls for verdicts on %d questions, %v: every question fits into one call", verdicts, len(apptest.AskedQuestions), err)
			}
		}
		if diff := cmp.Diff(undisturbed, bought); diff != "" {
			t.Errorf("%+v: other requests than undisturbed (%d, %d):\n%s", how, len(undisturbed), len(bought), diff)
		}
	}
}
