package llm_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/outbound"
)

// turn is one reply of a scripted server.
type turn struct {
	status int // 0 is 200
	header map[string]string
	body   string
}

// scripted is a server that gives its turns one after the other, the last again and again, and keeps what it was sent.
type scripted struct {
	mutex sync.Mutex
	turns []turn
	paths []string
	keys  []string // under the header in which this dialect carries it
	sent  []string
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := s.turns[min(len(s.sent), len(s.turns)-1)]
	key := r.Header.Get("Authorization") + r.Header.Get("x-api-key") + r.Header.Get("x-goog-api-key")
	s.paths, s.keys, s.sent = append(s.paths, r.URL.Path), append(s.keys, key), append(s.sent, string(body))
	for name, value := range now.header {
		w.Header().Set(name, value)
	}
	if now.status != 0 {
		w.WriteHeader(now.status)
	}
	_, _ = io.WriteString(w, now.body)
}

// spoken is how a service says what all services can say.
type spoken struct {
	path, key string
	answer    string // 100 tokens, 40 of them cached, for 7: "It is fine."
	thought   string // the same after a thought
	graded    string // {"reason":"r","score":4}
	cut       string // "It is" and no more
	refused   string
	filtered  string
	empty     string
	limited   turn // for seven seconds
	busy      turn
	wrongKey  turn
	unknown   turn // a model
	broke     turn
	bad       turn
	formless  turn // replies cannot be held to a schema in the strictest way
	own       turn // a temperature cannot be chosen
}

func openAIError(status int, kind, code, message string) turn {
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": kind, "code": code}})
	return turn{status: status, body: string(body)}
}

func openAIMessage(message, reason string) string {
	return `{"model":"m-1","choices":[{"index":0,"message":` + message + `,"finish_reason":"` + reason + `"}],` +
		`"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":40}}}`
}

func anthropicError(status int, kind, message string) turn {
	body, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message},
		"request_id": "req_1"})
	return turn{status: status, body: string(body)}
}

func anthropicMessage(content, reason string) string {
	return `{"id":"msg_1","type":"message","role":"assistant","model":"m-1","content":[` + content + `],"stop_reason":"` + reason +
		`","stop_sequence":null,"usage":{"input_tokens":60,"cache_creation_input_tokens":0,"cache_read_input_tokens":40,"output_tokens":7}}`
}

func geminiError(status int, name, message, details string) turn {
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"code": status, "message": message, "status": name,
		"details": json.RawMessage("[" + details + "]")}})
	return turn{status: status, body: string(body)}
}

func geminiMessage(parts, reason string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"},"finishReason":"` + reason + `","index":0}],` +
		`"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":4,"thoughtsTokenCount":3,` +
		`"totalTokenCount":107},"modelVersion":"m-1","responseId":"r"}`
}

const grade = `{\"reason\":\"r\",\"score\":4}`

