package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// useCase is something that people do through more than one door, and what must be the same whichever they take.
type useCase struct {
	name    string
	command []string // of the command line, without --json
	route   string   // of the API, read with GET
	same    []string // fields of both replies, as a.b
	code    string   // of the problem, where both doors refuse
}

// swept stands for the id of a run of the sweep, which moves with whatever its setup is made of.
const swept = "SWEPT"

// useCases is the table of doors. A pair that disagrees fails; docs/doors.md is written from it.
func useCases() []useCase {
	low, high := url.QueryEscape("correctness >= 1"), url.QueryEscape("correctness >= 4.9")
	return []useCase{
		{name: "a run by the name of its experiment", command: []string{"runs", "show", "closed"}, route: "/runs/closed",
			same: []string{"run.run_id", "run.setup_digest", "run.state"}},
		{name: "a run that is not there", command: []string{"runs", "show", "nobody"}, route: "/runs/nobody", code: "run_unknown"},
		{name: "a release check without a baseline", command: []string{"gate", "closed"}, route: "/comparisons/gate?candidate=closed",
			code: "baseline_unknown"},
		{
			name: "a threshold without a baseline, reached", command: []string{"gate", "closed", "--min", "correctness >= 1"},
			route: "/comparisons/gate?candidate=closed&min=" + low, same: []string{"decision", "reasons"},
		},
		{
			name: "a threshold without a baseline, not reached", command: []string{"gate", "closed", "--min", "correctness >= 4.9"},
			route: "/comparisons/gate?candidate=closed&min=" + high, same: []string{"decision", "reasons"},
		},
		{name: "a threshold that cannot be read", command: []string{"gate", "closed", "--min", "nice"},
			route: "/comparisons/gate?candidate=closed&min=nice", code: "threshold"},
		{name: "a threshold outside of its scale", command: []string{"gate", "closed", "--min", "correctness >= 6"},
			route: "/comparisons/gate?candidate=closed&min=" + url.QueryEscape("correctness >= 6"), code: "threshold_scale"},
		{name: "a limit of the share of low-score answers", command: []string{"gate", "closed", "--min", "low_score_share <= 5%"},
			route: "/comparisons/gate?candidate=closed&min=" + url.QueryEscape("low_score_share <= 5%"),
			same:  []string{"decision", "reasons"}},
		{name: "a release check", command: []string{"gate", "faq", "closed"}, route: "/comparisons/gate?baseline=faq&candidate=closed",
			same: []string{"decision", "reasons", "counts"}},
		{
			name:    "a release check with limits in per cent",
			command: []string{"gate", "faq", "closed", "--margin", "90%", "--allowance", "50%"},
			route:   "/comparisons/gate?baseline=faq&candidate=closed&margin=90%25&allowance=50%25", same: []string{"decision", "checks"},
		},
		{
			name: "a release check with a margin", command: []string{"gate", "faq", "closed", "--margin", "0.9"},
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
		{
			name: "a comparison", command: []string{"compare", "faq", "closed"}, route: "/comparisons?baseline=faq&candidate=closed",
			same: []string{"findings.verdicts", "findings.order", "findings.slices", "findings.ties", "findings.sentences", "tie_breaks",
				"by_both_orders"},
		},
		{
			name: "runs side by side", command: []string{"compare", "faq", "closed", swept},
			route: "/beside?baseline=faq&run=closed," + swept,
			same:  []string{"words", "runs", "parameters", "disagreed", "confidence"},
		},
		{name: "a run beside itself", command: []string{"compare", "faq", "closed", "closed"},
			route: "/beside?baseline=faq&run=closed,closed", code: "run_twice"},
		{name: "the causes of a run that nobody diagnosed", command: []string{"diagnose", "closed", "--show"}, route: "/runs/closed/causes",
			code: "causes_unknown"},
	}
}

// TestDoors runs every use case through the command line and over HTTP: the same result, or the same refusal.
func TestDoors(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml")
	b.must("sweep", "{}/sweep.yaml")
	b.must("run", "{}/closed.yaml")
	var runs []struct {
		RunID string `json:"run_id"`
	}
	decode(t, b.must("runs", "list", "--experiment", "faq", "--json", "--limit", "1"), &runs)
	named := strings.NewReplacer(swept, runs[0].RunID)
	s := b.serve("--addr", "127.0.0.1:0")
	defer s.stop()
	address, _, _ := strings.Cut(s.url, "#")
	for _, u := range useCases() {
		t.Run(u.name, func(t *testing.T) {
			args := slices.Clone(u.command)
			for i := range args {
				args[i] = named.Replace(args[i])
			}
			o := b.run(append(args, "--json")...)
			route := strings.TrimSuffix(address, "/") + "/api/v1" + named.Replace(u.route)
			reply, err := http.Get(route) //nolint:noctx,gosec // a server of this test
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
				if code != u.code || detail == "" || o.code == program.ExitDone || !strings.Contains(o.stderr, detail) {
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

// fieldOf is a field of a JSON object, as a.b; of a list it is that field of each item.
func fieldOf(t *testing.T, body []byte, path string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%s: %s", err, body)
	}
	for _, name := range strings.Split(path, ".") {
		if list, ok := v.([]any); ok {
			each := make([]any, len(list))
			for i, item := range list {
				m, _ := item.(map[string]any)
				each[i] = m[name]
			}
			v = each
			continue
		}
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// sameFigure is a figure that every door shows: as a field of what a command prints, of what a route replies, of the value of a
// notebook's cell, and of a fire of a schedule.
type sameFigure struct {
	name    string
	command string // of the command line, without --json
	said    string
	route   string
	replied string
	cell    string // CELL.FIELD
	fire    string
}

// sameFigures are read after a schedule evaluated the experiment "closed" and compared it with the pinned run of "faq".
func sameFigures() []sameFigure {
	const compared, over = "compare closed", "/comparisons?candidate=closed"
	const gated, gateOver = "gate closed", "/comparisons/gate?candidate=closed"
	return []sameFigure{
		{"the newest run of an experiment, by its name", "runs show closed", "run.run_id", "/runs/closed", "run.run_id",
			"c.candidate.run_id", "run_id"},
		{"the pinned baseline", compared, "baseline", over, "baseline.run_id", "c.baseline.run_id", "baseline"},
		{"low scores before", compared, "low_before", over, "low_before", "c.low_before", "low_before"},
		{"low scores after", compared, "low_after", over, "low_after", "c.low_after", "low"},
		{"answers that are better", compared, "verdict_counts.better", over, "labels.better", "c.better.count", "better"},
		{"answers that are mixed", compared, "verdict_counts.mixed", over, "labels.mixed", "c.mixed.count", "mixed"},
		{"answers that need a check", compared, "verdict_counts.needs_check", over, "labels.needs_check", "c.needs_check.count",
			"needs_check"},
		{"answers that are worse, severest first", gated, "worse.id", gateOver, "worse.id", "c.worse.questions", "worse"},
		{"what the release check decides", gated, "decision", gateOver, "decision", "g.decision", "gate"},
		{"why the release check decides so", gated, "reasons", gateOver, "reasons", "g.reasons", ""},
	}
}

const doorsNotebook = `---
ragnb: 1
title: Doors
---

` + "```rag compare c\nbaseline: pinned\ncandidate: run:closed\n```\n\n```rag gate g\nof: c\n```\n"

// TestFourDoors reads the same figures through the command line, over HTTP, in a notebook and in a fire; and lets the command line
// and HTTP plan the same run.
func TestFourDoors(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml")
	b.must("run", "{}/closed.yaml")
	book := b.path("doors.rag.md")
	if err := os.WriteFile(book, []byte(doorsNotebook), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := b.run("notebook", "run", book, "--json"); !strings.Contains(o.stdout, `"code": "baseline_unknown"`) {
		t.Errorf("a notebook compares with a baseline that nobody pinned:\n%s", o.stdout)
	}
	b.must("baseline", "set", "faq")
	b.must("schedule", "add", "weekly", "--cron", "0 6 * * 1", "--experiment", "closed")
	fire := b.run("schedule", "run-now", "weekly", "--json")
	var view struct {
		Cells []struct {
			Name  string         `json:"name"`
			Value map[string]any `json:"value"`
		} `json:"cells"`
	}
	if o := b.run("notebook", "run", book, "--json"); json.Unmarshal([]byte(o.stdout), &view) != nil || len(view.Cells) != 2 {
		t.Fatalf("the notebook shows %d cells:\n%s", len(view.Cells), o.stderr)
	}
	cells, err := json.Marshal(map[string]any{"c": view.Cells[0].Value, "g": view.Cells[1].Value})
	if err != nil {
		t.Fatal(err)
	}
	s := b.serve("--addr", "127.0.0.1:0")
	defer s.stop()
	address, _, _ := strings.Cut(s.url, "#")
	address = strings.TrimSuffix(address, "/") + "/api/v1"
	for _, f := range sameFigures() {
		_, replied := ask(t, address+f.route, "")
		shown := map[string]any{
			"command line": fieldOf(t, []byte(b.run(append(strings.Fields(f.command), "--json")...).stdout), f.said),
			"HTTP":         fieldOf(t, []byte(replied), f.replied), "notebook": fieldOf(t, cells, f.cell),
		}
		if f.fire != "" {
			shown["schedule"] = fieldOf(t, []byte(fire.stdout), f.fire)
		}
		for door, got := range shown {
			if got == nil || !cmp.Equal(got, shown["command line"]) {
				t.Errorf("%s: the door %s shows %v, the command line %v", f.name, door, got, shown["command line"])
			}
		}
	}
	_, replied := sent(t, address+"/runs/plan", `{"experiment":"closed"}`)
	for _, field := range []string{"runs", "questions", "stages", "buy", "price_micros", "currency"} {
		said := fieldOf(t, []byte(b.must("run", "closed", "--plan", "--json").stdout), field)
		if answered := fieldOf(t, []byte(replied), field); said == nil || !cmp.Equal(said, answered) {
			t.Errorf("the plan's %s: %v on the command line, %v over HTTP", field, said, answered)
		}
	}
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
	b.WriteString("\n## Through all four doors\n\nA schedule evaluates the experiment `closed`, whose dataset has a pinned baseline. " +
		"`TestFourDoors` then reads each figure through " +
		"every door: all show\nthe same. It also holds the plan of a run on the command line (`workbench run closed --plan`) against " +
		"`POST /runs/plan`, and asks that a notebook\nrefuses what the doors above refuse where no baseline is pinned.\n\n" +
		"| figure | command line | HTTP | notebook | fire of a schedule |\n|---|---|---|---|---|\n")
	for _, f := range sameFigures() {
		fire := "–"
		if f.fire != "" {
			fire = "`" + f.fire + "`"
		}
		fmt.Fprintf(&b, "| %s | `workbench %s`: `%s` | `GET %s`: `%s` | `%s` | %s |\n", f.name, f.command, f.said, f.route,
			f.replied, f.cell, fire)
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
