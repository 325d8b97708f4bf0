package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

var runIDs = regexp.MustCompile(`run [0-9a-f]{12}\b`)

const ragKey = "rag-key-0123456789abcdef"

// ragServer is a RAG system behind HTTP that answers every question alike.
func ragServer(t *testing.T, b *bench) (url string, broken *atomic.Bool) {
	t.Helper()
	broken = &atomic.Bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch {
		case r.Header.Get("Authorization") != "Bearer "+ragKey:
			http.Error(w, "who are you? "+r.Header.Get("Authorization"), http.StatusUnauthorized)
		case broken.Load():
			_,
				_ = io.WriteString(w,
				`{"result": {"text": "The refund fee is 2,000 yen, and much more text that is of no use in an outline of a reply"}}`)
		default:
			_ = json.NewEncoder(w).Encode(map[string]any{
				"answer": "The refund fee is 2,000 yen.", "version": "2026-11",
				"sources": []map[string]any{
					{"text": "The refund fee is 2,000 yen for each segment.", "doc": "refunds.md", "score": 0.8},
					{"text": "Saver tickets cannot be refunded after purchase.", "doc": "refunds.md", "score": 0.1},
				},
			})
		}
	}))
	t.Cleanup(s.Close)
	b.env["RAG_KEY"] = ragKey
	return s.URL, broken
}

var addProd = []string{
	"endpoint", "add", "prod", "--url", "{url}/ask", "--template", `{"query": "{{question}}", "top_k": {{k}}}`, "--answer", "answer",
	"--contexts", "sources",
	"--context-text", "text", "--context-id", "doc", "--version-path", "version", "--header", "Authorization: Bearer ${RAG_KEY}",
	"--timeout", "30s", "--concurrency", "2",
}

func TestEndpointTranscripts(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	url, broken := ragServer(t, b)
	write(t, b.path("prod.yaml"),
		"name: prod-faq\nendpoint: prod\ndataset: faq\ncorpus: faq\nsuite: [correctness, hit]\nsweep: {retrieve.k: [1, 2]}\n")
	write(t, b.path("chunks.yaml"), "name: chunks\nendpoint: prod\ndataset: faq\nsweep: {chunk.size: [100, 200]}\n")
	write(t, b.path("base.yaml"), "name: base\nendpoint: prod\ndataset: faq\nbase: {retrieve: {k: 3}}\n")
	write(t, b.path("answers.jsonl"),
		`{"question": "How much does it cost to refund a Flex ticket?", "answer": "2,000 yen.", "contexts": ["The refund fee is 2,000 `+
			`yen for each segment."], "latency": 1.5}`+"\n"+`{"id": "q2", "answer": ""}`+"\n")
	write(t, b.path("wrong.csv"), "id,question,answer\nq1,,a\nq1,,b\nq9,,c\nq2,Who are you?,d\n")
	steps := []struct {
		name string
		code int
		args []string
	}{
		{"endpoint-empty", program.ExitDone, []string{"endpoint", "list"}},
		{"endpoint-add", program.ExitDone, addProd},
		{"endpoint-add-again", program.ExitDone, addProd},
		{"endpoint-add-key", program.ExitUsage, []string{"endpoint", "add", "bad", "--url", "{url}", "--template", `{"q": "{{question}}"}`,
			"--answer", "a", "--header", "Authorization: Bearer hunter2"}},
		{"endpoint-add-template", program.ExitUsage, []string{"endpoint", "add", "bad", "--url", "{url}", "--template",
			`{"q": "{{question}}"`,
			"--answer", "a"}},
		{"endpoint-add-path", program.ExitUsage, []string{"endpoint", "add", "bad", "--url", "{url}", "--template", `{"q": "{{question}}"}`,
			"--answer", "a[?(@.x)]"}},
		{"endpoint-list", program.ExitDone, []string{"endpoint", "list"}},
		{"endpoint-show", program.ExitDone, []string{"endpoint", "show", "prod"}},
		{"endpoint-test", program.ExitDone, []string{"endpoint", "test", "prod", "--question", "How much is the fee?"}},
		{"endpoint-run-plan", program.ExitDone, []string{"run", "{}/prod.yaml", "--plan"}},
		{"endpoint-run", program.ExitDone, []string{"run", "prod-faq"}},
		{"endpoint-run-chunks", program.ExitUsage, []string{"run", "{}/chunks.yaml"}},
		{"endpoint-run-base", program.ExitUsage, []string{"run", "{}/base.yaml"}},
		{"endpoint-test-drift", program.ExitUsage, []string{"endpoint", "test", "prod"}},
		{"endpoint-run-drift", program.ExitUsage, []string{"run", "prod-faq"}},
		{"endpoint-remove", program.ExitDone, []string{"endpoint", "remove", "prod"}},
		{"import-answers", program.ExitDone, []string{"import-answers", "{}/answers.jsonl", "--dataset", "faq", "--corpus", "faq",
			"--name", "bot"}},
		{"import-answers-again", program.ExitDone, []string{"import-answers", "{}/answers.jsonl", "--dataset", "faq", "--name", "bot"}},
		{"import-answers-wrong", program.ExitUsage, []string{"import-answers", "{}/wrong.csv", "--dataset", "faq"}},
	}
	for _, s := range steps {
		broken.Store(strings.HasSuffix(s.name, "-drift"))
		args := make([]string, len(s.args))
		for i, a := range s.args {
			args[i] = strings.ReplaceAll(a, "{url}", url)
		}
		o := b.run(args...)
		got := strings.ReplaceAll(o.stdout+"-- stderr --\n"+o.stderr, url, "http://SERVER")
		got = runIDs.ReplaceAllString(got, "run RUN") // it follows from the setup, which holds the server's port
		if o.code != s.code {
			t.Errorf("%s: exit %d, want %d\n%s", s.name, o.code, s.code, got)
		}
		if strings.Contains(got, ragKey) || strings.Contains(got, "hunter2") {
			t.Errorf("%s prints a key:\n%s", s.name, got)
		}
		golden(t, s.name+".txt", got)
	}
}

