package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// served is the command serving in this process.
type served struct {
	lines []string // that it printed before the address
	url   string
	stop  func() int
}

func (b *bench) serve(args ...string) served {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	stdout, tell := io.Pipe()
	var stderr strings.Builder
	started := time.Now()
	p := program.Program{Version: version, Stdin: strings.NewReader(""), Stdout: tell, Stderr: &stderr,
		Getenv: func(name string) string { return b.env[name] },
		Now:    func() time.Time { return today.Add(time.Since(started)) }}
	ended := make(chan int, 1)
	go func() {
		code := run(ctx, &p, append([]string{"--data", b.path("data"), "serve"}, args...))
		_ = tell.Close()
		ended <- code
	}()
	s := served{stop: func() int { cancel(); return <-ended }}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "http") {
			s.url = lines.Text()
			return s
		}
		s.lines = append(s.lines, lines.Text())
	}
	b.t.Fatalf("no address; exit code %d: %s", <-ended, stderr.String())
	return s
}

// ask gets a page, with a token when there is one, and returns status and body.
func ask(t *testing.T, url, token string) (int, string) {
	t.Helper()
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	return exchange(t, http.MethodGet, url, nil, header)
}

// sent posts JSON and returns status and body.
func sent(t *testing.T, url, body string) (int, string) {
	t.Helper()
	return exchange(t, http.MethodPost, url, strings.NewReader(body), http.Header{"Content-Type": {"application/json"}})
}

func exchange(t *testing.T, method, url string, body io.Reader, header http.Header) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(got)
}

func TestServeOnLoopbackNeedsNoToken(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	s := b.serve("--addr", "127.0.0.1:0")
	status, body := ask(t, s.url+"/api/v1/datasets", "")
	if len(s.lines) != 0 || status != 200 || !strings.Contains(body, `"name":"faq"`) {
		t.Errorf("%v %d %s", s.lines, status, body)
	}
	if status, _ = ask(t, s.url+"/", ""); status != 200 {
		t.Errorf("the page = %d", status)
	}
	if code := s.stop(); code != program.ExitDone {
		t.Errorf("exit code %d", code)
	}
}

func TestServeNeedsAFreeAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.serve("--addr", "127.0.0.1:0")
	defer s.stop()
	if o := b.run("serve", "--addr", strings.TrimPrefix(s.url, "http://")); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, "--addr") {
		t.Errorf("%d %s", o.code, o.stderr)
	}
}

// TestTheReaderOfUploadsIsAVerb: the server starts this program again to read a file, by the verb that no help shows.
func TestTheReaderOfUploadsIsAVerb(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "q.csv"), []byte("question,reference\nHow much?,10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	request, err := json.Marshal(uploads.Request{Kind: uploads.Dataset, Path: "q.csv", Name: "q"})
	if err != nil {
		t.Fatal(err)
	}
	reader := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAsCommand$")
	reader.Dir, reader.Env, reader.Stdin = dir, append(os.Environ(), asCommand+"=parse-upload"), bytes.NewReader(request)
	raw, err := reader.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got uploads.Upload
	if err := json.Unmarshal(raw, &got); err != nil || len(got.Questions) != 1 || got.Questions[0].Reference != "10" {
		t.Errorf("%s %v", raw, err)
	}
}
