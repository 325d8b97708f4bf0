package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestEvidenceSurvivesAnImportOfTheSameFile: a file that says nothing of evidence takes none away, but of questions that it changes; a file
// that has the column means what stands in it.
func TestEvidenceSurvivesAnImportOfTheSameFile(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "faq.csv")
	put := func(body string) (experiments.Dataset, bool, string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		imported, _, err := w.ImportDataset(ctx, file, "kept", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := w.Store.Dataset(ctx, imported.String())
		if err != nil {
			t.Fatal(err)
		}
		var notes strings.Builder
		for _, n := range imported.Notes {
			notes.WriteString(n.In("en") + "\n")
		}
		return *d, imported.Created, notes.String()
	}
	const plain = "id,question,reference\na,When?,At nine.\nb,Where?,In the hall.\n"
	first, _, _ := put(plain)
	for i := range first.Questions {
		first.Questions[i].Evidence = []experiments.Evidence{{Quote: first.Questions[i].Reference}}
	}
	if _, _, err := w.Store.PutDataset(ctx, experiments.NewDataset("kept", first.Questions), w.Options.Now()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, body string
		evidence   [2]int
		created    bool
	}{
		{"the same file", plain, [2]int{1, 1}, false},
		{"another right answer", "id,question,reference\na,When?,At ten.\nb,Where?,In the hall.\n", [2]int{0, 1}, true},
		{"its column, empty", "id,question,reference,evidence\na,When?,At ten.,\nb,Where?,In the hall.,\n", [2]int{0, 0}, true},
		{"without it again: nothing is left to keep", plain, [2]int{0, 0}, true},
	} {
		got, created, notes := put(c.body)
		kept := 0
		for i, q := range got.Questions {
			if len(q.Evidence) != c.evidence[i] {
				t.Errorf("%s: question %s has evidence %v", c.name, q.ID, q.Evidence)
			}
			kept += len(q.Evidence)
		}
		if created != c.created || (kept > 0) != strings.Contains(notes, "is kept from kept@") {
			t.Errorf("%s: created %t, %q", c.name, created, notes)
		}
	}
}
