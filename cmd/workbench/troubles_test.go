package main

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// judgedBench is a bench whose experiment is judged by a server that behaves like this.
func judgedBench(t *testing.T, o fakeprovider.Options) (*bench, *fakeprovider.Server) {
	t.Helper()
	server := fakeprovider.New(o)
	at := httptest.NewServer(server)
	t.Cleanup(at.Close)
	b := newBench(t).imported()
	b.env["WORKBENCH_CONFIG"] = b.path("workbench.yaml")
	b.write("workbench.yaml", "providers:\n  gate: {kind: openai, base_url: '"+at.URL+"/v1'}\n")
	b.write("judged.yaml", "name: judged\ncorpus: faq\ndataset: faq\nsuite: [correctness, trust, faithfulness, context_recall]\n"+
		"judge: {provider: gate, model: judge-1}\n")
	b.must("experiment", "add", "{}/judged.yaml")
	return b, server
}

var pausedRun = regexp.MustCompile(`run ([0-9a-f]{12}) is paused`)

// TestARunThatPaysForNothingPauses shows cause, the words of the server or of the model, and the count in every channel.
func TestARunThatPaysForNothingPauses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fault fakeprovider.Behaviour
		cause string
		ja    string
		words string
	}{
		{"useless", fakeprovider.Behaviour{Fault: fakeprovider.Content, Body: "I would say that the answer is rather good."},
			"replies_useless", "使えない応答が多すぎる", "I would say that the answer is rather good."},
		{"refused", fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Body: "Invalid model name passed in model=judge-1"},
			"requests_refused", "拒否されたリクエストが多すぎる", "Invalid model name passed in model=judge-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b, server := judgedBench(t, fakeprovider.Options{Behave: func(fakeprovider.Request) fakeprovider.Behaviour { return c.fault }})
			out := b.run("run", "judged")
			if out.code != program.ExitIncomplete || !strings.Contains(out.stderr, c.words) ||
				!strings.Contains(out.stderr, "runs resume") {
				t.Errorf("exit code %d: %s", out.code, out.stderr)
			}
			if n := len(server.Ledger()); n > 40 {
				t.Errorf("%d calls were made for nothing", n)
			}
			id := pausedRun.FindStringSubmatch(out.stderr)[1]
			for why, args := range map[string][]string{
				"it stopped: too many re":       {"runs", "show", id},
				`"troubles": [`:                 {"runs", "show", id, "--json"},
				"停止の理由：" + c.ja + "（" + c.cause: {"--lang", "ja", "runs", "show", id},
			} {
				shown := b.must(args...).stdout
				if !strings.Contains(shown, c.words) || !strings.Contains(shown, c.cause) || !strings.Contains(shown, why) {
					t.Errorf("%v says\n%s", args, shown)
				}
			}
			if out := b.run("report", id, "-o", "{}/a.html"); out.code != program.ExitUsage ||
				!strings.Contains(out.stderr, "runs show "+id) {
				t.Errorf("a report ends with %d: %s", out.code, out.stderr)
			}
		})
	}
}

// TestRepairedRepliesAreCounted has a judge that wraps each of its replies: all of it is scored, and it is said.
func TestRepairedRepliesAreCounted(t *testing.T) {
	t.Parallel()
	judge := fakeprovider.Offline()
	b, _ := judgedBench(t, fakeprovider.Options{Answer: func(r fakeprovider.Request) (string, error) {
		text, err := judge(r)
		return "Here it is:\n```json\n" + text + "\n```", err
	}})
	if said := b.must("run", "judged").stdout; !strings.Contains(said, "repaired ") {
		t.Errorf("the run says\n%s", said)
	}
	if bill := b.must("runs", "show", "judged", "--bill").stdout; !strings.Contains(bill, "judge-1: repaired ") {
		t.Errorf("the bill says\n%s", bill)
	}
	if shown := b.must("runs", "show", "judged").stdout; strings.Contains(shown, "scores have no value") {
		t.Errorf("the run shows\n%s", shown)
	}
}

// TestMissingPrefixesAreWarnedOf where a model was trained with them, once for each model, and not where something is said of them.
func TestMissingPrefixesAreWarnedOf(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	for embedding, warned := range map[string]bool{
		"{provider: openai, model: intfloat/multilingual-e5-large}":                                                      true,
		"{provider: openai, model: multilingual-e5-large, query_prefix: auto, passage_prefix: auto, dimensions: 256}":    false,
		"{provider: openai, model: multilingual-e5-large, query_prefix: none, passage_prefix: none, input_type: 'none'}": false,
	} {
		b.write("e5.yaml", "name: e5\ncorpus: faq\ndataset: faq\nbase:\n  chunk: {size: 400}\n  embedding: "+embedding+"\n")
		said := b.must("experiment", "add", "{}/e5.yaml").stderr
		if strings.Contains(said, "warning") != warned || warned && !strings.Contains(said, `"query: " and "passage: "`) {
			t.Errorf("%s: %s", embedding, said)
		}
	}
	b.write("e5.yaml", "name: e5\ncorpus: faq\ndataset: faq\nbase:\n"+
		"  embedding: {provider: openai, model: e5-large, query_prefix: auto, passage_prefix: auto}\n")
	for lang, want := range map[string]string{"en": "chunk.size is 1000 characters and e5-large reads 512 tokens", "ja": "chunk.sizeは1000文字ですが"} {
		if said := b.must("--lang", lang, "experiment", "add", "{}/e5.yaml").stderr; !strings.Contains(said, want) {
			t.Errorf("%s: %s", lang, said)
		}
	}
}
