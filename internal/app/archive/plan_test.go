package archive

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// priced is a world whose models have prices and whose provider answers every prompt plausibly.
func priced(t *testing.T) *apptest.World {
	t.Helper()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(), Dimension: 32})
	price(w)
	return w
}

func price(w *apptest.World) {
	w.Config.Prices = llm.Prices{}
	for _, model := range []string{"judge-1", "writer-1", "writer-2", "embed-1", "embed-2"} {
		w.Config.Prices[model] = llm.Price{Input: 2, Output: 8}
	}
	w.Providers.Config.Prices = w.Config.Prices
}

func corpus(w *apptest.World, t *testing.T) {
	t.Helper()
	if _, err := w.ImportCorpus(t.Context(), filepath.Join(w.Dir, "docs"), "rules", false); err != nil {
		t.Fatal(fmt.Errorf("import the corpus again: %w", err))
	}
}
