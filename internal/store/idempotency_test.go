package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/store/machine"
)

func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		if _, ok, err := s.Made(ctx, "runs", "k1"); ok || err != nil {
			t.Fatalf("an unknown key: %v, %v", ok, err)
		}
		first := machine.Made{Digest: "d1", ID: "run1"}
		for _, m := range []machine.Made{first, {Digest: "d2", ID: "run2"}} { // the first writer wins
			if err := s.PutMade(ctx, "runs", "k1", m, at(1)); err != nil {
				t.Fatal(err)
			}
		}
		got, ok, err := s.Made(ctx, "runs", "k1")
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		diff(t, first, got)
		if _, ok, err := s.Made(ctx, "sweeps", "k1"); ok || err != nil {
			t.Errorf("the same key of another kind of request: %v, %v", ok, err)
		}
	})
}