// services is the table of all dialects. Bodies are as the makers document them.
var services = map[string]spoken{
	"": {
		path: "/v1/chat/completions", key: "Bearer " + apiKey,
		answer:   openAIMessage(`{"role":"assistant","content":"It is fine."}`, "stop"),
		thought:  openAIMessage(`{"role":"assistant","content":"It is fine.","reasoning_content":"hm"}`, "stop"),
		graded:   openAIMessage(`{"role":"assistant","content":"`+grade+`"}`, "stop"),
		cut:      openAIMessage(`{"role":"assistant","content":"It is"}`, "length"),
		refused:  openAIMessage(`{"role":"assistant","content":null,"refusal":"I cannot."}`, "stop"),
		filtered: openAIMessage(`{"role":"assistant","content":""}`, "content_filter"),
		empty:    `{"model":"m-1","choices":[]}`,
		limited: turn{429, map[string]string{"Retry-After": "7"},
			openAIError(0, "rate_limit_error", "rate_limit_exceeded", "slow down").body},
		busy: openAIError(503, "server_error", "", "overloaded"), wrongKey: openAIError(401, "auth", "invalid_api_key", "wrong key"),
		unknown:  openAIError(404, "invalid_request_error", "model_not_found", "no such model"),
		broke:    openAIError(429, "insufficient_quota", "insufficient_quota", "you exceeded your quota"),
		bad:      openAIError(400, "invalid_request_error", "", "top_k is odd"),
		formless: openAIError(400, "invalid_request_error", "", "response_format json_schema is not supported"),
		own:      openAIError(400, "invalid_request_error", "unsupported_value", "temperature does not support 0 with this model"),
	},
	llm.DialectAnthropic: {
		path: "/v1/messages", key: apiKey,
		answer:  anthropicMessage(`{"type":"text","text":"It is fine."}`, "end_turn"),
		thought: anthropicMessage(`{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"It is fine."}`, "end_turn"),
		graded:  anthropicMessage(`{"type":"text","text":"`+grade+`"}`, "end_turn"),
		cut:     anthropicMessage(`{"type":"text","text":"It is"}`, "max_tokens"),
		refused: anthropicMessage(`{"type":"text","text":"I cannot."}`, "refusal"), filtered: anthropicMessage("", "refusal"),
		empty:    anthropicMessage("", "end_turn"),
		limited:  turn{429, map[string]string{"retry-after": "7"}, anthropicError(0, "rate_limit_error", "slow down").body},
		busy:     anthropicError(529, "overloaded_error", "Overloaded"),
		wrongKey: anthropicError(401, "authentication_error", "invalid x-api-key"),
		unknown:  anthropicError(404, "not_found_error", "model: m"),
		broke:    anthropicError(400, "invalid_request_error", "Your credit balance is too low to access the API."),
		bad:      anthropicError(400, "invalid_request_error", "messages: at least one message is required"),
		formless: anthropicError(400, "invalid_request_error", "output_config.format: this model does not support it"),
		own:      anthropicError(400, "invalid_request_error", "`temperature` is deprecated for this model."),
	},
	llm.DialectGemini: {
		path: "/v1/models/m:generateContent", key: apiKey,
		answer:  geminiMessage(`{"text":"It is "},{"text":"fine."}`, "STOP"),
		thought: geminiMessage(`{"text":"hm","thought":true},{"text":"It is fine."}`, "STOP"),
		graded:  geminiMessage(`{"text":"`+grade+`"}`, "STOP"),
		cut:     geminiMessage(`{"text":"It is"}`, "MAX_TOKENS"),
		refused: geminiMessage("", "SAFETY"), filtered: `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":` +
			`{"promptTokenCount":100},"modelVersion":"m-1"}`,
		empty: `{"usageMetadata":{"promptTokenCount":100},"modelVersion":"m-1"}`,
		limited: geminiError(429, "RESOURCE_EXHAUSTED", "slow down",
			`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}`),
		busy: geminiError(503, "UNAVAILABLE", "The model is overloaded.", ""),
		wrongKey: geminiError(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
			`{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}`),
		unknown:  geminiError(404, "NOT_FOUND", "models/m is not found for API version v1beta", ""),
		broke:    turn{status: 402, body: `{"error":{"code":402,"message":"billing is off","status":"FAILED_PRECONDITION"}}`},
		bad:      geminiError(400, "INVALID_ARGUMENT", "contents is not specified", ""),
		formless: geminiError(400, "INVALID_ARGUMENT", "response_json_schema is not supported by this model", ""),
		own:      geminiError(400, "INVALID_ARGUMENT", "temperature cannot be set for this model", ""),
	},
}

// speaking is a rig before a server that speaks a dialect, with these turns.
func speaking(t *testing.T, dialect string, turns ...turn) (*rig, *scripted) {
	t.Helper()
	server := &scripted{turns: turns}
	at := httptest.NewServer(server)
	t.Cleanup(at.Close)
	r := &rig{ledger: newMemory(), clock: &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, url: at.URL}
	client := waiting(t, outbound.Options{})
	r.open(t, []func(*llm.OpenAIConfig){func(c *llm.OpenAIConfig) {
		c.BaseURL, c.Client, c.Now, c.Sleep, c.Dialect = at.URL+"/v1", client, r.clock.Now, r.clock.Sleep, dialect
		c.Prices = llm.Prices{"m": {Input: 1, Output: 2}}
	}})
	return r, server
}

var gradeSchema = &replies.Schema{Name: "grade", Body: json.RawMessage(`{"type":"object","properties":{"reason":{"type":"string"},` +
	`"score":{"type":"integer","minimum":1,"maximum":5}},"required":["reason","score"],"additionalProperties":false}`)}

func asking(schema *replies.Schema) llm.Request {
	return llm.Request{Purpose: "p", Model: "m", Instruction: "Say how it is.", Data: json.RawMessage(`{"q":"How?"}`), Schema: schema,
		MaxTokens: 64}
}

