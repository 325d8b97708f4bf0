package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

// heard keeps what reached the model.
type heard struct {
	llm.Provider
	req llm.Request
}

func (h *heard) Complete(_ context.Context, req llm.Request) (llm.Reply, error) {
	h.req = req
	return llm.Reply{}, nil
}

// TestWriterOverlooksContexts shows the model of the fault its last context alone, and every other one all of them. A repeated
// request for an answer is the same request; a repeated verdict is another.
func TestWriterOverlooksContexts(t *testing.T) {
	t.Parallel()
	const data = `{"question":"q","contexts":[{"number":1,"text":"a"},{"number":2,"text":"b"}]}`
	for model, want := range map[string]string{
		overlooks: `{"question":"q","contexts":[{"number":2,"text":"b"}]}`, "own": data, reader.Name: data,
	} {
		h := &heard{}
		req := llm.Request{Purpose: prompts.PurposeGenerate, Model: model, Data: json.RawMessage(data), Replicate: 104}
		if _, err := (writer{h}).Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if string(h.req.Data) != want || h.req.Replicate != 0 || h.req.Model != reader.Name {
			t.Errorf("%s is asked %s, replicate %d of %s", model, h.req.Data, h.req.Replicate, h.req.Model)
		}
	}
	h := &heard{}
	verdict := llm.Request{Purpose: "judge.correctness", Replicate: 104}
	if _, err := (writer{h}).Complete(t.Context(), verdict); err != nil || h.req.Replicate != 104 {
		t.Errorf("a verdict is asked as replicate %d, %v", h.req.Replicate, err)
	}
}
