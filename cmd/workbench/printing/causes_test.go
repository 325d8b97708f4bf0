package printing

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/causes"
)

// TestNoColumnOfCausesIsEmpty: the parameter is a column only where some cause has one, and a forecast only where some change was not made
// in a run of its own yet: what came of that is another number of the same answers.
func TestNoColumnOfCausesIsEmpty(t *testing.T) {
	t.Parallel()
	for i := range 8 {
		named, open, made := i&1 > 0, i&2 > 0, i&4 > 0
		r := causes.CauseReport{RunID: "r", Method: causes.Tested, LowScores: 14,
			Counts: []causes.CauseCount{{Component: causes.Retriever, Count: 9}}}
		if named {
			r.Counts = append(r.Counts, causes.CauseCount{Component: causes.Retriever, Param: "retrieve.k", Count: 1})
		}
		change := causes.Recommendation{Repair: causes.Repair{Component: causes.Retriever, Param: "retrieve.k", From: 4, To: 9},
			Heals: []string{"1", "2", "3"}, LowScores: 14}
		if made {
			done := change
			done.Outcome = &causes.RepairOutcome{RunID: "made", Repaired: make([]string, 10), LowBefore: 14, LowAfter: 4, Good: 16}
			r.Recommendations = append(r.Recommendations, done)
		}
		if open {
			r.Recommendations = append(r.Recommendations, change)
		}
		var out bytes.Buffer
		p := program.Program{Stdout: &out, Flags: &program.Globals{}, Getenv: func(string) string { return "" }}
		Causes(&p).CauseReport(r, "en")
		said := out.String()
		for part, is := range map[string]bool{"PARAMETER": named, "EXPECTED": open, "expected: low-score answers": open,
			"10 of 14 no longer low": made, "In all": false} {
			if strings.Contains(said, part) != is {
				t.Errorf("named %t, open %t, made %t: %q: %t is not so:\n%s", named, open, made, part, is, said)
			}
		}
	}
}
