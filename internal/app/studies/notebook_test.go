package studies

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

const notebookHead = "---\nragnb: 1\ntitle: Rules\n---\n```rag params p\nk: 3\n```\n```rag corpus docs\nsource: rules\n```\n```rag dataset qa\nsource: asked\n```\n" +
	"```rag config base\ncorpus: docs\nretrieve: {mode: bm25, k: ${p.k}}\n"

const paidNotebook = notebookHead + "generate: {provider: openai, model: gpt-test}\n```\n" +
	"```rag run r\nconfigs: base\ndataset: qa\nmetrics: [correctness]\njudge: {provider: openai, model: gpt-test}\n```\n"

const freeNotebook = notebookHead + "```\n```rag config change\nextends: base\nretrieve: {k: 1}\n```\n```rag sweep grid\nbase: base\naxes: {retrieve.k: [1, 2]}\n```\n" +
	"```rag run r0\nconfigs: base\ndataset: qa\n```\n```rag run r1\nconfigs: [change, grid]\ndataset: qa\n```\n" +
	"```rag compare c\nbaseline: r0\ncandidate: r1.change\n```\n```rag gate g\nof: c\n```\n```rag cause why\nof: r1.change\n```\n```rag failures low\nof: r1.best\n```\n" +
	"```rag question one\nof: r0\nid: q1\n```\n```rag agreement goals\nof: r0\ntargets: [{metric: correctness, target: 3}]\n```\n```rag report out\nof: r1.change\nbaseline: r0\n```\n"

