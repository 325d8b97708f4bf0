package analyses

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/mappings/mappingstest"
)

// TestDiagnoseARunOverATeamsIndex: a diagnosis over an index that a team has tries what is left to change and never asks for what the
// index decides; what it recommends can be applied, tried and run.
func TestDiagnoseARunOverATeamsIndex(t *testing.T) {
	t.Parallel()
	for _, offsets := range []string{rag.OffsetsFields, rag.OffsetsNone} {
		t.Run(offsets, func(t *testing.T) {
			t.Parallel()
			w, server := indexedWorld(t, offsets)
			run := overIndexed(t, w, "kb")
			if run.Totals.LowScoreCount == 0 || run.Setup.Config.Index == nil {
				t.Fatalf("%d low scores over %+v", run.Totals.LowScoreCount, run.Setup.Config.Index)
			}
			done, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{})
			if err != nil || done.State != experiments.Finished {
				t.Fatalf("%s: %v", done.State, err)
			}
			r, err := CauseReport(t.Context(), w.Workbench, run.ID, "")
			if err != nil || r.Failed > 0 || r.Diagnosed != run.Totals.LowScoreCount {
				t.Fatalf("%+v, %v", r, err)
			}
			deep := false
			if !strings.Contains(r.Summary.EN, "The team's index decides how documents are cut") ||
				!strings.Contains(r.Summary.JA, "既存のインデックスで決まっている") {
				t.Errorf("the reason is missing: %+v", r.Summary)
			}
			for _, d := range r.Diagnoses {
				deep = deep || slices.ContainsFunc(d.Steps, func(s causes.CauseStep) bool { return s.Step == "deep" })
				for _, c := range append(d.Repairs, d.Alternatives...) {
					leavesTheIndex(t, d.QuestionID, c)
				}
			}
			for _, p := range r.Curve {
				for _, c := range p.Changes {
					leavesTheIndex(t, "the curve", c)
				}
			}
			if len(r.Curve) == 0 || !r.Curve[0].Tried {
				t.Fatalf("tried %+v", r.Curve)
			}
			if offsets == rag.OffsetsNone { // rows cut the evidence, and where they stand is not known: no change is shown to help
				if !deep {
					t.Error("no answer was tried with a deep search of all rows")
				}
			} else {
				appliedOverIndex(t, w, run)
			}
			changedUnderDiagnosis(t, w, server, run)
		})
	}
}

// overIndex retrieves one row of the team's index.
const overIndex = `
name: over-NAME
corpus: kb
dataset: asked
base:
  embedding: {provider: offline, model: ngram}
  retrieve: {mode: dense, k: 1}
`

func overIndexed(t *testing.T, w *apptest.World, name string) experiments.Run {
	t.Helper()
	return w.WorkedWhole(t, strings.Replace(overIndex, "NAME", name, 1))
}

func indexedWorld(t *testing.T, offsets string) (*apptest.World, *mappingstest.Chroma) {
	t.Helper()
	w := apptest.NewWorld(t, "")
	w.Env["CHROMA_TOKEN"] = mappingstest.Token
	corpus, err := w.Store.Corpus(t.Context(), "rules")
	if err != nil {
		t.Fatal(err)
	}
	server := mappingstest.Serve(t, mappingstest.Rows(t, corpus, rag.Chunking{By: "chars", Size: 60}))
	source, err := app.ReadMapping(w.Write(t, "kb.yaml", server.File(offsets)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := app.AddMapping(t.Context(), w.Workbench, "kb", "rules", w.Dir, source); err != nil {
		t.Fatal(err)
	}
	return w, server
}

func leavesTheIndex(t *testing.T, where string, c causes.Repair) {
	t.Helper()
	if strings.HasPrefix(c.Param, "chunk") || strings.HasPrefix(c.Param, "embedding") || fmt.Sprint(c.To) == "hybrid" {
		t.Errorf("%s: %s → %v is not for an index of Chroma that a team has", where, c.Param, c.To)
	}
}

// appliedOverIndex runs the first recommendation as an experiment over the same index.
func appliedOverIndex(t *testing.T, w *apptest.World, run experiments.Run) {
	t.Helper()
	e, _, err := RepairExperiment(t.Context(), w.Workbench, run.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	if e.Definition.Base.Index != nil {
		t.Errorf("the experiment fixes what was in the index: %+v", e.Definition.Base.Index)
	}
	job, err := RepairJob(t.Context(), w.Workbench, e, run, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.Run(t.Context(), job)
	if err != nil || after.Totals.LowScoreCount >= run.Totals.LowScoreCount || after.Setup.Config.Index == nil {
		t.Errorf("%d low scores after %d, %v", after.Totals.LowScoreCount, run.Totals.LowScoreCount, err)
	}
}

// changedUnderDiagnosis: an index that is not what it was ends a further diagnosis before it begins; what is known stays.
func changedUnderDiagnosis(t *testing.T, w *apptest.World, server *mappingstest.Chroma, run experiments.Run) {
	t.Helper()
	server.Change(func(rows []mappingstest.Row) []mappingstest.Row {
		rows[0].ID = "another"
		return rows
	})
	again := overIndexed(t, w, "kb-again") // reads the index as it is now
	if again.Setup.Config.Index.Identity == run.Setup.Config.Index.Identity {
		t.Fatal("the contents are taken for those of before")
	}
	if _, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{Trials: 2}); problem.CodeOf(err) != "index_changed" {
		t.Errorf("over another index: %v", err)
	}
	if _, err := Diagnose(t.Context(), w.Workbench, run.ID, DiagnoseRules{}); err != nil {
		t.Errorf("what is known: %v", err)
	}
}
