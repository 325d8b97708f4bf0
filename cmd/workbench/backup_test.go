package main

import (
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// TestBackupAndRestore goes the whole way on the command line: back up, look, restore, go on there.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	if o := b.must("backup", "{}/b.zip"); !strings.Contains(o.stdout, "the doctor found nothing") {
		t.Errorf("backup says %q", o.stdout)
	}
	if o := b.run("backup", "{}/b.zip"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "exists already") {
		t.Errorf("over another file: %d %s", o.code, o.stderr)
	}
	if o := b.must("restore", "{}/b.zip", "--check"); !strings.Contains(o.stdout, "is whole") {
		t.Errorf("check says %q", o.stdout)
	}
	if o := b.run("restore", "{}/b.zip"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "is not empty") {
		t.Errorf("over a live place: %d %s", o.code, o.stderr)
	}
	if o := b.must("restore", "{}/b.zip", "--verify", "--into", "{}/other"); !strings.Contains(o.stdout, "restored") {
		t.Errorf("restore says %q", o.stdout)
	}
	want := b.must("dataset", "list", "--json").stdout
	if err := os.Rename(b.path("other"), b.path("data.new")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(b.path("data"), b.path("data.old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(b.path("data.new"), b.path("data")); err != nil {
		t.Fatal(err)
	}
	if got := b.must("dataset", "list", "--json").stdout; got != want || !strings.Contains(got, "faq") {
		t.Errorf("datasets restored: %s\nwant %s", got, want)
	}
	b.must("doctor")
	body, err := os.ReadFile(b.path("b.zip"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.path("half.zip"), body[:len(body)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if o := b.run("restore", "{}/half.zip", "--into", "{}/third"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "hint:") {
		t.Errorf("half a backup: %d %s", o.code, o.stderr)
	}
}
