package demo

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/analyses"
)

// TestThemesOfADemoStay: a demo in a folder where one ran before keeps the themes that the first one added.
func TestThemesOfADemoStay(t *testing.T) {
	t.Parallel()
	w, dir, run := demoWeeks(t, "en")
	themes := filepath.Join(dir, "themes.yaml")
	if err := demoAnalyses(t.Context(), w.Workbench, run, run, themes); err != nil {
		t.Fatal(err)
	}
	first, err := analyses.Taxonomies(t.Context(), w.Workbench, "airline")
	if err != nil || len(first) == 0 {
		t.Fatalf("%v: %+v", err, first)
	}
	extended := first[0]
	extended.Version++
	extended.Labels = append(extended.Labels, extended.Labels[0])
	extended.Labels[len(extended.Labels)-1].ID = "added-later"
	if _, err := w.Whole.PutTaxonomy(t.Context(), "airline", extended, w.Options.Now()); err != nil {
		t.Fatal(err)
	}
	if err := demoAnalyses(t.Context(), w.Workbench, run, run, themes); err != nil {
		t.Fatalf("a second demo: %v", err)
	}
	again, err := analyses.Taxonomies(t.Context(), w.Workbench, "airline")
	if err != nil {
		t.Fatal(err)
	}
	if _, there := again[0].Label("added-later"); !there {
		t.Errorf("the added theme is gone (-before +after):\n%s", cmp.Diff(extended, again[0]))
	}
}
