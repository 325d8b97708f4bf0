package schedules_test

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestAFireTellsWhatItsRunsGive changes every figure of a fire that its runs give, in the database: each is found.
func TestAFireTellsWhatItsRunsGive(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 20, 0)
	baseline := d.Evaluate(t, "production", "writer-1")
	if _, err := d.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	k := weekly.New(t, d.Workbench, schedules.ScheduleOrder{Experiment: "production"})
	fire := k.Fire(t)
	if fire.State != experiments.FireRan || fire.Gate == "" {
		t.Fatalf("%+v", fire)
	}
	if found, err := schedules.CheckFires(t.Context(), d.Workbench); err != nil || len(found) > 0 {
		t.Fatalf("as it was told: %v %+v", err, found)
	}
	db, err := sql.Open("sqlite", filepath.Join(d.Options.DataDir, "workbench.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	other := "PASS"
	if fire.Gate == other {
		other = "FAIL"
	}
	for figure, value := range map[string]any{"gate": other, "worse": []string{"m999"}, "newly_worse": []string{"m999"}, "mixed": 7,
		"better": 7, "low_before": fire.LowBefore + 1, "workbook": "fires/none/x.xlsx"} {
		var body map[string]any
		raw, err := json.Marshal(fire)
		if err == nil {
			err = json.Unmarshal(raw, &body)
		}
		if err != nil {
			t.Fatal(err)
		}
		body[figure] = value
		raw, _ = json.Marshal(body)
		if _, err := db.ExecContext(t.Context(), "UPDATE fires SET body = ? WHERE id = ?", string(raw), fire.ID); err != nil {
			t.Fatal(err)
		}
		found, err := schedules.CheckFires(t.Context(), d.Workbench)
		if err != nil || len(found) == 0 || !strings.Contains(found[0].Subject, fire.Schedule) {
			t.Errorf("%s was changed: %v %+v", figure, err, found)
		}
	}
}
