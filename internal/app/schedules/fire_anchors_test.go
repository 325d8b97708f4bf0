package schedules_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// TestAnchorsThatWereForged: the judge became stricter, and somebody who seals everything again wants nobody to see it: takes the run out
// of the fire, puts another in its place, or gives its labels other values. The doctor finds each, and verify the labels.
func TestAnchorsThatWereForged(t *testing.T) {
	t.Parallel()
	d := apptest.NewDoubt(t, 20, 0)
	baseline := d.Evaluate(t, "production", "writer-1")
	if _, err := d.SetBaseline(t.Context(), baseline.ID); err != nil {
		t.Fatal(err)
	}
	stricter, answer := false, d.Answer
	d.Provider = fakeprovider.New(fakeprovider.Options{Key: d.Env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		said, err := answer(r)
		if stricter && len(r.Schema) > 0 {
			said = strings.Replace(said, `"score":5`, `"score":3`, 1)
		}
		return said, err
	}})
	k := weekly.New(t, d.Workbench, schedules.ScheduleOrder{Experiment: "production"})
	before := k.Fire(t)
	stricter = true
	fire := k.Fire(t)
	if before.Anchors == "" || fire.Anchors == "" || !strings.Contains(fire.Drift, "correctness -2") {
		t.Fatalf("%+v", fire)
	}
	told := func(change func(*experiments.Fire)) string {
		f := fire
		change(&f)
		body, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("UPDATE fires SET body = '%s' WHERE id = '%s'", strings.ReplaceAll(string(body), "'", "''"), f.ID)
	}
	check := func() checkup.Report {
		r, err := checkup.Check(t.Context(), checkup.Of(d.Workbench, "test"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	says := func(all []doctor.Finding, part string) bool {
		return slices.ContainsFunc(all, func(f doctor.Finding) bool { return strings.Contains(f.Message, part) })
	}
	if r := check(); len(r.Findings)+len(r.Notes) > 0 {
		t.Fatalf("as it was: %+v", r)
	}
	d.Forge(t, told(func(f *experiments.Fire) { f.Anchors, f.Drift = "", "" }))
	if r := check(); !says(r.Notes, "and it does not say so") {
		t.Errorf("the run was taken out of the fire: %+v", r)
	}
	for _, other := range []string{before.Anchors, fire.RunID} {
		d.Forge(t, told(func(f *experiments.Fire) { f.Anchors, f.Drift = other, "" }))
		if r := check(); !says(r.Findings, "did not judge answers again for it") {
			t.Errorf("run %s stands in its place: %+v", other, r)
		}
	}
	raised := func(run string) {
		d.Tamper(t, "UPDATE cells SET value = value + 2 WHERE value <= 3 AND run_id = '"+run+"'", "DELETE FROM results WHERE run_id = '"+run+"'")
		results, err := d.Store.Results(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		totals, err := json.Marshal(experiments.Total(results, baseline.Setup.LowRule()))
		if err != nil {
			t.Fatal(err)
		}
		d.Forge(t, fmt.Sprintf("UPDATE runs SET chain = '%s', totals = '%s' WHERE id = '%s'", experiments.Chain(results), totals, run))
	}
	d.Forge(t, told(func(*experiments.Fire) {}))
	raised(fire.Anchors)
	if r := check(); !says(r.Findings, "drift") {
		t.Errorf("the labels were changed: %+v", r)
	}
	d.Forge(t, told(func(f *experiments.Fire) { f.Drift = "" }))
	if r := check(); len(r.Findings) != 1 || !says(r.Findings, "of its scores do not follow from its answers and the stored verdicts") {
		t.Errorf("both were changed: %+v", r)
	}
	study := filepath.Join(t.TempDir(), "study.zip")
	if _, err := archive.Export(t.Context(), d.Workbench, study, "test", baseline.ID); err != nil {
		t.Fatal(err)
	}
	v, err := archive.VerifyStudy(t.Context(), study, archive.Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range v.Runs {
		if wrong := r.ID == fire.Anchors; wrong != (len(r.Different) > 0) {
			t.Errorf("verify of run %s: %v", r.ID, r.Different)
		}
	}
}
