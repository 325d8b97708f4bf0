package archive

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// exportedStudy is a file that another tool really wrote.
func exportedStudy(name string) string {
	return filepath.Join("..", "..", "experiments", "foreign", "testdata", "foreign", name)
}

// TestImportedResultsAreRuns takes two exports of Ragas over: every score is there as it was, what was NaN is an error by name, the
// comparison finds what got worse, and nothing is called.
func TestImportedResultsAreRuns(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	april, err := w.ImportResults(t.Context(), exportedStudy("ragas.csv"), app.ResultsOptions{Name: "april"})
	if err != nil || !april.NewDataset || april.Dataset.String() != "april@1" || april.RunID == "" || len(april.Missing) != 0 {
		t.Fatalf("%+v, %v", april, err)
	}
	raw, err := os.ReadFile(exportedStudy("ragas.csv"))
	if err != nil {
		t.Fatal(err)
	}
	worse := w.Write(t, "may.csv", strings.NewReplacer(",1.0,0.93", ",0.2,0.93", "It waits fourteen", "It never waits fourteen").
		Replace(string(raw)))
	may, err := w.ImportResults(t.Context(), worse, app.ResultsOptions{Name: "may"})
	if err != nil || may.NewDataset || may.Dataset != april.Dataset {
		t.Fatalf("the same questions made another dataset: %+v, %v", may, err)
	}
	e, err := experiments.LoadEvaluation(t.Context(), w.Store, april.RunID)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range e.Results {
		s, _ := r.Score("ragas.faithfulness")
		got = append(got, string(s.State)+" "+s.Reason)
	}
	if d := cmp.Diff([]string{"scored ", "scored ", "scored ", "error import_nan"}, got); d != "" {
		t.Error(d)
	}
	if total := e.Run.Totals.Scores["ragas.faithfulness"]; total.N != 3 || total.Mean != 2./3 {
		t.Errorf("the missing score counts: %+v", total)
	}
	if _, ours := e.Run.Totals.Scores["correctness"]; ours {
		t.Errorf("our offline judge stands beside theirs unasked: %+v", e.Run.Totals.Scores)
	}
	if calls, err := w.Store.Calls(t.Context(), april.RunID); err != nil || len(calls) > 0 || w.Billed("/v1/chat/completions") > 0 {
		t.Errorf("importing asked a model: %d calls, %v", len(calls), err)
	}
	c, _, err := w.Compare(t.Context(), "april", "may")
	if err != nil {
		t.Fatal(err)
	}
	want := compare.LabelCounts{NeedsCheck: 1, NoChange: 2}
	if d := cmp.Diff(want, c.Counts["ragas.faithfulness"]); d != "" || len(c.Questions) != 1 || c.Questions[0].Baseline != 1 ||
		c.Questions[0].Candidate != 0.2 {
		t.Errorf("one vote of another tool is no more than a doubt: %s %+v", d, c.Questions)
	}
	if _, err := reporting.Report(t.Context(), w.Workbench, "april", "may", "ja", "test", reporting.GateAsked{}); err != nil {
		t.Error(err)
	}
	again, err := w.ImportResults(t.Context(), exportedStudy("ragas.csv"), app.ResultsOptions{Name: "april"})
	if err != nil || again.Created || again.RunID != april.RunID || again.Revision != april.Revision {
		t.Errorf("the same file again: %+v, %v", again, err)
	}
	portable(w, t, april.RunID)
}

// portable checks that a run's study follows from what is in it, and that a further vote does not repeat imported scores.
func portable(w *apptest.World, t *testing.T, id string) {
	t.Helper()
	children, err := w.Replicates(t.Context(), id, 1)
	if err != nil {
		t.Fatal(err)
	}
	results, err := w.Store.Results(t.Context(), children[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := results[0].Score("ragas.faithfulness"); s.State != metrics.NotApplicable {
		t.Errorf("a further vote repeats the imported score: %+v", s)
	}
	path := filepath.Join(w.Dir, "imported.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || !v.Equal {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestEveryToolBecomesARun imports one file of each tool, with our judge beside it as asked, and finds causes in it.
func TestEveryToolBecomesARun(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for file, metric := range map[string]string{
		"deepeval.result.json": "deepeval.hallucination", "promptfoo.json": "promptfoo.facts",
		"ragchecker.results.json": "ragchecker.claim_recall", "ragas.jsonl": "ragas.context_recall",
		"otel.genai.jsonl": "trust",
	} {
		name, _, _ := strings.Cut(file, ".")
		got, err := w.ImportResults(t.Context(), exportedStudy(file), app.ResultsOptions{Name: name, Suite: "standard"})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if got.Metrics == nil || got.Missing == nil || got.Notes == nil { // the pages read their lengths
			t.Errorf("%s: a list is null: %+v", file, got)
		}
		run, err := w.Store.Run(t.Context(), got.RunID)
		if err != nil || run.Totals.Scores[metric].N < 2 {
			t.Errorf("%s: %+v, %v", file, run.Totals, err)
		}
		if (name == "promptfoo" || name == "otel") && run.Totals.Errors["no_logged_answer"] == 0 {
			t.Errorf("an error of %s became an answer: %+v", name, run.Totals)
		}
		if _, err := analyses.Diagnose(t.Context(), w.Workbench, got.RunID, analyses.DiagnoseRules{Method: causes.Observed}); err != nil {
			t.Errorf("%s: causes: %v", file, err)
		}
	}
	if findings, err := w.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("%v %v", findings, err)
	}
}

// TestImportResultsBuysNothing leaves the run to be made where a model would have to be paid, and stores nothing where anything is wrong.
func TestImportResultsBuysNothing(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	got, err := w.ImportResults(t.Context(), exportedStudy("ragas.csv"), app.ResultsOptions{Name: "paid", Model: "openai/judge-1"})
	if err != nil || got.RunID != "" || w.Billed("/v1/chat/completions") > 0 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = w.ImportResults(t.Context(), exportedStudy("ragas.csv"), app.ResultsOptions{Name: "wrong", Dataset: "asked"})
	if problem.CodeOf(err) != "results_rows" {
		t.Errorf("results of other questions: %v", err)
	}
	if _, err := w.Store.Log(t.Context(), "wrong"); !problem.Is(err, problem.NotFound) {
		t.Errorf("half an import is there: %v", err)
	}
}
