package llm_test

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

func TestAzureURLs(t *testing.T) {
	t.Parallel()
	var urls []string
	r := newRig(t, fakeprovider.Options{Behave: func(q fakeprovider.Request) fakeprovider.Behaviour {
		urls = append(urls, q.URL)
		return fakeprovider.Behaviour{}
	}})
	open := func(version string, deployments map[string]string, suffix string) llm.Provider {
		t.Helper()
		next := &rig{ledger: r.ledger}
		next.open(t, []func(*llm.OpenAIConfig){func(c *llm.OpenAIConfig) {
			c.BaseURL, c.Now, c.Sleep = r.url+suffix, r.clock.Now, r.clock.Sleep
			c.Azure = &llm.Azure{APIVersion: version, Deployments: deployments}
			inner := c.NewID
			c.NewID = func() string { return version + inner() }
		}})
		return next.provider
	}
	p := open("2024-10-21", map[string]string{model: "team gpt"}, "")
	if reply, err := p.Complete(t.Context(), judgeRequest()); err != nil || reply.Cached {
		t.Fatalf("%+v, %v", reply, err)
	}
	if _, err := p.Embed(t.Context(), llm.Embedding{Model: "e-small"}, []string{"a"}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/openai/deployments/team%20gpt/chat/completions?api-version=2024-10-21",
		"/openai/deployments/e-small/embeddings?api-version=2024-10-21",
	}
	if len(urls) != 2 || urls[0] != want[0] || urls[1] != want[1] {
		t.Fatalf("URLs = %v, want %v", urls, want)
	}
	// What does not change the answer is not part of its key.
	later := open("2025-01-01-preview", map[string]string{model: "renamed"}, "/openai/")
	if reply, err := later.Complete(t.Context(), judgeRequest()); err != nil || !reply.Cached {
		t.Fatalf("a new API version must keep what is stored: %+v, %v", reply, err)
	}
	if r.server.Ledger()[0].Status != 200 {
		t.Fatal("the key did not travel")
	}
	checkNoKey(t, r.ledger.rows(), nil)
}

func TestAzureConfigurationsThatCannotWork(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*llm.OpenAIConfig){
		"no version":   func(c *llm.OpenAIConfig) { c.Azure.APIVersion = "" },
		"odd version":  func(c *llm.OpenAIConfig) { c.Azure.APIVersion = "2024&key=1" },
		"a deployment": func(c *llm.OpenAIConfig) { c.BaseURL += "/openai/deployments/gpt" },
	} {
		cfg := llm.OpenAIConfig{
			Name: "azure", BaseURL: "https://name.openai.azure.com", Secret: make([]byte, 16), Azure: &llm.Azure{APIVersion: "2024-10-21"},
			Now: newRig(t, fakeprovider.Options{}).clock.Now, NewID: func() string { return "1" },
		}
		spoil(&cfg)
		if _, err := llm.NewOpenAI(cfg); !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), "Azure") {
			t.Errorf("%s: error = %v", name, err)
		}
	}
}
