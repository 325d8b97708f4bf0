package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/notebooks/templates"
)

// TestNotebookOnTheCommandLine writes a notebook of its own over the bench's data and goes through every verb and exit code.
func TestNotebookOnTheCommandLine(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("corpus", "import", b.path("docs"), "--name", "faq")
	file := b.path("n.rag.md")
	text := "---\nragnb: 1\ntitle: {en: Mine, ja: 私の}\n---\n\nLow: {{ r.first.low_scores }}\n\n```rag corpus docs\nsource: faq\n```\n```rag dataset qa\nsource: questions.csv\ncorpus: docs\n```\n" +
		"```rag params p\nk: 3\n```\n```rag config base\ncorpus: docs\nretrieve: {k: ${p.k}}\n```\n```rag config blind\nextends: base\ngenerate: {model: closed-book}\n```\n" +
		"```rag run r\nconfigs: base\ndataset: qa\n```\n```rag run r2\nconfigs: blind\ndataset: qa\n```\n```rag compare c\nbaseline: r\ncandidate: r2\n```\n```rag gate g\nof: c\nmin: ['correctness >= 5']\n```\n```rag report out\nof: r\n```\n"
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	if o := b.run("notebook", "check", file); o.code != program.ExitIncomplete || !strings.Contains(o.stdout, "it has never been run") {
		t.Fatalf("check before running: %+v", o)
	}
	for _, out := range []string{b.path("n.pdf"), b.path("none/n.html")} { // before anything is bought
		if o := b.run("notebook", "run", file, "--yes", "-o", out); o.code != program.ExitUsage {
			t.Errorf("%s: %+v", out, o)
		}
		if o := b.must("runs", "list", "--json"); strings.Contains(o.stdout, "run_id") {
			t.Fatalf("%s: it was executed: %s", out, o.stdout)
		}
	}
	o := b.run("notebook", "run", file, "-o", b.path("n.html"), "-o", b.path("n.xlsx"), "-o", b.path("n.ipynb"), "--snapshot")
	if o.code != program.ExitGateFail || !strings.Contains(o.stdout, "release checks: FAIL") {
		t.Fatalf("run: %+v", o)
	}
	for _, f := range []string{"n.html", "n.xlsx", "n.ipynb", "n.2026-11-20.ragsnap", "n.rag.lock.yaml"} {
		if _, err := os.Stat(b.path(f)); err != nil {
			t.Error(err)
		}
	}
	if o := b.run("notebook", "check", file); o.code != program.ExitDone {
		t.Errorf("check after running: %+v", o)
	}
	if o := b.run("notebook", "check", file, "-p", "k=2", "--json"); o.code != program.ExitIncomplete {
		t.Errorf("check with another k: %+v", o)
	} else {
		var got struct {
			Cells []struct{ Name, State string }
		}
		if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || len(got.Cells) != 10 {
			t.Errorf("%v: %s", err, o.stdout)
		}
	}
	b.must("notebook", "render", file, "--lang", "ja", "-o", b.path("ja.html"))
	b.must("notebook", "render", b.path("n.2026-11-20.ragsnap"), "-o", b.path("sealed.html"))
	page, err := os.ReadFile(b.path("ja.html"))
	if err != nil || !strings.Contains(string(page), "<h1>私の</h1>") || strings.Contains(string(page), "<script") {
		t.Errorf("%v: %.300s", err, page)
	}
	b.env["LANG"] = "ja_JP.UTF-8" // the locale's language, where the notebook has it
	b.must("notebook", "render", file, "-o", b.path("locale.html"))
	b.must("notebook", "render", b.path("n.2026-11-20.ragsnap"), "-o", b.path("sealed-ja.html"))
	delete(b.env, "LANG")
	for _, name := range []string{"locale.html", "sealed-ja.html"} {
		if page, err := os.ReadFile(b.path(name)); err != nil || !strings.Contains(string(page), "<h1>私の</h1>") {
			t.Errorf("%s by the locale: %v: %.300s", name, err, page)
		}
	}
	b.must("verify", b.path("n.2026-11-20.ragsnap"))
	write(strings.Replace(text, "of: c", "off: c", 1))
	if o := b.run("notebook", "check", file); o.code != program.ExitUsage || !strings.Contains(o.stderr, `did you mean "of"?`) {
		t.Errorf("an unknown key: %+v", o)
	}
	write(strings.Replace(text, "low_scores }}", "low_score }}", 1))
	if o := b.run("notebook", "render", file); o.code != program.ExitUsage || !strings.Contains(o.stderr, `did you mean "low_scores"?`) {
		t.Errorf("an unknown field in prose: %+v", o)
	}
	write(strings.Replace(text, "source: faq", "source: gone", 1))
	o = b.run("notebook", "run", file, "--lang", "ja", "--out", b.path("wrong.html"))
	page, err = os.ReadFile(b.path("wrong.html"))
	for name, said := range map[string]string{"the table": o.stdout, "the page": string(page)} {
		if strings.Contains(said, "there is no corpus") || !strings.Contains(said, "ありません") || strings.Contains(said, "has an error") {
			t.Errorf("a missing corpus in Japanese, %s (%v): %s", name, err, said)
		}
	}
	if o := b.run("notebook", "new", b.path("x.rag.md"), "--from", "weakly"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, `"weekly"`) {
		t.Errorf("an unknown notebook of the gallery: %+v", o)
	}
}

