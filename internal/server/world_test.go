package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/demo"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// canary is put into every place that holds a secret; no reply may contain it.
const canary = "sk-canary-7f3a91"

// testNow is when every test happens.
var testNow = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// world is the demo, evaluated once for all tests that only read.
type world struct {
	workbench *app.Workbench
	dir       string
	story
}

// story is what tests know of the demo's comparison.
type story struct {
	Before, After      experiments.Run
	Question, Document string // one that was asked, and one that was found for it
}

// storyFile stands in the folder of a demo that is evaluated.
const storyFile = "story.json"

// demoMade says that some test needed the demo.
var demoMade atomic.Bool

var demoWorld = sync.OnceValues(func() (world, error) {
	dir, err := os.MkdirTemp("", "workbench-server-test-")
	if err != nil {
		return world{}, err
	}
	// scripts/test.sh names a folder that outlives the process: the race detector's then need not watch the demo being evaluated.
	kept := ""
	if worlds := os.Getenv("WORKBENCH_TEST_WORLDS"); worlds != "" {
		kept = filepath.Join(worlds, "server-demo")
	}
	if _, missing := os.Stat(filepath.Join(kept, storyFile)); kept != "" && missing == nil {
		err = os.CopyFS(dir, os.DirFS(kept))
	} else if err = evaluateDemo(dir); err == nil && kept != "" {
		err = keep(dir, kept)
	}
	if err != nil {
		return world{}, err
	}
	made := world{dir: dir}
	text, err := os.ReadFile(filepath.Join(dir, storyFile))
	if err != nil {
		return made, err
	}
	if err := json.Unmarshal(text, &made.story); err != nil {
		return made, err
	}
	made.workbench, err = openIn(dir)
	return made, err
})

// keep copies a folder to where others find it whole. Another process may have kept the same before.
func keep(dir, kept string) error {
	part, err := os.MkdirTemp(filepath.Dir(kept), "part-")
	if err != nil {
		return err
	}
	if err := os.CopyFS(part, os.DirFS(dir)); err != nil {
		return err
	}
	if err := os.Rename(part, kept); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// evaluateDemo leaves the demo, an endpoint and the demo's story in a folder.
func evaluateDemo(dir string) error {
	w, err := openIn(dir)
	if err != nil {
		return err
	}
	bot := remote.Endpoint{
		Name: "bot", URL: "https://bot.example/ask", Template: `{"q":"{{question}}"}`, Answer: "answer",
		Headers: map[string]string{"Authorization": "Bearer ${BOT_KEY}"},
	}
	if _, _, _, err := app.AddEndpoint(context.Background(), w, bot); err != nil {
		return err
	}
	stories, err := demo.Demo(context.Background(), w, []string{"en"}, filepath.Join(dir, "demo"), nil)
	if err != nil {
		return err
	}
	both := stories[0].Both
	text, err := json.Marshal(story{
		Before: both[0].Run, After: both[1].Run,
		Question: both[1].Questions[0].ID, Document: both[1].Results[0].Answer.Hits[0].DocID,
	})
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, storyFile), text, 0o600), w.Close())
}

func openIn(dir string) (*app.Workbench, error) {
	config := filepath.Join(dir, "workbench.yaml")
	text := fmt.Sprintf("providers:\n  house:\n    base_url: https://user:%[1]s@models.example/v1/%[1]s?key=%[1]s\n    api_key_env: HOUSE_KEY\n    proxy: http://user:%[1]s@proxy.example:8080\n    organization: %[1]s\n", canary)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	return app.Open(context.Background(), app.Options{
		DataDir: filepath.Join(dir, "data"), ConfigPath: config, Concurrency: 2, Now: func() time.Time { return testNow },
		Getenv: func(name string) string {
			return map[string]string{"HOUSE_KEY": canary, "OPENAI_API_KEY": canary, "BOT_KEY": canary}[name]
		},
	})
}

func TestMain(m *testing.M) {
	code := m.Run()
	if demoMade.Load() {
		if w, err := demoWorld(); err == nil {
			_ = w.workbench.Close()
			_ = os.RemoveAll(w.dir)
		}
	}
	os.Exit(code)
}

// demoed is the demo's world.
func demoed(t *testing.T) world {
	t.Helper()
	demoMade.Store(true)
	w, err := demoWorld()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// fresh is an empty workbench of the test's own.
func fresh(t *testing.T) *app.Workbench {
	t.Helper()
	dir := t.TempDir()
	if err := apptest.LayEmpty(filepath.Join(dir, "data")); err != nil {
		t.Fatal(err)
	}
	w, err := openIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		quiet(t, w)
		_ = w.Close()
	})
	return w
}

// quiet looks, whatever a test has asked of the server, for rows that people and processes change whose seals did not follow.
func quiet(t *testing.T, w *app.Workbench) {
	t.Helper()
	found, err := w.Whole.Check(context.WithoutCancel(t.Context()))
	if err != nil {
		return // a test has closed the database, or damaged it
	}
	for _, f := range found {
		if kind, _, _ := strings.Cut(f.Subject, " "); slices.Contains(integrity.Moving(), kind) || f.Invariant == "mark" {
			t.Errorf("the doctor finds %+v", f)
		}
	}
}

// client asks a server.
type client struct {
	t      *testing.T
	server *Server
	url    string
	token  string
	host   string
	header map[string]string
}

func serve(t *testing.T, o Options) *client {
	t.Helper()
	if o.Now == nil {
		o.Now = func() time.Time { return testNow }
	}
	if o.Log == nil {
		o.Log = func(message string, args ...any) { t.Log(append([]any{message}, args...)...) }
	}
	o.Version = "test"
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	t.Cleanup(func() { web.Close(); s.work.Close(); s.uploads.Close() })
	return &client{t: t, server: s, url: web.URL}
}

// do sends a request and returns status, headers and body.
func (c *client) do(method, path, body string) (int, http.Header, string) {
	c.t.Helper()
	var sent io.Reader
	if body != "" {
		sent = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, sent)
	if err != nil {
		c.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.host != "" {
		r.Host = c.host
	}
	for name, value := range c.header {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if wrong := apptest.ValuesOfUnscored(got); len(wrong) > 0 {
		c.t.Errorf("%s %s gives scores a value that were not scored: %s", method, path, wrong)
	}
	return response.StatusCode, response.Header, string(got)
}

// get asks for JSON below the prefix and fails the test when it is refused.
func (c *client) get(path string, into any) {
	c.t.Helper()
	c.send(http.MethodGet, path, "", http.StatusOK, into)
}

// send is get for any method and status.
func (c *client) send(method, path, body string, want int, into any) {
	c.t.Helper()
	status, _, got := c.do(method, requests.Prefix+path, body)
	if status != want {
		c.t.Fatalf("%s %s = %d, want %d\n%s", method, path, status, want, got)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(got), into); err != nil {
		c.t.Fatalf("%s %s: %v\n%s", method, path, err, got)
	}
}

// refused asks and returns the problem.
func (c *client) refused(method, path, body string, want int) requests.Problem {
	c.t.Helper()
	status, header, got := c.do(method, requests.Prefix+path, body)
	var p requests.Problem
	if err := json.Unmarshal([]byte(got), &p); err != nil || status != want || p.Status != want ||
		header.Get("Content-Type") != requests.ProblemType || p.Code == "" {
		c.t.Fatalf("%s %s = %d %s %s, want problem %d (%v)", method, path, status, header.Get("Content-Type"), got, want, err)
	}
	return p
}

// before and after are the two runs of the demo's comparison.
func (w world) before() experiments.Run { return w.Before }

func (w world) after() experiments.Run { return w.After }
