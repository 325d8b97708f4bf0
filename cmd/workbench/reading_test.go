package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
)

// readingVerbs change nothing. RUN stands for a finished run.
var readingVerbs = [][]string{
	{"runs", "list"}, {"runs", "show", "RUN"}, {"runs", "show", "RUN", "--bill"}, {"corpus", "list"}, {"dataset", "list"},
	{"dataset", "show", "faq"}, {"experiment", "list"},
	{"endpoint", "list"}, {"agreement", "show", "faq"}, {"baseline", "show"}, {"schedule", "list"}, {"notify", "list"},
	{"report", "RUN", "-o", "-", "--format", "md"}, {"doctor"},
}

// TestReadingVerbsMakeNothing asks them of a place that is not there, of an empty file, and of a folder that cannot be written to.
func TestReadingVerbsMakeNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	list := b.must("runs", "list", "--json").stdout
	run := ""
	if _, rest, ok := strings.Cut(list, `"run_id": "`); ok {
		run = rest[:12]
	}
	for _, verb := range readingVerbs {
		args := make([]string, 0, len(verb))
		for _, a := range verb {
			args = append(args, strings.Replace(a, "RUN", run, 1))
		}
		if run == "" && strings.Contains(strings.Join(verb, " "), "RUN") {
			continue
		}
		missing := b.path("missing")
		if o := b.run(append(args, "--data", missing)...); o.code != program.ExitUsage ||
			!strings.Contains(o.stderr, "there is no database") {
			t.Errorf("%v of a missing place: %d %s%s", verb, o.code, o.stdout, o.stderr)
		}
		if _, err := os.Stat(missing); err == nil {
			t.Fatalf("%v made %s", verb, missing)
		}
	}
	if o := b.run("backup", "{}/none.zip", "--data", b.path("missing")); o.code != program.ExitUsage {
		t.Errorf("a backup of a missing place: %d %s", o.code, o.stderr)
	}
	hollow := b.path("hollow")
	if err := os.MkdirAll(hollow, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(hollow, "workbench.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := b.run("doctor", "--data", hollow); o.code == program.ExitDone || !strings.Contains(o.stderr, "empty") {
		t.Errorf("an empty file: %d %s", o.code, o.stderr)
	}
	body, err := os.ReadFile(filepath.Join(b.path("data"), "workbench.db"))
	if err != nil {
		t.Fatal(err)
	}
	locked := b.path("locked")
	if err := os.MkdirAll(locked, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(locked, "workbench.db"), body, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(locked, 0o500); err != nil { //nolint:gosec // a folder that cannot be written to
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(locked, 0o700) }) //nolint:gosec // so that it can be removed
	for _, verb := range [][]string{{"runs", "list"}, {"dataset", "list"}, {"dataset", "show", "faq"}, {"doctor"}} {
		if o := b.run(append(verb, "--data", locked)...); o.code != program.ExitDone {
			t.Errorf("%v of a read-only copy: %d %s", verb, o.code, o.stderr)
		}
	}
	file := b.path("seen.rag.md")
	b.must("notebook", "new", file, "--corpus", "faq", "--dataset", "faq")
	for _, verb := range [][]string{{"notebook", "check", file}, {"notebook", "log", file},
		{"notebook", "render", file, "-o", b.path("seen.html")}} {
		if o := b.run(append(verb, "--data", locked)...); o.code != program.ExitDone && o.code != program.ExitIncomplete {
			t.Errorf("%v of a read-only copy: %d %s", verb, o.code, o.stderr)
		}
	}
	entries, err := os.ReadDir(locked)
	if os.Geteuid() == 0 { // from whom nothing is locked: what keeps something on the way opened it as one that may be written to
		entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == app.SealKeyFile })
	}
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the read-only copy lie %v, %v", entries, err)
	}
}

// TestRetentionKeepsAGoodBackup: old backups go only after a new one was found good, and what is no backup stays.
func TestRetentionKeepsAGoodBackup(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	folder := b.path("kept")
	if err := os.MkdirAll(filepath.Join(folder, ".workbench-backup-left"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, ".workbench-backup-left", ".held"), nil, 0o600); err != nil { // of one that was killed
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "mine.zip"), []byte("PK no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		b.must("backup", filepath.Join(folder, name+".zip"), "--keep", "2")
	}
	if o := b.run("backup", filepath.Join(folder, "d.zip"), "--keep", "1", "--data", b.path("missing")); o.code != program.ExitUsage {
		t.Errorf("a backup of nothing: %d %s", o.code, o.stderr)
	}
	var names []string
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "b.zip c.zip mine.zip" {
		t.Errorf("left are %s", got)
	}
}
