package llm_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/outbound"
)

// Versions of the real servers, from the Python index.
const (
	llamaPackage   = "xllamacpp==2026.10.11549"
	litellmPackage = "litellm[proxy]==1.106.2"
)

// pythonWith makes a virtual environment with a package and returns the folder of its programs. With WORKBENCH_VENVS it is kept there
// and found again. Where it cannot be made the test is skipped, with the reason.
func pythonWith(t *testing.T, pack string) string {
	t.Helper()
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("installs and runs a real server, which takes minutes: set WORKBENCH_SLOW_TESTS=1")
	}
	root := os.Getenv("WORKBENCH_VENVS")
	if root == "" {
		root = t.TempDir()
	}
	home := filepath.Join(root, strings.NewReplacer("[", "-", "]", "", "==", "-").Replace(pack))
	programs := filepath.Join(home, "bin")
	if _, err := os.Stat(filepath.Join(home, "ready")); err == nil {
		return programs
	}
	for _, command := range [][]string{{"python3", "-m", "venv", home}, {filepath.Join(programs, "pip"), "install", "--quiet", pack}} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil { //nolint:gosec // ours
			t.Skipf("%s cannot be installed: %v: %s", pack, err, lastLine(string(out)))
		}
	}
	if err := os.WriteFile(filepath.Join(home, "ready"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return programs
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// freePort is one that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // closed at once
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// serving starts a server and waits until it answers at path with status 200. It is stopped at the end of the test.
func serving(t *testing.T, port, path string, env []string, command ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), command[0], command[1:]...) //nolint:gosec // ours
	c.Env = append(os.Environ(), env...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout, c.Stderr = log, log
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Skipf("%s does not start: %v", command[0], err)
	}
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }()
	t.Cleanup(func() {
		_ = in.Close()
		_ = c.Process.Kill()
		<-ended
		_ = log.Close()
	})
	base := "http://127.0.0.1:" + port
	for range 600 {
		select {
		case <-ended:
			said, _ := os.ReadFile(log.Name())
			t.Fatalf("%s ended: %s", command[0], said)
		case <-time.After(200 * time.Millisecond):
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return base
			}
		}
	}
	t.Fatalf("%s does not answer", command[0])
	return ""
}

// llamaServer is llama.cpp's server over a model of random weights.
func llamaServer(t *testing.T, mode ...string) string {
	t.Helper()
	programs := pythonWith(t, llamaPackage)
	weights, port := filepath.Join(t.TempDir(), "tiny.gguf"), freePort(t)
	tinyModel(t, weights, 1)
	command := append([]string{filepath.Join(programs, "python"), filepath.Join("testdata", "llama_server.py"), weights, port}, mode...)
	return serving(t, port, "/health", nil, command...)
}

// toReal is a rig before a real server, in a dialect.
func toReal(t *testing.T, base, key, dialect string) *rig {
	t.Helper()
	r := &rig{ledger: newMemory(), clock: &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, url: base}
	client := waiting(t, outbound.Options{})
	r.open(t, []func(*llm.OpenAIConfig){func(c *llm.OpenAIConfig) {
		c.BaseURL, c.APIKey, c.Client, c.Now, c.Sleep, c.Dialect = base, key, client, r.clock.Now, r.clock.Sleep, dialect
	}})
	return r
}

var verdicts = &replies.Schema{Name: "verdicts", Body: json.RawMessage(`{"type":"object","properties":{"verdicts":{"type":"array","minItems":2,` +
	`"maxItems":3,"items":{"type":"object","properties":{"claim":{"type":"integer","minimum":1,"maximum":9},"verdict":{"enum":["supported",` +
	`"contradicted","neither"]}},"required":["claim","verdict"],"additionalProperties":false}}},"required":["verdicts"],` +
	`"additionalProperties":false}`)}

