package views

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/listing"
)

// TestTheLastRunOfASweptExperimentIsItsSweep in the list and in its revisions, not the run that ended last within it.
func TestTheLastRunOfASweptExperimentIsItsSweep(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	e, jobs := w.Swept(t, "name: swept\nsuite: [correctness]\nbase: {retrieve: {mode: bm25, k: 1}}\nsweep: {retrieve.k: [1, 3]}\n")
	sweep, _, err := w.Sweep(t.Context(), e, jobs)
	if err != nil {
		t.Fatal(err)
	}
	v := NewViews(w.Workbench)
	list, err := v.Experiments(t.Context(), false, "", listing.Page{})
	if err != nil || len(list.Items) != 1 {
		t.Fatal(list.Items, err)
	}
	if last := list.Items[0].LastRun; last == nil || last.RunID != sweep.ID {
		t.Errorf("the list leads to %+v, the sweep is %s", last, sweep.ID)
	}
	one, err := v.ExperimentNamed(t.Context(), "swept")
	if err != nil {
		t.Fatal(err)
	}
	if r := one.Revisions[0]; r.Sweep != sweep.ID {
		t.Errorf("the revision leads to %+v, the sweep is %s", r, sweep.ID)
	}
}
