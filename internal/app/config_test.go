package app_test

import (
	"github.com/rag-workbench/workbench/internal/rag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

func readConfig(t *testing.T, yaml, prices string) (app.Config, error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"workbench.yaml": yaml, "prices.yaml": prices} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return app.ReadConfig(filepath.Join(dir, "workbench.yaml"), true, func(string) string { return "" })
}

func TestReadConfig(t *testing.T) {
	t.Parallel()
	c, err := readConfig(t, `
providers:
  team:
    base_url: https://name.openai.azure.com
    azure: {api_version: 2024-10-21, deployments: {gpt-4.1: ours}}
    tokens_per_minute: 90000
  gateway: {base_url: https://llm.example/v1, api_key_env: KEY, idempotency_keys: true, max_input_tokens: 512}
prices: {gpt-4.1: {input: 2, output: 8}}
prices_file: prices.yaml
`, "gpt-4.1: {input: 1, output: 1}\nlocal: {input: 0, output: 0}\n")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]app.ProviderConfig{
		"team": {
			Kind: "azure", BaseURL: "https://name.openai.azure.com", APIKeyEnv: "AZURE_OPENAI_API_KEY", TokensPerMinute: 90000,
			Azure: &app.Azure{APIVersion: "2024-10-21", Deployments: map[string]string{"gpt-4.1": "ours"}},
		},
		"gateway": {BaseURL: "https://llm.example/v1", APIKeyEnv: "KEY", IdempotencyKeys: true, MaxInputTokens: 512},
		"openai":  {BaseURL: "https://api.openai.com/v1", APIKeyEnv: "OPENAI_API_KEY"},
	}
	if diff := cmp.Diff(want, c.Providers); diff != "" {
		t.Errorf("providers (-want +got): %s", diff)
	}
	// The configuration's own price wins; a free model is known to be free, and others are unknown.
	if diff := cmp.Diff(map[string]llm.Price{"gpt-4.1": {Input: 2, Output: 8}, "local": {}}, c.Prices); diff != "" {
		t.Errorf("prices (-want +got): %s", diff)
	}
}

// Half a price is no price of the other half: where it was taken for 0, budgets held for nothing.
func TestHalfAPriceIsUnknownNotFree(t *testing.T) {
	t.Parallel()
	c, err := readConfig(t, `
prices: {gen: {input: 2}, odd: {output: 8}, whole: {input: 2, output: 0}, endpoint: {}}
prices_file: prices.yaml
`, "filed: {input: 2}\n")
	if err != nil {
		t.Fatal(err)
	}
	both, asked := llm.Usage{PromptTokens: 1000, CompletionTokens: 10}, llm.Usage{PromptTokens: 1000}
	for model, want := range map[string][2]bool{ // known for both halves, and for input alone
		"gen": {false, true}, "filed": {false, true}, "odd": {false, false}, "whole": {true, true}, "endpoint": {true, true},
	} {
		_, whole := c.CostOf("openai", model, both)
		_, half := c.CostOf("openai", model, asked)
		if want != [...]bool{whole, half} {
			t.Errorf("%s is known %v, %v; want %v", model, whole, half, want)
		}
	}
}

