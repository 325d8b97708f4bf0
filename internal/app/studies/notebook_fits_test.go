package studies

import (
	"maps"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/notebooks"
)

// TestTheRunBehindACellIsTheOneThatItAsksFor puts every run of a notebook behind every place of its lock, as whoever edits the file can:
// the cell is not up to date then, and says why.
func TestTheRunBehindACellIsTheOneThatItAsksFor(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	n := notebook(w, t, freeNotebook)
	v, err := n.Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil || len(v.Stale()) > 0 {
		t.Fatalf("%v: %+v", err, v.Stale())
	}
	other := func(c notebooks.CellView) bool {
		return slices.ContainsFunc(c.Reasons, func(r notebooks.Reason) bool { return r.Code == "other_run" })
	}
	honest, swapped := n.Lock.Cells, 0
	for name, e := range honest {
		for i, is := range e.Runs {
			for _, run := range n.RunIDs() {
				if run == is.ID {
					continue
				}
				forged := e
				forged.Runs = slices.Clone(e.Runs)
				forged.Runs[i].ID = run
				n.Lock.Cells = maps.Clone(honest)
				n.Lock.Cells[name] = forged
				now, err := n.Evaluate(t.Context(), false)
				if err != nil {
					t.Fatal(err)
				}
				shown := now.Cell(name)
				if swapped++; shown.State == notebooks.Fresh || shown.State == notebooks.Stale && !other(*shown) {
					t.Errorf("run %s in the place of %s behind cell %s: %s %v", run, is.ID, name, shown.State, shown.Why)
				}
			}
		}
	}
	if swapped < 10 {
		t.Errorf("%d swaps", swapped)
	}
	// Running the notebook again brings the right runs back, and makes no new one.
	n.Lock.Cells = maps.Clone(honest)
	forged := honest["r0"]
	forged.Runs = []notebooks.BoughtRun{{Label: forged.Runs[0].Label, ID: honest["r1"].Runs[0].ID}}
	n.Lock.Cells["r0"] = forged
	if v, err = n.Run(t.Context(), notebooks.Options{Approve: yes}); err != nil || len(v.Stale()) > 0 ||
		n.Lock.Cells["r0"].Runs[0].ID != honest["r0"].Runs[0].ID {
		t.Errorf("%v: %+v %+v", err, v.Stale(), n.Lock.Cells["r0"])
	}
}
