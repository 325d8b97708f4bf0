package app_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// countedCorpora counts how often the texts of a corpus are read.
type countedCorpora struct {
	experiments.Store
	reads atomic.Int64
}

func (c *countedCorpora) Corpus(ctx context.Context, ref string) (*rag.Corpus, error) {
	c.reads.Add(1)
	return c.Store.Corpus(ctx, ref)
}

// The runs of a sweep hold the texts of their corpus once, and so do its results: each of many runs would hold them again otherwise.
func TestASweepReadsItsCorpusOnce(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	e, jobs := w.Swept(t, `name: wide
base: {retrieve: {mode: bm25, k: 1}}
sweep: {chunk.size: [30, 60, 200], retrieve.k: [1, 2], generate.model: [extractive, terse]}
`)
	counted := &countedCorpora{Store: w.Store}
	w.Store = counted
	_, runs, err := w.Sweep(t.Context(), e, jobs)
	if err != nil || len(runs) != 12 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	if n := counted.reads.Swap(0); n != 1 {
		t.Errorf("%d runs read the corpus %d times", len(runs), n)
	}
	if _, err := sweeps.Evaluations(t.Context(), w.Workbench, runs); err != nil {
		t.Fatal(err)
	}
	if n := counted.reads.Load(); n != 1 {
		t.Errorf("%d evaluations read the corpus %d times", len(runs), n)
	}
}

// A name means the experiment's own run: after a sweep it meant the configuration that the sweep had tried last, so that a gate held
// the candidate against one that nobody uses.
func TestANameIsNoPartOfASweep(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	const file = "name: own\nbase: {retrieve: {mode: bm25, k: 1}}\n"
	e, jobs := w.Swept(t, file+"sweep: {retrieve.k: [2, 3]}\n")
	_, runs, err := w.Sweep(t.Context(), e, jobs)
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	last := runs[1].ID
	if found, err := w.FindRun(t.Context(), "own"); err != nil || found.ID != last {
		t.Errorf("where a sweep is all there is: %s, not %s, %v", found.ID, last, err)
	}
	own := w.Worked(t, file)
	e, jobs = w.Swept(t, file+"sweep: {retrieve.k: [2, 3]}\n")
	if _, _, err := w.Sweep(t.Context(), e, jobs); err != nil {
		t.Fatal(err)
	}
	if found, err := w.FindRun(t.Context(), "own"); err != nil || found.ID != own.ID {
		t.Errorf("the name means %s %v, not the run %s, %v", found.ID, found.Params, own.ID, err)
	}
}

// A sweep of which nothing is left is refused with the reason, before anything is planned, whichever way nothing is left.
func TestASweepOfWhichNothingIsLeftIsRefused(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for name, sweep := range map[string]string{
		"overlap": "sweep: {chunk.size: [100], chunk.overlap: [100, 200]}\n",
		"except":  "sweep: {retrieve.k: [2, 3]}\nexcept:\n  - {retrieve.k: [2, 3]}\n",
	} {
		e := w.Registered(t, "name: "+name+"\nbase: {retrieve: {mode: bm25, k: 1}}\n"+sweep)
		_, _, err := w.SweepJobs(t.Context(), e, app.Select{})
		if problem.CodeOf(err) != "sweep_empty" || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
		if ja := problem.From(err).In("ja").Message; err.Error() == ja {
			t.Errorf("%s: %s", name, ja)
		}
	}
}
