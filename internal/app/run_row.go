package app

import (
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// RunRow is a run in a list: what it is, where it stands and its headline numbers, without prompts and configuration.
type RunRow struct {
	experiments.RunHead
	Baseline bool         `json:"baseline"` // pinned as the baseline of its dataset
	Children int          `json:"children"` // runs that belong to it and to those: retries, votes, diagnoses, analyses
	Depth    int          `json:"-"`        // how far below a run that belongs to no other one
	Progress *RunProgress `json:"progress,omitempty"`
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
