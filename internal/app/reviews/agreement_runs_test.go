package reviews

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestAgreedThresholdOfRuns lets the agreement decide the threshold of every new run, sweeps included, and leaves finished runs alone.
func TestAgreedThresholdOfRuns(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	before := w.Worked(t, "name: flat\nlow_score: 2.5")
	if before.Setup.LowScore != 2.5 {
		t.Fatalf("without agreement the experiment decides, not %v", before.Setup.LowScore)
	}
	agree(w, t, "{agreed_by: [me], low_score: 4}")
	after := w.Worked(t, "name: flat\nlow_score: 2.5")
	if after.Setup.LowScore != 4 || after.ID == before.ID {
		t.Errorf("run %s counts low scores with %v, want 4", after.ID, after.Setup.LowScore)
	}
	if after.Totals.LowScoreCount < before.Totals.LowScoreCount {
		t.Errorf("%d low scores with 4, %d with 2.5", after.Totals.LowScoreCount, before.Totals.LowScoreCount)
	}
	e := w.Registered(t, "name: swept\nsweep: {retrieve.k: [1, 2]}")
	jobs, _, err := w.SweepJobs(t.Context(), e, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	newest, err := NewestOn(t.Context(), w.Workbench, after.Setup.Dataset.Name)
	if err != nil || newest.ID != after.ID {
		t.Fatalf("the newest run is %s, %v, not %s", newest.ID, err, after.ID)
	}
	if _, _, err := w.Sweep(t.Context(), e, jobs); err != nil {
		t.Fatal(err)
	}
	if newest, err = NewestOn(t.Context(), w.Workbench, after.Setup.Dataset.Name); err != nil || newest.ID != after.ID {
		t.Errorf("a leg of a sweep is set beside what was agreed: %s, %v, not %s", newest.ID, err, after.ID)
	}
	for _, j := range jobs {
		if j.Setup.LowScore != 4 {
			t.Errorf("a run of a sweep counts low scores with %v", j.Setup.LowScore)
		}
	}
	then, err := experiments.LoadEvaluation(t.Context(), w.Store, before.ID)
	if err != nil || then.Run.Setup.LowScore != 2.5 {
		t.Errorf("the finished run counts low scores with %v now, %v", then.Run.Setup.LowScore, err)
	}
}
