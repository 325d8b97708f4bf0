package schedules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/app/traces"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// users ask: each question is a trace of its own, which arrives at this moment.
func users(t *testing.T, w *app.Workbench, first int, questions ...string) {
	t.Helper()
	in, err := traces.NewIntake(w)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		body := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x","attributes":[
			{"key":"input.value","value":{"stringValue":%q}},{"key":"output.value","value":{"stringValue":"Nobody knows."}}]}]}]}]}`,
			first+i, 1, q)
		if got, err := in.Accept(t.Context(), []byte(body), false); err != nil || got.Stored != 1 {
			t.Fatal(got, err)
		}
	}
}

// TestWhatUsersAskedIsEvaluated every week: frozen as a version, questions of the dataset with their right answers, compared where the
// baseline was asked the same, and skipped in a week without questions.
func TestWhatUsersAskedIsEvaluated(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	baseline := w.Worked(t, "name: faq\nbase: {retrieve: {mode: bm25, k: 1}}\n")
	if _, err := w.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	k := weekly.New(t, w.Workbench, schedules.ScheduleOrder{Experiment: "faq", Last: 3, Seed: "s"})
	s, err := schedules.Schedule(t.Context(), w.Workbench, "weekly")
	if err != nil || s.Recent == nil || *s.Recent != (experiments.Recent{Last: 3, Days: 7, Seed: "s"}) {
		t.Fatalf("%+v, %v", s.Recent, err)
	}
	k.Clock.Set(s.NextAt.Add(-8 * 24 * time.Hour))
	users(t, w.Workbench, 1, "Was this asked too early?")
	k.Clock.Set(s.NextAt.Add(-time.Hour))
	users(t, w.Workbench, 2, strings.ToUpper(apptest.AskedQuestions[0]), apptest.AskedQuestions[1], apptest.AskedQuestions[1],
		"May I bring a drum?")
	f := k.Fire(t)
	run, err := w.Store.Run(t.Context(), f.RunID)
	if err != nil || f.State != experiments.FireRan || run.Setup.Dataset.Name != "weekly-asked" || run.Setup.Dataset.Version != 1 ||
		run.Totals.Questions != 3 || f.Baseline != baseline.ID {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, says := range []string{"4 questions arrived in 7 days", "evaluated 3 questions as weekly-asked@1; 2 of them have a right answer",
		"compared with the baseline: 2 of 3 questions that it was asked too"} {
		if !strings.Contains(f.Reason, says) {
			t.Errorf("the fire does not say %q: %s", says, f.Reason)
		}
	}
	if f = k.Fire(t); f.State != experiments.FireSkipped || !strings.Contains(f.Reason, "no question arrived in the 7 days before") {
		t.Errorf("a week without questions: %+v", f)
	}
	s, err = schedules.Schedule(t.Context(), w.Workbench, "weekly")
	if err != nil || s.Paused {
		t.Errorf("%+v, %v", s, err)
	}
	k.Clock.Set(s.NextAt.Add(-time.Hour))
	users(t, w.Workbench, 20, "May I bring a cello?")
	f = k.Fire(t)
	if f.State != experiments.FireRan || f.Baseline != "" || !strings.Contains(f.Reason, "nothing is compared: the baseline") {
		t.Errorf("a week of other questions: %+v", f)
	}
	weekly.Healthy(t, w.Workbench)
}

// TestAnswersThatUsersGotAreEvaluated where the experiment replays a log: the fire makes the next version of one.
func TestAnswersThatUsersGotAreEvaluated(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	clock := &apptest.Watch{Time: time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)}
	w.Options.Now = clock.Now
	users(t, w.Workbench, 1, "May I bring a drum?", "May I bring a cello?")
	clock.Set(clock.Now().Add(time.Minute))
	window := traces.Window{Last: 9, Days: 1, Now: clock.Now()}
	if _, err := traces.Take(t.Context(), w.Workbench, window, app.ResultsOptions{Name: "live"}); err != nil {
		t.Fatal(err)
	}
	k := weekly.New(t, w.Workbench, schedules.ScheduleOrder{Experiment: "live", Last: 200})
	users(t, w.Workbench, 9, "May I bring a flute?")
	f := k.Fire(t)
	run, err := w.Store.Run(t.Context(), f.RunID)
	if err != nil || f.State != experiments.FireRan || run.Totals.Questions != 3 || run.Setup.Config.Log == nil ||
		run.Setup.Config.Log.Name != "weekly-asked" {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, wrong := range []schedules.ScheduleOrder{{Last: 5001}, {Last: 3, Days: 367}, {Last: 3, Notebook: "study"},
		{Days: 3}, {Seed: "s"}, {Params: []string{"k=3"}}, {Budget: "5", Monthly: "1"}, {Budget: "5calls", Monthly: "4calls"}} {
		wrong.Name, wrong.Cron = "x", "@daily"
		if wrong.Notebook == "" {
			wrong.Experiment = "live"
		}
		_, err := schedules.PutSchedule(t.Context(), w.Workbench, wrong, "")
		if p := problem.From(err); err == nil || p.Params["field"] == nil || p.Hint == "" {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}
