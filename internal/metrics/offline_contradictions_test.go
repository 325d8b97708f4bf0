package metrics

import (
	"testing"
)

// contradictionPair is a sentence of an answer beside a claim of a reference, and whether a careful reader takes the one to contradict
// the other.
type contradictionPair struct {
	ID, Lang, Kind, Reference, Answer string
	Contradicts                       bool
}

// TestContradictions counts what the offline judge takes for a contradiction in testdata/contradictions.jsonl: pairs that were written, and
// decided by reading, before the judge was changed by them. The odd ones of each kind were tuned on, the even ones only measured.
func TestContradictions(t *testing.T) {
	t.Parallel()
	var found, made, of [2]map[string]int
	for i := range found {
		found[i], made[i], of[i] = map[string]int{}, map[string]int{}, map[string]int{}
	}
	pairs := lines[contradictionPair](t, "testdata/contradictions.jsonl")
	for i, p := range pairs {
		half := i % 15 % 2
		got := coverageOf(correctnessData{Answer: p.Answer, Reference: p.Reference, Answerable: true}).conflict != ""
		switch of[half][p.Lang]++; {
		case got && p.Contradicts:
			found[half][p.Lang]++
		case got:
			made[half][p.Lang]++
		}
		if got != p.Contradicts {
			t.Logf("half %d, %s: %q of %q is taken for a contradiction: %v", half, p.ID, p.Answer, p.Reference, got)
		}
	}
	for half, name := range []string{"tuned on", "measured"} {
		t.Logf("%s: found %v, made up %v, of %v pairs", name, found[half], made[half], of[half])
	}
}
