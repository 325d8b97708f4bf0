package compare

import (
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Fewest is the number of questions below which a mean has no interval.
const Fewest = 3

// runLevel computes the means of a metric and how sure their difference is. The interval lets questions about the same
// source document depend on each other: treating them as independent finds differences that are not there (in simulations
// up to half of the time at a nominal 5%).
func (s *session) runLevel(spec metrics.Spec, cells []cell) MetricChange {
	before, after := make([]float64, len(cells)), make([]float64, len(cells))
	diffs := make([]float64, len(cells))
	m := MetricChange{N: len(cells), LowerIsBetter: spec.LowerIsBetter}
	for i, c := range cells {
		before[i], after[i] = mean(c.before), mean(c.after)
		diffs[i] = after[i] - before[i]
		good := diffs[i]
		if spec.LowerIsBetter {
			good = -good
		}
		switch {
		case good > 0:
			m.Improved++
		case good < 0:
			m.Worsened++
		}
	}
	n := float64(len(cells))
	m.Baseline, m.Candidate = stats.Mean(before), stats.Mean(after)
	m.Diff, m.Improved, m.Worsened = m.Candidate-m.Baseline, m.Improved/n, m.Worsened/n
	if len(cells) >= Fewest {
		s.interval(&m, cells, before, after, diffs)
	}
	if s.gates[spec.ID] {
		m.Slices = s.slices(cells, diffs)
	}
	m.Drift = s.drift(spec, cells, diffs, m.Diff)
	return m
}

// interval sets what says how sure the difference is. The tests fail only on values that no metric yields; then there is none.
func (s *session) interval(m *MetricChange, cells []cell, before, after, diffs []float64) {
	paired, err := stats.PairedT(before, after)
	if err != nil {
		return
	}
	low, high, p, se := paired.CILow, paired.CIHigh, paired.P, paired.SE
	m.Free = float64(len(cells) - 1)
	if labels, clusters := s.clusters.of(cells); clusters > 0 {
		if r, err := stats.ClusterRobust(diffs, labels, 0.95); err == nil {
			s.groupsTold(m, cells, diffs, r, paired)
			low, high, p, se, m.Clusters, m.Free = r.Low, r.High, r.P, r.SE, clusters, r.DF
		}
	}
	m.CI95, m.P = &[2]float64{low, high}, &p
	if effect := paired.HedgesGz(); !math.IsNaN(effect) && !math.IsInf(effect, 0) {
		m.Effect = &effect
	}
	if visible, err := (stats.Plan{Alpha: 0.05, Power: 0.8}).DetectableFromSE(se); err == nil && se > 0 {
		m.Visible = &visible
	}
}

// groupsTold notes by which other groups the same scores would say otherwise of chance: whoever marks evidence in between meets both.
func (s *session) groupsTold(m *MetricChange, cells []cell, diffs []float64, is stats.ClusterMean, alone stats.PairedTest) {
	chance := func(low, high float64) bool { return low <= 0 && high >= 0 }
	by, otherwise := ByDocument, Grouping("")
	if s.themed {
		by = ByTheme
	}
	if chance(alone.CILow, alone.CIHigh) != chance(is.Low, is.High) {
		otherwise = ByQuestion
	} else if s.themes != nil {
		if labels, clusters := s.themes.of(cells); clusters > 0 {
			r, err := stats.ClusterRobust(diffs, labels, 0.95)
			if err == nil && chance(r.Low, r.High) != chance(is.Low, is.High) {
				otherwise = ByTheme
			}
		}
	}
	if otherwise != "" {
		m.Grouped, m.Otherwise = by, otherwise
	}
}

// grouping is what the pairs share: the number of a group for each, and how many groups there are.
type grouping struct {
	labels []int
	groups int
}

// groupedBy numbers what questions share by a name; one without a name stands for itself.
func groupedBy(questions []*experiments.Question, name func(*experiments.Question) string) grouping {
	g, numbers := grouping{labels: make([]int, len(questions))}, map[string]int{}
	for i, q := range questions {
		key := name(q)
		n, known := numbers[key]
		if !known || key == "" {
			n, g.groups = g.groups, g.groups+1
			if key != "" {
				numbers[key] = n
			}
		}
		g.labels[i] = n
	}
	return g
}

// findClusters numbers what the pairs share by [shared].
func (s *session) findClusters() {
	questions := make([]*experiments.Question, len(s.pairs))
	for i := range s.pairs {
		questions[i] = s.pairs[i].question
	}
	var name func(*experiments.Question) string
	name, s.themed = shared(questions)
	s.clusters = groupedBy(questions, name)
	if !s.themed && slices.ContainsFunc(questions, func(q *experiments.Question) bool { return themeTagOf(q) != "" }) {
		s.themes = new(groupedBy(questions, themeTagOf))
	}
}

// shared says what questions have in common whose scores are not independent: the source document of their evidence, or their theme where
// none of them has evidence. A question that has neither, "", stands for itself. Comparison and gate rest on the same.
func shared(questions []*experiments.Question) (name func(*experiments.Question) string, themed bool) {
	if slices.ContainsFunc(questions, func(q *experiments.Question) bool { return sourceOf(q) != "" }) {
		return sourceOf, false
	}
	return themeTagOf, slices.ContainsFunc(questions, func(q *experiments.Question) bool { return themeTagOf(q) != "" })
}

func sourceOf(q *experiments.Question) string {
	if len(q.Evidence) == 0 {
		return ""
	}
	return q.Evidence[0].DocID
}

func themeTagOf(q *experiments.Question) string {
	at := slices.IndexFunc(q.Tags, func(tag string) bool { return strings.HasPrefix(tag, "theme:") })
	if at < 0 {
		return ""
	}
	return q.Tags[at]
}

// of returns the clusters of some cells and their number; 0 when no two cells share one, so that every question
// counts for itself, and when all share one, because a single cluster says nothing about how clusters differ.
func (g grouping) of(cells []cell) ([]int, int) {
	labels, seen, distinct := make([]int, len(cells)), make([]bool, g.groups), 0
	for i, c := range cells {
		labels[i] = g.labels[c.pair]
		if !seen[labels[i]] {
			seen[labels[i]] = true
			distinct++
		}
	}
	if distinct == len(cells) || distinct < 2 {
		return labels, 0
	}
	return labels, distinct
}
