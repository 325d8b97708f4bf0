package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestNotesStandInTheJSON takes the workbooks of fires away: that is worth knowing and no finding, for a program as for people.
func TestNotesStandInTheJSON(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("corpus", "import", "{}/docs", "--name", "faq")
	b.must("dataset", "import", "{}/questions.csv", "--name", "faq", "--corpus", "faq")
	b.must("experiment", "add", "{}/sweep.yaml")
	b.must("schedule", "add", "asked", "--experiment", "faq", "--cron", "0 6 * * 1", "--last", "100", "--days", "3")
	for lang, want := range map[string]string{"en": "faq, over what users asked: at most 100 questions of 3 days",
		"ja": "faq（利用者の質問、直近3日間の100問まで）"} {
		for _, verb := range [][]string{{"list"}, {"show", "asked"}} {
			if o := b.must(append([]string{"schedule", "--lang", lang}, verb...)...); !strings.Contains(o.stdout, want) {
				t.Errorf("%v does not say what is evaluated: %s", verb, o.stdout)
			}
		}
	}
	b.must("schedule", "remove", "asked")
	b.must("schedule", "add", "weekly", "--experiment", "faq", "--cron", "0 6 * * 1")
	b.must("schedule", "run-now", "weekly")
	if err := os.RemoveAll(filepath.Join(b.dir, "data", "fires")); err != nil {
		t.Fatal(err)
	}
	var report checkup.Report
	decode(t, b.must("doctor", "--json"), &report)
	if report.Findings == nil || len(report.Findings) > 0 || len(report.Notes) != 1 {
		t.Errorf("%+v", report)
	}
}

// TestScheduleFromTheCommandLine registers, looks ahead, fires with the real use cases, and forgets.
func TestScheduleFromTheCommandLine(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("corpus", "import", "{}/docs", "--name", "faq")
	b.must("dataset", "import", "{}/questions.csv", "--name", "faq", "--corpus", "faq")
	b.must("experiment", "add", "{}/sweep.yaml")
	b.must("run", "faq")
	b.must("baseline", "set", "faq")
	if o := b.must("schedule", "add", "weekly", "--experiment", "faq", "--cron", "0 6 * * 1", "--zone", "Asia/Tokyo", "--budget",
		"500calls"); !strings.Contains(o.stdout, "06:00 JST") {
		t.Errorf("add: %s", o.stdout)
	}
	if o := b.must("schedule", "next", "weekly", "-n", "10"); strings.Count(o.stdout, "06:00 +09:00 JST") != 10 ||
		strings.Count(o.stdout, "21:00") != 10 {
		t.Errorf("next: %s", o.stdout)
	}
	var fire experiments.Fire
	if err := json.Unmarshal([]byte(b.must("schedule", "run-now", "weekly", "--json").stdout), &fire); err != nil {
		t.Fatal(err)
	}
	if fire.State != experiments.FireRan || fire.Gate == "FAIL" || len(fire.NewlyWorse) > 0 || fire.Baseline == "" || fire.Workbook == "" {
		t.Errorf("run-now: %+v", fire)
	}
	if o := b.must("schedule", "fires", "weekly"); !strings.Contains(o.stdout, fire.RunID) {
		t.Errorf("fires: %s", o.stdout)
	}
	offlineGates(t, b)
	b.must("schedule", "pause", "weekly", "--why", "a holiday")
	var rows []schedules.ScheduleRow
	if err := json.Unmarshal([]byte(b.must("schedule", "list", "--json").stdout), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1 || rows[0].PausedWhy != "a holiday" || rows[0].Last == nil {
		t.Errorf("list: %+v", rows)
	}
	for _, args := range [][]string{{"show", "weekly"}, {"resume", "weekly"}, {"remove", "weekly"}} {
		b.must(append([]string{"schedule"}, args...)...)
		b.must("doctor") // its seal has followed
	}
	for _, args := range [][]string{
		{"add", "bad", "--experiment", "faq", "--cron", "* * * * *"},
		{"add", "bad", "--experiment", "faq", "--cron", "@daily", "--zone", "Europe/Belrin"},
		{"show", "weekly"},
		{"next"},
		{"add", "bad", "--cron", "@daily"},
	} {
		if o := b.run(append([]string{"schedule"}, args...)...); o.code != 2 {
			t.Errorf("%v ends with %d: %s", args, o.code, o.stderr)
		}
	}
}

// offlineGates are the commands that show what a gate of the offline judge decided: each says once what that is worth.
func offlineGates(t *testing.T, b *bench) {
	t.Helper()
	for _, lang := range []string{"en", "ja"} {
		b.must("schedule", "add", lang, "--experiment", "faq", "--cron", "0 6 * * 1")
		for _, verb := range []string{"schedule run-now " + lang, "schedule show " + lang, "schedule fires", "trend weekly"} {
			o := b.must(append(strings.Fields(verb), "--lang", lang)...)
			if worth := findings.OfflineGate().In(lang); strings.Count(o.stdout, worth) != 1 {
				t.Errorf("%s --lang %s does not say once what the gate is worth:\n%s", verb, lang, o.stdout)
			}
		}
	}
	var trend findings.TrendView
	decode(t, b.must("trend", "weekly", "--json"), &trend)
	var rows []schedules.ScheduleRow
	decode(t, b.must("schedule", "list", "--json"), &rows)
	for _, lang := range []string{"en", "ja"} {
		b.must("schedule", "remove", lang)
	}
	if trend.Caution == nil || len(rows) != 3 || rows[0].Caution == nil || *rows[0].Caution != findings.OfflineGate() {
		t.Errorf("as JSON the gate's worth is %v of the trend, and %+v", trend.Caution, rows)
	}
}
