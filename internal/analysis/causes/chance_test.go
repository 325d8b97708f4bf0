package causes

import (
	"strings"
	"testing"
)

// TestATrialOnEveryAnswerSaysWhetherItIsChance: 15 repaired against 9 broken is no gain to rely on (exact sign test), 15 against 3 is one
// unless the configuration was the best of many.
func TestATrialOnEveryAnswerSaysWhetherItIsChance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		repaired, broken, among int
		en                      string
	}{
		{15, 9, 0, "This difference, 15 repaired against 9 broken, may be chance."},
		{15, 3, 0, "This difference, 15 repaired against 3 broken, is more than chance explains."},
		{15, 3, 15, "This difference, 15 repaired against 3 broken, may be chance."},
		{3, 0, 0, "This difference, 3 repaired against 0 broken, may be chance."},
		{0, 0, 0, ""},
	} {
		o := RepairOutcome{RunID: "other", Among: c.among, Repaired: make([]string, c.repaired), Broken: make([]string, c.broken),
			TriedLow: 139, LowBefore: 139, TriedGood: 59, Good: 59, LowAfter: float64(139 - c.repaired + c.broken)}
		o.LowLeast, o.LowMost = o.LowAfter, o.LowAfter
		r := Recommendation{Repair: Repair{Component: Retriever, Param: "retrieve.k", From: 4, To: 3}, Outcome: &o}
		ways := map[string]string{"told": r.Told().EN, "told plainly": r.ToldPlainly().EN, "rationale": recommendationWords(r).EN}
		if c.repaired > 0 {
			ways["summary"] = told(factsOf(CauseReport{LowScores: 139, Diagnosed: 139, Method: Tested,
				Recommendations: []Recommendation{r}})...).EN
		}
		for where, said := range ways {
			if !strings.Contains(said, c.en) || strings.Count(said, "difference") != strings.Count(c.en, "difference") {
				t.Errorf("%s of %+v: %s", where, c, said)
			}
			if where == "summary" && strings.Contains(said, "Recommended:") == o.byChance() {
				t.Errorf("%+v is recommended in: %s", c, said)
			}
		}
		if ja := r.Told().JA; (c.en != "") != strings.Contains(ja, "というこの差は") {
			t.Errorf("%+v: %s", c, ja)
		}
	}
	part := RepairOutcome{TriedLow: 100, LowBefore: 139, Repaired: make([]string, 7), Broken: make([]string, 4)}
	if said := part.chance(); said.EN != "" {
		t.Errorf("of a part the interval tells, not %q", said.EN)
	}
}
