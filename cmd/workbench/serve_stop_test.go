package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// told is what a process has printed so far.
type told struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *told) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *told) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// serving is a real server process on a SQLite file, that evaluates 60 questions with a provider of ours.
type serving struct {
	*bench
	cmd      *exec.Cmd
	stderr   *told
	url, run string
	provider *fakeprovider.Server
}

func newServing(t *testing.T, o fakeprovider.Options) *serving {
	t.Helper()
	s := &serving{bench: newBench(t), stderr: &told{}, provider: fakeprovider.New(o)}
	web := httptest.NewServer(s.provider)
	t.Cleanup(web.Close)
	s.env["OPENAI_BASE_URL"] = web.URL + "/v1"
	rows := []string{"question_id,question,reference"}
	for i := range 60 {
		rows = append(rows, fmt.Sprintf("q%d,What does ticket class %d cost?,%d00 yen", i, i, i))
	}
	for name, text := range map[string]string{
		"many.csv":  strings.Join(rows, "\n"),
		"many.yaml": "name: many\ncorpus: faq\ndataset: many\nsuite: [correctness, trust]\nmodel: openai/gpt-4.1-mini\nbase: {retrieve: {mode: bm25, k: 1}}\n",
	} {
		if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.must("corpus", "import", "{}/docs", "--name", "faq")
	s.must("dataset", "import", "{}/many.csv", "--name", "many")
	s.must("experiment", "add", "{}/many.yaml")
	s.launch("")
	s.start()
	return s
}

// launch starts the server; database is "" for the SQLite file.
func (s *serving) launch(database string) {
	s.t.Helper()
	s.cmd = exec.CommandContext(context.WithoutCancel(s.t.Context()), os.Args[0],
		"-test.run=^TestAsCommand$") //nolint:gosec // the test binary itself
	s.cmd.Env = append(os.Environ(), asCommand+"=serve --concurrency 4 --addr 127.0.0.1:0 --data "+filepath.Join(s.dir, "data"),
		"OPENAI_BASE_URL="+s.env["OPENAI_BASE_URL"], "WORKBENCH_DATABASE_URL="+database)
	s.cmd.Stderr = s.stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if s.url = strings.TrimSpace(line); err != nil || !strings.HasPrefix(s.url, "http") {
		s.t.Fatalf("the server printed %q: %v\n%s", line, err, s.stderr)
	}
}

// start starts the run over HTTP.
func (s *serving) start() {
	s.t.Helper()
	_, body := sent(s.t, s.url+"/api/v1/runs", `{"experiment":"many"}`)
	var row struct {
		ID string `json:"run_id"`
	}
	if json.Unmarshal([]byte(body), &row) != nil || row.ID == "" {
		s.t.Fatalf("no run: %s", body)
	}
	s.run = row.ID
}

func (s *serving) signal() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
}

// until waits for something that a process does.
func (s *serving) until(what string, happened func() bool) {
	s.t.Helper()
	deadline := time.After(3 * time.Minute)
	for !happened() {
		select {
		case <-deadline:
			s.t.Fatalf("waited in vain: %s\n%s", what, s.stderr)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestServeStopsWithoutPayingTwice: told to stop in the middle of a paid run, the server lets the questions in flight end. The run is
// paused, and going on with it buys exactly what was missing.
func TestServeStopsWithoutPayingTwice(t *testing.T) {
	t.Parallel()
	s := newServing(t, fakeprovider.Options{Latency: 150 * time.Millisecond}) // the stop comes long before the end, whatever else runs
	s.until("40 calls", func() bool { return len(s.provider.Ledger()) >= 40 })
	s.signal()
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v\n%s", err, s.stderr)
	}
	if paid := len(s.provider.Ledger()); paid >= 180 {
		t.Errorf("%d calls were paid: the run was not stopped", paid)
	}
	s.must("doctor")
	s.must("runs", "resume", s.run)
	if paid := len(s.provider.Ledger()); paid != 180 {
		t.Errorf("%d calls were paid; 180 are needed", paid)
	}
}

// TestServeStopsAtOnceWhenToldTwice: a provider that never answers holds up nobody who asks twice.
func TestServeStopsAtOnceWhenToldTwice(t *testing.T) {
	t.Parallel()
	silence := make(chan struct{})
	var asked atomic.Int64
	s := newServing(t, fakeprovider.Options{Latency: time.Hour, Sleep: func(ctx context.Context, _ time.Duration) error {
		asked.Add(1)
		select {
		case <-silence:
		case <-ctx.Done():
		}
		return ctx.Err()
	}})
	t.Cleanup(func() { close(silence) })
	s.until("a call", func() bool { return asked.Load() > 0 })
	s.signal()
	s.until("the word that it stops", func() bool { return strings.Contains(s.stderr.String(), "server stops") })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/readyz", nil)
	if err != nil {
		t.Fatal(err)
	}
	s.until("not ready", func() bool {
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusServiceUnavailable
	})
	s.signal()
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the server ended with %v\n%s", err, s.stderr)
		}
	case <-time.After(time.Minute):
		t.Fatalf("it still runs a minute after the second signal\n%s", s.stderr)
	}
	s.must("doctor")
}

// TestServeLeavesItsRunToWorkers: on PostgreSQL a server that stops does not stop the run it was asked for: a worker has it, nothing is
// bought twice, and a second server may come or not.
func TestServeLeavesItsRunToWorkers(t *testing.T) {
	t.Parallel()
	c := newCrew(t, 30*time.Millisecond)
	c.must("experiment", "add", "{}/many.yaml")
	s := &serving{bench: c.bench, stderr: &told{}, provider: c.provider}
	s.launch(c.database)
	w := c.worker()
	s.start()
	c.calls(30)
	s.signal()
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v\n%s", err, s.stderr)
	}
	s.until("the end of the run", func() bool {
		return strings.Contains(c.must("runs", "show", s.run, "--json").stdout, `"state": "finished"`)
	})
	if paid := len(c.provider.Ledger()); paid != 180 {
		t.Errorf("%d calls were paid; 180 are needed", paid)
	}
	c.must("doctor")
	if err := w.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); err != nil {
		t.Errorf("the worker ended with %v\n%s", err, w.stderr)
	}
}
