package schedules_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/app/notify"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
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
	seals := 0 // that are not those of the fire, each found once whoever looks
	check := func(version string) checkup.Report {
		t.Helper()
		r, err := checkup.Check(t.Context(), checkup.Of(d.Workbench, version))
		if err != nil {
			t.Fatal(err)
		}
		all := len(r.Findings)
		r.Findings = slices.DeleteFunc(r.Findings, func(f doctor.Finding) bool { return f.Subject == "fires "+fire.ID })
		if all-len(r.Findings) != seals {
			t.Errorf("%d seals that are not those of the fire are found, want %d", all-len(r.Findings), seals)
		}
		return r
	}
	for _, version := range []string{"test", "another"} {
		if r := check(version); len(r.Findings)+len(r.Notes) > 0 {
			t.Fatalf("as it was told: %+v", r)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(d.Options.DataDir, "workbench.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	seals = 1
	other := "PASS"
	if fire.Gate == other {
		other = "FAIL"
	}
	for figure, value := range map[string]any{"gate": other, "worse": []string{"m999"}, "newly_worse": []string{"m999"}, "mixed": 7,
		"better": 7, "low_before": fire.LowBefore + 1, "low": fire.Low + 1, "scored": fire.Scored - 1, "needs_check": fire.NeedsCheck + 1,
		"drift": compare.DriftSaid + "trust +1.00", "workbook": "fires/none/x.xlsx"} {
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
		r := check("test")
		found := r.Findings
		if figure == "workbook" { // it may lie on another host
			if found = r.Notes; len(r.Findings) > 0 {
				t.Errorf("a workbook elsewhere is a finding: %+v", r.Findings)
			}
		}
		if len(found) == 0 || !strings.Contains(found[0].Subject, fire.Schedule) {
			t.Errorf("%s was changed: %+v", figure, r)
		}
		if figure == "newly_worse" || figure == "workbook" { // it contradicts itself, or the disk, whoever told it
			continue
		}
		for _, version := range []string{"another", "development"} {
			r := check(version)
			if len(r.Findings) > 0 || len(r.Notes) == 0 || !strings.Contains(r.Notes[0].Message, "told by version test") {
				t.Errorf("%s, read by version %s: %+v", figure, version, r)
			}
		}
		file := filepath.Join(t.TempDir(), "backup.zip")
		if _, err := archive.Backup(t.Context(), d.Workbench, file, "test"); problem.CodeOf(err) != "backup_doctor" {
			t.Errorf("a backup of it is called good: %v", err)
		}
		_, copied, err := archive.CheckBackup(t.Context(), file, "", "test")
		if err != nil || len(copied.Findings) != len(r.Findings)+seals {
			t.Errorf("%s in a backup: %v %+v", figure, err, copied)
		}
	}
	if _, err := db.ExecContext(t.Context(), "UPDATE fires SET run_id = ? WHERE id = ?", baseline.ID, fire.ID); err != nil {
		t.Fatal(err)
	}
	if r := check("another"); !slices.ContainsFunc(r.Findings, func(f doctor.Finding) bool {
		return strings.Contains(f.Message, "was not made for it")
	}) {
		t.Errorf("another run stands in its place: %+v", r)
	}
}

// TestASavedLevelOutsideOfTheScaleStillFires: a schedule that was saved before such levels were refused goes on, and its check says what to
// do.
func TestASavedLevelOutsideOfTheScaleStillFires(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 20, 0)
	baseline := d.Evaluate(t, "production", "writer-1")
	if _, err := d.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	k := weekly.New(t, d.Workbench, schedules.ScheduleOrder{Experiment: "production",
		Limits: reporting.GateAsked{Limits: experiments.Limits{Min: []string{"correctness >= 4"}}}})
	saved, err := d.Whole.Schedules(t.Context())
	if err != nil || len(saved) != 1 {
		t.Fatal(saved, err)
	}
	saved[0].Limits.Min = []string{"correctness >= 6"}
	if err := d.Whole.PutSchedule(t.Context(), saved[0]); err != nil {
		t.Fatal(err)
	}
	fire := k.Fire(t)
	rules, err := reporting.OfSchedule(fire.Schedule, fire.Limits).Rules()
	if err != nil {
		t.Fatal(err)
	}
	gate, err := reporting.Gate(t.Context(), d.Workbench, fire.Baseline, fire.RunID, rules)
	if err != nil || fire.Gate != "FAIL" || !strings.Contains(strings.Join(gate.Reasons, " "), "outside of its scale from 1 to 5") {
		t.Errorf("%s, %q, %v", fire.Gate, gate.Reasons, err)
	}
}

// TestAFireGoesByTheLimitsOfItsSchedule: whatever limits a schedule has, its fire is decided by them, keeps them, and is what the gate says
// that is asked for them; one who looks again finds the same. A notebook, and what is no limit, are refused.
func TestAFireGoesByTheLimitsOfItsSchedule(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 20, 0)
	baseline := d.Evaluate(t, "production", "writer-1")
	if _, err := d.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		asked reporting.GateAsked
		said  string
	}{
		{reporting.GateAsked{Limits: experiments.Limits{Min: []string{"correctness > 5"}}}, "a mean of correctness of more than 5"},
		{reporting.GateAsked{Limits: experiments.Limits{Margin: new(.9), Allowance: new(1.)}},
			"at most 100% of the answers are allowed to be worse"},
	} {
		name := fmt.Sprint("limits", i)
		schedule, err := schedules.PutSchedule(t.Context(), d.Workbench, schedules.ScheduleOrder{Name: name, Experiment: "production",
			Cron: "@daily", Limits: c.asked}, "")
		if err != nil || schedule.Limits == nil {
			t.Fatalf("%+v, %v", schedule, err)
		}
		row, err := schedules.ScheduleRowOf(t.Context(), d.Workbench, name)
		if err != nil || row.LimitsSaid == nil || !strings.Contains(row.LimitsSaid.EN, c.said) {
			t.Errorf("%+v, %v", row, err)
		}
		k := weekly.New(t, d.Workbench, schedules.ScheduleOrder{Experiment: "production", Limits: c.asked})
		fire := k.Fire(t)
		rules, err := c.asked.Rules()
		if err != nil {
			t.Fatal(err)
		}
		gate, err := reporting.Gate(t.Context(), d.Workbench, fire.Baseline, fire.RunID, rules)
		if err != nil || fire.Limits == nil || fire.Gate != string(gate.Decision) || i == 0 && fire.Gate != "FAIL" ||
			!strings.Contains(gate.Said[0], c.said) {
			t.Errorf("%+v: %s, %+v, %v", fire.Limits, fire.Gate, gate.Said, err)
		}
	}
	r, err := checkup.Check(t.Context(), checkup.Of(d.Workbench, "test"))
	if err != nil || len(r.Findings)+len(r.Notes) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, o := range []schedules.ScheduleOrder{
		{Name: "x", Experiment: "production", Cron: "@daily", Limits: reporting.GateAsked{Limits: experiments.Limits{
			Min: []string{"corectness >= 4"}}}},
		{Name: "x", Experiment: "production", Cron: "@daily", Limits: reporting.GateAsked{Limits: experiments.Limits{Allowance: new(1.5)}}},
		{Name: "x", Notebook: "study", Cron: "@daily", Limits: reporting.GateAsked{Limits: experiments.Limits{Allowance: new(.5)}}},
		{Name: "x", Experiment: "production", Cron: "@daily", Limits: reporting.GateAsked{
			Limits: experiments.Limits{Min: []string{"correctness >= 6"}}}},
	} {
		if _, err := schedules.PutSchedule(t.Context(), d.Workbench, o, ""); !problem.Is(err, problem.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestAFireWithoutABaselineGoesByItsThresholds: it ends as the gate of its run alone says, whatever other limits the schedule has, names
// those that it could not use, and its message has the reason.
func TestAFireWithoutABaselineGoesByItsThresholds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limits experiments.Limits
		gate   string
	}{
		{experiments.Limits{}, ""},
		{experiments.Limits{Margin: new(.1)}, ""},
		{experiments.Limits{Min: []string{"correctness >= 1"}}, "PASS"},
		{experiments.Limits{Min: []string{"correctness > 5"}, Allowance: new(.2)}, "FAIL"},
	} {
		w := apptest.NewWorld(t, "")
		w.Worked(t, "name: alone\nbase:\n  retrieve: {mode: bm25, k: 2}\n")
		f := weekly.New(t, w.Workbench, schedules.ScheduleOrder{Experiment: "alone", Limits: reporting.GateAsked{Limits: c.limits}}).Fire(t)
		if f.State != experiments.FireRan || f.Gate != c.gate || f.Workbook == "" {
			t.Errorf("%+v: %+v", c.limits, f)
		}
		if two := c.limits.Margin != nil || c.limits.Allowance != nil; two != strings.Contains(f.Reason, "are about two runs") {
			t.Errorf("%+v: %s", c.limits, f.Reason)
		}
		facts := notify.FactsOf(w.Workbench, experiments.Schedule{Name: "weekly", Experiment: "alone"})
		facts.Fire = &f
		notify.ExplainWorse(t.Context(), w.Workbench, &facts)
		if (facts.Check != nil) != (c.gate != "") || facts.Check != nil && c.gate == "FAIL" && !strings.Contains(facts.Check.EN, "correctness") ||
			!facts.Finished {
			t.Errorf("%+v: the message says %+v", c.limits, facts.Check)
		}
	}
}