func TestEndpointWithoutItsKey(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	url, _ := ragServer(t, b)
	args := make([]string, len(addProd))
	for i, a := range addProd {
		args[i] = strings.ReplaceAll(a, "{url}", url)
	}
	b.must(args...)
	b.env["RAG_KEY"] = "another-key-0123456789"
	if o := b.run("endpoint", "test", "prod"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "401") ||
		strings.Contains(o.stderr, "another-key") {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
	delete(b.env, "RAG_KEY")
	if o := b.run("endpoint", "test", "prod"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "RAG_KEY is empty") {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
}

func TestLoggedAnswersRun(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	write(t, b.path("answers.csv"), "id,answer\nq1,\"2,000 yen for each segment.\"\nq2,No.\nq3,x\nq4,x\nq5,x\nq6,x\n")
	var imported map[string]any
	decode(t, b.must("import-answers", "{}/answers.csv", "--dataset", "faq", "--name", "bot", "--json"), &imported)
	if imported["experiment"] != "bot" || imported["dataset"] != "faq@1" {
		t.Errorf("%v", imported)
	}
	var run map[string]any
	decode(t, b.must("run", "bot", "--json"), &run)
	scores := run["scores"].(map[string]any)
	if _, there := scores["correctness"]; !there {
		t.Errorf("no correctness: %v", scores)
	}
	for _, hidden := range []string{"trust", "faithfulness", "context_recall", "hit"} {
		if _, there := scores[hidden]; there {
			t.Errorf("%s has a mean although no contexts were logged", hidden)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEndpointHelp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, args := range map[string][]string{"help-endpoint-add": {"endpoint", "add", "--help"},
		"help-import-answers": {"import-answers", "--help"}} {
		golden(t, name+".txt", b.must(args...).stdout)
	}
}
