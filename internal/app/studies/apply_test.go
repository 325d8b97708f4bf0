package studies

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// applying is a notebook whose system retrieves one short chunk, diagnoses it, and applies what the diagnosis recommends.
const applying = "---\nragnb: 1\ntitle: Rules\n---\n```rag corpus docs\nsource: rules\n```\n```rag dataset qa\nsource: asked\nlimit: 5\n```\n" +
	"```rag config base\ncorpus: docs\nchunk: {size: 60}\nembedding: {provider: offline, model: hash}\nretrieve: {mode: dense, k: 1}\n" +
	"generate: {provider: openai, model: gpt-test}\n```\n" +
	"```rag run r\nconfigs: base\ndataset: qa\njudge: {provider: openai, model: gpt-test}\n```\n" +
	"```rag cause why\nof: r\ntrials: 2\n```\n```rag apply fix\nof: why\n```\n```rag gate g\nof: fix\n```\n"

// answering is a world whose bought models answer from the contexts as the offline ones do.
func answering(t *testing.T) *apptest.World {
	t.Helper()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"],
		Answer: fakeprovider.Offline(laboratory.CauseOfflineHandlers())})
	return w
}

// TestARecommendationIsAppliedInACell prices, refuses, starves, kills and ends an apply cell on the command line, and compares bill and
// result with a server's that was left alone.
func TestARecommendationIsAppliedInACell(t *testing.T) {
	t.Parallel()
	w := answering(t)
	n := notebook(w, t, applying)
	if v, err := n.Run(t.Context(), notebooks.Options{Approve: yes, Cells: []string{"why"}}); err != nil ||
		v.Cell("why").State != notebooks.Fresh {
		t.Fatal(err, v.Cell("why"))
	}
	before := w.Billed("")
	asked := map[string]int{}
	no := func(c notebooks.CellView) (bool, error) { asked[c.Name] = c.Price.Calls; return false, nil }
	v, err := n.Run(t.Context(), notebooks.Options{Approve: no})
	if err != nil || len(asked) != 1 || asked["fix"] == 0 || v.Cell("fix").State != notebooks.Stale || w.Billed("") != before {
		t.Fatalf("%v: asked %v, %+v, %d calls", err, asked, v.Cell("fix"), w.Billed("")-before)
	}
	v, err = n.Run(t.Context(), notebooks.Options{Approve: yes, Budget: experiments.Budget{Calls: 5}})
	if problem.CodeOf(err) != "budget_spent" || v.Cell("fix").State != notebooks.Partial || w.Billed("") > before+5 {
		t.Fatalf("%v: %+v, %d calls", err, v.Cell("fix"), w.Billed("")-before)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w.OnProgress = func(p experiments.Progress) {
		if p.Done >= 4 {
			cancel()
		}
	}
	if _, err := n.Run(ctx, notebooks.Options{Approve: yes}); err == nil {
		t.Fatal("it was not stopped")
	}
	w.OnProgress = nil
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.OpenAgain(t, "")
	n = notebook(w, t, "")
	if v, err = n.Run(t.Context(), notebooks.Options{Approve: yes}); err != nil {
		t.Fatal(err)
	}
	fix := applied(t, w, v)
	bought := w.Billed("") - before
	refuse := func(notebooks.CellView) (bool, error) { t.Error("a fresh cell asks for money"); return false, nil }
	if _, err := n.Run(t.Context(), notebooks.Options{Approve: refuse}); err != nil || w.Billed("") != before+bought {
		t.Errorf("running it again: %v, %d calls", err, w.Billed("")-before-bought)
	}

	server := answering(t)
	whole, undisturbed := served(t, server)
	if diff := cmp.Diff(whole, fix, cmp.FilterPath(func(p cmp.Path) bool { // ids, and seconds of the clock
		return slices.Contains([]string{"Baseline.ID", "Baseline.Chain", "Candidate.ID", "Candidate.Chain", "Found"}, p.String())
	}, cmp.Ignore())); diff != "" {
		t.Error("the server and the command line differ:", diff)
	}
	// Two questions are in flight at each of two stops; calls whose reply was cut off may be paid again, and no other.
	if bought > undisturbed+4 || undisturbed > asked["fix"] {
		t.Errorf("%d calls with two stops, %d without, %d were asked for", bought, undisturbed, asked["fix"])
	}
	if v, err = notebook(server, t, applying).Run(t.Context(), notebooks.Options{Approve: refuse}); err != nil {
		t.Fatal(err)
	}
	if other := applied(t, server, v); other.Candidate.ID != whole.Candidate.ID {
		t.Errorf("what the server ran was not taken over: %s, not %s", other.Candidate.ID, whole.Candidate.ID)
	}
	wrong := notebook(w, t, strings.Replace(applying, "rag apply fix\n", "rag apply fix\nchange: nothing\n", 1))
	_, err = wrong.Run(t.Context(), notebooks.Options{Approve: yes})
	if p := problem.From(err); p.Code != "recommendation" || !strings.Contains(p.Hint, fix.Applied.Name) {
		t.Errorf("a name that no recommendation has: %v", err)
	}
}

// applied is the result of the apply cell, which is that of a comparison with the change that was made.
func applied(t *testing.T, w *apptest.World, v *notebooks.View) document.Comparison {
	t.Helper()
	fix, ok := v.Cell("fix").Value.(document.Comparison)
	if !ok || v.Cell("fix").State != notebooks.Fresh || v.Cell("g").State != notebooks.Fresh || fix.Applied == nil {
		t.Fatalf("%+v, %+v", v.Cell("fix"), v.Cell("g"))
	}
	why, run := v.Cell("why").Value.(document.CauseSet), v.Cell("r").Value.(document.RunSet).First
	first := why.Recommendations[0]
	if fix.Applied.Name != first.Name || fix.Applied.Change != first.Change || fix.LowAfter >= fix.LowBefore || fix.Matched != 5 ||
		fix.Candidate.Questions != 5 {
		t.Errorf("%s was applied of %+v: low scores %d → %d of %d", fix.Applied.Name, why.Recommendations, fix.LowBefore, fix.LowAfter,
			fix.Matched)
	}
	want, err := EngineOf(w.Workbench, w.Dir, "test").Compare(t.Context(), run.ID, fix.Candidate.ID, document.Limits{})
	if want.Applied = fix.Applied; err != nil || cmp.Diff(want, fix) != "" {
		t.Errorf("%v: a compare cell says another thing: %s", err, cmp.Diff(want, fix))
	}
	if made, err := w.Store.Experiment(t.Context(), fix.Applied.Experiment); err != nil || made.Definition.Base.Retrieve.K == 0 {
		t.Errorf("the experiment %s: %v", fix.Applied.Experiment, err)
	}
	return fix
}

// served runs the notebook in a server, cell by cell as prices become known, and returns what the apply cell bought.
func served(t *testing.T, w *apptest.World) (fix document.Comparison, calls int) {
	t.Helper()
	s := books(w, t)
	if _, err := s.Create(t.Context(), NewNotebook{Name: "rules", Text: applying}); err != nil {
		t.Fatal(err)
	}
	for _, cell := range []string{"r", "why", "fix"} {
		before := w.Billed("")
		plan, err := s.Plan(t.Context(), "rules", NotebookOrder{})
		if err != nil || len(plan.Cells) == 0 || plan.Cells[0].Name != cell || plan.Calls == 0 || w.Billed("") != before {
			t.Fatalf("%s: %v: %+v", cell, err, plan)
		}
		if _, err := s.Run(t.Context(), "rules", NotebookOrder{}, ""); err != nil {
			t.Fatal(err)
		}
		ended(t, s, "rules")
		calls = w.Billed("") - before
		if cell == "fix" && calls > plan.Calls {
			t.Errorf("%d calls of %d that were shown", calls, plan.Calls)
		}
	}
	cells := s.state(t, "rules")
	fix, ok := cells["fix"].Value.(document.Comparison)
	if !ok || cells["fix"].State != notebooks.Fresh || cells["fix"].Spend.Calls < calls {
		t.Fatalf("%+v", cells["fix"])
	}
	return fix, calls
}
