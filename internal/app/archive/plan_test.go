package archive

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
)

func corpus(w *apptest.World, t *testing.T) {
	t.Helper()
	if _, err := w.ImportCorpus(t.Context(), filepath.Join(w.Dir, "docs"), "rules", false); err != nil {
		t.Fatal(fmt.Errorf("import the corpus again: %w", err))
	}
}
