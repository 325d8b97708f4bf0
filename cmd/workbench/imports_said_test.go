package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// imported is a bench with two imports of one table, whose scores are quality and latency_s; n questions, of which the second import
// answers those that worse says by 0.
func imported(t *testing.T, n int, worse func(i int) bool) *bench {
	t.Helper()
	b := newBench(t)
	var old, now strings.Builder
	for _, s := range []*strings.Builder{&old, &now} {
		s.WriteString("question,answer,reference,quality,latency_s\n")
	}
	for i := range n {
		fmt.Fprintf(&old, "What does card %d cost?,It costs %d euros.,It costs %d euros.,0.9,1.%d\n", i, i, i, i%10)
		if worse(i) {
			fmt.Fprintf(&now, "What does card %d cost?,It is free.,It costs %d euros.,0.1,1.%d\n", i, i, i%10)
		} else {
			fmt.Fprintf(&now, "What does card %d cost?,It costs %d euros.,It costs %d euros.,0.9,1.%d\n", i, i, i, i%10)
		}
	}
	write(t, b.path("old.csv"), old.String())
	write(t, b.path("new.csv"), now.String())
	b.must("import-results", "{}/old.csv", "--name", "old")
	b.must("import-results", "{}/new.csv", "--name", "new")
	return b
}

// TestAnExperimentOfImportedScoresNamesTheirTool: nobody of ours judged, so the experiment says whose the scores are.
func TestAnExperimentOfImportedScoresNamesTheirTool(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("import-results", foreign("ragas.csv"), "--name", "april")
	o := b.must("experiment", "show", "april")
	var got struct{ Tools []string }
	if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || strings.Join(got.Tools, " ") != "Ragas" {
		t.Errorf("%v: %s", err, o.stdout)
	}
	if !strings.Contains(o.stderr, "The scores are those of Ragas.") {
		t.Error(o.stderr)
	}
}