func notebook(w *apptest.World, t *testing.T, text string) *notebooks.Notebook {
	t.Helper()
	path := filepath.Join(w.Dir, "rules.rag.md")
	if _, err := os.Stat(path); err != nil || text != "" {
		w.Write(t, "rules.rag.md", text)
	}
	n, err := OpenNotebook(w.Workbench, path, "test")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func yes(notebooks.CellView) (bool, error) { return true, nil }

// paidOf are the paid cells among those named.
func paidOf(n *notebooks.Notebook, names []string) (out []string) {
	for _, c := range n.Document.Cells() {
		if schema, _ := document.SchemaOf(c.Type); schema.Paid && slices.Contains(names, c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

// TestNotebookStoppedInAPaidCellGoesOnWithoutPayingTwice ends the context in the middle of a run cell, opens everything again as
// another process would, and compares the provider's bill with that of an undisturbed notebook.
func TestNotebookStoppedInAPaidCellGoesOnWithoutPayingTwice(t *testing.T) {
	t.Parallel()
	whole := apptest.NewWorld(t, "")
	v, err := notebook(whole, t, paidNotebook).Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil || v.Cell("r").State != notebooks.Fresh {
		t.Fatal(err, v)
	}
	want := whole.Billed("")

	w := apptest.NewWorld(t, "")
	n := notebook(w, t, paidNotebook)
	plan, err := n.Evaluate(t.Context(), true)
	if err != nil || plan.Cell("r").Price == nil || plan.Cell("r").Price.Calls < want {
		t.Fatalf("%v: the price is %+v, and %d calls are needed", err, plan.Cell("r").Price, want)
	}
	if w.Billed("") != 0 {
		t.Fatal("planning bought something")
	}
	ctx, cancel := context.WithCancel(t.Context())
	w.OnProgress = func(p experiments.Progress) {
		if p.Done >= 3 {
			cancel()
		}
	}
	if _, err := n.Run(ctx, notebooks.Options{Approve: yes}); err == nil {
		t.Fatal("it was not stopped")
	}
	half := w.Billed("")
	if half == 0 || half >= want {
		t.Fatalf("%d of %d calls were bought before the stop: it tests nothing", half, want)
	}
	w.OnProgress = nil
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.OpenAgain(t, "")
	n = notebook(w, t, "")
	before, err := n.Evaluate(t.Context(), true)
	if err != nil || before.Cell("r").State != notebooks.Partial || before.Cell("r").Price.Known == 0 {
		t.Fatalf("%v: after the stop the cell is %+v", err, before.Cell("r"))
	}
	v, err = n.Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil || v.Cell("r").State != notebooks.Fresh {
		t.Fatal(err, v.Cell("r"))
	}
	// Two questions are in flight; calls whose reply was cut off may be paid again, and no other.
	if got := w.Billed(""); got > want+2 {
		t.Errorf("%d calls were paid in all, %d are needed: something was paid twice", got, want)
	}
	if spent := v.Cell("r").Spend.Calls; spent < want {
		t.Errorf("the lock says %d calls, the provider %d", spent, want)
	}
	total := w.Billed("")
	refuse := func(notebooks.CellView) (bool, error) {
		t.Error("a fresh cell asks for money")
		return false, nil
	}
	if _, err := n.Run(t.Context(), notebooks.Options{Approve: refuse}); err != nil || w.Billed("") != total {
		t.Errorf("running a fresh notebook: %v, %d calls", err, w.Billed("")-total)
	}
}

// TestNotebookBudgetStopsAndGoesOn gives a run cell too little.
func TestNotebookBudgetStopsAndGoesOn(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	n := notebook(w, t, paidNotebook)
	v, err := n.Run(t.Context(), notebooks.Options{Approve: yes, Budget: experiments.Budget{Calls: 5}})
	if problem.CodeOf(err) != "budget_spent" || v.Cell("r").State != notebooks.Partial || w.Billed("") > 5 {
		t.Fatalf("%v: %+v, %d calls", err, v.Cell("r"), w.Billed(""))
	}
	v, err = n.Run(t.Context(), notebooks.Options{Approve: yes, Budget: experiments.Budget{Calls: 500}})
	if err != nil || v.Cell("r").State != notebooks.Fresh {
		t.Fatal(err, v.Cell("r"))
	}
}

// TestNotebookRepeatsAdd raises the votes of a finished cell: the first ones stay.
func TestNotebookRepeatsAdd(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	v, err := notebook(w, t, paidNotebook).Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil {
		t.Fatal(err)
	}
	first, one := v.Cell("r").Value.(document.RunSet).First.ID, w.Billed("")
	n := notebook(w, t, strings.Replace(paidNotebook, "rag run r\n", "rag run r\nrepeats: 2\n", 1))
	v, err = n.Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil {
		t.Fatal(err)
	}
	r := v.Cell("r").Value.(document.RunSet).First
	if r.ID != first || r.Votes != 2 || w.Billed("") <= one || w.Billed("") > 2*one {
		t.Errorf("run %s with %d votes, %d calls after %d for run %s", r.ID, r.Votes, w.Billed(""), one, first)
	}
	again := notebook(w, t, paidNotebook)
	before := w.Billed("")
	if _, err = again.Run(t.Context(), notebooks.Options{Approve: yes}); err != nil || w.Billed("") != before {
		t.Errorf("fewer repeats bought %d calls (%v)", w.Billed("")-before, err)
	}
}

// TestNotebookComputesNothingTwice executes every type of cell, then edits one configuration and looks at the runs.
func TestNotebookComputesNothingTwice(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	n := notebook(w, t, freeNotebook)
	v, err := n.Run(t.Context(), notebooks.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Cells {
		if c.State != notebooks.Fresh {
			t.Errorf("%s is %s: %v %v", c.Name, c.State, c.Why, c.Error)
		}
	}
	set := v.Cell("r1").Value.(document.RunSet)
	if set.Count != 3 || set.Runs[0].ID != set.Runs[1].ID {
		t.Errorf("k=1 by itself and in the sweep are the same work: %+v", set.Runs)
	}
	first := v.Cell("r0").Value.(document.RunSet).First.ID
	count := func() int {
		runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{Kind: experiments.KindEvaluate})
		if err != nil {
			t.Fatal(err)
		}
		return len(runs)
	}
	before := count()
	n = notebook(w, t, "")
	if err := n.Set("k", "4"); err != nil {
		t.Fatal(err)
	}
	if v, err = n.Evaluate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	var stale []string
	for _, c := range v.Stale() {
		stale = append(stale, c.Name)
	}
	// All rest on the parameter; but change and the axes set k themselves, so that running again has new work only for r0.
	if diff := cmp.Diff([]string{"r0", "r1", "c", "g", "why", "low", "one", "goals", "out"}, stale); diff != "" {
		t.Errorf("stale after k=4: %s", diff)
	}
	var waiting []string // what the page of the notebook counts, and the list of notebooks too
	for _, c := range v.Waiting() {
		waiting = append(waiting, c.Name)
	}
	if diff := cmp.Diff(paidOf(n, stale), waiting); diff != "" || len(waiting) == 0 || len(waiting) == len(stale) {
		t.Errorf("waiting after k=4: %s", diff)
	}
	if _, err := n.Run(t.Context(), notebooks.Options{}); err != nil || count() != before+1 {
		t.Errorf("%v: %d new runs, want 1", err, count()-before)
	}
	v, err = notebook(w, t, "").Run(t.Context(), notebooks.Options{})
	if err != nil || count() != before+1 || v.Cell("r0").Value.(document.RunSet).First.ID != first {
		t.Errorf("going back to k=3 computed something: %v, %d runs", err, count()-before)
	}
}

// TestNotebookSnapshotIsAStudy seals a notebook and verifies the file as a study.
func TestNotebookSnapshotIsAStudy(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	n := notebook(w, t, freeNotebook)
	v, err := n.Run(t.Context(), notebooks.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n.Comments = []experiments.NotebookComment{{ID: "1", Cell: "qa", Text: "Between <b>us</b>", By: "Ann"},
		{Cell: "gone", Text: "Elsewhere"}}
	path := notebooks.SnapshotPath(n.Path, n.Now())
	sealed, err := n.WriteSnapshot(t.Context(), v, path, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.WriteSnapshot(t.Context(), v, path, false); problem.CodeOf(err) != "file_exists" {
		t.Errorf("a second snapshot: %v", err)
	}
	verified, err := archive.VerifyStudy(t.Context(), path, archive.Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || !verified.Equal || len(verified.Runs) < 3 {
		t.Errorf("%v: %+v", err, verified)
	}
	s, files, err := notebooks.OpenSnapshot(path)
	if err != nil || s.Verdict == "" || string(files["notebook.rag.md"]) != freeNotebook ||
		!strings.Contains(string(files["ja.html"]), "正確性") || len(sealed.Runs) == 0 {
		t.Errorf("%v: %+v", err, s)
	}
	again, _, err := notebooks.Unsealed(s, files)
	if page := string(files["ja.html"]); err != nil || len(again.Comments) != 2 || !strings.Contains(page, "コメント（1件）") ||
		!strings.Contains(page, "Between &lt;b&gt;us") || strings.Contains(page, "Elsewhere") {
		t.Errorf("%v: the comments are not as they were sealed: %+v", err, again.Comments)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if at := bytes.Index(raw, []byte("comments.json")); at < 0 {
		t.Error("the snapshot has no comments")
	} else {
		raw[at+40] ^= 1 // of what is said
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := notebooks.OpenSnapshot(path); err == nil {
		t.Error("a changed snapshot opens")
	}
}

// A sweep cell takes lists that move together and leaves combinations out, as an experiment file does; a configuration begins as another
// library does.
func TestASweepCellPairsAndLeavesOut(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	n := notebook(w, t, notebookHead+"```\n```rag config lang\npreset: langchain\ncorpus: docs\n```\n"+
		"```rag sweep grid\nbase: base\naxes: {retrieve.k: [1, 2]}\n"+
		"pairs: [{chunk.size: [400, 800], chunk.overlap: [40, 12%]}]\nexcept: [{chunk.size: 400, retrieve.k: [2]}]\n```\n"+
		"```rag run r\nconfigs: [lang, grid]\ndataset: qa\n```\n")
	v, err := n.Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil {
		t.Fatal(err)
	}
	grid, ok := v.Cell("grid").Value.(document.ConfigSet)
	if !ok || grid.Count != 3 {
		t.Fatalf("%+v", v.Cell("grid"))
	}
	runs, ok := v.Cell("r").Value.(document.RunSet)
	if !ok || runs.Count != 4 {
		t.Fatalf("%+v", v.Cell("r"))
	}
	var got []string
	for _, r := range runs.Runs {
		run, err := w.Store.Run(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		c := run.Setup.Config
		got = append(got, fmt.Sprintf("%s %d/%d k %d", c.Chunk.By, c.Chunk.Size, c.Chunk.Overlap, c.Retrieve.K))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"chars 400/40 k 1", "chars 800/96 k 1", "chars 800/96 k 2", "recursive 4000/200 k 4"}, got); diff != "" {
		t.Errorf("ran (-want +got):\n%s", diff)
	}
}
