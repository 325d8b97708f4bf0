package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// weeks is a scheduler over the real use cases, and a clock that jumps from Monday to Monday.
type weeks struct {
	*Workbench
	*Scheduler
	clock *watch
	told  []experiments.Fire
}

func newWeeks(t *testing.T, w *Workbench, o ScheduleOrder) *weeks {
	t.Helper()
	k := &weeks{Workbench: w, clock: &watch{now: time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)}}
	w.options.Now = k.clock.Now
	w.options.Sleep = func(context.Context, time.Duration) error { return nil }
	o.Name, o.Cron, o.Zone = "weekly", "0 6 * * 1", "Asia/Tokyo"
	if _, err := w.PutSchedule(t.Context(), o, ""); err != nil {
		t.Fatal(err)
	}
	k.Scheduler = w.NewScheduler(SchedulerOptions{Version: "test", Log: func(m string, args ...any) { t.Log(m, args) }})
	k.Scheduler.Notify = func(_ context.Context, _ experiments.Schedule, f experiments.Fire) error {
		k.told = append(k.told, f)
		return nil
	}
	return k
}

// fire brings the next Monday and returns what its fire found.
func (k *weeks) fire(t *testing.T) experiments.Fire {
	t.Helper()
	s, err := k.Schedule(t.Context(), "weekly")
	if err != nil {
		t.Fatal(err)
	}
	k.clock.set(s.NextAt.Add(7 * time.Second))
	for range 3 { // a tick more finds nothing
		if err := k.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.Wait()
	}
	fires, err := k.whole.Fires(t.Context(), experiments.FireList{Schedule: "weekly", Limit: 1})
	if err != nil || len(fires) != 1 || !fires[0].NominalAt.Equal(s.NextAt) {
		t.Fatalf("the fire of %s: %+v %v", s.NextAt, fires, err)
	}
	return fires[0]
}

// demoWeeks is the demo's help centre with an experiment over it and its run as the baseline.
func demoWeeks(t *testing.T, lang string) (w *world, dir string, baseline experiments.Run) {
	t.Helper()
	w = newWorld(t, "")
	dir = filepath.Join(w.dir, "demo")
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
	if _, _, err := w.ImportDataset(ctx, w.write(t, "some.jsonl", some), "airline", "airline", nil); err != nil {
		t.Fatal(err)
	}
	e, _, err := w.Experiment(ctx, w.write(t, "airline.yaml", `name: production
corpus: airline
dataset: airline
analyses: [causes, questions]
base: {chunk: {by: chars, size: 800, overlap: 200}, embedding: {provider: offline, model: ngram}, retrieve: {mode: dense, k: 4}, generate: {provider: offline, model: extractive}}
`))
	if err != nil {
		t.Fatal(err)
	}
	job, err := w.Job(ctx, e, Select{})
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
	k := newWeeks(t, w.Workbench, ScheduleOrder{Experiment: "production", Lang: "ja"})
	first := k.fire(t)
	quiet(t, first)
	if first.RunID == baseline.ID || first.Baseline != baseline.ID || first.Scored == 0 || first.Low != first.LowBefore {
		t.Errorf("the first Monday: %+v", first)
	}
	if _, err := w.ImportCorpus(ctx, filepath.Join(dir, "corpus-small"), "airline", false); err != nil {
		t.Fatal(err)
	}
	second := k.fire(t)
	if second.State != experiments.FireRan || second.Gate != "FAIL" || len(second.NewlyWorse) == 0 || !slices.Equal(second.Worse, second.NewlyWorse) ||
		!slices.Equal(second.Since, second.Worse) || second.Previous != first.RunID || second.Drift != "" {
		t.Errorf("the Monday after the help centre lost pages: %+v", second)
	}
	third := k.fire(t)
	if third.State != experiments.FireRan || len(third.NewlyWorse) != 0 || !slices.Equal(third.Worse, second.Worse) || len(third.Since) != 0 {
		t.Errorf("a week later nothing is new: %+v", third)
	}
	if _, err := w.SetBaseline(ctx, first.RunID); err != nil {
		t.Fatal(err)
	}
	fourth := k.fire(t)
	if fourth.Baseline != first.RunID || len(fourth.NewlyWorse) != 0 || !slices.Equal(fourth.Worse, second.Worse) {
		t.Errorf("another baseline alone makes nothing newly worse: %+v", fourth)
	}
	if causes, err := w.CauseReport(ctx, second.RunID, ""); err != nil || len(causes.Diagnoses) == 0 {
		t.Errorf("the causes of the second Monday: %v", err)
	}
	if _, err := w.QuestionReport(ctx, second.RunID); err != nil {
		t.Errorf("the questions of the second Monday: %v", err)
	}
	book, err := excelize.OpenFile(w.FireWorkbook(second))
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
	if f.State != experiments.FireRan || len(f.Worse)+len(f.NewlyWorse)+len(f.Since) > 0 || f.Drift != "" || f.Gate == "FAIL" || f.Reason != "" {
		t.Errorf("%s has something to say: %+v", f.NominalAt.Format(time.DateOnly), f)
	}
}

