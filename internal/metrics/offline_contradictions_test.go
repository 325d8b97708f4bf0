package metrics

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// contradictionPair is a sentence of an answer beside a claim of a reference, and whether a careful reader takes the one to contradict
// the other.
type contradictionPair struct {
	ID, Lang, Kind, Reference, Answer string
	Contradicts                       bool
}

// TestContradictions counts what the offline judge takes for a contradiction in testdata/contradictions.jsonl: pairs that were written, and
// decided by reading, before the judge was changed by them. The odd ones of each kind were tuned on, the even ones only measured. Before
// the change it found 14 and 10 of the contradictions, and made up 8 and 4.
func TestContradictions(t *testing.T) {
	t.Parallel()
	type count struct{ found, of, madeUp, others int }
	halves := map[string]*count{"tuned on": {}, "measured": {}}
	for i, p := range lines[contradictionPair](t, "testdata/contradictions.jsonl") {
		half := halves["tuned on"]
		if i%15%2 == 1 {
			half = halves["measured"]
		}
		got := coverageOf(correctnessData{Answer: p.Answer, Reference: p.Reference, Answerable: true}).conflict != ""
		if p.Contradicts {
			half.of++
			half.found += int(textual.Truth(got))
		} else {
			half.others++
			half.madeUp += int(textual.Truth(got))
		}
		if got != p.Contradicts {
			t.Logf("%s: %q of %q is taken for a contradiction: %v", p.ID, p.Answer, p.Reference, got)
		}
	}
	for name, least := range map[string]count{"tuned on": {14, 16, 0, 16}, "measured": {10, 14, 1, 14}} {
		got := *halves[name]
		t.Logf("%s: found %d of %d, made up %d of %d", name, got.found, got.of, got.madeUp, got.others)
		if got.found < least.found || got.madeUp > least.madeUp || got.of != least.of || got.others != least.others {
			t.Errorf("%s: %+v, want at least as good as %+v", name, got, least)
		}
	}
}
