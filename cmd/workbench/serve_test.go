package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// What may be reached from where, and what has to be said for it.
func TestAddressesOfServe(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		command serveCmd
		refused bool
		local   bool
	}{
		{serveCmd{Addr: "127.0.0.1:7700"}, false, true},
		{serveCmd{Addr: "127.3.2.1:0"}, false, true},
		{serveCmd{Addr: "[::1]:7700"}, false, true},
		{serveCmd{Addr: "localhost:7700"}, false, true},
		{serveCmd{Addr: "0.0.0.0:7700"}, true, false},
		{serveCmd{Addr: ":7700"}, true, false},
		{serveCmd{Addr: "[::]:7700"}, true, false},
		{serveCmd{Addr: "192.168.1.7:7700"}, true, false},
		{serveCmd{Addr: "bench.example:7700"}, true, false},
		{serveCmd{Addr: "localhost.evil.example:7700"}, true, false},
		{serveCmd{Addr: "0.0.0.0:7700", BehindProxy: true}, false, false},
		{serveCmd{Addr: "0.0.0.0:7700", InsecureHTTP: true}, false, false},
		{serveCmd{Addr: "7700"}, true, false},
		{serveCmd{Addr: "127.0.0.1:7700", TLSCert: "cert.pem"}, true, false},
		{serveCmd{Addr: "127.0.0.1:7700", TLSCert: "none.pem", TLSKey: "none.pem"}, true, false},
	} {
		local, _, err := test.command.check()
		if (err != nil) != test.refused || err == nil && local != test.local {
			t.Errorf("%+v: local %v, %v", test.command, local, err)
		}
	}
}

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
	p := program{stdin: strings.NewReader(""), stdout: tell, stderr: &stderr, getenv: func(name string) string { return b.env[name] },
		now: func() time.Time { return today.Add(time.Since(started)) }}
	ended := make(chan int, 1)
	go func() {
		code := p.run(ctx, append([]string{"--data", b.path("data"), "serve"}, args...))
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
	if code := s.stop(); code != exitDone {
		t.Errorf("exit code %d", code)
	}
}

func TestServeNeedsAFreeAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.serve("--addr", "127.0.0.1:0")
	defer s.stop()
	if o := b.run("serve", "--addr", strings.TrimPrefix(s.url, "http://")); o.code != exitUsage || !strings.Contains(o.stderr, "--addr") {
		t.Errorf("%d %s", o.code, o.stderr)
	}
}

// asHog makes the test binary a reader of uploads that misbehaves.
const asHog = "WORKBENCH_TEST_AS_HOG"

// TestAsHog is that reader; otherwise it does nothing.
func TestAsHog(*testing.T) {
	what := os.Getenv(asHog)
	if what == "" {
		return
	}
	if err := limitSelf(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	switch what {
	case "memory":
		var held [][]byte
		for {
			block := make([]byte, 64<<20)
			for i := range block {
				block[i] = 1
			}
			held = append(held, block)
			runtime.KeepAlive(held)
		}
	case "time":
		<-time.After(time.Hour) // the limit of its wall time ends it; without a timer Go would call it a deadlock
	case "output":
		for {
			fmt.Println(strings.Repeat("x", 1<<20))
		}
	case "environment":
		body, err := json.Marshal(uploads.Upload{Answered: intake.AnswersReport{Missing: os.Environ()}})
		fmt.Println(string(body))
		if err != nil {
			os.Exit(3)
		}
	}
	os.Exit(0)
}

func hog(what string) elsewhere {
	return elsewhere{command: []string{os.Args[0], "-test.run=^TestAsHog$"}, env: []string{asHog + "=" + what}, wall: parseWall}
}

func TestUploadsAreReadInABoundedProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "q.csv"), []byte("question,reference\nHow much?,10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reader := elsewhere{command: []string{os.Args[0], "-test.run=^TestAsCommand$"}, env: []string{asCommand + "=parse-upload"},
		wall: parseWall}
	got, err := reader.parse(t.Context(), dir, uploads.Request{Kind: uploads.Dataset, Path: "q.csv", Name: "q"})
	if err != nil || len(got.Questions) != 1 || got.Questions[0].Reference != "10" {
		t.Fatalf("%+v %v", got, err)
	}
	got, err = reader.parse(t.Context(), dir, uploads.Request{Kind: uploads.Dataset, Path: "none.csv", Name: "q"})
	if err != nil || got.Problem == nil || got.Problem.Code != "file_missing" {
		t.Fatalf("%+v %v", got, err)
	}
	slow := hog("time")
	slow.wall = 2 * time.Second
	if _, err := slow.parse(t.Context(), dir, uploads.Request{}); err == nil || !strings.Contains(err.Error(), "longer") {
		t.Errorf("a reader that never ends: %v", err)
	}
}

// It runs alone: other tests beside it would grow this process, too.
func TestAReaderThatTakesAllMemoryTakesNoneOfOurs(t *testing.T) {
	before := resident(t)
	_, err := hog("memory").parse(t.Context(), t.TempDir(), uploads.Request{})
	if err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("a reader that takes all memory: %v", err)
	}
	if grown := resident(t) - before; grown > 50<<20 {
		t.Errorf("this process grew by %d MiB meanwhile", grown>>20)
	}
}

// The reader of uploads has no secret that a file could make it tell.
func TestTheReaderOfUploadsKnowsNothing(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-canary")
	got, err := hog("environment").parse(t.Context(), t.TempDir(), uploads.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range got.Answered.Missing {
		name, _, _ := strings.Cut(variable, "=")
		switch name {
		case "PATH", "GOMEMLIMIT", "GOMAXPROCS", "PWD", asHog:
		default:
			t.Errorf("the reader has %s", variable)
		}
	}
}

// resident is the memory of this process, 0 where nobody says.
func resident(t *testing.T) int64 {
	t.Helper()
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Log("memory is not looked at: ", err)
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(raw), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
