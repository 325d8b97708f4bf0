package demo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// demoWeeks is the demo's help centre with an experiment over it and its run as the baseline.
func demoWeeks(t *testing.T, lang string) (w *apptest.World, dir string, baseline experiments.Run) {
	t.Helper()
	w = apptest.NewWorld(t, "")
	dir = filepath.Join(w.Dir, "demo")
	if err := unpackDemo(lang, dir); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if _, err := w.ImportCorpus(ctx, filepath.Join(dir, "corpus"), "airline", false); err != nil {
		t.Fatal(err)
	}
	sheet, err := os.ReadFile(filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	some := strings.Join(strings.SplitAfter(string(sheet), "\n")[:60], "")
	if _, _, err := w.ImportDataset(ctx, w.Write(t, "some.jsonl", some), "airline", "airline", nil); err != nil {
		t.Fatal(err)
	}
	e, _, err := w.Experiment(ctx, w.Write(t, "airline.yaml", `name: production
corpus: airline
dataset: airline
analyses: [causes, questions]
base: {chunk: {by: chars, size: 800, overlap: 200}, embedding: {provider: offline, model: ngram}, retrieve: {mode: dense, k: 4}, generate: {provider: offline, model: extractive}}
`))
	if err != nil {
		t.Fatal(err)
	}
	job, err := w.Job(ctx, e, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	baseline, err = w.Run(ctx, job)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.SetBaseline(ctx, baseline.ID); err != nil {
		t.Fatal(err)
	}
	return w, dir, baseline
}

// TestWeeksOfTheDemoWorld: an unchanged help centre is silent, one that lost most of its pages is confirmed once.
func TestWeeksOfTheDemoWorld(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	w, dir, baseline := demoWeeks(t, "en")
	ctx := t.Context()
	k := weekly.New(t, w.Workbench, schedules.ScheduleOrder{Experiment: "production", Lang: "ja"})
	first := k.Fire(t)
	weekly.Quiet(t, first)
	if first.RunID == baseline.ID || first.Baseline != baseline.ID || first.Scored == 0 || first.Low != first.LowBefore {
		t.Errorf("the first Monday: %+v", first)
	}
	if _, err := w.ImportCorpus(ctx, filepath.Join(dir, "corpus-small"), "airline", false); err != nil {
		t.Fatal(err)
	}
	second := k.Fire(t)
	if second.State != experiments.FireRan || second.Gate != "FAIL" || len(second.NewlyWorse) == 0 ||
		!slices.Equal(second.Worse, second.NewlyWorse) ||
		!slices.Equal(second.Since, second.Worse) || second.Previous != first.RunID || second.Drift != "" {
		t.Errorf("the Monday after the help centre lost pages: %+v", second)
	}
	third := k.Fire(t)
	if third.State != experiments.FireRan || len(third.NewlyWorse) != 0 || !slices.Equal(third.Worse, second.Worse) ||
		len(third.Since) != 0 {
		t.Errorf("a week later nothing is new: %+v", third)
	}
	if _, err := w.SetBaseline(ctx, first.RunID); err != nil {
		t.Fatal(err)
	}
	fourth := k.Fire(t)
	if fourth.Baseline != first.RunID || len(fourth.NewlyWorse) != 0 || !slices.Equal(fourth.Worse, second.Worse) {
		t.Errorf("another baseline alone makes nothing newly worse: %+v", fourth)
	}
	if causes, err := analyses.CauseReport(ctx, w.Workbench, second.RunID, ""); err != nil || len(causes.Diagnoses) == 0 {
		t.Errorf("the causes of the second Monday: %v", err)
	}
	if _, err := analyses.QuestionReport(ctx, w.Workbench, second.RunID); err != nil {
		t.Errorf("the questions of the second Monday: %v", err)
	}
	book, err := excelize.OpenFile(schedules.FireWorkbook(w.Workbench, second))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if sheets := book.GetSheetList(); len(sheets) < 5 || !strings.ContainsAny(strings.Join(sheets, ""), "概要質問") {
		t.Errorf("sheets of the workbook: %v", sheets)
	}
	if len(k.Told) != 4 {
		t.Errorf("told of %d fires", len(k.Told))
	}
	weekly.Healthy(t, w.Workbench)
}
