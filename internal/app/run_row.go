package app

import (
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// RunRow is a run in a list: what it is, where it stands and its headline numbers, without prompts and configuration.
type RunRow struct {
	experiments.RunHead
	experiments.Notes
	Baseline bool         `json:"baseline"` // pinned as the baseline of its dataset
	Children int          `json:"children"` // runs that belong to it and to those: retries, votes, diagnoses, analyses
	Depth    int          `json:"-"`        // how far below a run that belongs to no other one
	Progress *RunProgress `json:"progress,omitempty"`
	Group    *SweepGroup  `json:"group,omitempty"` // of a sweep, in a list where its runs are folded into its row
}

// SweepGroup is what the row of a sweep says of its runs, whichever of them a filter leaves.
type SweepGroup struct {
	Runs     int                 `json:"runs"`
	Finished int                 `json:"finished"`
	Best     string              `json:"best,omitempty"`        // run id, by [Winner]; absent until a run has finished
	Params   []experiments.Param `json:"best_params,omitempty"` // of the best
	Spread   map[string]Spread   `json:"spread"`                // of the finished runs: low_score_count, and means by metric
}

// Spread is where a figure of some runs lies.
type Spread struct {
	Best float64 `json:"best"` // that of the best run, not the best of the figure
	From float64 `json:"from"` // the smallest
	To   float64 `json:"to"`   // the largest
}

// SweepGroupOf sums up the runs of a sweep.
func SweepGroupOf(runs []experiments.Run) *SweepGroup {
	g := &SweepGroup{Runs: len(runs), Spread: map[string]Spread{}}
	best, err := Winner(runs)
	if err != nil {
		return g // none has finished
	}
	g.Best, g.Params = best.ID, best.Params
	for _, r := range runs {
		if r.State != experiments.Finished || r.Totals == nil {
			continue
		}
		g.Finished++
		for figure, value := range figuresOf(r.Totals) {
			s, ok := g.Spread[figure]
			if !ok {
				s = Spread{From: value, To: value}
			}
			g.Spread[figure] = Spread{Best: s.Best, From: min(s.From, value), To: max(s.To, value)}
		}
	}
	for figure, value := range figuresOf(best.Totals) {
		s := g.Spread[figure]
		s.Best = value
		g.Spread[figure] = s
	}
	return g
}

// figuresOf are the figures that lists show of a run.
func figuresOf(t *experiments.Totals) map[string]float64 {
	out := map[string]float64{"low_score_count": float64(t.LowScoreCount)}
	for metric, m := range t.Scores {
		out[metric] = m.Mean
	}
	return out
}

// RunProgress says how far a run is that is not over.
type RunProgress struct {
	Done  int `json:"done"` // questions with every cell settled
	Total int `json:"total"`
}

// Total sorts by a figure of the totals; a run without totals counts as absent.
func (r RunRow) Total(of func(*experiments.Totals) (float64, bool)) listing.SortKey {
	if r.Totals == nil {
		return listing.SortKey{Absent: true}
	}
	return listing.OptionalKey(of(r.Totals))
}

// Mean sorts by the mean of a metric.
func (r RunRow) Mean(metric string) listing.SortKey {
	return r.Total(func(t *experiments.Totals) (float64, bool) { m, ok := t.Scores[metric]; return m.Mean, ok })
}

// RunRowOf makes the row of a run; baselines are the ids of the runs that are baselines.
func RunRowOf(r experiments.Run, baselines map[string]bool) RunRow {
	return RunRow{RunHead: r.Head(), Baseline: baselines[r.ID]}
}
