package archive

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// earlier is the offline provider of an earlier version, whose judge graded otherwise.
type earlier struct{ offlineAs }

// Complete grades one lower than today's judge.
func (e earlier) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	reply, err := e.offlineAs.Complete(ctx, req)
	if req.Purpose == metrics.PurposeCorrectness {
		for _, grade := range []string{"2", "3", "4", "5"} {
			if from := `"score":` + grade; strings.Contains(reply.Text, from) {
				reply.Text = strings.Replace(reply.Text, from, `"score":`+string(grade[0]-1), 1)
				break
			}
		}
	}
	return reply, err
}

// olderRun is a world with a run that offline judge 11 scored, as an earlier version of the program did.
func olderRun(t *testing.T) (*apptest.World, experiments.Run) {
	t.Helper()
	w := apptest.NewWorld(t, "")
	today, err := w.Providers.Provider("offline")
	if err != nil {
		t.Fatal(err)
	}
	w.Providers.Open["offline"] = earlier{offlineAs{today, "11"}}
	job := w.JobFile(t, apptest.Offline)
	job.Setup.OfflineVersion = "11"
	run, err := w.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return w, run
}

func verifiedAs(t *testing.T, w *apptest.World, version string) Verification {
	t.Helper()
	path := filepath.Join(t.TempDir(), "study.zip")
	if _, err := Export(t.Context(), w.Workbench, path, version); err != nil {
		t.Fatal(err)
	}
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestAnotherOfflineJudgeIsNotAccused: what judge 11 graded follows from its stored outputs, and is neither different nor verified.
func TestAnotherOfflineJudgeIsNotAccused(t *testing.T) {
	t.Parallel()
	w, run := olderRun(t)
	for _, version := range []string{"test", "1.0.0"} {
		v := verifiedAs(t, w, version)
		r := v.Runs[0]
		if !v.Equal || v.Complete || v.OtherVersion == 0 || r.OfflineVersion != "11" || r.Kept == 0 || r.Verified != 0 ||
			len(r.Different) > 0 || len(v.Findings) > 0 || r.Kept+r.Recomputed+r.Measured+r.Errors != r.Cells {
			t.Errorf("export by %s: %+v", version, v)
		}
		if version == "test" && (r.Reports != 4 || len(r.OtherVersion) > 0) {
			t.Errorf("reports of this version: %+v", r)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(w.Options.DataDir, "workbench.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, statement := range []string{
		"UPDATE cells SET value = 5 WHERE state = 'scored' AND metric = 'correctness' AND value < 5", "DELETE FROM seals",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	results, err := w.Store.Results(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "UPDATE runs SET chain = ?, totals = ? WHERE id = ?", experiments.Chain(results),
		string(asJSON(experiments.Total(results, run.Setup.LowRule()))), run.ID); err != nil {
		t.Fatal(err)
	}
	if v := verifiedAs(t, w, "1.0.0"); v.Equal || len(v.Runs[0].Different) == 0 {
		t.Errorf("raised scores with chain and totals repaired, in a study of another version: %+v", v)
	}
}

// TestAnAnalysisOfNowIsOfThisVersion: what this program made is computed again, the labels of questions like the answers, and no other
// version is blamed.
func TestAnAnalysisOfNowIsOfThisVersion(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run, err := w.Run(t.Context(), w.JobFile(t, apptest.Offline))
	if err != nil {
		t.Fatal(err)
	}
	analysed, err := analyses.AnalyseQuestions(t.Context(), w.Workbench, run.ID, analyses.QuestionRules{})
	if err != nil {
		t.Fatal(err)
	}
	v, seen := verifiedAs(t, w, "test"), false
	for _, r := range v.Runs {
		seen = seen || r.ID == analysed.ID && r.Questions > 0
		if r.OfflineVersion != "" || r.Kept > 0 || len(r.OtherVersion) > 0 || r.Verified != r.Questions {
			t.Errorf("%+v", r)
		}
	}
	if !seen || !v.Equal || v.OtherVersion > 0 {
		t.Errorf("run %s: %+v", analysed.ID, v)
	}
}

// TestReportsOfAnotherVersion forges a report: in a study of this version that is a difference, in one of another it is not compared, and
// no success either.
func TestReportsOfAnotherVersion(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, apptest.Offline)
	forged := map[string][]byte{"reports/" + run.ID + ".en.md": []byte("# All is well\n")}
	for version, accused := range map[string]bool{"test": true, "1.0.0": false, "development": false} {
		path := filepath.Join(t.TempDir(), "study.zip")
		if _, err := Export(t.Context(), w.Workbench, path, version); err != nil {
			t.Fatal(err)
		}
		by := Verifier{Version: "test", Now: apptest.SteadyClock()}
		if version == "development" { // the name of many builds
			by.Version = version
		}
		v, err := VerifyStudy(t.Context(), path, by)
		if err != nil || !v.Equal || !v.Complete {
			t.Errorf("%s, as it was written: %v %+v", version, err, v)
		}
		v, err = VerifyStudy(t.Context(), changedStudy(t, path, forged), by)
		if err != nil || v.Equal == accused || v.Complete && !accused || (v.OtherVersion == 1) == accused {
			t.Errorf("%s, with a forged report: %v %+v", version, err, v)
		}
	}
}

// TestAForgerNamesAnotherJudge: today's scores under the name of another offline judge are not verified.
func TestAForgerNamesAnotherJudge(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, apptest.Offline)
	db, err := sql.Open("sqlite", filepath.Join(w.Options.DataDir, "workbench.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, statement := range []string{
		`UPDATE runs SET setup = replace(setup, '"offline_version":"` + llm.OfflineVersion + `"', '"offline_version":"11"')`,
		"UPDATE cells SET value = 5 WHERE state = 'scored' AND metric = 'correctness' AND value < 5", "DELETE FROM seals",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if v := verifiedAs(t, w, "1.0.0"); v.Equal && v.Complete || v.OtherVersion == 0 || v.Runs[0].Verified > 0 {
		t.Errorf("%+v", v)
	}
}
