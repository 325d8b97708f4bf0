package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestShareOnTheCommandLine: a link is made, opened without an account, counted, and ended; its secret is in no file.
func TestShareOnTheCommandLine(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml")
	b.must("run", "{}/closed.yaml")
	link := func(args ...string) (made struct {
		Share experiments.Share `json:"share"`
		Link  string            `json:"link"`
	}) {
		t.Helper()
		if err := json.Unmarshal([]byte(b.must(append([]string{"share", "create", "--json"}, args...)...).stdout), &made); err != nil {
			t.Fatal(err)
		}
		return made
	}
	pair, alone := link("faq", "closed"), link("closed", "--texts", "--days", "2", "--server", "https://bench.example/")
	if pair.Share.Kind != "comparison" || pair.Share.Texts || !strings.HasPrefix(pair.Link, "/shared/wbp_") ||
		alone.Share.Kind != "run" || !alone.Share.Texts || !strings.HasPrefix(alone.Link, "https://bench.example/shared/wbp_") {
		t.Errorf("%+v\n%+v", pair, alone)
	}
	b.write("study.rag.md", "---\nragnb: 1\ntitle: Study\n---\n```rag params p\nlang: {default: en, choices: [en, ja]}\n```\n")
	if book := link(b.path("study.rag.md"), "-p", "p.lang=ja"); book.Share.Kind != "notebook" || book.Share.Notebook != "study" {
		t.Errorf("%+v", book)
	}
	for _, args := range [][]string{{"a", "b", "c"}, {"closed", "--days", "91"}, {"closed", "--days", "0"}, {"closed", "closed"},
		{"nobody"}} {
		if o := b.run(append([]string{"share", "create"}, args...)...); o.code == 0 || !strings.Contains(o.stderr, "hint: ") {
			t.Errorf("%v: %d %s", args, o.code, o.stderr)
		}
	}
	held := link("faq", "closed", "--allowance", "0.05", "--margin", "0.2", "--min", "correctness >= 2")
	for _, args := range [][]string{{"--margin", "0"}, {"--margin", "1"}, {"--allowance", "1.5"}, {"--min", "bad"}} {
		gate := b.run(append([]string{"gate", "faq", "closed"}, args...)...)
		shared := b.run(append([]string{"share", "create", "faq", "closed"}, args...)...)
		if shared.code != program.ExitUsage || shared.stderr != gate.stderr {
			t.Errorf("%v: %d %s, of a gate %d %s", args, shared.code, shared.stderr, gate.code, gate.stderr)
		}
	}
	s := b.serve("--addr", "127.0.0.1:0")
	if _, body := ask(t, s.url+held.Link, ""); !strings.Contains(body, "Limits set with the command “workbench share create”") ||
		!strings.Contains(body, "at most 5% of the answers are allowed to be worse") || !strings.Contains(body, "less than 20% of its scale") {
		t.Errorf("the limits are not on the page: %s", body)
	}
	if _, body := ask(t, s.url+pair.Link, ""); strings.Contains(body, "Limits set ") {
		t.Error("nobody set these limits")
	}
	if status, body := ask(t, s.url+pair.Link, ""); status != http.StatusOK || !strings.Contains(body, "Shared, to read only") {
		t.Errorf("the page = %d %.200s", status, body)
	}
	var listed []experiments.Share
	if err := json.Unmarshal([]byte(b.must("share", "list", "--json").stdout), &listed); err != nil || len(listed) != 4 {
		t.Errorf("%+v, %v", listed, err)
	}
	for _, l := range listed { // all of one moment by the clock of the test: in any order
		if opened := l.ID == pair.Share.ID || l.ID == held.Share.ID; (l.Opened > 0) != opened {
			t.Errorf("%s was opened %d times", l.ID, l.Opened)
		}
	}
	if o := b.must("share", "revoke", pair.Share.ID); !strings.Contains(o.stdout, "opens nothing any more") {
		t.Error(o.stdout)
	}
	if status, _ := ask(t, s.url+pair.Link, ""); status != http.StatusNotFound {
		t.Errorf("revoked = %d", status)
	}
	if o := b.must("share", "list", "--lang", "ja"); !strings.Contains(o.stdout, "に取り消し") {
		t.Error(o.stdout)
	}
	s.stop()
	b.must("doctor") // the seals of links have followed
	audit := b.must("audit").stdout
	for _, action := range []string{"share.create", "share.open", "share.revoke"} {
		if !strings.Contains(audit, action) {
			t.Errorf("the audit log lacks %s:\n%s", action, audit)
		}
	}
	if files := holds(t, b.path("data"), strings.TrimPrefix(pair.Link, "/shared/")); len(files) > 0 {
		t.Errorf("the secret is in %v", files)
	}
}
