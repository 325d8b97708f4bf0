package rag

import (
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

func passages(hits []Hit) []prompts.Passage {
	out := make([]prompts.Passage, len(hits))
	for i, h := range hits {
		out[i] = prompts.Passage{Number: i + 1, Text: h.Text}
	}
	return out
}

// request builds a request whose data is v, which is always one of the structs above.
func request(purpose string, m Model, instruction string, v any, schema *replies.Schema) llm.Request {
	req, err := llm.Request{Purpose: purpose, Model: m.Name, Instruction: instruction, Schema: schema}.WithData(v)
	if err != nil {
		panic("prompt data is not JSON: " + err.Error()) // strings and numbers only
	}
	return req
}
