package rag_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// transactions keeps stages and counts what it was asked for.
type transactions struct {
	rag.MemoryStages
	stored  [][]string // keys of each transaction
	refused error
}

func (t *transactions) PutStages(ctx context.Context, out []rag.Stage) error {
	if t.refused != nil {
		return t.refused
	}
	var keys []string
	for _, s := range out {
		if err := t.PutStage(ctx, s); err != nil {
			return err
		}
		keys = append(keys, s.Key)
	}
	t.stored = append(t.stored, keys)
	return nil
}

// What is collected can be read before it is stored, is stored with one transaction in the order it came, and is still there when
// that fails.
func TestABatchOfStagesIsStoredTogether(t *testing.T) {
	ctx, below := t.Context(), &transactions{}
	if err := below.PutStage(ctx, rag.Stage{Key: "old", Body: []byte("0")}); err != nil {
		t.Fatal(err)
	}
	batch := rag.NewStageBatch(below)
	if err := batch.Flush(ctx); err != nil || len(below.stored) != 0 {
		t.Fatalf("nothing is stored with %d transactions: %v", len(below.stored), err)
	}
	for _, s := range []rag.Stage{{Key: "b", Body: []byte("1")}, {Key: "a", Body: []byte("2")}, {Key: "b", Body: []byte("other")}} {
		if err := batch.PutStage(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	reads := func(when string) {
		t.Helper()
		found, err := rag.StageBodies(ctx, batch, []string{"a", "old", "b", "none"})
		want := map[string][]byte{"a": []byte("2"), "b": []byte("1"), "old": []byte("0")}
		if err != nil || !maps.EqualFunc(found, want, slices.Equal) {
			t.Errorf("%s: %q, %v; want %q", when, found, err, want)
		}
	}
	reads("before it is stored")
	below.refused = errors.New("the disk is full")
	if err := batch.Flush(ctx); !errors.Is(err, below.refused) {
		t.Errorf("a store that refuses says %v", err)
	}
	reads("after the store refused it")
	below.refused = nil
	if err := errors.Join(batch.Flush(ctx), batch.Flush(ctx)); err != nil {
		t.Fatal(err)
	}
	reads("after it is stored")
	if len(below.stored) != 1 || !slices.Equal(below.stored[0], []string{"b", "a"}) {
		t.Errorf("transactions: %q; want one of b, a", below.stored)
	}
}
