package main

import (
	"bytes"
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