// TestDialectsSayTheSame: whatever service it is, the same things that it says are the same reply, bill, cause and wait.
func TestDialectsSayTheSame(t *testing.T) {
	t.Parallel()
	ok := func(body string) turn { return turn{body: body} }
	for name, s := range services {
		for _, c := range []struct {
			what   string
			turns  []turn
			schema *replies.Schema
			text   string // of the reply, or
			cause  string // of the error
			finish string
			calls  int
			waits  time.Duration // at least
		}{
			{"answer", []turn{ok(s.answer)}, nil, "It is fine.", "", "stop", 1, 0},
			{"thought", []turn{ok(s.thought)}, nil, "It is fine.", "", "stop", 1, 0},
			{"grade", []turn{ok(s.graded)}, gradeSchema, `{"reason":"r","score":4}`, "", "stop", 1, 0},
			{"cut", []turn{ok(s.cut)}, nil, "It is", "", "length", 1, 0},
			{"grade, cut", []turn{ok(s.cut), ok(s.graded)}, gradeSchema, `{"reason":"r","score":4}`, "", "stop", 2, 0},
			{"grade, refused", []turn{ok(s.refused)}, gradeSchema, "", llm.CauseRefusal, "", 1, 0},
			{"grade, filtered", []turn{ok(s.filtered)}, gradeSchema, "", llm.CauseRefusal, "", 1, 0},
			{"empty", []turn{ok(s.empty), ok(s.answer)}, nil, "It is fine.", "", "stop", 2, 0},
			{"web page", []turn{ok("<html>login</html>")}, nil, "", llm.CauseEnvelope, "", 3, 0},
			{"limited", []turn{s.limited, ok(s.answer)}, nil, "It is fine.", "", "stop", 2, 7 * time.Second},
			{"busy", []turn{s.busy, ok(s.answer)}, nil, "It is fine.", "", "stop", 2, 0},
			{"wrong key", []turn{s.wrongKey}, nil, "", llm.CauseAuth, "", 1, 0},
			{"unknown model", []turn{s.unknown}, nil, "", llm.CauseUnsupported, "", 1, 0},
			{"no money", []turn{s.broke}, nil, "", llm.CauseQuota, "", 1, 0},
			{"bad request", []turn{s.bad}, nil, "", llm.CauseRequest, "", 1, 0},
			{"no schema", []turn{s.formless, ok(s.graded)}, gradeSchema, `{"reason":"r","score":4}`, "", "stop", 2, 0},
			{"own temperature", []turn{s.own, ok(s.answer)}, nil, "It is fine.", "", "stop", 2, 0},
		} {
			t.Run(name+"/"+c.what, func(t *testing.T) {
				t.Parallel()
				r, server := speaking(t, name, c.turns...)
				got, err := r.provider.Complete(t.Context(), asking(c.schema))
				if (err == nil) != (c.cause == "") || err != nil && llm.CauseOf(err) != c.cause {
					t.Fatalf("error %v, want cause %q", err, c.cause)
				}
				if got.Text != c.text || got.FinishReason != c.finish || len(server.sent) != c.calls {
					t.Errorf("%q ended by %q after %d calls; want %q, %q, %d", got.Text, got.FinishReason, len(server.sent), c.text,
						c.finish, c.calls)
				}
				waited := time.Duration(0)
				for _, d := range r.clock.slept() {
					waited += d
				}
				if waited < c.waits {
					t.Errorf("waited %v, want %v", waited, c.waits)
				}
				if err == nil && (got.Usage != llm.Usage{PromptTokens: 100, CompletionTokens: 7, CachedTokens: 40} || got.Model != "m-1") {
					t.Errorf("usage %+v of %s", got.Usage, got.Model)
				}
				checkBanked(t, r, server, s, c.turns, c.schema)
			})
		}
	}
}

// checkBanked: what stands in the ledger is what went over the wire, without the key, and can be read back.
func checkBanked(t *testing.T, r *rig, server *scripted, s spoken, turns []turn, schema *replies.Schema) {
	t.Helper()
	rows := r.ledger.rows()
	for i, row := range rows {
		if string(row.Request) != server.sent[i] || string(row.Reply) != turns[min(i, len(turns)-1)].body ||
			server.paths[i] != s.path || server.keys[i] != s.key || strings.Contains(server.sent[i], apiKey) {
			t.Errorf("call %d went to %s with the key %q:\n%s\n%s", i+1, server.paths[i], server.keys[i], row.Request, row.Reply)
		}
	}
	last := rows[len(rows)-1]
	if last.State != llm.CallUsable {
		return
	}
	banked, err := llm.ReadBanked(last, schema)
	if err != nil || !strings.HasPrefix(banked.System, "Say how it is.") || string(banked.Data) != `{"q":"How?"}` || banked.Text == "" {
		t.Errorf("read back %+v: %v", banked, err)
	}
	again, err := r.provider.Complete(t.Context(), asking(schema))
	if err != nil || !again.Cached || again.Text != banked.Text {
		t.Errorf("a second time: %+v, %v", again, err)
	}
}

// A refusal is an answer where an answer was wanted.
func TestDialectsRefuse(t *testing.T) {
	t.Parallel()
	for name, s := range services {
		for _, body := range []string{s.refused, s.filtered} {
			r, _ := speaking(t, name, turn{body: body})
			got, err := r.provider.Complete(t.Context(), asking(nil))
			if err != nil || got.FinishReason != "refusal" && got.FinishReason != "content_filter" {
				t.Errorf("%s: %q ended by %q: %v", name, got.Text, got.FinishReason, err)
			}
		}
	}
}

