package compare

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// WinnerScore is one metric of the winner of a sweep. The score that selected it is too high, because it was selected for
// being high.
type WinnerScore struct {
	Metric    string   `json:"metric"`
	Selection float64  `json:"selection"`       // the score that selected it
	Shrunk    float64  `json:"shrunk"`          // pulled to the mean of all configurations by the share of noise
	Kept      float64  `json:"kept"`            // 1 minus that share
	Fresh     *float64 `json:"fresh,omitempty"` // answered and judged again: the one to believe
	N         int      `json:"n"`               // questions that every configuration scored
	FreshN    int      `json:"fresh_n,omitempty"`
}

// WinnerScores says how good the winner of a sweep is, metric by metric. fresh are results of the winner that took no part in
// selecting it; nil without any. With a single configuration, or where fewer than two questions were scored by all, nothing
// was selected: then the shrunk score is the selection score.
func WinnerScores(evaluations []experiments.Evaluation, winner int, fresh []experiments.Result) []WinnerScore {
	setup := evaluations[winner].Run.Setup
	var out []WinnerScore
	for _, metric := range SweepMetrics(setup.Suite) {
		table, questions := paired(evaluations, metric)
		if len(questions) == 0 {
			continue
		}
		s := WinnerScore{Metric: metric, Selection: stats.Mean(table[winner]), Kept: 1, N: len(questions)}
		s.Shrunk = s.Selection
		if w, err := stats.ShrunkWinner(table); err == nil {
			all := stats.Mean(w.Means)
			s.Kept, s.Shrunk = w.Factor, all+w.Factor*(s.Selection-all)
		}
		var again []float64
		for _, r := range fresh {
			if v, ok := valueOf(r, setup, metric); ok {
				again = append(again, v)
			}
		}
		if len(again) > 0 {
			mean := stats.Mean(again)
			s.Fresh, s.FreshN = &mean, len(again)
		}
		out = append(out, s)
	}
	return out
}