// TestLlamaServer: what a server does with a model is real here, although the model is noise: JSON held by a grammar, counted tokens,
// ends of replies, the cache and the length of the context.
func TestLlamaServer(t *testing.T) {
	t.Parallel()
	base := llamaServer(t)
	r := toReal(t, base+"/v1", "", "")
	held, cached := 0, 0
	for i := range 20 {
		got, err := r.provider.Complete(t.Context(), llm.Request{Purpose: "judge", Model: "tiny", Instruction: "Judge.", MaxTokens: 300,
			Data: fmt.Appendf(nil, `{"n":%d}`, i), Schema: verdicts, Temperature: 1, Seed: i + 1})
		if err != nil || got.FinishReason != "stop" || got.Usage.PromptTokens == 0 || got.Usage.CompletionTokens == 0 {
			t.Errorf("reply %d: %+v, %v", i, got, err)
		} else if got.Repair == "" {
			held++
		}
		cached += got.Usage.CachedTokens
	}
	t.Logf("llama.cpp: %d of 20 replies held by its grammar, %d calls, %d prompt tokens from its cache", held, len(r.ledger.rows()), cached)
	if held != 20 || cached == 0 {
		t.Errorf("%d held, %d tokens cached", held, cached)
	}
	words, err := r.provider.Complete(t.Context(), llm.Request{Purpose: "p", Model: "tiny", Instruction: "Say.", MaxTokens: 10})
	if err != nil || words.FinishReason != "length" || words.Usage.CompletionTokens != 10 {
		t.Errorf("ten tokens: %+v, %v", words, err)
	}
	before := len(r.ledger.rows())
	_, err = r.provider.Complete(t.Context(), llm.Request{Purpose: "judge", Model: "tiny", Instruction: "Judge.", MaxTokens: 4,
		Schema: verdicts})
	if llm.CauseOf(err) != llm.CauseTruncated || len(r.ledger.rows())-before != 2 {
		t.Errorf("JSON in four tokens, then in eight: %d calls, %v", len(r.ledger.rows())-before, err)
	}
	_, err = r.provider.Complete(t.Context(), llm.Request{Purpose: "p", Model: "tiny", Instruction: strings.Repeat("too long ", 900)})
	if llm.CauseOf(err) != llm.CauseRequest || !strings.Contains(err.Error(), "exceeds the available context size") {
		t.Errorf("a request longer than the context: %v", err)
	}
	other := toReal(t, base+"/v1", "", llm.DialectAnthropic)
	same, err := other.provider.Complete(t.Context(), llm.Request{Purpose: "p", Model: "tiny", Instruction: "Say.", MaxTokens: 10})
	if err != nil || same.FinishReason != "length" || same.Usage.PromptTokens != words.Usage.PromptTokens ||
		same.Usage.CompletionTokens != 10 {
		t.Errorf("in Anthropic's dialect: %+v, in OpenAI's: %+v, %v", same, words, err)
	}
}

func TestLlamaServerEmbeds(t *testing.T) {
	t.Parallel()
	r := toReal(t, llamaServer(t, "embed")+"/v1", "", "")
	got, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "tiny"}, []string{"one", "two", "one"})
	if err != nil || len(got) != 3 || len(got[0]) != 32 {
		t.Fatalf("%d vectors: %v", len(got), err)
	}
	norm := 0.0
	for _, f := range got[0] {
		norm += float64(f) * float64(f)
	}
	if math.Abs(norm-1) > 1e-5 {
		t.Errorf("length² %v", norm)
	}
	_, err = r.provider.Embed(t.Context(), llm.Embedding{Model: "tiny", Dimensions: 16}, []string{"one"})
	if llm.CauseOf(err) != llm.CauseEmbedding { // it takes no notice of the field
		t.Errorf("16 dimensions: %v", err)
	}
}

var verdictSchema = &replies.Schema{Name: "verdict", Body: json.RawMessage(`{"type":"object","properties":{"verdict":{"enum":["supported",` +
	`"contradicted"]}},"required":["verdict"],"additionalProperties":false}`)}

const proxyKey = "sk-litellm-0123456789"

// proxied is LiteLLM's proxy before a fake provider whose model decides what goes wrong.
func proxied(t *testing.T) (base string, fake *fakeprovider.Server) {
	t.Helper()
	programs := pythonWith(t, litellmPackage)
	fake = fakeprovider.New(fakeprovider.Options{Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
		faults := map[string]fakeprovider.Behaviour{
			"limited":  {Fault: fakeprovider.RateLimit, Header: map[string]string{"Retry-After": "7"}},
			"broken":   {Fault: fakeprovider.ServerError},
			"filtered": {Fault: fakeprovider.ContentFilter}, "formless": {Fault: fakeprovider.Content, Body: "I grade it 4."},
		}
		if r.Times > 1 && (r.Model == "limited" || r.Model == "broken") {
			return fakeprovider.Behaviour{}
		}
		return faults[r.Model]
	}})
	upstream := httptest.NewServer(fake)
	t.Cleanup(upstream.Close)
	var config strings.Builder
	config.WriteString("model_list:\n")
	for _, name := range []string{"good", "limited", "broken", "filtered", "formless", "embed"} {
		fmt.Fprintf(&config, "  - {model_name: %s, litellm_params: {model: openai/%s, api_base: %q, api_key: none, max_retries: 0}}\n", name,
			name, upstream.URL+"/v1")
	}
	// Anthropic's dialect is translated to OpenAI's newer one for this provider, and to the one that the fake speaks for that.
	fmt.Fprintf(&config, "  - {model_name: plain, litellm_params: {model: hosted_vllm/good, api_base: %q, api_key: none}}\n", upstream.URL+"/v1")
	fmt.Fprintf(&config, "general_settings: {master_key: %s}\nlitellm_settings: {num_retries: 0, telemetry: false}\n"+
		"router_settings: {num_retries: 0, disable_cooldowns: true}\n", proxyKey)
	file, port := filepath.Join(t.TempDir(), "litellm.yaml"), freePort(t)
	if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return serving(t, port, "/health/liveliness", []string{"LITELLM_LOCAL_MODEL_COST_MAP=True"}, filepath.Join(programs, "litellm"),
		"--config", file, "--host", "127.0.0.1", "--port", port), fake
}

