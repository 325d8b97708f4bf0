package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
)

// TestWarningsThatConcernAllComeOnce: metrics that are left out for one reason share a line.
func TestWarningsThatConcernAllComeOnce(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	p := program.Program{Stderr: &stderr, Getenv: func(string) string { return "" }}
	none, scale := compare.Note{Code: "excluded.no_scores"}, compare.Note{Code: "excluded.scale"}
	printing.Comparisons(&p).NotCompared(compare.Comparison{Excluded: []compare.Exclusion{{Metric: "hit", Note: none},
		{Metric: "tone", Note: scale},
		{Metric: "mrr", Note: none}}})
	want := "warning: 2 metrics are not compared: no question was scored in both runs: hit, mrr\n" +
		"warning: tone is not compared: its range or direction differs between the runs\n"
	if stderr.String() != want {
		t.Errorf("%s", stderr.String())
	}
}

// TestARunOverAPartPassesNoGate: against a run over all questions it ends with code 5 and says what is missing and what to do, and whoever
// pins it as the baseline is told.
func TestARunOverAPartPassesNoGate(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	b.must("baseline", "set", "closed")
	b.must("run", "{}/closed.yaml", "--limit", "2")
	o := b.run("gate", "closed")
	if o.code != program.ExitIncomplete || strings.Contains(o.stdout, "PASS\n") ||
		!strings.Contains(o.stdout, "asked in one run only, because the candidate (") ||
		!strings.Contains(o.stderr, "without --limit and --filter") {
		t.Errorf("exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	if o := b.must("baseline", "set", "closed"); !strings.Contains(o.stderr, "over 2 questions and not over the whole dataset") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
	if o := b.must("gate", "closed", "closed"); !strings.Contains(o.stdout, "PASS") {
		t.Errorf("a run passes against itself: %s", o.stdout)
	}
}
