package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// ParetoStanding says how a configuration stands among the others.
type ParetoStanding string

// The standings.
const (
	OnFront   ParetoStanding = "front"     // no other is at least as good in everything and better in something
	Tied      ParetoStanding = "tied"      // another is, but better by no more than noise, or this one is not told from the best
	Dominated ParetoStanding = "dominated" // another is, its answers are surely better, and this one is told from the best
)

// ParetoPoint is one configuration of a sweep by quality, cost and latency.
type ParetoPoint struct {
	RunID    string         `json:"run_id"`
	Quality  float64        `json:"quality"`          // mean of the metric, over the questions that every configuration scored
	Tokens   float64        `json:"context_tokens"`   // mean size of the contexts
	Micros   *float64       `json:"micros,omitempty"` // mean price of an answer, without its judge; nil where nothing was bought
	Latency  float64        `json:"latency_ms"`       // 95th percentile of the time to an answer; 0 unknown
	Standing ParetoStanding `json:"standing"`
}

// ParetoOf sets the configurations of a sweep by quality against cost and latency. Cost is money where every point has a
// price, else the size of the contexts. points brings everything but quality and standing, in the order of the evaluations.
// What is told and what is noise says the test of the heat map ([MapOf]) alone, so that no cell that it marks as not told from the best is
// called beaten here: a point is dominated when it is told from the best mean and from one that beats it. It fails when some
// figure is not a number.
func ParetoOf(evaluations []experiments.Evaluation, metric string, points []ParetoPoint) ([]ParetoPoint, error) {
	table, questions := paired(evaluations, metric)
	out := append([]ParetoPoint(nil), points...)
	if len(questions) == 0 {
		return nil, nil
	}
	money := true
	for _, p := range out {
		money = money && p.Micros != nil
	}
	coordinates := make([][]float64, len(out))
	for i := range out {
		out[i].Quality, out[i].Standing = stats.Mean(table[i]), Dominated
		cost := out[i].Tokens
		if money {
			cost = *out[i].Micros
		}
		coordinates[i] = []float64{out[i].Quality, cost, out[i].Latency}
	}
	front, err := stats.ParetoFront(coordinates, []float64{1, -1, -1})
	if err != nil {
		return nil, err
	}
	for _, i := range front {
		out[i].Standing = OnFront
	}
	for i, surely := range surelyBeaten(coordinates, apartBy(table, questions)) {
		if out[i].Standing == Dominated && !surely {
			out[i].Standing = Tied
		}
	}
	return out, nil
}

// beats reports whether a point is at least as good as another in everything, and better in something.
func beats(p, own []float64) bool {
	return p[0] >= own[0] && p[1] <= own[1] && p[2] <= own[2] && (p[0] > own[0] || p[1] < own[1] || p[2] < own[2])
}

// apartBy is the test that the heat map and the standings share: whether the intervals of a sweep tell one configuration from another.
func apartBy(table [][]float64, questions []experiments.Question) func(i, j int) bool {
	return func(i, j int) bool {
		gap, ok := gapOf(table[i], table[j], questions, Jointly(len(table)-1))
		return ok && len(questions) >= Fewest && gap.Differs
	}
}

// surelyBeaten reports for each point whether it is told from the best mean and from a better one that beats it. One that beats a point
// that is not surely beaten is not surely beaten either: nothing that is worse and dearer stands above what it is worse and dearer than.
func surelyBeaten(points [][]float64, apart func(i, j int) bool) []bool {
	best := 0
	for i, p := range points {
		if p[0] > points[best][0] {
			best = i
		}
	}
	told := make([]bool, len(points))
	for i := range points {
		if i == best || !apart(i, best) {
			continue
		}
		for j := range points {
			told[i] = told[i] || points[j][0] > points[i][0] && beats(points[j], points[i]) && apart(i, j)
		}
	}
	out := slices.Clone(told)
	for i := range points {
		for j := range points { // what beats what is transitive: one step is all
			if !told[j] && beats(points[i], points[j]) {
				out[i] = false
			}
		}
	}
	return out
}