// TestLiteLLMProxy: generator, judge and embedder through LiteLLM's proxy, with what goes wrong behind it and before it.
func TestLiteLLMProxy(t *testing.T) {
	t.Parallel()
	base, fake := proxied(t)
	for _, c := range []struct {
		model  string
		schema *replies.Schema
		cause  string
		says   string
		calls  int
	}{
		{"good", nil, "", "", 1}, {"good", gradeSchema, "", "", 1}, {"limited", nil, "", "", 2}, {"broken", nil, "", "", 2},
		{"absent", nil, llm.CauseRequest, "Invalid model name passed in model=absent", 1},
		{"filtered", gradeSchema, llm.CauseRefusal, "", 1}, {"formless", gradeSchema, llm.CauseSchema, "", 3},
	} {
		r := toReal(t, base+"/v1", proxyKey, "")
		req := asking(c.schema)
		req.Model = c.model
		got, err := r.provider.Complete(t.Context(), req)
		rows := r.ledger.rows()
		t.Logf("litellm, %s, schema %v: %d calls, ended by %q, %+v, %v", c.model, c.schema != nil, len(rows), got.FinishReason, got.Usage, err)
		for _, row := range rows {
			t.Logf("it said %d: %s", row.HTTPStatus, row.Reply)
		}
		if (err == nil) != (c.cause == "") || err != nil && (llm.CauseOf(err) != c.cause || !strings.Contains(err.Error(), c.says)) ||
			len(rows) != c.calls {
			t.Errorf("%s: %d calls, %v; want %d, cause %q", c.model, len(rows), err, c.calls, c.cause)
		}
		bill := fake.Ledger()
		if last := bill[len(bill)-1]; err == nil && (got.Usage.PromptTokens != last.PromptTokens ||
			got.Usage.CompletionTokens != last.CompletionTokens || got.Usage.PromptTokens == 0) {
			t.Errorf("%s: usage %+v, billed %+v", c.model, got.Usage, last)
		}
	}
	r := toReal(t, base+"/v1", "sk-wrong-0123456789", "")
	if _, err := r.provider.Complete(t.Context(), asking(nil)); llm.CauseOf(err) != llm.CauseAuth {
		t.Errorf("a wrong key: %v", err)
	}
	r = toReal(t, base+"/v1", proxyKey, "")
	vectors, err := r.provider.Embed(t.Context(), llm.Embedding{Model: "embed"}, []string{"one", "two"})
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, []string{"one", "two"}, vectors)
}

// TestDialectsThroughLiteLLM: the proxy speaks Anthropic's and Gemini's dialects as well, so ours are read by somebody who knows them.
func TestDialectsThroughLiteLLM(t *testing.T) {
	t.Parallel()
	base, fake := proxied(t)
	for dialect, path := range map[string]string{llm.DialectAnthropic: "/v1", llm.DialectGemini: "/v1beta"} {
		r := toReal(t, base+path, proxyKey, dialect)
		for _, schema := range []*replies.Schema{nil, verdictSchema} {
			req := asking(schema)
			req.Model = "plain"
			got, err := r.provider.Complete(t.Context(), req)
			bill := fake.Ledger()
			t.Logf("litellm, %s, schema %v: %q ended by %q, %+v, repaired %q, %v", dialect, schema != nil, got.Text, got.FinishReason, got.Usage,
				got.Repair, err)
			if err != nil || got.FinishReason != "stop" || len(bill) == 0 || got.Usage.PromptTokens != bill[len(bill)-1].PromptTokens {
				t.Errorf("%s: %+v, billed %+v, %v", dialect, got, bill, err)
			}
		}
	}
}
