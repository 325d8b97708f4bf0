package compare

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/stats"
)

// coveredBy are the scores of one deciding metric: how many there should be, and how many are there on both sides.
type coveredBy struct {
	metric    string
	scored, n int
}

// counted counts the scores of a metric.
func (m GateMetric) counted() coveredBy {
	c := coveredBy{metric: m.ID}
	for _, item := range m.Items {
		if !item.Paired {
			continue
		}
		c.n++
		if item.Compared {
			c.scored++
		}
	}
	return c
}

// covered holds the share of the scores that are there against what must be there. Of several metrics it tells the numbers of each, which
// their sum would not explain.
func (r *GateResult) covered(arms GateArms, rules GateRules, each []coveredBy) GateCheck {
	c := GateCheck{Name: "coverage", Decision: stats.Pass, N: r.Questions, Value: &r.Coverage, Bound: &rules.Coverage}
	code, all := "gate.coverage", r.Scored == r.Questions
	of := "gate.coverage_of"
	if all {
		code, of = code+"_all", of+"_all"
	}
	var parts listed
	alike, unasked := true, 0
	for _, u := range arms.Unasked { // they lack a score of every metric, and the parts add up to the whole
		unasked += u.N
	}
	for _, p := range each {
		p.n += unasked
		parts = append(parts, newNote(of, "metric", metricNote(p.metric), "scored", p.scored, "n", p.n))
		alike = alike && p.n == each[0].n+unasked
	}
	if len(each) > 1 {
		code += "_many"
	}
	c.says(code, "scored", r.Scored, "n", r.Questions, "share", Percent(r.Coverage), "needed", Percent(rules.Coverage),
		"least", leastScored(r.Questions, rules.Coverage), "each", parts)
	if all && !alike {
		c.says("gate.coverage_applies")
	}
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
