package schedules_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// TestWeeksOfAPaidSystem whose answers and judge are asked again every Monday: a noisy judge is silent, answers that become worse behind
// an unchanged name are found, and so is a judge that becomes stricter.
func TestWeeksOfAPaidSystem(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 40, 0.05, 3, 11, 17, 29)
	baseline := d.Evaluate(t, "production", "writer-1")
	if _, _, err := votes.ScoreBaseline(t.Context(), d.World.Workbench, baseline.ID, 3); err != nil {
		t.Fatal(err)
	}
	generated, worse, stricter := 0, false, false
	answer := d.Answer
	d.Provider = fakeprovider.New(fakeprovider.Options{Key: d.Env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		d.Mutex.Lock()
		if len(r.Schema) == 0 {
			generated++
			if worse {
				r.Model = "writer-2"
			}
		}
		d.Mutex.Unlock()
		said, err := answer(r)
		if stricter && len(r.Schema) > 0 {
			said = strings.Replace(said, `"score":5`, `"score":3`, 1)
		}
		return said, err
	}})
	k := weekly.New(t, d.Workbench, schedules.ScheduleOrder{Experiment: "production", Budget: "2000calls"})
	for week := range 2 {
		before := generated
		f := k.Fire(t)
		weekly.Quiet(t, f)
		if generated-before < 40 || f.Calls < 40+20 || f.Anchors == "" {
			t.Errorf("week %d asked for %d answers in %d calls, anchors %q", week, generated-before, f.Calls, f.Anchors)
		}
	}
	worse = true
	f := k.Fire(t)
	apptest.Found(t, f.Worse, 3, "m003", "m011", "m017", "m029")
	if f.State != experiments.FireRan || len(f.NewlyWorse) < 3 || f.Drift != "" {
		t.Errorf("the week of the regression: %+v", f)
	}
	worse, stricter = false, true
	f = k.Fire(t)
	if f.State != experiments.FireRan || !strings.Contains(f.Drift, "correctness -") {
		t.Errorf("the week of the stricter judge: %+v", f)
	}
	weekly.Healthy(t, d.Workbench)
}

// TestABudgetBoundsAFire and a month.
func TestABudgetBoundsAFire(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 20, 0)
	baseline := d.Evaluate(t, "production", "writer-1")
	if _, err := d.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	k := weekly.New(t, d.Workbench, schedules.ScheduleOrder{Experiment: "production", Budget: "25calls", Monthly: "60calls"})
	f := k.Fire(t)
	if f.State != experiments.FireRan || f.Calls > 25 || f.Calls < 20 {
		t.Errorf("a fire of 25 calls: %+v", f)
	}
	never := 0
	if _, err := schedules.PutSchedule(t.Context(), d.World.Workbench,
		schedules.ScheduleOrder{PauseAfter: &never, Name: "weekly", Experiment: "production", Cron: "0 6 * * 1", Zone: "Asia/Tokyo",
			Budget: "10calls", Monthly: "30calls"}, ""); err != nil {
		t.Fatal(err)
	}
	f = k.Fire(t) // December has a budget of its own
	if f.State != experiments.FireFailed || f.Calls > 10 || !strings.Contains(f.Reason, "stopped before its budget") {
		t.Errorf("a fire of 10 calls cannot ask 20 questions: %+v", f)
	}
	for range 3 {
		f = k.Fire(t)
	}
	if f.State != experiments.FireSkipped || !strings.Contains(f.Reason, "the budget of the month is spent: 30 of 30 calls") {
		t.Errorf("the month is spent: %+v", f)
	}
}

// TestAKilledFireIsGoneOnWith: what was bought before the kill is not bought again.
func TestAKilledFireIsGoneOnWith(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 30, 0)
	baseline := d.Evaluate(t, "production", "writer-1")
	if _, err := d.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	k := weekly.New(t, d.Workbench, schedules.ScheduleOrder{Experiment: "production"})
	s, err := schedules.Schedule(t.Context(), k.Workbench, "weekly")
	if err != nil {
		t.Fatal(err)
	}
	k.Clock.Set(s.NextAt)
	ctx, kill := context.WithCancel(t.Context())
	asked := 0
	d.Provider = fakeprovider.New(fakeprovider.Options{Key: d.Env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		d.Mutex.Lock()
		if asked++; asked == 15 {
			kill()
		}
		d.Mutex.Unlock()
		return d.Answer(r)
	}})
	k.Scheduler.Store = dead{k.Whole}
	if err := k.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	k.Wait()
	k.Scheduler = schedules.NewScheduler(d.World.Workbench, schedules.SchedulerOptions{Version: "test"})
	k.Scheduler.Worker = "elsewhere:1"
	k.Clock.Add(5 * time.Minute)
	if err := k.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.Wait()
	fires, err := k.Whole.Fires(t.Context(), experiments.FireList{Schedule: "weekly"})
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
	w := apptest.NewWorld(t, "")
	e := w.Registered(t, "name: gone\nbase: {retrieve: {mode: bm25, k: 1}}\n")
	k := weekly.New(t, w.Workbench, schedules.ScheduleOrder{Experiment: e.Name})
	def := e.Definition
	def.Judge.Provider = "nobody"
	if _, err := w.Store.PutExperiment(t.Context(), def, k.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	f := k.Fire(t)
	s, err := schedules.Schedule(t.Context(), k.Workbench, "weekly")
	if err != nil || f.State != experiments.FireFailed || !s.Paused || !strings.Contains(s.PausedWhy, `"nobody"`) {
		t.Errorf("%+v %+v %v", f, s, err)
	}
}

// TestANotebookIsExecutedAnewAtEveryFire and stays as its people left it.
func TestANotebookIsExecutedAnewAtEveryFire(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	body := `---
ragnb: 1
title: Weekly
schedules:
  - {name: monday, cron: "0 6 * * 1", zone: Asia/Tokyo, budget: 500calls, params: {k: 2}}
---

` + "```rag params p\nk: {type: integer, default: 1}\n```\n\n```rag dataset asked\nsource: asked\n```\n\n```rag corpus rules\nsource: rules\n```\n\n" +
		"```rag config system\ncorpus: rules\nretrieve:\n  mode: bm25\n  k: ${p.k}\ngenerate: {provider: offline, model: extractive}\n```\n\n" +
		"```rag run now\nconfigs: system\ndataset: asked\n```\n"
	path := w.Write(t, "data/notebooks/study.rag.md", body)
	made, err := schedules.PutNotebookSchedules(t.Context(), w.Workbench, "study", "")
	if err != nil || len(made) != 1 || made[0].Name != "study.monday" || made[0].Budget.Calls != 500 ||
		!slices.Equal(made[0].Params, []string{"k=2"}) {
		t.Fatalf("%+v %v", made, err)
	}
	if err := schedules.RemoveSchedule(t.Context(), w.Workbench, "study.monday"); err != nil {
		t.Fatal(err)
	}
	k := weekly.New(t, w.Workbench, schedules.ScheduleOrder{Notebook: "study", Params: []string{"k=2"}})
	one, other := k.Fire(t), k.Fire(t)
	for _, f := range []experiments.Fire{one, other} {
		if f.State != experiments.FireRan || f.RunID == "" || f.Workbook == "" {
			t.Errorf("%+v", f)
		}
		if _, err := os.Stat(schedules.FireWorkbook(w.Workbench, f)); err != nil {
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