func healthy(t *testing.T, w *Workbench) {
	t.Helper()
	found, err := w.Doctor(t.Context())
	if err != nil || len(found) > 0 {
		t.Errorf("doctor: %+v %v", found, err)
	}
}

// TestWeeksOfAPaidSystem whose answers and judge are asked again every Monday: a noisy judge is silent, answers that become worse behind
// an unchanged name are found, and so is a judge that becomes stricter.
func TestWeeksOfAPaidSystem(t *testing.T) {
	t.Parallel()
	d := newDoubt(t, 40, 0.05, 3, 11, 17, 29)
	baseline := d.evaluate(t, "production", "writer-1")
	if _, _, err := d.ScoreBaseline(t.Context(), baseline.ID, 3); err != nil {
		t.Fatal(err)
	}
	generated, worse, stricter := 0, false, false
	answer := d.answer
	d.provider = fakeprovider.New(fakeprovider.Options{Key: d.env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		d.mutex.Lock()
		if len(r.Schema) == 0 {
			generated++
			if worse {
				r.Model = "writer-2"
			}
		}
		d.mutex.Unlock()
		said, err := answer(r)
		if stricter && len(r.Schema) > 0 {
			said = strings.Replace(said, `"score":5`, `"score":3`, 1)
		}
		return said, err
	}})
	k := newWeeks(t, d.Workbench, ScheduleOrder{Experiment: "production", Budget: "2000calls"})
	for week := range 2 {
		before := generated
		f := k.fire(t)
		quiet(t, f)
		if generated-before < 40 || f.Calls < 40+20 || f.Anchors == "" {
			t.Errorf("week %d asked for %d answers in %d calls, anchors %q", week, generated-before, f.Calls, f.Anchors)
		}
	}
	worse = true
	f := k.fire(t)
	found(t, f.Worse, 3, "m003", "m011", "m017", "m029")
	if f.State != experiments.FireRan || len(f.NewlyWorse) < 3 || f.Drift != "" {
		t.Errorf("the week of the regression: %+v", f)
	}
	worse, stricter = false, true
	f = k.fire(t)
	if f.State != experiments.FireRan || !strings.Contains(f.Drift, "correctness -") {
		t.Errorf("the week of the stricter judge: %+v", f)
	}
	healthy(t, d.Workbench)
}

// TestABudgetBoundsAFire and a month.
func TestABudgetBoundsAFire(t *testing.T) {
	t.Parallel()
	d := newDoubt(t, 20, 0)
	baseline := d.evaluate(t, "production", "writer-1")
	if _, err := d.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	k := newWeeks(t, d.Workbench, ScheduleOrder{Experiment: "production", Budget: "25calls", Monthly: "60calls"})
	f := k.fire(t)
	if f.State != experiments.FireRan || f.Calls > 25 || f.Calls < 20 {
		t.Errorf("a fire of 25 calls: %+v", f)
	}
	never := 0
	if _, err := d.PutSchedule(t.Context(), ScheduleOrder{PauseAfter: &never, Name: "weekly", Experiment: "production", Cron: "0 6 * * 1", Zone: "Asia/Tokyo", Budget: "10calls", Monthly: "30calls"}, ""); err != nil {
		t.Fatal(err)
	}
	f = k.fire(t) // December has a budget of its own
	if f.State != experiments.FireFailed || f.Calls > 10 || !strings.Contains(f.Reason, "stopped before its budget") {
		t.Errorf("a fire of 10 calls cannot ask 20 questions: %+v", f)
	}
	for range 3 {
		f = k.fire(t)
	}
	if f.State != experiments.FireSkipped || !strings.Contains(f.Reason, "the budget of the month is spent: 30 of 30 calls") {
		t.Errorf("the month is spent: %+v", f)
	}
}

