package schedules_test

import (
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestASavedScheduleFiresAgain: somebody has put the next slot of a schedule far away in the database. Whoever saves the schedule again, as
// the doctor advises, has it fire at the next one.
func TestASavedScheduleFiresAgain(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "").Workbench
	now := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	w.Options.Now = func() time.Time { return now }
	if _, err := w.Store.PutExperiment(t.Context(), experiments.Definition{Name: "production"}, now); err != nil {
		t.Fatal(err)
	}
	order := schedules.ScheduleOrder{Name: "daily", Experiment: "production", Cron: "@daily"}
	honest, err := schedules.PutSchedule(t.Context(), w, order, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Whole.Orm.Exec("UPDATE schedules SET next_at = ?", now.AddDate(70, 0, 0)).Error; err != nil {
		t.Fatal(err)
	}
	found, err := w.Whole.Check(t.Context())
	if err != nil || len(found) != 1 || found[0].Subject != "schedules daily" {
		t.Errorf("found are %v, %v", found, err)
	}
	again, err := schedules.PutSchedule(t.Context(), w, order, "")
	if err != nil || !again.NextAt.Equal(honest.NextAt) {
		t.Errorf("the next slot is %s, and was %s, %v", again.NextAt, honest.NextAt, err)
	}
	if found, err = w.Whole.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("found are %v, %v", found, err)
	}
}
