package store

import (
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestAKeyStaysWithItsOrigin keeps providers that were added: every field comes back, a change leaves who added it and what its key was
// bound to, and the key of one origin is none for another.
func TestAKeyStaysWithItsOrigin(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		full := filled1[experiments.AddedProvider]()
		full.BaseURL = "https://one.example/v1"
		put := func(p experiments.AddedProvider) (experiments.AddedProvider, bool) {
			stored, created, err := s.PutProvider(ctx, p)
			ok(t, err)
			return stored, created
		}
		stored, created := put(full)
		diff(t, full, stored)
		diff(t, []experiments.AddedProvider{full}, must[[]experiments.AddedProvider](t)(s.AddedProviders(ctx)))
		if !created {
			t.Error("the first one was not created")
		}
		p := experiments.AddedProvider{Name: "gate", BaseURL: "https://one.example/v1", Models: []string{"m"}, AddedBy: "ann",
			AddedAt: at(1)}
		put(p)
		bound := must[experiments.AddedProvider](t)(s.BindKey(ctx, "gate", "GATE_KEY"))
		if bound.Key() != "GATE_KEY" || bound.KeyOrigin != "https://one.example" {
			t.Errorf("bound: %+v", bound)
		}
		p.AddedBy, p.AddedAt, p.BaseURL = "bob", at(2), "https://two.example/v1"
		moved, created := put(p)
		if moved.Key() != "" || moved.KeyEnv != "GATE_KEY" || moved.AddedBy != "ann" || created {
			t.Errorf("at another address: %+v", moved)
		}
		p.BaseURL = "https://one.example/other"
		if back, _ := put(p); back.Key() != "GATE_KEY" {
			t.Errorf("back at its origin: %+v", back)
		}
		_, err := s.MarkProvider(ctx, "gate", at(3))
		ok(t, err)
		kept := must[experiments.AddedProvider](t)(s.MarkProvider(ctx, "gate", time.Time{}))
		if kept.Key() != "GATE_KEY" {
			t.Errorf("taken back: %+v", kept)
		}
		_, err = s.MarkProvider(ctx, "gate", at(3))
		ok(t, err)
		if anew, created := put(p); anew.KeyEnv != "" || anew.AddedBy != "bob" || !created {
			t.Errorf("added anew after it was removed: %+v", anew)
		}
		if _, err := s.BindKey(ctx, "none", "K"); problem.CodeOf(err) != "provider_unknown" {
			t.Errorf("no such provider: %v", err)
		}
	})
}
