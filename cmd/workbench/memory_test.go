package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// bulky imports a corpus whose indexes, of which two do not fit into 300 KB together, are larger than those of a few sentences.
func (b *bench) bulky() *bench {
	b.t.Helper()
	var docs strings.Builder
	for i := range 200 {
		fmt.Fprintf(&docs, "Service %d opens at gate %d on weekdays, and its fee is %d coins. Children under %d pay half of it.\n\n", i, i%7, i*13%101,
			3+i%9)
	}
	for name, body := range map[string]string{
		"bulk.txt": docs.String(),
		"bulk.yaml": "name: bulk\ncorpus: bulk\ndataset: bulk\nbase: {embedding: {provider: offline, model: ngram}}\n" +
			"sweep: {chunk.size: [80, 100, 120], retrieve.mode: [dense, hybrid]}\n",
		"bulk.jsonl": `{"question_id":"b1","question":"What is the fee of service 7?","reference":"91 coins."}` + "\n" +
			`{"question_id":"b2","question":"Which gate is service 9 at?","reference":"Gate 2."}` + "\n",
	} {
		if err := os.WriteFile(b.path(name), []byte(body), 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
	b.must("corpus", "import", "{}/bulk.txt", "--name", "bulk")
	b.must("dataset", "import", "{}/bulk.jsonl", "--name", "bulk", "--corpus", "bulk")
	return b
}

// A sweep with little memory for indexes gives the bytes that it gives without a limit, and says what it gave up, in both languages.
func TestMemoryBudget(t *testing.T) {
	t.Parallel()
	free, tight := newBench(t).bulky(), newBench(t).bulky()
	want := free.must("sweep", "{}/bulk.yaml", "--json")
	if strings.Contains(want.stderr, "memory") {
		t.Errorf("without a limit was said:\n%s", want.stderr)
	}
	got := tight.must("sweep", "{}/bulk.yaml", "--json", "--memory", "140KB")
	if got.stdout != want.stdout {
		t.Errorf("with little memory came\n%s\nand without a limit\n%s", got.stdout, want.stdout)
	}
	events, last := map[string]int{}, map[string]float64{}
	for line := range strings.Lines(got.stderr) {
		var said struct {
			Memory json.RawMessage `json:"memory"`
		}
		if json.Unmarshal([]byte(line), &said) != nil {
			continue
		}
		var event struct {
			Event string `json:"event"`
		}
		if err := json.Unmarshal(said.Memory, &event); err != nil {
			t.Fatal(err)
		}
		if events[event.Event]++; event.Event == "" {
			if err := json.Unmarshal(said.Memory, &last); err != nil {
				t.Fatal(err)
			}
		}
	}
	if events["given_up"] == 0 || last["given_up"] != float64(events["given_up"]) || last["limit_bytes"] != 140e3 ||
		last["most_bytes"] == 0 || last["most_bytes"] > 160e3 {
		t.Errorf("events %v, in the end %v:\n%s", events, last, got.stderr)
	}
	for lang, says := range map[string]string{"en": "memory: an index that nobody uses was given up",
		"ja": "メモリー：使われていないインデックスを手放しました"} {
		b := newBench(t).bulky()
		if o := b.must("sweep", "{}/bulk.yaml", "--memory", "140KB", "--lang", lang); !strings.Contains(o.stderr, says) {
			t.Errorf("%s: %s", lang, o.stderr)
		}
	}
}

// What the configuration file says counts, unless the environment or the flag says otherwise.
func TestMemoryBudgetIsConfigured(t *testing.T) {
	t.Parallel()
	b := newBench(t).bulky()
	if err := os.WriteFile(b.path("workbench.yaml"), []byte("memory: 100KB\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := []string{"--config", "{}/workbench.yaml", "search", "bulk", "fee of service 7", "--chunk", "{size: 20}"}
	if o := b.run(refused...); o.code != program.ExitUsage || !strings.Contains(o.stderr, "--memory allows 0.1 MB for all") {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
	b.must(append([]string{"--memory", "2GB"}, refused...)...)
	if o := b.run(append([]string{"--lang", "ja"}, refused...)...); !strings.Contains(o.stderr, "--memory の上限は全体で 0.1 MB です") {
		t.Errorf("in Japanese: %s", o.stderr)
	}
	b.env = map[string]string{"WORKBENCH_MEMORY": "2GB"}
	b.must(refused...)
	if err := os.WriteFile(b.path("workbench.yaml"), []byte("memory: plenty\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := b.run("--config", "{}/workbench.yaml", "config"); o.code != program.ExitUsage || !strings.Contains(o.stderr, `"plenty"`) {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
}
