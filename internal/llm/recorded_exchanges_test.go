package llm_test

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// TestWhatRealServersSaid holds exchanges that real servers showed us (TestLlamaServer, TestLiteLLMProxy), word for word.
func TestWhatRealServersSaid(t *testing.T) {
	t.Parallel()
	graded := turn{body: services[""].graded}
	for name, c := range map[string]struct {
		said  turn
		then  turn
		cause string // "" is a grade
		calls int
	}{
		// llama.cpp (xllamacpp 2026.10.11549): it works, and what its model wrote cannot be read. That is no outage.
		"llama.cpp, unread": {turn{status: 500, body: `{"error":{"code":500,"message":"The model produced output that does not match the ` +
			`expected peg-native format","type":"server_error"}}`}, turn{status: 500, body: `{"error":{"code":500,"message":"The model ` +
			`produced output that does not match the expected peg-native format","type":"server_error"}}`}, llm.CauseSchema, 3},
		"llama.cpp, schema": {turn{status: 400, body: `{"error":{"code":400,"message":"Unable to generate parser for this template. Automatic ` +
			`parser generation failed: JSON schema error at #: unrecognized type nonsense","type":"invalid_request_error"}}`}, graded, "", 2},
		"llama.cpp, context": {turn{status: 400, body: `{"error":{"code":400,"message":"request (3020 tokens) exceeds the available context ` +
			`size (512 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":3020,"n_ctx":512}}`}, graded,
			llm.CauseRequest, 1},
		"LiteLLM, model": {turn{status: 400, body: `{"error":{"message":"/chat/completions: Invalid model name passed in model=absent. Call ` +
			"`/v1/models`" + ` to view available models for your key.","type":"invalid_request_error","param":null,"code":"400"}}`}, graded,
			llm.CauseRequest, 1},
		"LiteLLM, key": {turn{status: 400, body: `{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}`},
			graded, llm.CauseAuth, 1},
	} {
		r, server := speaking(t, "", c.said, c.then)
		got, err := r.provider.Complete(t.Context(), asking(gradeSchema))
		if (err == nil) != (c.cause == "") || err != nil && llm.CauseOf(err) != c.cause || len(server.sent) != c.calls {
			t.Errorf("%s: %d calls, %+v, %v", name, len(server.sent), got, err)
		}
		said := c.said.body[strings.Index(c.said.body, `"message":"`)+len(`"message":"`):]
		if err != nil && !strings.Contains(err.Error(), said[:12]) {
			t.Errorf("%s: the server's words are not in %v", name, err)
		}
	}
}
