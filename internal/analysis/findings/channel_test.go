package findings

import (
	"slices"
	"strings"
	"testing"
)

// TestAGateLeavesChanceToItsChecks: a mean that may have moved by chance both ways stands on a page, and not above the check of a release,
// which allows for chance on one side alone; a surely moved one stands on both.
func TestAGateLeavesChanceToItsChecks(t *testing.T) {
	t.Parallel()
	before, after := 3.79, 4.31
	for direction, inGate := range map[Direction]bool{Level: false, Few: false, Fell: true, Rose: true} {
		sentence := Figure{Metric: "correctness", Title: Text{EN: "Correctness", JA: "正確性"}, Before: &before, After: after,
			Direction: direction}.sentence()
		f := Findings{Sentences: []Text{sentence, say("say.counts", "matched", 30, "worse", 0, "better", 4)}}
		for _, lang := range []string{"en", "ja"} {
			if got := slices.Contains(f.Gate(lang), sentence.In(lang)); got != inGate {
				t.Errorf("%s: %q stands in a gate: %t", direction, sentence.In(lang), got)
			}
			if !slices.Contains(f.Open(Page, lang).Sentences, sentence.In(lang)) || len(f.Gate(lang)) == 0 {
				t.Errorf("%s: %q is missing", direction, sentence.In(lang))
			}
		}
		if said := strings.Join(f.Gate("en"), " "); strings.Contains(said, "chance") && !inGate {
			t.Errorf("%s: %s", direction, said)
		}
	}
}
