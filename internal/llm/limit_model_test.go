package llm_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// TestAProbeLearnsLimits reads lists of models as servers write them; what a server does not say stays unknown.
func TestAProbeLearnsLimits(t *testing.T) {
	t.Parallel()
	minute := map[string]string{"X-Ratelimit-Limit-Requests": "60", "X-Ratelimit-Remaining-Requests": "59",
		"X-Ratelimit-Reset-Requests": "1s", "X-Ratelimit-Limit-Tokens": "9000"}
	day := map[string]string{"X-Ratelimit-Limit-Requests": "14400", "X-Ratelimit-Remaining-Requests": "14399",
		"X-Ratelimit-Reset-Requests": "6s"}
	entry := func(fields string) string {
		return `{"data":[{"id":"other","max_model_len":1},{"id":"gpt-test",` + fields + `}]}`
	}
	for _, c := range []struct {
		name, models string
		header       map[string]string
		want         llm.ModelLimits
	}{
		{"vLLM", entry(`"max_model_len":32768`), nil, llm.ModelLimits{ContextTokens: 32768}},
		{"OpenRouter", entry(`"context_length":131072,"top_provider":{"max_completion_tokens":8192}`), nil,
			llm.ModelLimits{ContextTokens: 131072, OutputTokens: 8192}},
		{"Groq", entry(`"context_window":8192,"max_completion_tokens":4096`), day,
			llm.ModelLimits{ContextTokens: 8192, OutputTokens: 4096}},
		{"llama.cpp", entry(`"meta":{"n_ctx":4096,"n_ctx_train":131072}`), nil, llm.ModelLimits{ContextTokens: 4096}},
		{"llama.cpp, older", entry(`"meta":{"n_ctx_train":131072}`), nil, llm.ModelLimits{ContextTokens: 131072}},
		{"Mistral and LM Studio", entry(`"max_context_length":16384`), nil, llm.ModelLimits{ContextTokens: 16384}},
		{"LiteLLM", entry(`"max_input_tokens":200000,"max_output_tokens":64000`), nil,
			llm.ModelLimits{ContextTokens: 200000, OutputTokens: 64000}},
		{"a list alone", `[{"id":"gpt-test","context_length":2048}]`, nil, llm.ModelLimits{ContextTokens: 2048}},
		{"OpenAI: only headers", entry(`"object":"model"`), minute, llm.ModelLimits{RequestsPerMinute: 60, TokensPerMinute: 9000}},
		{"not said", entry(`"max_model_len":null,"context_length":"long","context_window":0`), nil, llm.ModelLimits{}},
		{"another model", `{"data":[{"id":"other","max_model_len":1}]}`, nil, llm.ModelLimits{}},
		{"no JSON", "<html>", nil, llm.ModelLimits{}},
		{"no list", "", nil, llm.ModelLimits{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, fakeprovider.Options{Models: c.models, Behave: func(fakeprovider.Request) fakeprovider.Behaviour {
				return fakeprovider.Behaviour{Header: c.header}
			}})
			probe := llm.ProbeOf(t.Context(), r.provider, model, llm.ProbeGenerate, "", time.Unix(1_800_000_000, 0))
			var got llm.ModelLimits
			if probe.Limits != nil {
				got = *probe.Limits
			}
			if !probe.OK || got != c.want || (probe.Limits == nil) != (c.want == llm.ModelLimits{}) {
				t.Errorf("the probe is %+v with the limits %+v", probe, got)
			}
		})
	}
}

// TestAPromptBeyondTheContextIsNotPaid refuses what a model is known not to read, and sends what it reads.
func TestAPromptBeyondTheContextIsNotPaid(t *testing.T) {
	t.Parallel()
	r := newRig(t, fakeprovider.Options{}, func(c *llm.OpenAIConfig) { c.Contexts = map[string]int{model: 1000} })
	ask := func(words int) error {
		_, err := r.provider.Complete(t.Context(), llm.Request{Purpose: "generate", Model: model,
			Instruction: strings.Repeat("alpha ", words)})
		return err
	}
	err := ask(1500)
	if llm.CauseOf(err) != llm.CauseRequest || !strings.Contains(err.Error(), "at most 1000") || len(r.ledger.rows()) != 0 {
		t.Errorf("%d calls: %v", len(r.ledger.rows()), err)
	}
	if err := ask(500); err != nil {
		t.Errorf("a prompt that fits: %v", err)
	}
	r.provider.(interface{ Learn(llm.Probe) }).Learn(llm.Probe{Model: model, Limits: &llm.ModelLimits{ContextTokens: 8000}})
	if err := ask(1500); err != nil {
		t.Errorf("after a longer context was learnt: %v", err)
	}
}
