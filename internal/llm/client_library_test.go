package llm_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"
)

// TestWhatTheClientLibraryWouldChange holds the reasons of decision record 0038: where one of these fails, the library's client has become
// able to carry what the ledger needs, and the decision is to be taken again.
func TestWhatTheClientLibraryWouldChange(t *testing.T) {
	t.Parallel()
	var sent, reply string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = string(body)
		_, _ = io.WriteString(w, reply)
	}))
	t.Cleanup(server.Close)
	config := openai.DefaultConfig("k")
	config.BaseURL = server.URL
	client := openai.NewClientWithConfig(config)
	ask := func(req openai.ChatCompletionRequest) (openai.ChatCompletionResponse, error) {
		return client.CreateChatCompletion(t.Context(), req)
	}

	reply = `{"model":"m","choices":[]} and something that is no JSON`
	if _, err := ask(openai.ChatCompletionRequest{Model: "m", Temperature: 0}); err != nil || strings.Contains(sent, "temperature") {
		t.Errorf("a temperature of 0 is sent, or what stands behind a reply is noticed: %s, %v", sent, err)
	}
	reply = `{"error":{"message":"rate limit reached","type":"rate_limit_error"}}`
	if got, err := ask(openai.ChatCompletionRequest{Model: "m"}); err != nil || len(got.Choices) != 0 {
		t.Errorf("an error that is sent as a success is noticed: %+v, %v", got, err)
	}
	sent = ""
	_, err := ask(openai.ChatCompletionRequest{Model: "o3-compatible", MaxTokens: 100}) //nolint:staticcheck // what most servers know
	if sent != "" || !errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated) {
		t.Errorf("the server decides what its models take: %s, %v", sent, err)
	}
	azure := openai.DefaultAzureConfig("k", "https://resource.example")
	if name := azure.GetAzureDeploymentByModel("gpt-3.5:a/b"); name != "gpt-35a/b" {
		t.Errorf("a deployment is called %s", name)
	}
}
