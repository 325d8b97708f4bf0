package archive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/sealed"
)

// TestFilesOfTheEarlierProgramAreRead reads what the program wrote before there was one form: testdata holds one file of each kind.
func TestFilesOfTheEarlierProgramAreRead(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]struct {
		kind        sealed.Kind
		runs, pages int
	}{
		"format1-study.zip":        {sealed.Study, 1, 4},
		"format1-notebook.ragsnap": {sealed.Study, 1, 4}, // its manifest.json was the study's
		"format2-everything.zip":   {sealed.Everything, 0, 4},
	} {
		path := filepath.Join("testdata", file)
		w := apptest.NewWorld(t, "")
		m, err := Import(t.Context(), w.Workbench, path)
		if err != nil || m.Kind != want.kind || len(m.Runs) != want.runs {
			t.Errorf("%s: %v: %s with %d runs", file, err, m.Kind, len(m.Runs))
			continue
		}
		if corpus, err := w.Store.Corpus(t.Context(), "faq@1"); err != nil || len(corpus.Documents) != want.pages {
			t.Errorf("%s: %d documents, %v", file, len(corpus.Documents), err)
		}
		v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
		if err != nil || len(v.Findings) > 0 || len(v.Runs) != want.runs {
			t.Errorf("%s: %v: %+v", file, err, v)
		}
		for _, r := range v.Runs { // the two grades were given by version 9 of the offline provider, which this program has no more
			if slices.ContainsFunc(r.Different, func(d string) bool { return strings.HasSuffix(d, ": its answer") }) {
				t.Errorf("%s: answers are called different whose stages have other keys today: %v", file, r.Different)
			}
			if r.Cells != 4 || r.Recomputed != 2 || len(r.Missing) > 0 {
				t.Errorf("%s: %+v", file, r)
			}
		}
	}
	s, files, err := notebooks.OpenSnapshot(filepath.Join("testdata", "format1-notebook.ragsnap"))
	if err != nil || s.Notebook != "n.rag.md" || s.CreatedAt != "2026-11-23T16:14:44Z" || len(s.Runs) != 1 {
		t.Fatalf("%v: %+v", err, s)
	}
	if _, v, err := notebooks.Unsealed(s, files); err != nil || v.Cell("first").State != notebooks.Fresh {
		t.Errorf("the notebook in it: %v", err)
	}
	to := filepath.Join(t.TempDir(), "data")
	r, err := Restore(t.Context(), filepath.Join("testdata", "format1-backup.zip"), RestoreTo{DataDir: to, Verify: true})
	if err != nil || r.Rows != 57 || r.Manifest.Kind != sealed.Backup {
		t.Errorf("%v: %+v", err, r)
	}
	if _, err := os.Stat(filepath.Join(to, "workbench.db")); err != nil {
		t.Error(err)
	}
}

// TestOneKindIsNotTakenForAnother opens each kind as the others.
func TestOneKindIsNotTakenForAnother(t *testing.T) {
	t.Parallel()
	in := func(file string) string { return filepath.Join("testdata", file) }
	if _, err := Import(t.Context(), apptest.NewWorld(t, "").Workbench, in("format1-backup.zip")); problem.CodeOf(err) != "study_file" {
		t.Errorf("a backup was imported: %v", err)
	}
	for _, file := range []string{"format1-study.zip", "format2-everything.zip", "format1-notebook.ragsnap"} {
		if _, _, err := CheckBackup(t.Context(), in(file), "", "test"); problem.CodeOf(err) != "backup_file" {
			t.Errorf("%s is a backup: %v", file, err)
		}
	}
	for _, file := range []string{"format1-study.zip", "format2-everything.zip", "format1-backup.zip"} {
		if _, _, err := notebooks.OpenSnapshot(in(file)); problem.CodeOf(err) != "snapshot_broken" {
			t.Errorf("%s is a notebook: %v", file, err)
		}
	}
}
