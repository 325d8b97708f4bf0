package compare

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// Standing returns what stands for each question wherever a comparison is shown: its first answer, and of every metric the mean of all
// votes that scored it. votes says how many there are of a question. Verdicts and totals rest on the same means.
func Standing(results []experiments.Result) (standing []experiments.Result, votes map[string]int) {
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
	byQuestion := make(map[string][]experiments.Result, len(order))
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
func averaged(all []experiments.Result) experiments.Result {
	first := all[0]
	if len(all) == 1 {
		return first
	}
	first.Scores = slices.Clone(first.Scores)
	for i, s := range first.Scores {
		var values []float64
		for at := range all {
			score := scoreAt(&all[at], i, s.Metric)
			if score == nil || score.State != metrics.Scored {
				continue
			}
			if len(values) == 0 {
				first.Scores[i] = *score
			}
			values = append(values, score.Value)
		}
		if len(values) > 0 {
			first.Scores[i].Value = mean(values)
		}
	}
	return first
}

// Square is the step from 1 to 5 at which a score is drawn. Means of votes lie between steps: they go to the nearer one, unless that would
// turn a low score into another or the reverse.
func Square(score, threshold float64) int {
	n := math.Round(score)
	if score > threshold && n <= threshold {
		n = math.Ceil(score)
	} else if score <= threshold && n > threshold {
		n = math.Floor(score)
	}
	return int(min(max(n, 1), 5))
}
