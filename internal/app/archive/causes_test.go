package archive

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestABoughtDiagnosisStopsAtItsBudget interrupts a diagnosis by its budget and goes on: what was bought is not bought again, and a
// study of it is recomputed from the banked replies alone.
func TestABoughtDiagnosisStopsAtItsBudget(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"],
		Answer: fakeprovider.Offline(laboratory.CauseOfflineHandlers())})
	run := w.Worked(t, strings.NewReplacer("name: bought", "name: costly", "k: 2", "k: 1", "size: 80", "size: 60").Replace(apptest.Bought))
	if run.Totals.LowScoreCount < 2 {
		t.Fatalf("%d answers are low", run.Totals.LowScoreCount)
	}
	plan, err := analyses.PlanDiagnose(t.Context(), w.Workbench, run.ID, analyses.DiagnoseRules{Trials: 2})
	if err != nil || plan.Free || plan.Typical == 0 || plan.Most <= plan.Typical {
		t.Fatalf("planned %+v, %v", plan, err)
	}
	before := w.Billed("chat/completions")
	stopped, err := analyses.Diagnose(t.Context(), w.Workbench, run.ID,
		analyses.DiagnoseRules{Trials: 2, Budget: experiments.Budget{Calls: 10}})
	if !problem.Is(err, problem.Incomplete) || stopped.State == experiments.Finished {
		t.Fatalf("with a budget of 10 calls: %s, %v", stopped.State, err)
	}
	if n := w.Billed("chat/completions") - before; n > 10 {
		t.Errorf("%d calls under a budget of 10", n)
	}
	done, err := analyses.Diagnose(t.Context(), w.Workbench, run.ID,
		analyses.DiagnoseRules{Trials: 2, Budget: experiments.Budget{Calls: 5000}})
	if err != nil || done.ID != stopped.ID || done.State != experiments.Finished {
		t.Fatalf("gone on: %s %s, %v", done.ID, done.State, err)
	}
	paid := w.Billed("chat/completions")
	if _, err := analyses.Diagnose(t.Context(), w.Workbench, run.ID, analyses.DiagnoseRules{Trials: 2}); err != nil ||
		w.Billed("chat/completions") != paid {
		t.Errorf("a third time it bought %d calls, %v", w.Billed("chat/completions")-paid, err)
	}
	path, all := filepath.Join(w.Dir, "study.zip"), filepath.Join(w.Dir, "all.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test", done.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := ExportEverything(t.Context(), w.Workbench, all, "test"); err != nil { // also what only the analysis wrote
		t.Fatal(err)
	}
	for _, path := range []string{path, all} {
		v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
		if err != nil || !v.Equal || !slices.ContainsFunc(v.Runs, func(r RunVerified) bool { return r.ID == done.ID && r.Recomputed > 0 }) {
			t.Errorf("recomputed: %+v, %v", v, err)
		}
	}
}
