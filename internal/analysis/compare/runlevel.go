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
	if labels, clusters := s.clustersOf(cells); clusters > 0 {
		if r, err := stats.ClusterRobust(diffs, labels, 0.95); err == nil {
			low, high, p, se, m.Clusters = r.Low, r.High, r.P, r.SE, clusters
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

// findClusters numbers what the pairs share by [shared].
func (s *session) findClusters() {
	questions := make([]*experiments.Question, len(s.pairs))
	for i := range s.pairs {
		questions[i] = s.pairs[i].question
	}
	name, themed := shared(questions)
	numbers, labels, next := map[string]int{}, make([]int, len(s.pairs)), 0
	for i, q := range questions {
		key := name(q)
		n, known := numbers[key]
		if !known || key == "" {
			n, next = next, next+1
			if key != "" {
				numbers[key] = n
			}
		}
		labels[i] = n
	}
	s.cluster, s.sources, s.themed = labels, next, themed
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

// clustersOf returns the clusters of some cells and their number; 0 when no two cells share one, so that every question
// counts for itself, and when all share one, because a single cluster says nothing about how clusters differ.
func (s *session) clustersOf(cells []cell) ([]int, int) {
	labels, seen, distinct := make([]int, len(cells)), make([]bool, s.sources), 0
	for i, c := range cells {
		labels[i] = s.cluster[c.pair]
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
