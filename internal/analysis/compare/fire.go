package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// DriftSaid is what the drift of a fire begins with; the metrics follow, each with how much its mean moved.
const DriftSaid = "the judge scores the same answers differently than it did: "

// anchorP is the probability under which a change on the anchors is called one of the judge.
const anchorP = 0.01

// Tell writes into a fire what the comparison of its runs gives. The doctor computes it again by the same rule.
func (c *Comparison) Tell(f *experiments.Fire) {
	f.Worse, f.LowBefore, f.Drift = c.WorseIDs(), c.LowBefore, driftSaid(c)
	f.Mixed, f.NeedsCheck, f.Better = c.VerdictCounts.Mixed, c.VerdictCounts.NeedsCheck, c.VerdictCounts.Better
}

// driftSaid says in words how the judge changed; "" where there is no sign of it.
func driftSaid(c *Comparison) string {
	var parts []string
	for _, metric := range slices.Sorted(maps.Keys(c.Metrics)) {
		d := c.Metrics[metric].Drift
		if d != nil && d.From == FromAnchors && d.P < anchorP {
			parts = append(parts, fmt.Sprintf("%s %+.2f", metric, d.Judge))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return DriftSaid + strings.Join(parts, ", ")
}
