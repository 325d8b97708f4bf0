package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNoGarbageIsCollectedAtTheStart: this program, which has all that the command has, starts without looking through its memory.
func TestNoGarbageIsCollectedAtTheStart(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=gctrace=1", "GOGC=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "gc ") {
			t.Errorf("package early came too late: %s", line)
		}
	}
}
