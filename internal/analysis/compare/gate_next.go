package compare

import (
	"cmp"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// next is what to do about a check that did not pass; ok is false where its own words say so already, or it passed.
func (r *GateResult) next(arms GateArms) (todo Note, ok bool) {
	by := func(d stats.Decision, names ...string) *GateCheck {
		at := slices.IndexFunc(r.Checks, func(c GateCheck) bool {
			return c.Decision == d && !c.Missing && slices.Contains(names, c.Name)
		})
		if at < 0 {
			return nil
		}
		return &r.Checks[at]
	}
	if r.Decision == stats.Fail && len(r.Worse) > 0 && by(stats.Fail, "share_worse", "critical") != nil {
		return newNote("gate.next.worse"), true
	}
	if c := by(stats.Fail, "not_worse"); c != nil {
		return newNote("gate.next.all", "which", arms.fallen(c.Metric)), true
	}
	if by(stats.Fail, "slice") != nil {
		return newNote("gate.next.tag"), true
	}
	if c := by(stats.Fail, "threshold"); c != nil && c.Metric == experiments.LowScoreShare {
		return newNote("gate.next.low", "which", arms.low()), true
	} else if c != nil {
		return newNote("gate.next.level", "which", arms.worst(c.Metric, *c.Bound)), true
	}
	switch {
	case r.Decision != stats.Inconclusive:
		return Note{}, false
	case by(stats.Inconclusive, "share_worse", "critical") != nil && !arms.OneScore:
		return newNote("gate.next.votes"), true
	}
	if c := by(stats.Inconclusive, "not_worse"); c != nil {
		return newNote("gate.next." + arms.wanted(c.Metric)), true
	}
	return Note{}, false
}

// wanted is what more of leaves less to chance by a metric: documents or themes where its bounds are over these, else questions.
func (a GateArms) wanted(metric string) string {
	if m, err := a.metric(metric); err == nil {
		if _, places, _, _ := m.gains(); m.clusters(places) != nil {
			return unitOf(m.Themed)
		}
	}
	return "questions"
}

// fallen are the answers that scored lower by a metric than in the baseline, those that lost most first.
func (a GateArms) fallen(metric string) listed {
	lost := func(m GateMetric, i GateItem) float64 { return m.gained(i.Before, i.After) }
	return a.read(metric, lost, func(m GateMetric, i GateItem) (Note, bool) {
		return movedFrom(m.ID, i.Before, i.After), i.Compared && lost(m, i) < 0
	})
}

// worst are the candidate's answers that a metric scores worse than a level, the worst first.
func (a GateArms) worst(metric string, level float64) listed {
	score := func(m GateMetric, i GateItem) float64 { return m.gained(0, i.After) }
	return a.read(metric, score, func(m GateMetric, i GateItem) (Note, bool) {
		return newNote("gate.doubt.scored", "metric", metricNote(m.ID), "score", trimmed(i.After, 2)), m.gained(level, i.After) < 0
	})
}

// low are the candidate's low-score answers.
func (a GateArms) low() (which listed) {
	for _, m := range a.Metrics {
		for _, i := range m.Items {
			if m.ID == experiments.LowScoreShare && i.After == 1 {
				which = append(which, questionNote(i.ID))
			}
		}
	}
	return which
}

// read names the questions of a metric that say has words for, those of the lowest rank first.
func (a GateArms) read(metric string, rank func(GateMetric, GateItem) float64, say func(GateMetric, GateItem) (Note, bool)) (which listed) {
	at := slices.IndexFunc(a.Metrics, func(m GateMetric) bool { return m.ID == metric })
	if at < 0 {
		return nil
	}
	m := a.Metrics[at]
	items := slices.Clone(m.Items)
	slices.SortStableFunc(items, func(x, y GateItem) int { return cmp.Compare(rank(m, x), rank(m, y)) })
	for _, i := range items {
		if of, ok := say(m, i); ok {
			which = append(which, newNote("gate.of_metric", "id", questionNote(i.ID), "metric", of))
		}
	}
	return which
}
