package archive

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// studied is a world with a bought sweep whose second run rests on what the first one had bought, with replicates of a run, and a run
// whose provider failed for one question.
func studied(t *testing.T) *apptest.World {
	t.Helper()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline()})
	e := w.Registered(t, apptest.Bought+"sweep:\n  retrieve.k: [2, 3]\n")
	jobs, _, err := w.SweepJobs(t.Context(), e, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	_, runs, err := w.Sweep(t.Context(), e, jobs)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Replicates(t.Context(), runs[0].ID, 1, "q0", "q1"); err != nil {
		t.Fatal(err)
	}
	offline := fakeprovider.Offline()
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: offline,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			if strings.Contains(r.User, "pet cage") {
				return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
			}
			return fakeprovider.Behaviour{}
		}})
	if run := w.Worked(t, strings.Replace(apptest.Bought, "k: 2", "k: 1", 1)); run.Totals.Errors["provider_server"] == 0 {
		t.Fatalf("the fault left no trace: %+v", run.Totals)
	}
	return w
}

// studiedFile is a workbench with studied runs, and the file of their study as it was written.
func studiedFile(t *testing.T) (*apptest.World, string, Manifest) {
	t.Helper()
	w := studied(t)
	path := filepath.Join(w.Dir, "study.zip")
	m, err := Export(t.Context(), w.Workbench, path, "test")
	if err != nil {
		t.Fatal(err)
	}
	return w, path, m
}

func TestStudyIsRecomputedElsewhere(t *testing.T) {
	t.Parallel()
	w, path, m := studiedFile(t)
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil {
		t.Fatal(err)
	}
	if !v.Equal || !v.Complete || !v.Sealed || v.Vectors.Stored == 0 || v.Vectors.Recomputed != v.Vectors.Stored || len(v.Runs) != 4 ||
		len(v.Findings) > 0 {
		t.Fatalf("verified: %+v", v)
	}
	for _, r := range v.Runs {
		if r.Recomputed+r.Errors+r.Measured != r.Cells || r.Recomputed == 0 || len(r.Missing) > 0 {
			t.Errorf("run %s: %+v", r.ID, r)
		}
	}
	if _, err := Export(t.Context(), w.Workbench, path, "test"); problem.CodeOf(err) != "file_exists" {
		t.Errorf("a second export over the first: %v", err)
	}
	other := apptest.NewWorld(t, "")
	if _, err := Import(t.Context(), other.Workbench, path); err != nil {
		t.Fatal(err)
	}
	for _, r := range m.Runs {
		before, err := experiments.LoadEvaluation(t.Context(), w.Store, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		after, err := experiments.LoadEvaluation(t.Context(), other.Store, r.ID)
		if diff := cmp.Diff(before, after); err != nil || diff != "" {
			t.Errorf("run %s after import: %v %s", r.ID, err, diff)
		}
		a, _ := w.Store.Spent(t.Context(), r.ID)
		b, err := other.Store.Spent(t.Context(), r.ID)
		if diff := cmp.Diff(a, b); err != nil || diff != "" {
			t.Errorf("bill of run %s after import: %v %s", r.ID, err, diff)
		}
	}
	if findings, err := other.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("after import: %v %v", findings, err)
	}
	if _, err := Import(t.Context(), other.Workbench, path); err != nil {
		t.Errorf("a second import: %v", err)
	}
}

// TestStudyThatWasTouched changes one thing in a study after the other.
func TestStudyThatWasTouched(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	w := studied(t)
	path := filepath.Join(w.Dir, "study.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][3]string{
		"a score":      {"tables/cells.jsonl", `"value":1,`, `"value":0.5,`},
		"a reply":      {"tables/calls.jsonl", `"cause":""`, `"cause":"x"`},
		"the manifest": {"manifest.json", `"format": 3`, `"format": 9`},
	} {
		touched := filepath.Join(w.Dir, strings.ReplaceAll(name, " ", "-")+".zip")
		rewrite(t, path, touched, change[0], change[1], change[2])
		if _, err := VerifyStudy(t.Context(), touched,
			Verifier{Version: "test", Now: apptest.SteadyClock()}); problem.CodeOf(err) != "study_file" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := VerifyStudy(t.Context(), w.Write(t, "no.zip", "PK not a zip"),
		Verifier{Version: "test", Now: apptest.SteadyClock()}); problem.CodeOf(err) != "study_file" {
		t.Errorf("no study at all: %v", err)
	}
	// A score that was changed before the export has the right digest and still does not follow from the replies.
	forged, halfway := filepath.Join(w.Dir, "forged.zip"), filepath.Join(w.Dir, "halfway.zip")
	before, after := rewrite(t, path, halfway, "tables/cells.jsonl", `"value":1,`, `"value":0.5,`)
	rewrite(t, halfway, forged, "manifest.json", before, after)
	v, err := VerifyStudy(t.Context(), forged, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || v.Equal || len(v.Findings) == 0 {
		t.Fatalf("a forged score passed: %v %+v", err, v)
	}
	var different []string
	for _, r := range v.Runs {
		different = append(different, r.Different...)
	}
	if !strings.Contains(strings.Join(different, " "), "question q") {
		t.Errorf("the forged question is not named: %v", different)
	}
}

// rewrite copies a zip file with one text replaced in one of its files, and returns that file's digests before and after.
func rewrite(t *testing.T, from, to, name, before, after string) (was, is string) {
	t.Helper()
	whole, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	whole = changedZip(t, whole, name, func(body []byte) []byte {
		found = bytes.Contains(body, []byte(before))
		was = fmt.Sprintf("%x", sha256.Sum256(body))
		body = bytes.Replace(body, []byte(before), []byte(after), 1)
		is = fmt.Sprintf("%x", sha256.Sum256(body))
		return body
	})
	if !found {
		t.Fatalf("%s holds no %s", name, before)
	}
	if err := os.WriteFile(to, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	return was, is
}
