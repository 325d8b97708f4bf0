package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestEveryRequestIsAnswered plays the whole study: with the replies of the program nothing else waits, and the table of docs/evidence.md
// is what comes out.
func TestEveryRequestIsAnswered(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = "../../../../shared"
	}
	for _, text := range texts {
		if _, err := os.Stat(filepath.Join(shared, "data", text.set)); err != nil {
			if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
				t.Fatal(err)
			}
			t.Skipf("skipped: the data set is not there (%v)", err)
		}
	}
	rows, waiting, err := study(t.Context(), filepath.Join(shared, "data"), "")
	if err != nil || waiting != 0 || len(rows) != len(texts)*(len(faults)+1) {
		t.Fatalf("%d rows, %d requests wait, %v", len(rows), waiting, err)
	}
	type found struct{ diagnosed, right, high, highRight, paper, paperRight, better, worse int }
	for name, some := range map[string]struct {
		rows []row
		want found
	}{
		"without the vague prompt": {firstFaults(rows), found{48, 46, 47, 45, 48, 41, 7, 2}},
		"all":                      {rows, found{54, 50, 53, 49, 54, 45, 7, 2}},
	} {
		all, better, worse := sums(some.rows)
		got := found{all.diagnosed, all.right, all.high, all.highRight, all.paper, all.paperRight, better, worse}
		if got != some.want {
			t.Errorf("%s: %+v, want %+v", name, got, some.want)
		}
	}
	for _, r := range rows {
		if r.fault == keyword && r.diagnosed != wanted || r.fault == vague && r.low != map[string]int{"clapnq": 9, "nta_tax_qa": 0}[r.set] {
			t.Errorf("%s, %s: %d low, %d diagnosed", r.set, r.fault.name, r.low, r.diagnosed)
		}
	}
}
