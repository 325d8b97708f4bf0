package views

import (
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestTrend: the series of a schedule has a point for every slot that ended, with the figures of its run; that of its experiment has
// one for every run.
func TestTrend(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	good := w.Worked(t, apptest.Offline)
	bad := w.Worked(t, "name: closed\nbase: {retrieve: {mode: bm25, k: 2}, generate: {provider: offline, model: closed-book}}\n")
	s := experiments.Schedule{Name: "weekly", Experiment: "closed", Cron: "@weekly", Zone: "UTC"}
	if err := w.Whole.PutSchedule(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	monday := time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)
	for week, state := range []experiments.FireState{experiments.FireRan, experiments.FireMissed, experiments.FireRan,
		experiments.FireFailed, experiments.FireRunning} {
		f := timetable.NewFire("weekly", monday.AddDate(0, 0, 7*week), state)
		if state == experiments.FireRan {
			f.RunID, f.Baseline, f.Gate = good.ID, good.ID, "PASS"
			if week == 2 {
				f.RunID, f.Gate, f.Worse, f.NewlyWorse = bad.ID, "FAIL", []string{"q0", "q1"}, []string{"q0"}
				f.Limits = &experiments.Limits{Allowance: new(.5)}
			}
		}
		if _, err := w.Whole.AddFire(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	v := NewViews(w.Workbench)
	got, err := v.runs().Trend(t.Context(), "weekly", 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Points) != 4 || got.Schedule != "weekly" || got.Experiment != "closed" || len(got.Baselines) != 1 ||
		got.Baselines[0].RunID != good.ID {
		t.Fatalf("the trend is %+v", got)
	}
	first, missed, third, failed := got.Points[0], got.Points[1], got.Points[2], got.Points[3]
	if !first.At.Equal(monday) || !first.IsBaseline || missed.Run != nil || failed.Run != nil || third.Worse != 2 ||
		third.NewlyWorse != 1 || third.Gate != "FAIL" {
		t.Errorf("the points are %+v", got.Points)
	}
	if l := third.Limits; first.Limits != nil || l == nil || l.From.EN != "the usual limits" || l.From.JA != "既定の許容範囲" ||
		l.To.EN != "at most 50% of the answers are allowed to be worse" || l.To.JA != "悪化した回答は50%以下" {
		t.Errorf("the limits of the third changed: %+v", l)
	}
	for id, point := range map[string]int{good.ID: 0, bad.ID: 2} {
		run, err := w.Store.Run(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		p := got.Points[point].Run
		if p.Low != run.Totals.LowScoreCount || !p.Offline || p.Metrics["correctness"].N != run.Totals.Scores["correctness"].N ||
			p.Metrics["correctness"].CI95 == nil {
			t.Errorf("point %d is %+v; the run has %+v", point, p, run.Totals)
		}
		if d := p.Metrics["correctness"].Mean - run.Totals.Scores["correctness"].Mean; d > 1e-9 || d < -1e-9 {
			t.Errorf("the mean of point %d is %v; the run has %v", point, p.Metrics["correctness"].Mean,
				run.Totals.Scores["correctness"].Mean)
		}
	}
	if len(third.Changes) == 0 {
		t.Errorf("the second run has another system, and the trend does not say so")
	}
	if short, err := v.runs().Trend(t.Context(), "weekly", 2); err != nil || len(short.Points) != 2 || short.More != 2 ||
		short.Points[0].FireID != third.FireID {
		t.Errorf("the last two points are %+v (%v)", short, err)
	}

	// A diagnosis that comes later shows at the next look.
	if _, err := analyses.Diagnose(t.Context(), w.Workbench, bad.ID, analyses.DiagnoseRules{}); err != nil {
		t.Fatal(err)
	}
	byExperiment, err := v.runs().Trend(t.Context(), "closed", 0)
	if err != nil || len(byExperiment.Points) != 1 || byExperiment.Points[0].Gate != "FAIL" ||
		byExperiment.Points[0].FireID != third.FireID {
		t.Fatalf("the trend of the experiment is %+v (%v)", byExperiment, err)
	}
	if r := byExperiment.Points[0].Run; len(r.Causes) == 0 || r.Method == "" {
		t.Errorf("the causes are %+v", r)
	}
	if _, err := v.runs().Trend(t.Context(), "nobody", 0); problem.CodeOf(err) != "trend_unknown" {
		t.Errorf("a name that nothing has: %v", err)
	}
	if empty, err := v.runs().Trend(t.Context(), "offline", 0); problem.CodeOf(err) != "trend_unknown" && (err != nil ||
		empty.Points == nil) {
		t.Errorf("an experiment: %+v, %v", empty, err)
	}
}
