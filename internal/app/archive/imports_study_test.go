package archive

import (
	"archive/zip"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/sealed"
)

// TestStudyReportsCarryAnalyses: the reports inside a study say what the direct report says of causes and questions, and follow from
// what is in the study.
func TestStudyReportsCarryAnalyses(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t,
		"name: flat\nsuite: [correctness, trust, faithfulness, context_recall, hit, span_coverage]\nbase:\n  retrieve: {k: 1}\n  "+
			"embedding: {provider: offline, model: hash}\n  generate: {provider: offline, model: closed-book}\n")
	if run.Totals.LowScoreCount == 0 {
		t.Fatal("no low score to explain")
	}
	if _, err := analyses.Diagnose(t.Context(), w.Workbench, run.ID, analyses.DiagnoseRules{Method: causes.Tested}); err != nil {
		t.Fatal(err)
	}
	if _, err := analyses.AnalyseQuestions(t.Context(), w.Workbench, run.ID, analyses.QuestionRules{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.Dir, "analysed.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	direct, err := reporting.Report(t.Context(), w.Workbench, "", run.ID, "en", "test", reporting.GateAsked{})
	if err != nil || direct.Causes == nil || direct.Questions == nil {
		t.Fatalf("the direct report lacks analyses: %v", err)
	}
	var page strings.Builder
	if err := direct.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	inside := fileOf(t, path, "reports/"+run.ID+".en.md")
	if without(page.String()) != without(inside) {
		t.Errorf("the study's page is not the direct one:\n%s\n---\n%s", inside, page.String())
	}
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || !v.Equal || v.Runs[0].Reports != 4 {
		t.Errorf("%+v, %v", v, err)
	}
}

// without drops the line that says when a page was written.
func without(page string) string {
	var out []string
	for line := range strings.Lines(page) {
		if !strings.Contains(line, "2026-11-20") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

func fileOf(t *testing.T, path, name string) string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestEverythingMovesToAnEmptyPlace exports all there is, reads it into an empty database, and finds the same there.
func TestEverythingMovesToAnEmptyPlace(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	w := studied(t)
	ctx := t.Context()
	run := w.Worked(t, "name: flat\nsuite: [correctness, trust, hit]\nbase:\n  generate: {provider: offline, model: closed-book}\n")
	if _, err := analyses.Diagnose(ctx, w.Workbench, run.ID, analyses.DiagnoseRules{Method: causes.Observed}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ImportResults(ctx, exportedStudy("ragas.csv"),
		app.ResultsOptions{Name: "april", Model: "openai/judge-1"}); err != nil { // no run rests on it
		t.Fatal(err)
	}
	threshold := 3.0
	_, _, err := reviews.SetAgreement(ctx, w.Workbench, "asked",
		reviews.AgreementChange{File: experiments.AgreementFile{LowScore: &threshold, AgreedBy: &[]string{"A"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.SetBaseline(ctx, experiments.Baseline{Dataset: "asked", RunID: run.ID, SetAt: run.CreatedAt}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.ClaimRun(ctx, queuedRun(t, w), "somebody:1", run.CreatedAt, run.CreatedAt); err != nil {
		t.Fatal(err)
	}
	first, again := filepath.Join(w.Dir, "all.zip"), filepath.Join(w.Dir, "again.zip")
	if _, err := ExportEverything(ctx, w.Workbench, first, "test"); problem.CodeOf(err) != "run_not_over" {
		t.Fatalf("while a run is running: %v", err)
	}
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{State: experiments.Running})
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d running, %v", len(runs), err)
	}
	if err := w.Store.StopRun(ctx, runs[0].ID, "somebody:1", experiments.Paused, "user", run.CreatedAt); err != nil {
		t.Fatal(err)
	}
	m, err := ExportEverything(ctx, w.Workbench, first, "test")
	if err != nil || m.Rows["baselines"] != 1 || m.Rows["logs"] != 1 || m.Rows["agreements"] != 1 || m.Rows["calls"] == 0 ||
		m.Rows["cells"] == 0 {
		t.Fatalf("%+v, %v", m.Rows, err)
	}
	v, err := VerifyStudy(ctx, first, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || !v.Equal {
		t.Errorf("%+v, %v", v, err)
	}
	empty := newPlace(t, "")
	for range 2 { // twice changes nothing
		if _, err := Import(ctx, empty, first); err != nil {
			t.Fatal(err)
		}
	}
	sameRows(t, m, empty, again)
}

// TestEverythingMovesBetweenEngines goes from SQLite to PostgreSQL and back, and finds every row equal in both.
func TestEverythingMovesBetweenEngines(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	database := apptest.Postgres(t)
	w := studied(t)
	w.Worked(t, "name: flat\nsuite: [correctness, trust, hit]\n")
	path := filepath.Join(w.Dir, "all.zip")
	m, err := ExportEverything(t.Context(), w.Workbench, path, "test")
	if err != nil {
		t.Fatal(err)
	}
	there := newPlace(t, database)
	if _, err := Import(t.Context(), there, path); err != nil {
		t.Fatal(err)
	}
	over := filepath.Join(w.Dir, "over.zip")
	sameRows(t, m, there, over)
	back := newPlace(t, "")
	if _, err := Import(t.Context(), back, over); err != nil {
		t.Fatal(err)
	}
	sameRows(t, m, back, filepath.Join(w.Dir, "back.zip"))
}

// sameRows exports what was imported, and compares it with what was exported.
func sameRows(t *testing.T, m Manifest, there *app.Workbench, path string) {
	t.Helper()
	if findings, err := there.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("after import: %v %v", findings, err)
	}
	n, err := ExportEverything(t.Context(), there, path, "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range []map[string]sealed.Digest{m.Files, n.Files} {
		// Reports say when they were made.
		maps.DeleteFunc(files, func(name string, _ sealed.Digest) bool { return !strings.HasPrefix(name, "tables/") })
	}
	if d := cmp.Diff(m.Files, n.Files); d != "" {
		t.Errorf("the rows differ: %s", d)
	}
	if d := cmp.Diff(m.Runs, n.Runs); d != "" {
		t.Errorf("the runs differ: %s", d)
	}
}

// queuedRun stores a run that nobody has worked.
func queuedRun(t *testing.T, w *apptest.World) string {
	t.Helper()
	job := w.JobFile(t, "name: waiting\nsuite: [hit]\n")
	run, err := w.Runner(job.Setup).Create(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: job.Setup}, job.Questions)
	if err != nil {
		t.Fatal(err)
	}
	return run.ID
}

// newPlace is a data directory, or a database, with nothing in it.
func newPlace(t *testing.T, database string) *app.Workbench {
	t.Helper()
	w, err := app.Open(t.Context(), app.Options{DataDir: t.TempDir(), DatabaseURL: database, Getenv: func(string) string { return "" },
		Now: apptest.SteadyClock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}
