package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// FileGate turns two compared files into the arms of a gate. An id that the candidate lacks is a missing score.
func FileGate(c FileComparison) GateArms {
	arms := GateArms{Baseline: c.Baseline, Candidate: c.Candidate}
	compared := map[[2]string]bool{}
	for _, q := range c.Questions {
		compared[[2]string{q.ID, q.Metric}] = true
	}
	mixed := map[string]bool{}
	for _, v := range c.Verdicts {
		mixed[v.QuestionID] = v.Verdict == Mixed
		d := v.Decider()
		arms.Questions = append(arms.Questions, GateQuestion{GateChange{v.QuestionID, d.Metric, d.Baseline, d.Candidate, v.Critical},
			v.Verdict})
	}
	before := map[string]*foreign.ScoredItem{}
	for i := range c.sides[0].Items {
		before[c.sides[0].Items[i].ID] = &c.sides[0].Items[i]
	}
	for place, name := range c.sides[1].Metrics {
		m := fileGateMetric(c, name)
		at := slices.Index(c.sides[0].Metrics, name)
		seen := map[string]bool{}
		for _, item := range c.sides[1].Items {
			seen[item.ID] = true
			g := GateItem{
				ID: item.ID, Critical: item.Critical, Tags: item.Tags, Before: math.NaN(), After: meanOf(item.Scores[place]),
				Compared: compared[[2]string{item.ID, name}], Mixed: mixed[item.ID],
			}
			if b := before[item.ID]; b != nil && at >= 0 {
				g.Paired, g.Before = true, meanOf(b.Scores[at])
				g.Critical = g.Critical || b.Critical
				if len(g.Tags) == 0 {
					g.Tags = b.Tags
				}
			}
			m.Items = append(m.Items, g)
		}
		for _, item := range c.sides[0].Items {
			if at >= 0 && !seen[item.ID] {
				m.Items = append(m.Items, GateItem{
					ID: item.ID, Critical: item.Critical, Tags: item.Tags, Paired: true, Before: meanOf(item.Scores[at]), After: math.NaN(),
				})
			}
		}
		arms.Metrics = append(arms.Metrics, m)
	}
	arms.Gates = c.DecideBy
	return arms
}

func fileGateMetric(c FileComparison, name string) GateMetric {
	for _, m := range c.Metrics {
		if m.ID == name {
			return GateMetric{ID: name, Min: m.Min, Max: m.Max, LowerIsBetter: m.LowerIsBetter}
		}
	}
	return scoredGateMetric(c.sides[1], name)
}

// scoredGateMetric is a metric of one file by itself.
func scoredGateMetric(t *foreign.ScoreTable, name string) GateMetric {
	place := slices.Index(t.Metrics, name)
	cells := make([]cell, len(t.Items))
	for i, item := range t.Items {
		cells[i].after = item.Scores[place]
	}
	s := scaleFor(name, spreadOf(cells), FileRules{}).spec
	return GateMetric{ID: name, Min: s.Min, Max: s.Max, LowerIsBetter: s.LowerIsBetter}
}

// TableGate is the gate of one file by itself: thresholds are all that it can be held against.
func TableGate(t *foreign.ScoreTable) GateArms {
	arms := GateArms{Candidate: t.File}
	for place, name := range t.Metrics {
		m := scoredGateMetric(t, name)
		for _, item := range t.Items {
			m.Items = append(m.Items, GateItem{ID: item.ID, Critical: item.Critical, Tags: item.Tags, Before: math.NaN(),
				After: meanOf(item.Scores[place])})
		}
		arms.Metrics = append(arms.Metrics, m)
	}
	return arms
}

func meanOf(scores []float64) float64 {
	if len(scores) == 0 {
		return math.NaN()
	}
	return stats.Mean(scores)
}