// runGallery executes the notebooks that the demo leaves headless on its data. The sweep takes part of the questions. Those of the other
// templates are executed on data of one's own, in internal/app/studies; here they open.
func runGallery(t *testing.T, b *bench, _ outcome) {
	t.Helper()
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("half of the demo's work once more, and the gallery runs on small data elsewhere: set WORKBENCH_SLOW_TESTS=1")
	}
	for _, name := range templates.Gallery() {
		file := b.path(name + ".rag.md")
		b.must("notebook", "new", file, "--from", name, "--lang", "ja")
		if !slices.Contains([]string{"airline-study", "judge", "sweep", "weekly"}, name) {
			if o := b.run("notebook", "check", file); o.code != program.ExitIncomplete && o.code != program.ExitDone {
				t.Errorf("%s does not open: code %d\n%s%s", name, o.code, o.stdout, o.stderr)
			}
			continue
		}
		args := []string{"notebook", "run", file, "-p", "lang=ja", "--lang", "ja", "-o", b.path(name + ".html")}
		if name == "sweep" {
			args = append(args, "-p", "limit=20")
		}
		if o := b.run(args...); o.code != program.ExitDone && !(name == "weekly" && o.code == program.ExitGateFail) {
			t.Errorf("%s: code %d\n%s%s", name, o.code, o.stdout, o.stderr)
		}
		page, err := os.ReadFile(b.path(name + ".html"))
		if err != nil || strings.Contains(string(page), "— (") {
			t.Errorf("%s: the page has a value that is missing (%v)", name, err)
		}
	}
}

// TestGalleryAsksForDataOnATerminal: with documents and questions of one's own, people choose; without a terminal the choices are named.
func TestGalleryAsksForDataOnATerminal(t *testing.T) {
	b := desk(t)
	t.Chdir(b.path("."))
	if o := b.must("notebook", "new", "none.rag.md"); strings.Contains(o.stderr, "--corpus (") {
		t.Errorf("there is nothing to choose yet:\n%s", o.stderr)
	}
	b.must("init", "manual", "sheet.csv")
	if o := b.must("notebook", "new", "only.rag.md", "--from", "compare"); !strings.Contains(o.stderr,
		"the corpus manual and the dataset manual: there") ||
		!strings.Contains(file(t, b, "only.rag.md"), "source: manual") {
		t.Errorf("the only data are not taken:\n%s", o.stderr)
	}
	if o := b.must("notebook", "new", "two.rag.md", "--from", "languages"); !strings.Contains(o.stderr,
		"--corpus (manual) and --dataset (manual)") {
		t.Errorf("a template of two languages takes one corpus:\n%s", o.stderr)
	}
	b.must("dataset", "import", "sheet.csv", "--name", "more")
	if o := b.must("notebook", "new", "plain.rag.md"); !strings.Contains(o.stderr, "--corpus (manual) and --dataset (manual, more)") {
		t.Errorf("the choices are not named:\n%s", o.stderr)
	}
	b.interactive, b.stdin = true, "\x1b[B\x1b[A\r\r" // down, up: the documents; then the questions
	o := b.must("notebook", "new", "own.rag.md", "--from", "sweep")
	raw, err := os.ReadFile("own.rag.md")
	if err != nil || !strings.Contains(string(raw), "manual") || !strings.Contains(o.stdout, "Which questions?") {
		t.Errorf("%v\n%s\n%s", err, o.stdout, raw)
	}
	b.stdin = "q"
	if o := b.run("notebook", "new", "stopped.rag.md"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "nothing was chosen") {
		t.Errorf("stopped: exit %d\n%s", o.code, o.stderr)
	}
}
