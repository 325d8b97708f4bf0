package compare

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// decide gives every question of two files its verdict by the columns that decide. Columns of which nobody knows the direction decide
// nothing; a Problem asks for it where no other is left.
func (c *FileComparison) decide() error {
	var undirected []string
	directed := slices.DeleteFunc(slices.Clone(c.Metrics), func(m FileMetric) bool {
		if m.Undirected {
			undirected = append(undirected, m.ID)
		}
		return m.Undirected
	})
	if len(directed) == 0 {
		return foreign.AskDirections(undirected)
	}
	c.DecideBy, c.Verdicts = decidingColumns(directed), []QuestionVerdict{}
	if len(undirected) > 0 {
		c.warns("warn.undirected", "columns", strings.Join(undirected, ", "))
	}
	if beside := c.operationBeside(directed); len(beside) > 0 {
		c.warns("warn.operation_beside", "columns", listOf(beside))
	}
	specs := map[string]metrics.Spec{}
	for _, m := range c.Metrics {
		specs[m.ID] = metrics.Spec{ID: m.ID, Min: m.Min, Max: m.Max, LowerIsBetter: m.LowerIsBetter}
	}
	found := map[string][]Deciding{}
	critical := map[string]bool{}
	var order []string
	for _, id := range c.DecideBy {
		for _, q := range c.Questions {
			if q.Metric != id {
				continue
			}
			if found[q.ID] == nil {
				order = append(order, q.ID)
			}
			const line = experiments.DefaultLowScore
			found[q.ID] = append(found[q.ID], Deciding{
				Metric: id, Baseline: q.Baseline, Candidate: q.Candidate, Gain: -q.loss, Movement: LabelMovement(q.Label),
				Crossing: crossing([2]bool{isLow(specs[id], line, q.Baseline), isLow(specs[id], line, q.Candidate)}),
				Detail:   q.Detail, SettledBy: q.settledBy, Flaky: q.Flaky, Open: q.open,
			})
			critical[q.ID] = critical[q.ID] || q.Critical
		}
	}
	for _, id := range order {
		v := QuestionVerdict{QuestionID: id, Critical: critical[id], First: found[id][0]}
		guard, at := Absent, StayedGood
		if len(found[id]) > 1 {
			v.Guard = &found[id][1]
			guard, at = v.Guard.Movement, v.Guard.Crossing
		}
		v.Verdict = Settle(v.First.Movement, guard, at)
		v.Open = v.openFor(v.outcomes([2]*AnswerFacts{}, v.First.Movement, v.First.Movement, Level), at)
		d := v.Decider()
		v.Detail, v.SettledBy, v.Flaky = d.Detail, d.SettledBy, v.First.Flaky || v.Guard != nil && v.Guard.Flaky
		c.VerdictCounts.Add(v.Verdict)
		c.Verdicts = append(c.Verdicts, v)
	}
	slices.SortFunc(c.Verdicts, func(a, b QuestionVerdict) int { return Severity(&a, &b) })
	return nil
}

// operationBeside are the columns of figures of operation, such as latency, that are compared and by which no answer is called better or
// worse.
func (c *FileComparison) operationBeside(columns []FileMetric) (names []string) {
	for _, m := range columns {
		if metrics.OfOperation(m.ID) && !slices.Contains(c.DecideBy, m.ID) {
			names = append(names, m.ID)
		}
	}
	return names
}

// decidingColumns are the columns that decide: correctness and trust of our own exports, else those that another tool's would be. Of
// scores whose scale nobody knows only the first column decides, and only where there is no other. Figures of operation decide only where
// there is nothing else.
func decidingColumns(columns []FileMetric) []string {
	scores := slices.DeleteFunc(slices.Clone(columns), func(m FileMetric) bool { return metrics.OfOperation(m.ID) })
	if len(scores) > 0 {
		columns = scores
	}
	var own, known []metrics.Spec
	for _, m := range columns {
		if m.ID == "correctness" || m.ID == "trust" {
			own = append(own, metrics.Spec{ID: m.ID})
		}
		if m.Scale != "other" {
			known = append(known, metrics.Spec{ID: m.ID, Group: metrics.GroupImported})
		}
	}
	if len(own) > 0 {
		return experiments.UsualDecideBy(own)
	}
	if len(known) == 0 {
		return []string{columns[0].ID}
	}
	ids := experiments.UsualDecideBy(known)
	return ids[:min(len(ids), mostGates)]
}
