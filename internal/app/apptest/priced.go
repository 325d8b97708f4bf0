package apptest

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// NewPriced makes a world whose models have prices and whose provider answers every prompt plausibly.
func NewPriced(t *testing.T) *World {
	t.Helper()
	w := NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(), Dimension: 32})
	w.Price()
	return w
}

// Price gives every model a price; a world that is opened again needs them again.
func (w *World) Price() {
	w.Config.Prices = llm.Prices{}
	for _, model := range []string{"judge-1", "writer-1", "writer-2", "embed-1", "embed-2"} {
		w.Config.Prices[model] = llm.Price{Input: 2, Output: 8}
	}
	w.Providers.Config.Prices = w.Config.Prices
}
