package views

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestNoRunAsksADraft reads a drafted sheet as an upload is read, and asks its questions: those that nobody has reviewed are left out.
func TestNoRunAsksADraft(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	out := filepath.Join(w.Dir, "draft.jsonl")
	d, err := analyses.DraftDataset(t.Context(), w.Workbench, "rules", analyses.DraftRules{N: 8, Out: out})
	if err != nil || d.Questions < 3 {
		t.Fatalf("%+v, %v", d, err)
	}
	w.Write(t, "draft.jsonl", strings.Replace(read(w, t, "draft.jsonl"), `"proposed"`, `"accepted"`, 1))
	up, err := UploadRequest{Kind: UploadDataset, Path: out, Name: "drafted", Corpus: filepath.Join(w.Dir, "docs")}.read()
	if err != nil || up.Problem != nil {
		t.Fatalf("%+v, %v", up.Problem, err)
	}
	if all := (app.Select{}).From(up.Questions); len(up.Questions) != d.Questions || len(all) != 1 {
		t.Errorf("%d of %d questions would be asked", len(all), len(up.Questions))
	}
	if drafts := (app.Select{Filter: []string{experiments.DraftTag}}).From(up.Questions); len(drafts) != d.Questions-1 {
		t.Errorf("the filter finds %d drafts of %d", len(drafts), d.Questions-1)
	}
}

func read(w *apptest.World, t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(w.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