// What is sent for a schema: held to it, then to JSON, then asked for in words. Anthropic's API refuses bounds of numbers.
func TestDialectsAskForAForm(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		llm.DialectAnthropic: {`"output_config":{"format":{"type":"json_schema","schema":{"additionalProperties":false,`,
			`"tool_choice":{"name":"grade","type":"tool"}`, `satisfies this JSON Schema`},
		llm.DialectGemini: {`"responseMimeType":"application/json","responseJsonSchema":{"type":"object"`,
			`"responseMimeType":"application/json"}`, `satisfies this JSON Schema`},
	} {
		s := services[name]
		second := s.formless
		second.body = strings.NewReplacer("output_config.format", "tool_choice", "response_json_schema", "response_mime_type").
			Replace(second.body)
		r, server := speaking(t, name, s.formless, second, turn{body: s.graded})
		if _, err := r.provider.Complete(t.Context(), asking(gradeSchema)); err != nil || len(server.sent) != 3 {
			t.Fatalf("%s: %d calls, %v", name, len(server.sent), err)
		}
		for i, words := range want {
			if !strings.Contains(server.sent[i], words) {
				t.Errorf("%s sent as number %d\n%s", name, i+1, server.sent[i])
			}
		}
		if name == llm.DialectAnthropic && !strings.Contains(server.sent[0],
			`"score":{"description":"{\"maximum\":5,\"minimum\":1}","type":"integer"}`) {
			t.Errorf("bounds of numbers are not said in words: %s", server.sent[0])
		}
	}
	s := services[llm.DialectAnthropic]
	used := anthropicMessage(`{"type":"tool_use","id":"t","name":"grade","input":{"reason":"r","score":4}}`, "tool_use")
	r, _ := speaking(t, llm.DialectAnthropic, s.formless, turn{body: used})
	if got, err := r.provider.Complete(t.Context(), asking(gradeSchema)); err != nil || got.Text != `{"reason":"r","score":4}` {
		t.Errorf("a tool's input is %q: %v", got.Text, err)
	}
}

func TestGeminiEmbeds(t *testing.T) {
	t.Parallel()
	want := llm.Embedding{Model: "gemini-embedding-001", Role: llm.RoleQuery, Dimensions: 2}
	r, server := speaking(t, llm.DialectGemini, turn{body: `{"embeddings":[{"values":[3,4]},{"values":[0,2]}]}`})
	got, err := r.provider.Embed(t.Context(), want, []string{"a", "b"})
	if diff := cmp.Diff([][]float32{{0.6, 0.8}, {0, 1}}, got); err != nil || diff != "" {
		t.Fatalf("%v: %s", err, diff)
	}
	if server.paths[0] != "/v1/models/gemini-embedding-001:batchEmbedContents" || server.sent[0] != `{"requests":[`+
		`{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a"}]},"taskType":"RETRIEVAL_QUERY","outputDimensionality":2},`+
		`{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"b"}]},"taskType":"RETRIEVAL_QUERY","outputDimensionality":2}]}` {
		t.Errorf("sent to %s\n%s", server.paths[0], server.sent[0])
	}
	banked, err := llm.ReadBankedVectors(r.ledger.rows()[0])
	if err != nil || !strings.HasSuffix(llm.VectorSpace(r.provider.Info(), want), want.Model+banked[0].Variant) ||
		banked[0].Vectors[0][0] != 0.6 {
		t.Errorf("read back %+v: %v", banked, err)
	}
	for _, body := range []string{`{"embeddings":[{"values":[3,4]}]}`, `{"embeddings":[{"values":[3,null]},{"values":[1,2]}]}`} {
		r, _ := speaking(t, llm.DialectGemini, turn{body: body})
		if _, err := r.provider.Embed(t.Context(), want, []string{"a", "b"}); llm.CauseOf(err) != llm.CauseEmbedding {
			t.Errorf("%s: %v", body, err)
		}
	}
	r, _ = speaking(t, llm.DialectAnthropic, turn{})
	if _, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "e"}, []string{"a"}); llm.CauseOf(err) != llm.CauseUnsupported {
		t.Errorf("Anthropic embeds: %v", err)
	}
}

func TestOriginsNameTheirDialect(t *testing.T) {
	t.Parallel()
	for name := range services {
		r, _ := speaking(t, name, turn{})
		info := r.provider.Info()
		dialect, address := llm.SplitOrigin(info.Origin)
		if dialect != name || address != r.url+"/v1" || name != "" && info.Kind != name {
			t.Errorf("%q: %+v is read as %q at %s", name, info, dialect, address)
		}
	}
}
