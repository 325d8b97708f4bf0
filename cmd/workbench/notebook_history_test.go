package main

import (
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// TestHistoryOnTheCommandLine runs a notebook, edits it, and looks back and goes back, in both languages.
func TestHistoryOnTheCommandLine(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("corpus", "import", b.path("docs"), "--name", "faq")
	file := b.path("n.rag.md")
	first := "---\nragnb: 1\ntitle: Mine\n---\n```rag corpus docs\nsource: faq\n```\n```rag dataset qa\nsource: questions.csv\ncorpus: docs\n```\n```rag config base\ncorpus: docs\n```\n" +
		"```rag run r\nconfigs: base\ndataset: qa\n```\n"
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(first)
	b.must("notebook", "run", file)
	write(strings.Replace(first, "rag config base\n", "rag config base\ngenerate: {model: closed-book}\n", 1))
	if o := b.must("notebook", "log", file); !strings.Contains(o.stdout, "changed on disk") || !strings.Contains(o.stdout, ", run") {
		t.Errorf("log:\n%s", o.stdout)
	}
	o := b.must("notebook", "log", file, "--version", "1", "--name", "as agreed", "--lang", "ja")
	if !strings.Contains(o.stdout, "ディスク上で変更") || !strings.Contains(o.stdout, "as agreed") {
		t.Errorf("log in Japanese:\n%s", o.stdout)
	}
	o = b.must("notebook", "diff", file, "--results")
	if !strings.Contains(o.stdout, "+generate: {model: closed-book}") || !strings.Contains(o.stdout, "fresh → stale") {
		t.Errorf("diff:\n%s", o.stdout)
	}
	if o := b.must("notebook", "diff", file+"@1", "--json"); !strings.Contains(o.stdout, `"number": 1`) {
		t.Errorf("diff as JSON:\n%s", o.stdout)
	}
	if o := b.run("notebook", "diff", file+"@9"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "no version 9") {
		t.Errorf("an unknown version: %+v", o)
	}
	if o := b.run("notebook", "diff", file+"@x"); o.code != program.ExitUsage || !strings.Contains(o.stderr, `"x" is no version`) {
		t.Errorf("no version: %+v", o)
	}
	b.must("notebook", "restore", file, "1")
	b.must("doctor") // the seals of versions have followed
	if o := b.run("notebook", "check", file); o.code != program.ExitDone {
		t.Errorf("the results did not come back: %+v", o)
	}
	other := b.path("other.rag.md")
	if err := os.WriteFile(other, []byte(first+"more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := b.must("notebook", "diff", file, other); !strings.Contains(o.stdout, "+more\n") {
		t.Errorf("two files:\n%s", o.stdout)
	}
}

// TestCommentsOnTheCommandLine says something about a cell, resolves it and opens it again, in both languages.
func TestCommentsOnTheCommandLine(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := b.path("n.rag.md")
	if err := os.WriteFile(file, []byte("---\nragnb: 1\ntitle: Mine\n---\n```rag params p\nk: 4\n```\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := b.run("notebook", "comments", file, "--cell", "nothing", "--add", "x"); o.code != program.ExitUsage {
		t.Errorf("a cell that is not there: %+v", o)
	}
	o := b.must("notebook", "comments", file, "--cell", "p", "--add", "Why *4*?")
	row := strings.Fields(strings.Split(o.stdout, "\n")[1])
	if len(row) < 3 || row[1] != "p" || !strings.Contains(o.stdout, "Why *4*?") || !strings.Contains(o.stdout, "open") {
		t.Fatalf("the list:\n%s", o.stdout)
	}
	if o := b.must("notebook", "comments", file, "--resolve", row[0]); strings.Contains(o.stdout, "Why") {
		t.Errorf("a resolved one is listed:\n%s", o.stdout)
	}
	if o := b.must("notebook", "comments", file, "--all", "--lang", "ja"); !strings.Contains(o.stdout, "解決済み") {
		t.Errorf("all of them in Japanese:\n%s", o.stdout)
	}
	o = b.must("notebook", "comments", file, "--cell", "p", "--add", "@nobody?", "--json", "--lang", "ja")
	if !strings.Contains(o.stderr, "nobodyという名前でサインインできる人はいません") || !strings.Contains(o.stdout, `"state": "unknown"`) {
		t.Errorf("a name that nobody has: %s%s", o.stderr, o.stdout)
	}
	for _, asked := range []bool{false, true} {
		args := []string{"notebook", "render", file, "-o", b.path("n.html")}
		if asked {
			args = append(args, "--comments")
		}
		b.must(args...)
		if page, err := os.ReadFile(b.path("n.html")); err != nil || strings.Contains(string(page), "Why <em>4</em>?") != asked {
			t.Errorf("%v: asked for comments: %t; the page is\n%s", err, asked, page)
		}
	}
	if o := b.run("notebook", "render", file, "-o", b.path("n.ipynb"), "--comments"); o.code != program.ExitUsage {
		t.Errorf("comments in a file for Jupyter: %+v", o)
	}
	b.must("doctor") // the seals of comments have followed
	if o := b.must("notebook", "comments", file, "--reopen", row[0]); !strings.Contains(o.stdout, "Why") {
		t.Errorf("open again:\n%s", o.stdout)
	}
	b.must("doctor")
}
