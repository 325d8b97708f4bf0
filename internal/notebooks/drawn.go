package notebooks

import (
	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// PlanOf draws what a cell publishes: a chart cell, the low scores of a run as bubbles, causes as bars; nil where nothing is drawn.
// The page, reading mode and the exports paint it.
func PlanOf(value any) *charts.Plan {
	switch x := value.(type) {
	case document.Chart:
		if x.Kind == "bubble" {
			return squares(x.Bubbles, 2)
		}
		return x.Plan
	case document.Failures:
		if x.Untold || len(x.By) > 0 {
			return nil // imported scores have no place by correctness and trust
		}
		return squares(x.Bubbles, x.Threshold)
	case document.CauseSet:
		var parts []charts.Part
		for _, c := range x.Counts {
			part := findings.CausePart(causes.Component(c.Component), causes.CauseMethod(x.Method), c.Count)
			part.Doubted = c.Probable
			parts = append(parts, part)
		}
		if len(parts) > 0 {
			return findings.Ranked("cause", findings.Text{}, parts)
		}
	}
	return nil
}

func squares(counts [5][5]int, threshold float64) *charts.Plan {
	s := findings.Squares{Threshold: threshold, Flat: true}
	for t, row := range counts {
		s.Counts = append(s.Counts, row[:])
		for c, n := range row {
			if float64(c+1) <= threshold || float64(t+1) <= threshold {
				s.Low += n
			}
		}
	}
	return s.Plan()
}
