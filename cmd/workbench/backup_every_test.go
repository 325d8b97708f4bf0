package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// every runs backup --every until it has waited for the last of the steps. Each step is done before the time that it waited for is over.
func (b *bench) every(steps ...func()) (code int, waits []time.Duration, said string) {
	b.t.Helper()
	now := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	p := program.Program{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(name string) string { return b.env[name] },
		Now: func() time.Time { return now },
		Wait: func(d time.Duration) bool {
			waits, now = append(waits, d), now.Add(d)
			if len(waits) > len(steps) {
				return false
			}
			steps[len(waits)-1]()
			return true
		},
	}
	code = run(b.t.Context(), &p, []string{"--data", b.path("data"), "backup", b.path("backups"), "--every", "24h", "--keep", "2"})
	return code, waits, out.String()
}

func (b *bench) backups() []string {
	b.t.Helper()
	found, err := filepath.Glob(b.path("backups/*"))
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range found {
		found[i] = filepath.Base(found[i])
	}
	return found
}

// TestBackupsGoOn: backups are made in their rhythm, old ones go, and a failed one is said, tried again soon and costs no good one.
func TestBackupsGoOn(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	nothing := func() {}
	rename := func(from, to string) func() {
		return func() {
			if err := os.Rename(b.path(from), b.path(to)); err != nil {
				t.Fatal(err)
			}
		}
	}
	code, waits, said := b.every(nothing, nothing, nothing, rename("data", "away"), rename("away", "data"))
	day := 24 * time.Hour
	want := []time.Duration{0, day, day, day, time.Hour, day}
	if code != program.ExitDone || len(waits) != len(want) {
		t.Fatalf("exit %d after %v\n%s", code, waits, said)
	}
	for i := range want {
		if waits[i] != want[i] {
			t.Errorf("wait %d is %s, want %s", i, waits[i], want[i])
		}
	}
	if !strings.Contains(said, "the next try is in 1h0m0s; no backup was removed") {
		t.Errorf("said %q", said)
	}
	if got := strings.Join(b.backups(), " "); got != "20261122T150000Z.zip 20261123T160000Z.zip" {
		t.Errorf("backups = %s", got)
	}
	b.must("restore", "{}/backups/20261123T160000Z.zip", "--check")
	code, waits, said = b.every(rename("data", "away")) // the last good one is in the clock's future: it waits, then fails, and ends so
	if code != program.ExitBroken || len(waits) != 2 || waits[0] <= day || len(b.backups()) != 2 {
		t.Errorf("exit %d after %v\n%s", code, waits, said)
	}
	if o := b.run("backup", "{}/backups", "--every", "1s"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, "--every 1s is below 1m0s") {
		t.Errorf("every second: %d %s", o.code, o.stderr)
	}
	if o := b.run("backup", "{}/questions.csv", "--every", "24h"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, "is not a folder") {
		t.Errorf("into a file: %d %s", o.code, o.stderr)
	}
}

// TestScratchOfAKilledBackupGoes: a folder that a killed backup left is removed by the next backup beside it.
func TestScratchOfAKilledBackupGoes(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	left := b.path("backups/.workbench-backup-1")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	b.must("backup", "{}/backups/a.zip")
	entries, err := os.ReadDir(b.path("backups"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "a.zip" {
		t.Errorf("in the folder: %v, %v", entries, err)
	}
}
