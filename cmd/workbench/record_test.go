package main

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
)

// recording is a bench whose experiment is judged by whoever answers the requests in a folder.
func recordingBench(t *testing.T) *bench {
	t.Helper()
	b := newBench(t).imported()
	b.write("workbench.yaml", "providers:\n  reader: {kind: recorded, folder: recording}\n")
	b.write("read.yaml", "name: read\ncorpus: faq\ndataset: faq\nsuite: [correctness, trust, faithfulness]\n"+
		"judge: {provider: reader, model: reader-1}\n")
	b.must("experiment", "add", "{}/read.yaml")
	return b
}

func (b *bench) write(name, body string) {
	b.t.Helper()
	if err := os.WriteFile(b.path(name), []byte(body), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// answer writes into a file replies to a sitting as the offline judge would give them, and returns how many.
func (b *bench) answer(sitting, into string) int {
	b.t.Helper()
	body, err := os.ReadFile(b.path(sitting))
	if err != nil {
		b.t.Fatal(err)
	}
	judge, n := fakeprovider.Offline(), 0
	var out strings.Builder
	for d := json.NewDecoder(strings.NewReader(string(body))); d.More(); n++ {
		var o llm.OpenRequest
		if err := d.Decode(&o); err != nil {
			b.t.Fatal(err)
		}
		if o.Question != "" {
			b.t.Errorf("the sitting says that %s is about %s", o.Key, o.Question)
		}
		req := llm.Request{Model: o.Model, Instruction: o.System, Data: o.Data, Schema: &replies.Schema{Name: o.SchemaName, Body: o.Schema}}
		system, user := llm.Render(req, "0123456789abcdef")
		text, err := judge(fakeprovider.Request{Model: o.Model, Purpose: o.SchemaName, System: system, User: user, Schema: o.Schema})
		if err != nil {
			b.t.Fatal(err)
		}
		line, err := json.Marshal(map[string]any{"key": o.Key, "text": text})
		if err != nil {
			b.t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	b.write(into, out.String())
	return n
}

// meansOf are the means of the newest run of an experiment.
func (b *bench) meansOf(run string) map[string]any {
	b.t.Helper()
	var shown struct {
		Run struct {
			State  string `json:"state"`
			Totals struct {
				Scores map[string]any `json:"scores"`
			} `json:"totals"`
		} `json:"run"`
	}
	if err := json.Unmarshal([]byte(b.must("runs", "show", run, "--json", "--config", "{}/workbench.yaml").stdout), &shown); err != nil {
		b.t.Fatal(err)
	}
	if shown.Run.State != "finished" {
		b.t.Errorf("run %s is %s", run, shown.Run.State)
	}
	if len(shown.Run.Totals.Scores) == 0 {
		b.t.Errorf("run %s has no means", run)
	}
	return shown.Run.Totals.Scores
}

func TestARunIsPlayedFromRepliesTakenIn(t *testing.T) {
	t.Parallel()
	b := recordingBench(t)
	config := []string{"--config", "{}/workbench.yaml"}
	o := b.run(append([]string{"run", "read"}, config...)...)
	_, run, _ := strings.Cut(o.stderr, "workbench runs resume ")
	run = strings.TrimSpace(run)
	if o.code != program.ExitIncomplete || !strings.Contains(o.stderr, "are not recorded yet") || run == "" {
		t.Fatalf("exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	rounds, total := 0, 0
	for ; o.code == program.ExitIncomplete && rounds < 12; rounds++ {
		sitting, replies := "sitting.jsonl", "replies.jsonl"
		_ = os.Remove(b.path(sitting))
		b.must("record", "sitting", "{}/recording", "-o", "{}/"+sitting, "--at-most", "200")
		n := b.answer(sitting, replies)
		if n == 0 {
			t.Fatal("the run waits, but no request does")
		}
		total += n
		b.must("record", "take", "{}/recording", "{}/"+replies, "--by", "a test")
		o = b.run(append([]string{"runs", "resume", run}, config...)...)
	}
	if o.code != program.ExitDone {
		t.Fatalf("after %d rounds: exit %d\n%s%s", rounds, o.code, o.stdout, o.stderr)
	}
	recorded := b.meansOf(run)
	listed := b.must("record", "list", "{}/recording", "--json")
	var counts struct {
		Open    []llm.OpenRequest `json:"open"`
		Replies map[string]int    `json:"replies"`
	}
	if err := json.Unmarshal([]byte(listed.stdout), &counts); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range counts.Replies {
		sum += n
	}
	if len(counts.Open) != 0 || sum != total {
		t.Errorf("%d wait, %d are recorded; %d were answered", len(counts.Open), sum, total)
	}

	// The same judge over a network says the same.
	server := httptest.NewServer(fakeprovider.New(fakeprovider.Options{Answer: fakeprovider.Offline()}))
	defer server.Close()
	b.env["OPENAI_BASE_URL"], b.env["OPENAI_API_KEY"] = server.URL+"/v1", "test-key-0123456789"
	raw, err := os.ReadFile(b.path("read.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b.write("net.yaml", strings.NewReplacer("name: read", "name: net", "provider: reader", "provider: openai").Replace(string(raw)))
	b.must("experiment", "add", "{}/net.yaml")
	b.must("run", "net")
	if diff := cmp.Diff(b.meansOf("net"), recorded); diff != "" {
		t.Errorf("means over a network and from the recording (-want +got):\n%s", diff)
	}

	// The study plays and verifies where there is neither folder nor network.
	b.must(append([]string{"export", "{}/study.zip", run}, config...)...)
	verified := b.must("verify", "{}/study.zip")
	if !strings.Contains(verified.stdout, "were computed again and are equal") {
		t.Errorf("verify says:\n%s", verified.stdout)
	}
	if err := os.RemoveAll(filepath.Join(b.dir, "recording")); err != nil {
		t.Fatal(err)
	}
	elsewhere := newBench(t)
	elsewhere.write("workbench.yaml", "providers:\n  reader: {kind: recorded, folder: empty}\n")
	elsewhere.write("read.yaml", string(raw))
	if err := os.Rename(b.path("study.zip"), elsewhere.path("study.zip")); err != nil {
		t.Fatal(err)
	}
	elsewhere.must("import", "{}/study.zip")
	elsewhere.must("experiment", "add", "{}/read.yaml")
	played := elsewhere.run(append([]string{"run", "read"}, config...)...)
	if played.code != program.ExitDone {
		t.Errorf("playing the imported study: exit %d\n%s%s", played.code, played.stdout, played.stderr)
	}
}

func TestRecordVerbs(t *testing.T) {
	t.Parallel()
	b := recordingBench(t)
	b.run("run", "read", "--config", "{}/workbench.yaml")
	if o := b.must("record", "list", "{}/recording"); !strings.Contains(o.stdout, "WAITING") ||
		!strings.Contains(o.stdout, "requests wait") {
		t.Errorf("list says:\n%s", o.stdout)
	}
	if o := b.must("--lang", "ja", "record", "list", "{}/recording"); !strings.Contains(o.stdout, "返答待ち") {
		t.Errorf("list says in Japanese:\n%s", o.stdout)
	}
	b.write("replies.jsonl", "nonsense\n")
	if o := b.run("record", "take", "{}/recording", "{}/replies.jsonl", "--by", "a test"); o.code != program.ExitIncomplete ||
		!strings.Contains(o.stdout, "line 1: the line is not a JSON object") {
		t.Errorf("take of nonsense: exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	b.must("record", "sitting", "{}/recording", "-o", "{}/s.jsonl", "--at-most", "3")
	if body, err := os.ReadFile(b.path("s.jsonl")); err != nil || strings.Count(string(body), "\n") != 3 {
		t.Errorf("%v; the sitting has %d lines", err, strings.Count(string(body), "\n"))
	}
	if o := b.run("record", "sitting", "{}/recording", "-o", "{}/s.jsonl"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, "not overwritten") {
		t.Errorf("writing over a file: exit %d\n%s", o.code, o.stderr)
	}
	b.must("record", "sitting", "{}/recording", "-o", "{}/two.jsonl", "--at-most", "2", "--files", "2")
	for _, name := range []string{"two-01.jsonl", "two-02.jsonl"} {
		if body, err := os.ReadFile(b.path(name)); err != nil || strings.Count(string(body), "\n") != 2 {
			t.Errorf("%v; %s has %d lines", err, name, strings.Count(string(body), "\n"))
		}
	}
	if o := b.run("record", "sitting", "{}/recording", "--files", "2"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, "add -o FILE") {
		t.Errorf("two files without a name: exit %d\n%s", o.code, o.stderr)
	}
	empty := b.path("nothing")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	if o := b.must("record", "list", empty); !strings.Contains(o.stdout, "nothing waits here") {
		t.Errorf("an empty folder says:\n%s", o.stdout)
	}
}
