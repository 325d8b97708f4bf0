package compare

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// ParetoStanding says how a configuration stands among the others.
type ParetoStanding string

// The standings.
const (
	OnFront   ParetoStanding = "front"     // no other is at least as good in everything and better in something
	Tied      ParetoStanding = "tied"      // another is, but how much better its answers are is within noise
	Dominated ParetoStanding = "dominated" // another is, and its answers are better or cost less at equal quality
)

// ParetoPoint is one configuration of a sweep by quality, cost and latency.
type ParetoPoint struct {
	RunID    string         `json:"run_id"`
	Quality  float64        `json:"quality"`          // mean of the metric, over the questions that every configuration scored
	Tokens   float64        `json:"context_tokens"`   // mean size of the contexts
	Micros   *float64       `json:"micros,omitempty"` // mean price of a question; nil where nothing was bought
	Latency  float64        `json:"latency_ms"`       // 95th percentile of the time to an answer; 0 unknown
	Standing ParetoStanding `json:"standing"`
}

// ParetoOf sets the configurations of a sweep by quality against cost and latency. Cost is money where every point has a
// price, else the size of the contexts. points brings everything but quality and standing, in the order of the evaluations.
// A point that is beaten only by ones whose quality is not surely higher (paired test at 5 %) is tied. It fails when some
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
	for i := range out {
		if out[i].Standing == Dominated && !surelyBeaten(i, coordinates, table) {
			out[i].Standing = Tied
		}
	}
	return out, nil
}

// surelyBeaten reports whether some point that is at least as good in everything has surely better answers, or equal ones
// for less.
func surelyBeaten(i int, points, table [][]float64) bool {
	for j, p := range points {
		own := points[i]
		if j == i || p[0] < own[0] || p[1] > own[1] || p[2] > own[2] {
			continue
		}
		if p[0] == own[0] {
			if p[1] < own[1] || p[2] < own[2] {
				return true
			}
			continue
		}
		if t, err := stats.PairedT(table[i], table[j]); err == nil && t.P < 0.05 {
			return true
		}
	}
	return false
}
