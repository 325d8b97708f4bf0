package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// cell is one metric of one question that was scored in both runs: all votes, in the order of their replicates.
type cell struct {
	pair          int
	before, after []float64
}

// cells collects the votes of a metric, in the order of the pairs, and notes the questions that one run could not score. They take the
// place of others that nobody needs any more.
func (s *session) cells(spec metrics.Spec, spare []cell) []cell {
	size := 0
	for i := range s.pairs {
		size += len(s.pairs[i].before) + len(s.pairs[i].after)
	}
	votes := make([]float64, 0, size) // all votes of the metric in one piece of memory
	cells := slices.Grow(spare[:0], len(s.pairs))
	b, a := place(s.Baseline.Setup.Suite, spec.ID), place(s.Candidate.Setup.Suite, spec.ID)
	collect := func(results []experiments.Result, at int) []float64 {
		start := len(votes)
		for i := range results {
			if score := results[i].ScoreAt(at, spec.ID); score != nil && score.State == metrics.Scored {
				votes = append(votes, score.Value)
			}
		}
		return votes[start:len(votes):len(votes)]
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		if spec.Group == "retrieval" && p.relabelled {
			continue
		}
		cell := cell{pair: i, before: collect(p.before, b), after: collect(p.after, a)}
		switch {
		case len(cell.before) > 0 && len(cell.after) > 0:
			cells = append(cells, cell)
		case len(cell.before) > 0:
			s.unscored(p, spec.ID, CandidateArm, p.after)
		case len(cell.after) > 0:
			s.unscored(p, spec.ID, BaselineArm, p.before)
		}
	}
	return cells
}

// scored reports whether both runs scored some question by the metric.
func (s *session) scored(spec metrics.Spec) bool {
	b, a := place(s.Baseline.Setup.Suite, spec.ID), place(s.Candidate.Setup.Suite, spec.ID)
	has := func(results []experiments.Result, at int) bool {
		for i := range results {
			if score := results[i].ScoreAt(at, spec.ID); score != nil && score.State == metrics.Scored {
				return true
			}
		}
		return false
	}
	for i := range s.pairs {
		if has(s.pairs[i].before, b) && has(s.pairs[i].after, a) {
			return true
		}
	}
	return false
}

// unscored notes a question that this arm should have scored. What does not apply is no loss.
func (s *session) unscored(p *pair, metric string, arm Arm, results []experiments.Result) {
	cause := string(metrics.Pending)
	for i := range results {
		score := results[i].ScoreAt(-1, metric)
		switch {
		case score != nil && score.State == metrics.NotApplicable:
			return
		case score != nil && score.State == metrics.Errored:
			cause = score.Reason
		case results[i].Failure != nil:
			cause = results[i].Failure.Cause
		}
	}
	s.Unscored = append(s.Unscored, Unscored{QuestionID: p.question.ID, Metric: metric, Arm: arm, Cause: cause})
}

func place(suite []metrics.Spec, id string) int {
	for i := range suite {
		if suite[i].ID == id {
			return i
		}
	}
	return -1
}

// mean is the arithmetic mean of at least one vote.
func mean(votes []float64) float64 {
	if len(votes) == 1 {
		return votes[0]
	}
	sum := 0.0
	for _, v := range votes {
		sum += v
	}
	return sum / float64(len(votes))
}

// low reports whether an answer is low by a score that is averaged over the votes.
func low(results []experiments.Result, rule experiments.LowRule) bool {
	if len(results) == 1 {
		return results[0].Low(rule)
	}
	for _, line := range rule.Lines {
		metric := line.Metric
		sum, n := 0.0, 0
		for i := range results {
			if v, ok := results[i].Value(metric); ok {
				sum, n = sum+v, n+1
			}
		}
		if n > 0 && rule.By(metric, sum/float64(n)) {
			return true
		}
	}
	return false
}
