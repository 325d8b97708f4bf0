package app_test

import (
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/llm"
)

// TestPublicPricesHoldAtTheirAddressOnly: the table has a source and a day, own prices win, and what is unknown stays unknown.
func TestPublicPricesHoldAtTheirAddressOnly(t *testing.T) {
	t.Parallel()
	public := app.Public()
	if _, err := time.Parse(time.DateOnly, public.Date); err != nil || public.Source == "" || len(public.Hosts) != 3 {
		t.Errorf("prices of %s, of %q, %q", public.Host, public.Source, public.Date)
	}
	for host, prices := range public.Hosts {
		if len(prices) < 15 {
			t.Errorf("%d prices at %s", len(prices), host)
		}
		for model := range prices {
			if cost, known := prices.Cost(model, llm.Usage{PromptTokens: 1_000_000}); !known || cost == 0 {
				t.Errorf("%s costs %d, %v", model, cost, known)
			}
		}
	}
	providers := map[string]app.ProviderConfig{
		"openai": {BaseURL: "https://api.openai.com/v1"}, "gateway": {BaseURL: "https://llm.example/v1"},
		"trick": {BaseURL: "https://api.openai.com.example/v1"}, "claude": {BaseURL: "https://api.anthropic.com/v1"},
	}
	config := app.Config{Currency: "USD", Prices: map[string]llm.Price{"gpt-4.1": {Input: 1, Output: 1}}, Providers: providers}
	usage := llm.Usage{PromptTokens: 1_000_000}
	for _, c := range []struct {
		provider, model string
		micros          int64
		known           bool
	}{
		{"openai", "gpt-4.1-mini", 400_000, true}, {"openai", "gpt-4.1", 1_000_000, true}, {"gateway", "gpt-4.1", 1_000_000, true},
		{"openai", "nobody-1", 0, false}, {"gateway", "gpt-4.1-mini", 0, false}, {"trick", "gpt-4.1-mini", 0, false},
		{"absent", "gpt-4.1-mini", 0, false}, {"claude", "claude-opus-5-5", 4_000_000, true}, {"openai", "claude-opus-5-5", 0, false},
	} {
		for _, way := range []func() (int64, bool){
			func() (int64, bool) { return config.CostOf(c.provider, c.model, usage) },
			func() (int64, bool) { return config.PricesOf(c.provider).Cost(c.model, usage) },
		} {
			if micros, known := way(); micros != c.micros || known != c.known {
				t.Errorf("%s/%s costs %d, %v; want %d, %v", c.provider, c.model, micros, known, c.micros, c.known)
			}
		}
	}
	config.Currency = "JPY"
	if _, known := config.CostOf("openai", "gpt-4.1-mini", usage); known {
		t.Error("a price in dollars is taken for one in yen")
	}
}
