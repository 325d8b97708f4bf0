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
	Tied      ParetoStanding = "tied"      // another is, but that its answers are better is not sure
	Dominated ParetoStanding = "dominated" // another is, and its answers are surely better; or one that is dominated is
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
// A point that is beaten only by ones whose quality is not surely higher (paired test at 5 %) is tied, as in the heat map one that these
// questions do not tell from the best; what it costs more is its place in the chart. It fails when some
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
	for i, surely := range surelyBeaten(coordinates, table) {
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

// surelyBeaten reports for each point whether one that beats it has surely better answers; and so are those that a surely beaten one
// beats, whatever their own test says: nothing that is worse and dearer stands above what it is worse and dearer than.
func surelyBeaten(points, table [][]float64) []bool {
	out := make([]bool, len(points))
	for i := range points {
		for j := range points {
			if !out[i] && points[j][0] > points[i][0] && beats(points[j], points[i]) {
				t, err := stats.PairedT(table[i], table[j])
				out[i] = err == nil && t.P < 0.05
			}
		}
	}
	surely := slices.Clone(out) // what beats what is transitive: one step is all
	for i := range points {
		for j := range points {
			out[i] = out[i] || surely[j] && beats(points[j], points[i])
		}
	}
	return out
}
