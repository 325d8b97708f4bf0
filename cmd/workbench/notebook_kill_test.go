package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// paidStudy is a notebook whose run cell buys an answer and verdicts for every question.
const paidStudy = "---\nragnb: 1\ntitle: Prices\n---\n\nLow: {{ r.first.low_scores }}\n\n```rag corpus docs\nsource: faq\n```\n```rag dataset qa\nsource: many\n```\n" +
	"```rag config base\ncorpus: docs\nretrieve: {mode: bm25, k: 1}\ngenerate: {provider: openai, model: gpt-4.1-mini}\n```\n" +
	"```rag run r\nconfigs: base\ndataset: qa\nmetrics: [correctness, trust]\njudge: {provider: openai, model: gpt-4.1-mini}\n```\n"

// inFlight is how many questions the processes of these tests work at once, and together how many calls of a question go out side by
// side: both of its rubrics.
const inFlight, together = 4, 2

// study is a data directory with 40 questions, and a provider that takes its time and keeps a bill.
type study struct {
	*bench
	provider *fakeprovider.Server
}

func newStudy(t *testing.T) *study {
	t.Helper()
	s := &study{bench: newBench(t), provider: fakeprovider.New(fakeprovider.Options{Latency: 25 * time.Millisecond})}
	web := httptest.NewServer(s.provider)
	t.Cleanup(web.Close)
	s.env["OPENAI_BASE_URL"] = web.URL + "/v1"
	rows := []string{"question_id,question,reference"}
	for i := range 40 {
		rows = append(rows, fmt.Sprintf("q%d,What does ticket class %d cost?,%d00 yen", i, i, i))
	}
	for name, text := range map[string]string{"many.csv": strings.Join(rows, "\n"), "study.rag.md": paidStudy} {
		if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.must("corpus", "import", "{}/docs", "--name", "faq")
	s.must("dataset", "import", "{}/many.csv", "--name", "many")
	return s
}

// bill is how many calls were paid.
func (s *study) bill() (n int) {
	for _, e := range s.provider.Ledger() {
		if e.Charged {
			n++
		}
	}
	return n
}

// process starts the command as a process of its own.
func (s *study) process(stdout io.Writer, args string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), os.Args[0], "-test.run=^TestAsCommand$") //nolint:gosec // the test binary itself
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=--data %s --concurrency %d %s", asCommand, s.path("data"), inFlight, args),
		"OPENAI_BASE_URL="+s.env["OPENAI_BASE_URL"])
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = stdout, &stderr
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if s.t.Failed() {
			s.t.Logf("workbench %s wrote:\n%s", args, stderr.String())
		}
	})
	return cmd
}

// killAt kills a process when n calls have been paid.
func (s *study) killAt(cmd *exec.Cmd, n int) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); s.bill() < n; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%d calls were paid, and %d were waited for", s.bill(), n)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
}

// undisturbed is the bill of the study when nobody stops it.
func undisturbed(t *testing.T) int {
	t.Helper()
	s := newStudy(t)
	s.must("notebook", "run", "{}/study.rag.md", "--yes", "--concurrency", strconv.Itoa(inFlight))
	return s.bill()
}

// done checks that the cell is up to date and that no more was paid than what was in flight at the kills.
func (s *study) done(want, kills int, check outcome) {
	s.t.Helper()
	paid := s.bill()
	s.t.Logf("%d calls were paid; %d are needed, and %d processes were killed with %d calls in flight", paid, want, kills,
		inFlight*together)
	if check.code != program.ExitDone || paid < want || paid > want+kills*inFlight*together {
		s.t.Errorf("%+v", check)
	}
	s.must("doctor")
}

// TestKilledNotebookGoesOn kills `notebook run` twice in the middle of a paid cell.
func TestKilledNotebookGoesOn(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("processes that are killed at a number of calls need their pace; the same code runs under the race detector in internal/app")
	}
	want := undisturbed(t)
	s := newStudy(t)
	for _, at := range []int{want / 3, 2 * want / 3} {
		s.killAt(s.process(io.Discard, "notebook run "+s.path("study.rag.md")+" --yes"), at)
		o := s.run("notebook", "check", "{}/study.rag.md", "--json")
		if o.code != program.ExitIncomplete || !strings.Contains(o.stdout, `"partial"`) || !strings.Contains(o.stdout, "interrupted") {
			t.Fatalf("after the kill: %+v", o)
		}
	}
	if s.bill() >= want {
		t.Fatalf("%d of %d calls were paid before the last kill: it tests nothing", s.bill(), want)
	}
	s.must("notebook", "run", "{}/study.rag.md", "--yes")
	s.done(want, 2, s.run("notebook", "check", "{}/study.rag.md"))
}

// TestKilledServerGoesOnWithANotebook kills a server in the middle of a paid cell, starts another one and runs the notebook again.
func TestKilledServerGoesOnWithANotebook(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("processes that are killed at a number of calls need their pace; the same code runs under the race detector in internal/server")
	}
	want := undisturbed(t)
	s := newStudy(t)
	cmd, address := s.serve()
	s.ask(http.MethodPost, address+"/notebooks", map[string]string{"name": "study", "text": paidStudy}, nil)
	s.ask(http.MethodPost, address+"/notebooks/study/run", map[string]any{"budget": "5000calls"}, nil)
	s.killAt(cmd, want/2)
	cmd, address = s.serve()
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	var d struct {
		Cells []struct {
			Name, State string
			Reasons     []struct{ Code string }
			Price       *struct{ Calls, Known int }
		}
		Job *struct{ State string }
	}
	s.ask(http.MethodGet, address+"/notebooks/study", nil, &d)
	if c := d.Cells[3]; c.State != "partial" || c.Reasons[0].Code != "interrupted" || c.Price == nil || c.Price.Known == 0 ||
		c.Price.Calls >= want {
		t.Fatalf("after the kill: %+v %+v", c, c.Price)
	}
	s.ask(http.MethodPost, address+"/notebooks/study/run", map[string]any{}, nil)
	events := s.ask(http.MethodGet, address+"/notebooks/study/events", nil, nil)
	if !strings.Contains(events, `"name":"r","state":"fresh"`) || !strings.Contains(events, "event: end") {
		t.Errorf("the events are %s", events)
	}
	d.Job = nil
	s.ask(http.MethodGet, address+"/notebooks/study", nil, &d)
	if d.Cells[3].State != "fresh" || d.Job == nil || d.Job.State != "done" {
		t.Errorf("%+v %+v", d.Cells, d.Job)
	}
	s.done(want, 1, s.run("notebook", "check", s.path("data")+"/notebooks/study.rag.md"))
}

// serve starts a server and returns the address of its API.
func (s *study) serve() (*exec.Cmd, string) {
	s.t.Helper()
	r, w := io.Pipe()
	cmd := s.process(w, "serve --addr 127.0.0.1:0")
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	return cmd, strings.TrimSpace(line) + "/api/v1"
}

func (s *study) ask(method, address string, body, into any) string {
	s.t.Helper()
	var sent io.Reader = http.NoBody
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		sent = bytes.NewReader(raw)
	}
	status, got := exchange(s.t, method, address, sent, http.Header{"Content-Type": {"application/json"}})
	if status >= 300 {
		s.t.Fatalf("%s %s = %d %s", method, address, status, got)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(got), into); err != nil {
			s.t.Fatal(err)
		}
	}
	return got
}
