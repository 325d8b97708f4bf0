package apptest

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// NewPriced makes a world whose models have prices and whose provider answers every prompt plausibly.
func NewPriced(t *testing.T) *World { t.Helper(); return NewPricedIn(t, "") }

// NewPricedIn is NewPriced in a database as for [NewWorld].
func NewPricedIn(t *testing.T, database string) *World {
	t.Helper()
	w := NewWorld(t, database)
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(), Dimension: 32})
	w.Price()
	return w
}

// NewUseless makes a world whose judge always replies with these words, and the run that was paused because of them.
func NewUseless(t *testing.T, words string) (*World, experiments.Run) {
	t.Helper()
	w := NewPriced(t)
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(), Dimension: 32,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			if strings.HasPrefix(r.Model, "judge") {
				return fakeprovider.Behaviour{Fault: fakeprovider.Content, Body: words}
			}
			return fakeprovider.Behaviour{}
		}})
	run, _ := w.Run(t.Context(), w.JobFile(t, Bought)) // its error is what the tests look at in other places
	run, err := w.Store.Run(t.Context(), run.ID)
	if err != nil || run.State != experiments.Paused || run.Cause != llm.CauseUseless {
		t.Fatalf("the run is %s (%s), %v", run.State, run.Cause, err)
	}
	return w, run
}

// Price gives every model a price; a world that is opened again needs them again.
func (w *World) Price() {
	w.Config.Prices = llm.Prices{}
	for _, model := range []string{"judge-1", "writer-1", "writer-2", "embed-1", "embed-2"} {
		w.Config.Prices[model] = llm.Price{Input: 2, Output: 8}
	}
	w.Providers.Config.Prices = w.Config.Prices
}
