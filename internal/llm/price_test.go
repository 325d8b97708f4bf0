package llm

import (
	"encoding/json"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"math"
	"strings"
	"testing"
)

func TestCost(t *testing.T) {
	t.Parallel()
	prices := Prices{
		"m": {Input: 0.15, Output: 0.6}, "cached": {Input: 2, Output: 8, Cached: new(0.5)},
		"wrong": {Cached: new(-1.0)}, "free": {}, "nan": {Input: math.NaN()}, "negative": {Input: -1}, "typo": {Input: 150_000},
		"in": {Input: 2, Lacks: LacksOutput}, "out": {Output: 8, Lacks: LacksInput},
	}
	for _, test := range []struct {
		model  string
		usage  Usage
		micros int64
		known  bool
	}{
		{"m", Usage{PromptTokens: 1_000_000, CompletionTokens: 1_000_000}, 750_000, true},
		{"m", Usage{PromptTokens: 20, CompletionTokens: 0}, 3, true},
		{"m", Usage{PromptTokens: 1, CompletionTokens: 0}, 1, true}, // rounded up
		{"m", Usage{PromptTokens: 0, CompletionTokens: 0}, 0, true},
		{"free", Usage{PromptTokens: 1000, CompletionTokens: 1000}, 0, true},
		{"cached", Usage{PromptTokens: 1000, CompletionTokens: 100}, 2800, true},
		{"cached", Usage{PromptTokens: 1000, CompletionTokens: 100, CachedTokens: 600}, 1900, true},
		{"m", Usage{PromptTokens: 1000, CachedTokens: 600}, 150, true}, // no price for it: as the rest
		{"wrong", Usage{PromptTokens: 1}, 0, false},
		{"in", Usage{PromptTokens: 1000, CompletionTokens: 1}, 0, false}, // unknown is not free
		{"in", Usage{PromptTokens: 1000}, 2000, true},                    // an embedder writes nothing
		{"out", Usage{PromptTokens: 1, CompletionTokens: 1000}, 0, false},
		{"absent", Usage{PromptTokens: 1000, CompletionTokens: 1000}, 0, false},
		{"nan", Usage{PromptTokens: 1, CompletionTokens: 1}, 0, false},
		{"negative", Usage{PromptTokens: 1, CompletionTokens: 1}, 0, false},
		{"typo", Usage{PromptTokens: 1, CompletionTokens: 1}, 0, false},
		{"m", Usage{PromptTokens: -1, CompletionTokens: 1}, 0, false},
		{"m", Usage{PromptTokens: math.MaxInt, CompletionTokens: 1}, 0, false},
	} {
		micros, known := prices.Cost(test.model, test.usage)
		if micros != test.micros || known != test.known {
			t.Errorf("Cost(%s, %+v) = %d, %v; want %d, %v", test.model, test.usage, micros, known, test.micros, test.known)
		}
	}
	if _, known := Prices(nil).Estimate(Request{Model: "m"}); known {
		t.Error("no prices must mean unknown")
	}
}

func TestEstimateGrowsWithTheRequest(t *testing.T) {
	t.Parallel()
	prices := Prices{"m": {Input: 1, Output: 1}}
	base := Request{Model: "m", Instruction: "Judge.", Data: json.RawMessage(`{"a":"b"}`), MaxTokens: 10}
	least, known := prices.Estimate(base)
	if !known || least < 10 {
		t.Fatalf("Estimate = %d, %v", least, known)
	}
	for name, change := range map[string]func(*Request){
		"instruction": func(r *Request) { r.Instruction = strings.Repeat("word ", 100) },
		"data":        func(r *Request) { r.Data = json.RawMessage(`{"a":"` + strings.Repeat("word ", 100) + `"}`) },
		"schema":      func(r *Request) { r.Schema = &replies.Schema{Name: "s", Body: json.RawMessage(scoreBody)} },
		"max tokens":  func(r *Request) { r.MaxTokens = 1000 },
		"no bound":    func(r *Request) { r.MaxTokens = 0 },
	} {
		req := base
		change(&req)
		if got, _ := prices.Estimate(req); got <= least {
			t.Errorf("%s: the estimate %d does not exceed %d", name, got, least)
		}
	}
}

// A provider may send the schema beside the prompt that holds it already, and count both.
func TestASchemaIsEstimatedBesideThePrompt(t *testing.T) {
	t.Parallel()
	plain := Request{Model: "m", Instruction: "Judge.", Data: json.RawMessage(`{"a":"b"}`), MaxTokens: 10}
	with := plain
	with.Schema = &replies.Schema{Name: "s", Body: json.RawMessage(scoreBody)}
	system, user := Render(with, "0000000000000000")
	got, prompt, schema := EstimateUsage(with).PromptTokens, EstimateTokens(system)+EstimateTokens(user), EstimateTokens(scoreBody)
	if got-prompt < schema {
		t.Errorf("%d tokens for a prompt of %d and a schema of %d", got, prompt, schema)
	}
}

func TestEstimateTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "four": 1, "fives": 2, "日本語": 3, "日本語 ab": 4, "が": 1} {
		if got := EstimateTokens(text); got != want {
			t.Errorf("EstimateTokens(%q) = %d, want %d", text, got, want)
		}
	}
}
