package demo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// weeks is a scheduler over the real use cases, and a clock that jumps from Monday to Monday.
type weeks struct {
	*app.Workbench
	*schedules.Scheduler
	clock *apptest.Watch
	told  []experiments.Fire
}

func newWeeks(t *testing.T, w *app.Workbench, o schedules.ScheduleOrder) *weeks {
	t.Helper()
	k := &weeks{Workbench: w, clock: &apptest.Watch{Time: time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)}}
	w.Options.Now = k.clock.Now
	w.Options.Sleep = func(context.Context, time.Duration) error { return nil }
	o.Name, o.Cron, o.Zone = "weekly", "0 6 * * 1", "Asia/Tokyo"
	if _, err := schedules.PutSchedule(t.Context(), w, o, ""); err != nil {
		t.Fatal(err)
	}
	k.Scheduler = schedules.NewScheduler(w, schedules.SchedulerOptions{Version: "test",
		Log: func(m string, args ...any) { t.Log(m, args) }})
	k.Scheduler.Notify = func(_ context.Context, _ experiments.Schedule, f experiments.Fire) error {
		k.told = append(k.told, f)
		return nil
	}
	return k
}

// fire brings the next Monday and returns what its fire found.
func (k *weeks) fire(t *testing.T) experiments.Fire {
	t.Helper()
	s, err := schedules.Schedule(t.Context(), k.Workbench, "weekly")
	if err != nil {
		t.Fatal(err)
	}
	k.clock.Set(s.NextAt.Add(7 * time.Second))
	for range 3 { // a tick more finds nothing
		if err := k.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.Wait()
	}
	fires, err := k.Whole.Fires(t.Context(), experiments.FireList{Schedule: "weekly", Limit: 1})
	if err != nil || len(fires) != 1 || !fires[0].NominalAt.Equal(s.NextAt) {
		t.Fatalf("the fire of %s: %+v %v", s.NextAt, fires, err)
	}
	return fires[0]
}

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
	k := newWeeks(t, w.Workbench, schedules.ScheduleOrder{Experiment: "production", Lang: "ja"})
	first := k.fire(t)
	quiet(t, first)
	if first.RunID == baseline.ID || first.Baseline != baseline.ID || first.Scored == 0 || first.Low != first.LowBefore {
		t.Errorf("the first Monday: %+v", first)
	}
	if _, err := w.ImportCorpus(ctx, filepath.Join(dir, "corpus-small"), "airline", false); err != nil {
		t.Fatal(err)
	}
	second := k.fire(t)
	if second.State != experiments.FireRan || second.Gate != "FAIL" || len(second.NewlyWorse) == 0 ||
		!slices.Equal(second.Worse, second.NewlyWorse) ||
		!slices.Equal(second.Since, second.Worse) || second.Previous != first.RunID || second.Drift != "" {
		t.Errorf("the Monday after the help centre lost pages: %+v", second)
	}
	third := k.fire(t)
	if third.State != experiments.FireRan || len(third.NewlyWorse) != 0 || !slices.Equal(third.Worse, second.Worse) ||
		len(third.Since) != 0 {
		t.Errorf("a week later nothing is new: %+v", third)
	}
	if _, err := w.SetBaseline(ctx, first.RunID); err != nil {
		t.Fatal(err)
	}
	fourth := k.fire(t)
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
	if len(k.told) != 4 {
		t.Errorf("told of %d fires", len(k.told))
	}
	healthy(t, w.Workbench)
}

// quiet demands a fire that has nothing to say.
func quiet(t *testing.T, f experiments.Fire) {
	t.Helper()
	if f.State != experiments.FireRan || len(f.Worse)+len(f.NewlyWorse)+len(f.Since) > 0 || f.Drift != "" || f.Gate == "FAIL" ||
		f.Reason != "" {
		t.Errorf("%s has something to say: %+v", f.NominalAt.Format(time.DateOnly), f)
	}
}

func healthy(t *testing.T, w *app.Workbench) {
	t.Helper()
	found, err := app.Doctor(t.Context(), w)
	if err != nil || len(found) > 0 {
		t.Errorf("doctor: %+v %v", found, err)
	}
}
