package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// useCase is something that people do through more than one door, and what must be the same whichever they take.
type useCase struct {
	name    string
	command []string // of the command line, without --json
	route   string   // of the API, read with GET
	same    []string // fields of both replies, as a.b
	code    string   // of the problem, where both doors refuse
}

// useCases is the table of doors. A pair that disagrees fails; docs/doors.md is written from it.
func useCases() []useCase {
	low, high := url.QueryEscape("correctness >= 0.1"), url.QueryEscape("correctness >= 5.1")
	return []useCase{
		{name: "a run by the name of its experiment", command: []string{"runs", "show", "closed"}, route: "/runs/closed",
			same: []string{"run.run_id", "run.setup_digest", "run.state"}},
		{name: "a run that is not there", command: []string{"runs", "show", "nobody"}, route: "/runs/nobody", code: "run_unknown"},
		{name: "a gate without a baseline", command: []string{"gate", "closed"}, route: "/comparisons/gate?candidate=closed",
			code: "baseline_unknown"},
		{
			name: "a threshold without a baseline, reached", command: []string{"gate", "closed", "--min", "correctness >= 0.1"},
			route: "/comparisons/gate?candidate=closed&min=" + low, same: []string{"decision", "reasons"},
		},
		{
			name: "a threshold without a baseline, not reached", command: []string{"gate", "closed", "--min", "correctness >= 5.1"},
			route: "/comparisons/gate?candidate=closed&min=" + high, same: []string{"decision", "reasons"},
		},
		{name: "a threshold that cannot be read", command: []string{"gate", "closed", "--min", "nice"},
			route: "/comparisons/gate?candidate=closed&min=nice", code: "threshold"},
		{name: "a gate", command: []string{"gate", "faq", "closed"}, route: "/comparisons/gate?baseline=faq&candidate=closed",
			same: []string{"decision", "reasons", "counts"}},
		{
			name: "a gate with a margin", command: []string{"gate", "faq", "closed", "--margin", "0.9"},
			route: "/comparisons/gate?baseline=faq&candidate=closed&margin=0.9", same: []string{"decision", "checks"},
		},
		{name: "a margin that is no share", command: []string{"gate", "faq", "closed", "--margin", "7"},
			route: "/comparisons/gate?baseline=faq&candidate=closed&margin=7", code: "margin"},
		{
			name: "an allowance that is no share", command: []string{"gate", "faq", "closed", "--allowance", "0.9"},
			route: "/comparisons/gate?baseline=faq&candidate=closed&allowance=0.9", same: []string{"decision", "reasons"},
		},
		{name: "a comparison without a baseline", command: []string{"compare", "closed"}, route: "/comparisons?candidate=closed",
			code: "baseline_unknown"},
		{name: "the causes of a run that nobody diagnosed", command: []string{"diagnose", "closed", "--show"}, route: "/runs/closed/causes",
			code: "causes_unknown"},
	}
}

// TestDoors runs every use case through the command line and over HTTP: the same result, or the same refusal.
func TestDoors(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml")
	b.must("run", "{}/closed.yaml")
	s := b.serve("--addr", "127.0.0.1:0")
	defer s.stop()
	address, _, _ := strings.Cut(s.url, "#")
	for _, u := range useCases() {
		t.Run(u.name, func(t *testing.T) {
			o := b.run(append(append([]string{}, u.command...), "--json")...)
			reply, err := http.Get(strings.TrimSuffix(address, "/") + "/api/v1" + u.route) //nolint:noctx // a server of this test
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = reply.Body.Close() }()
			body, err := io.ReadAll(reply.Body)
			if err != nil {
				t.Fatal(err)
			}
			if u.code != "" {
				code, _ := fieldOf(t, body, "code").(string)
				detail, _ := fieldOf(t, body, "detail").(string)
				if code != u.code || detail == "" || o.code == exitDone || !strings.Contains(o.stderr, detail) {
					t.Errorf("not both refuse with %s:\n%s%s\n%d %s", u.code, o.stdout, o.stderr, reply.StatusCode, body)
				}
				return
			}
			for _, field := range u.same {
				said, answered := fieldOf(t, []byte(o.stdout), field), fieldOf(t, body, field)
				if said == nil || !cmp.Equal(said, answered) {
					t.Errorf("%s differs: -command line +HTTP\n%s\n%s%d", field, cmp.Diff(said, answered), o.stderr, reply.StatusCode)
				}
			}
		})
	}
}

// fieldOf is a field of a JSON object, as a.b.
func fieldOf(t *testing.T, body []byte, path string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%s: %s", err, body)
	}
	for _, name := range strings.Split(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// TestDoorsAreWrittenDown keeps the table that people read.
func TestDoorsAreWrittenDown(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# One path through every door\n\nEach row is one use case that the test `TestDoors` runs through the command line and over HTTP and compares: the same\n" +
		"result, or the same refusal. The test writes this page (`go test ./cmd/workbench -run TestDoorsAreWrittenDown -update`).\n\n" +
		"| use case | command line | HTTP | must be the same |\n|---|---|---|---|\n")
	for _, u := range useCases() {
		same := "refused: `" + u.code + "`"
		if u.code == "" {
			same = "`" + strings.Join(u.same, "`, `") + "`"
		}
		route, err := url.QueryUnescape(u.route)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "| %s | `workbench %s` | `GET %s` | %s |\n", u.name, strings.Join(u.command, " "), route, same)
	}
	path := filepath.Join("..", "..", "docs", "doors.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil { //nolint:gosec // a document
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil || string(kept) != b.String() {
		t.Errorf("docs/doors.md is out of date (%v)", err)
	}
}
