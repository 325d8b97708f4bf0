package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
)

// TestCommandsSayWhatTheFindingsSay reads the texts of compare and gate back: the channels of the command line (the others are read in
// internal/app, TestEveryChannelSaysTheSame).
func TestCommandsSayWhatTheFindingsSay(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml")
	b.must("run", "faq", "{}/closed.yaml")
	var got struct {
		Findings findings.Findings
		Counts   struct {
			Worse, Better int
		} `json:"verdict_counts"`
		Sentences findings.Sentences
	}
	decode(t, b.must("compare", "faq", "closed", "--json"), &got)
	f := got.Findings
	if f.Verdicts.Worse == 0 || got.Counts.Worse != f.Verdicts.Worse || got.Counts.Better != f.Verdicts.Better || len(got.Sentences.EN) != len(f.Sentences) {
		t.Fatalf("counts %+v, findings %+v", got.Counts, f.Verdicts)
	}
	counted := fmt.Sprintf("Of %d questions asked in both runs, %d got worse and %d got better.", f.Matched, f.Verdicts.Worse, f.Verdicts.Better)
	low := fmt.Sprintf("Low-score answers went from %d to %d, of %d scored answers.", f.Low.Before, f.Low.After, f.Low.Of)
	for _, args := range [][]string{{"compare", "faq", "closed"}, {"gate", "faq", "closed"}} {
		said := b.run(args...).stdout
		for _, want := range append([]string{counted, low}, got.Sentences.EN...) {
			if !strings.Contains(said, want) {
				t.Errorf("%s does not say %q:\n%s", args[0], want, said)
			}
		}
		if !strings.Contains(f.Sentences[0].EN, " fell from ") || strings.Index(said, f.Sentences[0].EN) > strings.Index(said, counted) {
			t.Errorf("%s does not say the fall first: %q", args[0], f.Sentences[0].EN)
		}
	}
}