func TestConfigurationsThatCannotWork(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ yaml, prices, field string }{
		"azure without version": {"providers: {a: {base_url: 'https://x', kind: azure}}", "", "providers.a.azure.api_version"},
		"azure and openai": {"providers: {a: {base_url: 'https://x', kind: openai, azure: {api_version: '1'}}}", "",
			"providers.a.azure"},
		"azure and anthropic": {"providers: {a: {kind: anthropic, azure: {api_version: '1'}}}", "", "providers.a.azure"},
		"odd kind":            {"providers: {a: {base_url: 'https://x', kind: cohere}}", "", "providers.a.kind"},
		"negative limit": {"providers: {a: {base_url: 'https://x', tokens_per_minute: -1}}", "",
			"providers.a.tokens_per_minute"},
		"currency in words":           {"currency: dollars", "", "currency"},
		"no currency":                 {"currency: ''", "", "currency"},
		"negative price":              {"prices: {m: {input: -1, output: 1}}", "", "prices.m"},
		"price that is no number":     {"prices: {m: {input: .nan, output: 1}}", "", "prices.m"},
		"price in the file":           {"prices_file: prices.yaml", "m: {input: 5000, output: 1}", "prices.m"},
		"no price file":               {"prices_file: other.yaml", "", ""},
		"price file of another shape": {"prices_file: prices.yaml", "m: {in: 1}", "m.in"},
		"recording without folder":    {"providers: {a: {kind: recorded}}", "", "providers.a.folder"},
		"recording with an address": {"providers: {a: {kind: recorded, folder: r, base_url: 'https://x'}}", "",
			"providers.a.kind"},
		"folder without a recording": {"providers: {a: {base_url: 'https://x', folder: r}}", "", "providers.a.folder"},
		"private host with a port":   {"private_hosts: ['llm.intern:8000']", "", "private_hosts"},
		"unknown field":              {"providers: {a: {base_url: 'https://x', concurency: 1}}", "", "providers.a.concurency"},
	} {
		_, err := readConfig(t, test.yaml, test.prices)
		if !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: error = %v", name, err)
			continue
		}
		if field, _ := problem.From(err).Params["field"].(string); field != test.field {
			t.Errorf("%s: field %q, want %q", name, field, test.field)
		}
	}
}

// TestProviderOfTheConfiguration looks at what a configured provider sends.
func TestProviderOfTheConfiguration(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Providers.Config.Providers["team"] = app.ProviderConfig{
		Kind: "azure", BaseURL: strings.TrimSuffix(w.Address, "/v1"), APIKeyEnv: "OPENAI_API_KEY",
		Azure:           &app.Azure{APIVersion: "2024-10-21"},
		IdempotencyKeys: true,
	}
	p, err := w.Providers.Provider("team")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Complete(t.Context(), llm.Request{Purpose: "rag.generate", Model: "gpt", Instruction: "Answer."}); err != nil {
		t.Fatal(err)
	}
	if bill := w.Provider.Ledger(); len(bill) != 1 || bill[0].Status != 200 || bill[0].IdempotencyKey == "" {
		t.Fatalf("bill = %+v", bill)
	}
}

// TestProvidersOfOtherDialects need no address, have their makers' keys, and speak their dialect.
func TestProvidersOfOtherDialects(t *testing.T) {
	t.Parallel()
	env := map[string]string{"ANTHROPIC_API_KEY": "a-key-of-sixteen", "OPENAI_API_KEY": "o"}
	c, err := app.ReadConfig(filepath.Join(t.TempDir(), "none.yaml"), false, func(name string) string { return env[name] })
	if _, named := c.Providers["gemini"]; err != nil || named || c.Providers["anthropic"].BaseURL != "https://api.anthropic.com/v1" {
		t.Errorf("without a file: %+v, %v", c.Providers, err)
	}
	c, err = readConfig(t, "providers: {g: {kind: gemini}}", "")
	if g := c.Providers["g"]; err != nil || g.BaseURL != "https://generativelanguage.googleapis.com/v1beta" ||
		g.APIKeyEnv != "GEMINI_API_KEY" {
		t.Errorf("gemini is %+v, %v", g, err)
	}
	at := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/messages" || r.Header.Get("x-api-key") == "" || r.Header.Get("anthropic-version") == "" {
			out.WriteHeader(http.StatusNotFound)
		}
		_, _ = out.Write([]byte(`{"type":"message","model":"c","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn",` +
			`"usage":{"input_tokens":9,"output_tokens":1}}`))
	}))
	t.Cleanup(at.Close)
	w := apptest.NewWorld(t, "")
	w.Providers.Config.Providers["team"] = app.ProviderConfig{Kind: "anthropic", BaseURL: at.URL + "/v1", APIKeyEnv: "OPENAI_API_KEY"}
	probes, err := w.Probe(t.Context(), []app.ProbeTarget{{Model: rag.Model{Provider: "team", Name: "c"}, Purpose: llm.ProbeGenerate}})
	if err != nil || len(probes) != 1 || !probes[0].OK || probes[0].Origin != "anthropic:"+at.URL+"/v1" {
		t.Errorf("probes %+v, %v", probes, err)
	}
}
