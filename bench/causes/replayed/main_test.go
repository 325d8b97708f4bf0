package main

import (
	"os"
	"path/filepath"
	"testing"
)

// unread is how many answers to the further questions of docs/evidence.md wait for their first sitting.
const unread = 112

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
	if err != nil || waiting != unread || len(rows) != len(texts)*(len(faults)+1) {
		t.Fatalf("%d rows, %d requests wait, %v", len(rows), waiting, err)
	}
	all, better, worse := sums(rows)
	if all.diagnosed != 39 || all.right != 37 || all.highRight != 37 || all.high != 39 || all.paper != 39 || all.paperRight != 32 ||
		better != 7 || worse != 2 {
		t.Errorf("in all %+v; %d right by intervention alone, %d by the question alone", all, better, worse)
	}
}
