package experiments

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Standing returns what stands for each question wherever it is shown: its first answer, and of every metric the mean of all votes that
// scored it. votes says how many there are of a question. Verdicts, totals and lists rest on the same means.
func Standing(results []Result) (standing []Result, votes map[string]int) {
	votes = make(map[string]int, len(results))
	order := make([]string, 0, len(results))
	for i := range results {
		id := results[i].QuestionID
		if votes[id]++; votes[id] == 1 {
			order = append(order, id)
		}
	}
	if len(order) == len(results) {
		return slices.Clip(results), votes // each question has one vote: nothing to average
	}
	byQuestion := make(map[string][]Result, len(order))
	for _, r := range results {
		byQuestion[r.QuestionID] = append(byQuestion[r.QuestionID], r)
	}
	for _, id := range order {
		standing = append(standing, averaged(byQuestion[id]))
	}
	return standing, votes
}

// averaged is the first of several votes with the means of their scores. A score that the first one lacks is taken from the first that has
// it, with that one's reason.
func averaged(all []Result) Result {
	first := all[0]
	if len(all) == 1 {
		return first
	}
	first.Scores = slices.Clone(first.Scores)
	for i, s := range first.Scores {
		var values []float64
		for at := range all {
			score := all[at].ScoreAt(i, s.Metric)
			if score == nil || score.State != metrics.Scored {
				continue
			}
			if len(values) == 0 {
				first.Scores[i], _ = all[at].Score(s.Metric) // with its reason
			}
			values = append(values, score.Value)
		}
		if len(values) > 0 {
			first.Scores[i].Value = stats.Mean(values)
		}
	}
	return first
}

// ScoreAt is the score of a metric, which usually stands at its place in the suite; nil where there is none.
func (r *Result) ScoreAt(at int, metric string) *metrics.Score {
	if at >= 0 && at < len(r.Scores) && r.Scores[at].Metric == metric {
		return &r.Scores[at]
	}
	for i := range r.Scores {
		if r.Scores[i].Metric == metric {
			return &r.Scores[i]
		}
	}
	return nil
}
