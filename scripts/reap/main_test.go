//go:build linux

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestOrphansAreWaitedForAndTheirWorkCounts(t *testing.T) {
	ended := filepath.Join(t.TempDir(), "ended")
	// The shell in the middle ends at once and leaves one that works, as a browser that is stopped leaves its pages.
	const work = `i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; times | tail -n 1 >"$0"`
	code, err := run("sh", "-c", `(setsid sh -c "$1" "$2" &); exit 3`, "sh", work, ended)
	if err != nil || code != 3 {
		t.Fatalf("the command ended with %d, want its own 3 (%v)", code, err)
	}
	if _, err := os.Stat(ended); err != nil {
		t.Errorf("the orphan was not waited for: %v", err)
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		t.Fatal(err)
	}
	if worked := used.Utime.Nano() + used.Stime.Nano(); worked < 20e6 {
		t.Errorf("what the orphan worked does not count: %d ns", worked)
	}
	if code, err := run("sh", "-c", "kill -9 $$"); err != nil || code != 128+9 {
		t.Errorf("a command that is killed: %d (%v)", code, err)
	}
}