// TestAKilledFireIsGoneOnWith: what was bought before the kill is not bought again.
func TestAKilledFireIsGoneOnWith(t *testing.T) {
	t.Parallel()
	d := newDoubt(t, 30, 0)
	baseline := d.evaluate(t, "production", "writer-1")
	if _, err := d.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	k := newWeeks(t, d.Workbench, ScheduleOrder{Experiment: "production"})
	s, err := k.Schedule(t.Context(), "weekly")
	if err != nil {
		t.Fatal(err)
	}
	k.clock.set(s.NextAt)
	ctx, kill := context.WithCancel(t.Context())
	asked := 0
	d.provider = fakeprovider.New(fakeprovider.Options{Key: d.env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		d.mutex.Lock()
		if asked++; asked == 15 {
			kill()
		}
		d.mutex.Unlock()
		return d.answer(r)
	}})
	k.Scheduler.Store = dead{k.whole}
	if err := k.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	k.Wait()
	k.Scheduler = d.NewScheduler(SchedulerOptions{Version: "test"})
	k.Scheduler.Worker = "elsewhere:1"
	k.clock.add(5 * time.Minute)
	if err := k.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.Wait()
	fires, err := k.whole.Fires(t.Context(), experiments.FireList{Schedule: "weekly"})
	if err != nil || len(fires) != 1 || fires[0].State != experiments.FireRan {
		t.Fatalf("%+v %v", fires, err)
	}
	runs, err := d.Store.Runs(t.Context(), experiments.RunFilter{Experiment: "production", Kind: experiments.KindEvaluate})
	n := 0
	for _, r := range runs {
		if r.Setup.Fire == fires[0].ID && r.ParentID == "" {
			n++
		}
	}
	if err != nil || n != 1 {
		t.Errorf("%d runs of one fire, %v", n, err)
	}
	// 30 answers and their verdicts, which are known for equal texts, 20 anchors, and what was in flight when it was killed.
	if asked > 30+20+2*2+30 {
		t.Errorf("%d calls were made", asked)
	}
}

func TestAFireWithoutItsDatasetPauses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	e := w.experiment(t, "name: gone\nbase: {retrieve: {mode: bm25, k: 1}}\n")
	k := newWeeks(t, w.Workbench, ScheduleOrder{Experiment: e.Name})
	def := e.Definition
	def.Judge.Provider = "nobody"
	if _, err := w.Store.PutExperiment(t.Context(), def, k.clock.Now()); err != nil {
		t.Fatal(err)
	}
	f := k.fire(t)
	s, err := k.Schedule(t.Context(), "weekly")
	if err != nil || f.State != experiments.FireFailed || !s.Paused || !strings.Contains(s.PausedWhy, `"nobody"`) {
		t.Errorf("%+v %+v %v", f, s, err)
	}
}

// TestANotebookIsExecutedAnewAtEveryFire and stays as its people left it.
func TestANotebookIsExecutedAnewAtEveryFire(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	body := `---
ragnb: 1
title: Weekly
schedules:
  - {name: monday, cron: "0 6 * * 1", zone: Asia/Tokyo, budget: 500calls, params: {k: 2}}
---

` + "```rag params p\nk: {type: integer, default: 1}\n```\n\n```rag dataset asked\nsource: asked\n```\n\n```rag corpus rules\nsource: rules\n```\n\n" +
		"```rag config system\ncorpus: rules\nretrieve:\n  mode: bm25\n  k: ${p.k}\ngenerate: {provider: offline, model: extractive}\n```\n\n" +
		"```rag run now\nconfigs: system\ndataset: asked\n```\n"
	path := w.write(t, "data/notebooks/study.rag.md", body)
	made, err := w.PutNotebookSchedules(t.Context(), "study", "")
	if err != nil || len(made) != 1 || made[0].Name != "study.monday" || made[0].Budget.Calls != 500 || !slices.Equal(made[0].Params, []string{"k=2"}) {
		t.Fatalf("%+v %v", made, err)
	}
	if err := w.RemoveSchedule(t.Context(), "study.monday"); err != nil {
		t.Fatal(err)
	}
	k := newWeeks(t, w.Workbench, ScheduleOrder{Notebook: "study", Params: []string{"k=2"}})
	one, other := k.fire(t), k.fire(t)
	for _, f := range []experiments.Fire{one, other} {
		if f.State != experiments.FireRan || f.RunID == "" || f.Workbook == "" {
			t.Errorf("%+v", f)
		}
		if _, err := os.Stat(w.FireWorkbook(f)); err != nil {
			t.Error(err)
		}
	}
	if one.RunID == other.RunID || other.Previous != one.RunID {
		t.Errorf("two Mondays share run %s", one.RunID)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != body {
		t.Errorf("the notebook was changed: %v", err)
	}
}
