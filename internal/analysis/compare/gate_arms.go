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
	arms.OneScore, arms.Exact, arms.Repeated = c.by("one_score"), c.Exact(), c.by("replicates") || c.by("paired_tests")
	compared := map[[2]string]bool{}
	for _, q := range c.Questions {
		compared[[2]string{q.ID, q.Metric}] = true
	}
	mixed := map[string]bool{}
	for _, v := range c.Verdicts {
		mixed[v.QuestionID] = v.Verdict == Mixed
		arms.Questions = append(arms.Questions, gateQuestion(&v))
	}
	before := map[string]*foreign.ScoredItem{}
	for i := range c.sides[0].Items {
		before[c.sides[0].Items[i].ID] = &c.sides[0].Items[i]
	}
	for place, name := range c.sides[1].Metrics {
		m := fileGateMetric(c, name)
		at := slices.Index(c.sides[0].Metrics, name)
		seen := map[string]bool{}
		partial := at >= 0 && c.sides[0].Partial(at) && c.sides[1].Partial(place)
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
			if partial && g.Paired && math.IsNaN(g.After) && math.IsNaN(g.Before) {
				continue // the tool gives this score to few answers only, and not to this one
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

// RunGate turns a comparison of two runs into the arms of a gate under these rules: metrics that it does not look at have no items.
// Questions that were reworded, added or removed are no part of it, nor are cells to which a metric does not apply on either side; only
// thresholds look at all that the candidate has.
func RunGate(c Comparison, baseline, candidate experiments.Evaluation, rules GateRules) GateArms {
	was, now := votesOf(baseline), votesOf(candidate)
	arms := now.gate(c.Method.Gates, rules)
	arms.Repeated = c.Method.Guarded
	arms.Baseline, arms.Unasked = baseline.Run.ID, unasked(c, baseline.Run, candidate.Run)
	arms.Dropped = dropped(c, baseline, candidate)
	gone := map[string]bool{}
	for _, id := range slices.Concat(c.Added, c.Removed, c.Reworded, c.ReferenceChanged) {
		gone[id] = true
	}
	renamed := map[string]string{}
	for _, r := range c.Renamed {
		renamed[r.After] = r.Before
	}
	named := func(id string) string { return cmp.Or(renamed[id], id) }
	mixed := arms.judged(c, candidate, gone)
	for k := range arms.Metrics {
		m := &arms.Metrics[k]
		if _, compared := c.Metrics[m.ID]; !compared || len(m.Items) == 0 {
			continue
		}
		before, after := was.on(m.ID), now.on(m.ID)
		applies := func(id string) bool { return before.applies(named(id)) }
		if imported(candidate.Run.Setup.Suite, m.ID) { // a tool that scored one run's answer and not the other's left a score out
			m.Items = now.gateItems(m.ID, true)
			applies = func(id string) bool { return before.applies(named(id)) || after.applies(id) }
		}
		m.Items = slices.DeleteFunc(m.Items, func(i GateItem) bool {
			return !after.applies(i.ID) && (gone[i.ID] || !applies(i.ID))
		})
		for i := range m.Items {
			item := &m.Items[i]
			if gone[item.ID] || !applies(item.ID) { // only a threshold looks at it, which is one of the candidate's own mean
				continue
			}
			own := before.of(named(item.ID))
			item.Paired, item.Before = true, meanOf(own)
			item.Compared, item.Mixed = len(own) > 0 && len(after.of(item.ID)) > 0, mixed[item.ID]
		}
	}
	return arms
}

// imported reports whether another tool computed a metric of these.
func imported(suite []metrics.Spec, id string) bool {
	return slices.ContainsFunc(suite, func(s metrics.Spec) bool { return s.ID == id && s.Group == metrics.GroupImported })
}

// unasked counts the questions that one run alone was asked, by the run over a part of a dataset: what the part leaves out is missing, and
// not removed.
func unasked(c Comparison, baseline, candidate experiments.Run) (out []Unasked) {
	if n := len(c.Added); n > 0 && len(baseline.Setup.Questions) > 0 {
		out = append(out, Unasked{BaselineArm, n})
	}
	if n := len(c.Removed); n > 0 && len(candidate.Setup.Questions) > 0 {
		out = append(out, Unasked{CandidateArm, n})
	}
	return out
}

// judged fills in the verdicts of the questions that both runs measured, severest first, and returns which are mixed.
func (a *GateArms) judged(c Comparison, candidate experiments.Evaluation, gone map[string]bool) map[string]bool {
	listed, mixed := map[string]bool{}, map[string]bool{}
	for _, v := range c.Verdicts {
		listed[v.QuestionID], mixed[v.QuestionID] = true, v.Verdict == Mixed
		a.Questions = append(a.Questions, gateQuestion(&v))
	}
	for _, id := range c.Undecided {
		listed[id] = true
	}
	for _, q := range candidate.Questions { // the comparison lists what differs
		if !listed[q.ID] && !gone[q.ID] {
			listed[q.ID] = true
			a.Questions = append(a.Questions, GateQuestion{GateChange: GateChange{ID: q.ID, Critical: q.Critical}, Verdict: NoChange})
		}
	}
	return mixed
}

// EvaluationGate is the gate of one run by itself under these rules: thresholds are all that it can be held against.
func EvaluationGate(e experiments.Evaluation, rules GateRules) GateArms {
	return votesOf(e).gate(nil, rules)
}

// runVotes are the results of a run by question, over all replicates.
type runVotes struct {
	experiments.Evaluation
	question map[string]int // by id
	asked    []int          // the question of each result
}

func votesOf(e experiments.Evaluation) *runVotes {
	v := &runVotes{Evaluation: e, question: make(map[string]int, len(e.Results)), asked: make([]int, len(e.Results))}
	for i, r := range e.Results {
		at, known := v.question[r.QuestionID]
		if !known {
			at = len(v.question)
			v.question[r.QuestionID] = at
		}
		v.asked[i] = at
	}
	return v
}

// metricVotes are the scores of one metric by question; nil where the metric does not apply, and none where nothing was scored.
type metricVotes struct {
	*runVotes
	scores [][]float64
}

func (m metricVotes) of(question string) []float64 {
	if at, known := m.question[question]; known {
		return m.scores[at]
	}
	return nil
}

func (m metricVotes) applies(question string) bool { return m.of(question) != nil }

// on returns the scores of a metric.
func (v *runVotes) on(metric string) metricVotes {
	m := metricVotes{v, make([][]float64, len(v.question))}
	place := slices.IndexFunc(v.Run.Setup.Suite, func(s metrics.Spec) bool { return s.ID == metric })
	first := make([]float64, len(v.question)) // the first vote on each question
	for i := range v.Results {
		s := metrics.Score{}
		if list := v.Results[i].Scores; place >= 0 && place < len(list) && list[place].Metric == metric {
			s = list[place]
		} else if s, _ = v.Results[i].Score(metric); s.Metric == "" {
			continue
		}
		at := v.asked[i]
		if s.State == metrics.NotApplicable {
			continue
		}
		if m.scores[at] == nil {
			m.scores[at] = first[at : at : at+1]
		}
		if s.State == metrics.Scored {
			m.scores[at] = append(m.scores[at], s.Value)
		}
	}
	return m
}

// gate has the items of the metrics that decide and of those that rules hold against a threshold.
func (v *runVotes) gate(decide []string, rules GateRules) GateArms {
	arms := GateArms{Candidate: v.Run.ID, Gates: decide}
	_, themed := v.clustering()
	for _, spec := range v.Run.Setup.Suite {
		m := GateMetric{ID: spec.ID, Min: spec.Min, Max: spec.Max, LowerIsBetter: spec.LowerIsBetter, Themed: themed,
			Defined: spec.Group != metrics.GroupImported}
		if slices.Contains(decide, m.ID) || rules.hold(m.ID) {
			m.Items = v.gateItems(m.ID, false)
		}
		arms.Metrics = append(arms.Metrics, m)
	}
	return arms
}

// gateItems are the questions to which a metric applies, or all of them.
func (v *runVotes) gateItems(metric string, all bool) []GateItem {
	items := make([]GateItem, 0, len(v.question))
	votes, seen := v.on(metric), make([]bool, len(v.question))
	cluster, _ := v.clustering()
	for i, at := range v.asked {
		if seen[at] || votes.scores[at] == nil && !all {
			continue
		}
		seen[at] = true
		q := &v.Questions[i]
		items = append(items, GateItem{ID: q.ID, Critical: q.Critical, Tags: q.Tags, Cluster: cluster(q),
			Before: math.NaN(), After: meanOf(votes.scores[at])})
	}
	return items
}
