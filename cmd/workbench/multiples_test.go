package main

import (
	"strconv"
	"strings"
	"testing"
)

// TestMultiples counts the answers in the small tables: each configuration shows every question once.
func TestMultiples(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("experiment", "add", "{}/sweep.yaml")
	b.must("sweep", "faq")
	var runs []struct {
		ID   string `json:"run_id"`
		Kind string `json:"kind"`
	}
	decode(t, b.must("runs", "list", "--json"), &runs)
	sweep, members := "", 0
	for _, r := range runs {
		if r.Kind == "sweep" {
			sweep = r.ID
		} else {
			members++
		}
	}
	out := b.must("runs", "show", sweep, "--multiples").stdout
	answers := 0
	for line := range strings.Lines(out) {
		if line[0] < '1' || line[0] > '5' || line[1] != ' ' {
			continue
		}
		for block := range strings.SplitSeq(line, "       ") { // tables stand apart by more than cells do
			fields := strings.Fields(block)
			for _, f := range fields[min(1, len(fields)):] {
				if n, err := strconv.Atoi(f); err == nil {
					answers += n
				}
			}
		}
	}
	if want := members * 6; answers != want {
		t.Errorf("%d answers in the tables, want %d:\n%s", answers, want, out)
	}
}
