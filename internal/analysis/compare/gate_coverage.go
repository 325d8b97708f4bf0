package compare

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/stats"
)

// covered holds the share of the scores that are there against what must be there.
func (r *GateResult) covered(arms GateArms, rules GateRules) GateCheck {
	c := GateCheck{Name: "coverage", Decision: stats.Pass, N: r.Questions, Value: &r.Coverage, Bound: &rules.Coverage}
	code, least := "gate.coverage", leastScored(r.Questions, rules.Coverage)
	if len(arms.Gates) != 1 {
		code += "_many" // a question has a score by each metric
	}
	rounded := any("")
	if float64(least) > rules.Coverage*float64(r.Questions)+1e-9 {
		rounded = newNote("gate.rounded")
	}
	c.says(code, "scored", r.Scored, "n", r.Questions, "share", Percent(r.Coverage), "needed", Percent(rules.Coverage), "least", least,
		"rounded", rounded)
	for _, u := range arms.Unasked {
		c.Unasked, c.Partial = c.Unasked+u.N, append(c.Partial, u.Partial)
		run := map[Arm]string{BaselineArm: r.Baseline, CandidateArm: r.Candidate}[u.Partial]
		c.says("gate.unasked", "n", u.N, "arm", newNote("arm."+string(u.Partial)), "run", run)
	}
	if n := arms.unmeasured(); n > 0 {
		c.says("gate.unmeasured", "n", n)
	}
	if r.Coverage < rules.Coverage {
		c.Decision, c.Missing = stats.Inconclusive, true
	}
	return c
}

// unmeasured is how many scores of the deciding metrics the baseline lacks: no fall can be told from these.
func (a GateArms) unmeasured() (n int) {
	for _, m := range a.Metrics {
		if !slices.Contains(a.Gates, m.ID) {
			continue
		}
		for _, item := range m.Items {
			if item.Paired && math.IsNaN(item.Before) {
				n++
			}
		}
	}
	return n
}

// leastScored is how many of n scores must be there where a share of them must.
func leastScored(n int, coverage float64) int {
	least := int(coverage * float64(n))
	for least < n && float64(least)/float64(n) < coverage { // as the coverage is compared
		least++
	}
	return least
}
