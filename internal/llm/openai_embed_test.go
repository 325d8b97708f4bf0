package llm_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// unit is the vector that the fake gives for a text, as it should arrive.
func unit(text string) []float32 {
	v := fakeprovider.Vector(text, 64)
	norm := 0.0
	for _, f := range v {
		norm += f * f
	}
	out := make([]float32, len(v))
	for i, f := range v {
		out[i] = float32(f / math.Sqrt(norm))
	}
	return out
}

func checkVectors(t *testing.T, texts []string, got [][]float32) {
	t.Helper()
	if len(got) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(got), len(texts))
	}
	for i, text := range texts {
		if diff := cmp.Diff(unit(text), got[i], cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Fatalf("vector of text %d (-want +got): %s", i, diff)
		}
	}
}

func TestEmbedBuysEachTextOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{})
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d of the corpus コーパス", i%140) // ten appear twice
	}
	got, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, texts)
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, texts, got)
	rows := r.ledger.rows()
	if len(rows) != 3 {
		t.Fatalf("%d rows, want 140 texts in batches of at most 64", len(rows))
	}
	for _, c := range rows {
		if c.State != llm.CallUsable || c.Purpose != "embed" || c.Model != "e" {
			t.Errorf("row = %+v", c)
		}
	}
	more := append([]string{"a new text"}, texts...)
	if got, err = r.again(t).provider.Embed(t.Context(), llm.Embedding{Model: "e"}, more); err != nil {
		t.Fatal(err)
	}
	checkVectors(t, more, got)
	rows = r.ledger.rows()
	if string(rows[len(rows)-1].Request) != `{"input":["a new text"],"model":"e","encoding_format":"float"}` || len(rows) != 4 {
		t.Fatalf("%d rows; the last sent %s", len(rows), rows[len(rows)-1].Request)
	}
	if _, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "other"}, texts[:1]); err != nil || len(r.ledger.rows()) != 5 {
		t.Fatalf("another model has vectors of its own: %v", err)
	}
}

func TestEmbedShuffledReply(t *testing.T) {
	t.Parallel()
	r := newRig(t, always(fakeprovider.Behaviour{Fault: fakeprovider.VectorsShuffled}))
	texts := []string{"one", "two", "three"}
	got, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, texts)
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, texts, got)
}

func TestEmbedFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault fakeprovider.Fault
		cause string
		rows  int
	}{
		{fakeprovider.VectorsNaN, llm.CauseEnvelope, 3}, // NaN is not JSON at all
		{fakeprovider.VectorsNull, llm.CauseEmbedding, 1},
		{fakeprovider.VectorsOverflow, llm.CauseEmbedding, 1},
		{fakeprovider.VectorsZero, llm.CauseEmbedding, 1},
		{fakeprovider.VectorsRagged, llm.CauseEmbedding, 1},
		{fakeprovider.VectorsShort, llm.CauseEmbedding, 1},
		{fakeprovider.VectorsDoubled, llm.CauseEmbedding, 1},
		{fakeprovider.VectorsBadIndex, llm.CauseEmbedding, 1},
		{fakeprovider.EmptyObject, llm.CauseEmbedding, 1},
		{fakeprovider.HTML, llm.CauseEnvelope, 3},
		{fakeprovider.Unauthorized, llm.CauseAuth, 1},
		{fakeprovider.Truncated, llm.CauseUnreachable, 6},
		{fakeprovider.ErrorAs200, llm.CauseServer, 6},
	} {
		t.Run(string(test.fault), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, always(fakeprovider.Behaviour{Fault: test.fault}))
			got, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"one", "two", "three"})
			if llm.CauseOf(err) != test.cause || got != nil {
				t.Fatalf("cause = %s, want %s (%v); vectors %v", llm.CauseOf(err), test.cause, err, got)
			}
			if n := len(r.ledger.rows()); n != test.rows {
				t.Errorf("%d rows, want %d", n, test.rows)
			}
			if stored := digests(r.ledger); len(stored) != 0 {
				t.Errorf("%d vectors of a bad reply were stored", len(stored))
			}
			checkNoKey(t, r.ledger.rows(), err)
		})
	}
}

func TestEmbedDimensionChangesMidRun(t *testing.T) {
	t.Parallel()
	wrong := fakeprovider.Behaviour{Fault: fakeprovider.VectorsWrongSize}
	r := newRig(t, fakeprovider.Options{Script: map[int]fakeprovider.Behaviour{2: wrong, 3: wrong}})
	if _, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"one"}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"two"}); llm.CauseOf(err) != llm.CauseEmbedding {
		t.Fatalf("error = %v", err)
	}
	// A new process learns the length from the stored vectors.
	_, err := r.again(t).provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"one", "three"})
	if llm.CauseOf(err) != llm.CauseEmbedding {
		t.Fatalf("error = %v", err)
	}
	if n := len(digests(r.ledger)); n != 1 {
		t.Fatalf("%d vectors stored, want the first one alone", n)
	}
}

func TestEmbedEmptyTextCostsNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{})
	if _, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"a", ""}); llm.CauseOf(err) != llm.CauseEmbedding {
		t.Fatalf("error = %v", err)
	}
	if got, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, nil); err != nil || len(got) != 0 {
		t.Fatalf("no texts: %v, %v", got, err)
	}
	if n := len(r.ledger.rows()); n != 0 {
		t.Fatalf("%d rows", n)
	}
}

func TestEmbedKilledBeforeTheVectorsAreStored(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{})
	r.ledger.down = errors.New("killed")
	if _, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"one", "two"}); err == nil {
		t.Fatal("vectors came although their call could not be settled")
	}
	r.ledger.down = nil
	got, err := r.again(t).provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"one", "two"})
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, []string{"one", "two"}, got)
	if n := len(r.server.Ledger()); n != 1 {
		t.Fatalf("paid %d times", n)
	}
}
