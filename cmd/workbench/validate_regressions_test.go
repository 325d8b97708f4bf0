package main

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

func TestValidateRegressionsSimulates(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	o := b.must("validate", "regressions", "--runs", "1")
	for _, want := range []string{"rubric, uneven noise, flip 10%", "mean of three", "guard", "answer and judge again", "CLUSTER T (OURS)",
		"INCONCLUSIVE"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in:\n%s", want, o.stdout)
		}
	}
	if !strings.Contains(o.stderr, "1/19 binary") {
		t.Errorf("no progress: %s", o.stderr)
	}
	var s map[string]any
	one := b.must("validate", "regressions", "--runs", "1", "--json", "--quiet")
	decode(t, one, &s)
	keys(t, "simulation", s, "seed", "worlds", "flaky", "clusters", "gate")
	if one.stderr != "" {
		t.Errorf("--quiet says %s", one.stderr)
	}
	for _, args := range [][]string{{"--runs", "0"}, {"--plan"}, {"--budget", "3"}} {
		if o := b.run(append([]string{"validate", "regressions"}, args...)...); o.code != program.ExitUsage {
			t.Errorf("%v: exit %d\n%s", args, o.code, o.stderr)
		}
	}
}

// TestValidateRegressionsOfAnExperiment asks a judge that turns one vote in ten round the same questions four times.
func TestValidateRegressionsOfAnExperiment(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	o := b.must("validate", "regressions", "--experiment", "{}/closed.yaml")
	if !strings.Contains(o.stdout, "nothing was bought") {
		t.Errorf("offline:\n%s", o.stdout)
	}
	provider := fakeprovider.New(fakeprovider.Options{Flip: 0.1, Seed: 5, Answer: fakeprovider.Offline()})
	server := httptest.NewServer(provider)
	t.Cleanup(server.Close)
	b.env["OPENAI_API_KEY"], b.env["OPENAI_BASE_URL"] = "test-key-0123456789abcdef", server.URL+"/v1"
	file := "name: noisy\ncorpus: faq\ndataset: faq\nsuite: [correctness, trust]\njudge: {provider: openai, model: judge-1}\nbase: {retrieve: {mode: bm25, k: 2}}\n"
	if err := os.WriteFile(b.path("noisy.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	o = b.must("validate", "regressions", "--experiment", "{}/noisy.yaml", "--replicates", "4", "--plan")
	if !strings.Contains(o.stdout, "24 votes, at most about 48 calls") || len(provider.Ledger()) != 0 {
		t.Errorf("plan after %d calls:\n%s", len(provider.Ledger()), o.stdout)
	}
	var test struct {
		Bought, Calls int
		Result        struct {
			Metrics []struct {
				Metric   string
				Drop     float64 `json:"any_drop"`
				Worse    float64
				OneVote  *float64 `json:"visible_one"`
				Question *float64 `json:"same_question"`
			}
		}
	}
	decode(t, b.must("validate", "regressions", "--experiment", "noisy", "--replicates", "4", "--json"), &test)
	if test.Bought != 24 || test.Calls != 48 || len(test.Result.Metrics) != 2 || test.Result.Metrics[0].OneVote == nil ||
		test.Result.Metrics[0].Question == nil {
		t.Errorf("%+v", test)
	}
	o = b.must("validate", "regressions", "--experiment", "noisy", "--replicates", "4")
	if !strings.Contains(o.stdout, "6 questions asked 4 times each") || !strings.Contains(o.stdout, "although nothing changed") ||
		len(provider.Ledger()) != 48 {
		t.Errorf("after %d calls:\n%s", len(provider.Ledger()), o.stdout)
	}
}
