package main

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// TestSweepSearch looks for the winner in stages. Plain sweeps keep printing an array.
func TestSweepSearch(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	o := b.must("sweep", "{}/sweep.yaml", "--screen", "3", "--halving", "--confirm", "--json")
	var search map[string]any
	decode(t, o, &search)
	keys(t, "search", search, "screen", "stages", "sweep_id", "runs", "answers", "full", "winner", "effects", "pareto")
	winner := search["winner"].(map[string]any)
	keys(t, "winner", winner, "run_id", "params", "settled", "scores")
	score := winner["scores"].([]any)[0].(map[string]any)
	keys(t, "score", score, "metric", "selection", "shrunk", "kept", "n")
	if winner["settled"] != true || len(search["runs"].([]any)) != 3 {
		t.Errorf("winner %v of %d runs", winner, len(search["runs"].([]any)))
	}
	o = b.must("sweep", "faq", "--screen", "2", "--confirm")
	for _, want := range []string{"kept 2", "main effects on span_coverage", "12 answers instead of 36", "winner: ", "STANDING",
		"SELECTION SCORE", "deterministic"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in:\n%s", want, o.stdout)
		}
	}
	o = b.must("sweep", "faq", "--screen", "2", "--confirm", "--lang", "ja")
	for _, english := range []string{"tied", "kept", "front", "dominated"} {
		if strings.Contains(o.stdout, english) {
			t.Errorf("%q in:\n%s", english, o.stdout)
		}
	}
	o = b.must("sweep", "faq", "--top", "1", "--by", "ndcg")
	for _, want := range []string{"the best 1 by ndcg go on, and the base", "BEHIND THE BEST (95%)", "instead of 36", "winner: "} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in:\n%s", want, o.stdout)
		}
	}
	runs := strings.Count(b.must("runs", "list").stdout, "\n")
	o = b.must("sweep", "faq", "--screen", "2", "--halving", "--plan")
	if !strings.Contains(o.stdout, "stage 1: 2 configurations on 6 questions") || !strings.Contains(o.stdout, "about 0 calls to buy") {
		t.Errorf("plan:\n%s", o.stdout)
	}
	if after := strings.Count(b.must("runs", "list").stdout, "\n"); after != runs {
		t.Errorf("the plan made %d runs", after-runs)
	}
	var array []map[string]any
	decode(t, b.must("sweep", "faq", "--json"), &array)
	if len(array) != 6 {
		t.Errorf("a plain sweep prints %d results", len(array))
	}
	if o := b.run("sweep", "faq", "--screen", "9"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "1 to 8") {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
}