// RunGate turns a comparison of two runs into the arms of a gate. Questions that were reworded, added or removed are no part
// of it, nor are cells to which a metric does not apply on either side.
func RunGate(c Comparison, baseline, candidate experiments.Evaluation) GateArms {
	arms := EvaluationGate(candidate)
	arms.Baseline = baseline.Run.ID
	gone := map[string]bool{}
	for _, id := range slices.Concat(c.Added, c.Removed, c.Reworded, c.ReferenceChanged) {
		gone[id] = true
	}
	was := map[string]string{}
	for _, r := range c.Renamed {
		was[r.After] = r.Before
	}
	named := func(id string) string { return cmp.Or(was[id], id) }
	mixed := arms.judged(c, candidate, gone)
	for k := range arms.Metrics {
		m := &arms.Metrics[k]
		if _, compared := c.Metrics[m.ID]; !compared {
			continue
		}
		before, applies := cellsOf(baseline, m.ID)
		after, _ := cellsOf(candidate, m.ID)
		m.Items = slices.DeleteFunc(m.Items, func(i GateItem) bool {
			return !gone[i.ID] && !applies[named(i.ID)]
		})
		for i := range m.Items {
			item := &m.Items[i]
			if gone[item.ID] {
				continue
			}
			own := before[named(item.ID)]
			item.Paired, item.Before = true, meanOf(own)
			item.Compared, item.Mixed = len(own) > 0 && len(after[item.ID]) > 0, mixed[item.ID]
		}
	}
	arms.Gates = c.Method.Gates
	return arms
}

// judged fills in the verdicts of the questions that both runs measured, severest first, and returns which are mixed.
func (a *GateArms) judged(c Comparison, candidate experiments.Evaluation, gone map[string]bool) map[string]bool {
	listed, mixed := map[string]bool{}, map[string]bool{}
	for _, v := range c.Verdicts {
		listed[v.QuestionID], mixed[v.QuestionID] = true, v.Verdict == Mixed
		d := v.Decider()
		a.Questions = append(a.Questions, GateQuestion{GateChange{v.QuestionID, d.Metric, d.Baseline, d.Candidate, v.Critical}, v.Verdict})
	}
	for _, id := range c.Undecided {
		listed[id] = true
	}
	for _, q := range candidate.Questions { // the comparison lists what differs
		if !listed[q.ID] && !gone[q.ID] {
			listed[q.ID] = true
			a.Questions = append(a.Questions, GateQuestion{GateChange{ID: q.ID, Critical: q.Critical}, NoChange})
		}
	}
	return mixed
}

// EvaluationGate is the gate of one run by itself: thresholds are all that it can be held against.
func EvaluationGate(e experiments.Evaluation) GateArms {
	arms := GateArms{Candidate: e.Run.ID}
	for _, spec := range e.Run.Setup.Suite {
		arms.Metrics = append(arms.Metrics, evaluationMetric(e, spec))
	}
	return arms
}

func evaluationMetric(e experiments.Evaluation, spec metrics.Spec) GateMetric {
	m := GateMetric{ID: spec.ID, Min: spec.Min, Max: spec.Max, LowerIsBetter: spec.LowerIsBetter}
	values, applies := cellsOf(e, spec.ID)
	seen := map[string]bool{}
	for i, r := range e.Results {
		if seen[r.QuestionID] || !applies[r.QuestionID] {
			continue
		}
		seen[r.QuestionID] = true
		q := e.Questions[i]
		item := GateItem{ID: q.ID, Critical: q.Critical, Tags: q.Tags, Before: math.NaN(), After: meanOf(values[q.ID])}
		if len(q.Evidence) > 0 {
			item.Cluster = q.Evidence[0].DocID
		}
		m.Items = append(m.Items, item)
	}
	return m
}

// cellsOf returns the scores of a metric by question, over all replicates, and to which questions it applies.
func cellsOf(e experiments.Evaluation, metric string) (values map[string][]float64, applies map[string]bool) {
	values, applies = map[string][]float64{}, map[string]bool{}
	for _, r := range e.Results {
		s, ok := r.Score(metric)
		if !ok || s.State == metrics.NotApplicable {
			continue
		}
		applies[r.QuestionID] = true
		if s.State == metrics.Scored {
			values[r.QuestionID] = append(values[r.QuestionID], s.Value)
		}
	}
	return values, applies
}
