package notebooks

import (
	"context"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// cellRows are the rows of a cell's value, with the columns of its table.
func (n asking) cellRows(ctx context.Context, value any) ([][]any, error) {
	var out [][]any
	switch x := value.(type) {
	case document.RunSet:
		return n.runRows(ctx, x)
	case document.Comparison:
		if x.Answers != nil {
			return x.Answers, nil
		}
		for _, part := range []struct {
			verdict string
			list    []string
		}{
			{"worse", x.Worse.Questions}, {"mixed", x.Mixed.Questions}, {"needs_check", x.NeedsCheck.Questions},
			{"better", x.Better.Questions},
		} {
			for _, q := range part.list {
				out = append(out, append([]any{q, part.verdict}, make([]any, 8)...))
			}
		}
	case document.Failures:
		for _, a := range x.Answers {
			out = append(out, []any{a.ID, orNull(a.Correctness), orNull(a.Trust)})
		}
	case document.CauseSet:
		return x.Answers, nil
	case document.Agreement:
		for _, t := range x.Targets {
			var met any
			if t.State == "met" || t.State == "missed" {
				met = t.State == "met"
			}
			out = append(out, []any{t.Theme, t.Metric, t.Target, orNull(t.Measured), t.State, met})
		}
	case document.ConfigSet:
		return x.Rows(), nil
	case document.Rows:
		return x.Rows, nil
	}
	return out, nil
}

// runRows are the rows of the table runs for the runs of a cell, with what was measured of each.
func (n asking) runRows(ctx context.Context, set document.RunSet) ([][]any, error) {
	asked := make([]QueryRun, len(set.Runs))
	byID := map[string]document.Run{}
	for i, r := range set.Runs {
		asked[i], byID[r.ID] = QueryRun{ID: r.ID, Config: r.Label}, r
	}
	known, err := n.Engine.Tables(ctx, map[string]bool{"runs": true}, asked, nil)
	if err != nil {
		return nil, err
	}
	var out [][]any
	for _, row := range known["runs"] {
		id, _ := row[0].(string)
		r := byID[id]
		row = append(row[:len(row):len(row)], r.LowScores, r.Coverage)
		for _, m := range metrics.Catalogue() {
			if x, measured := r.Scores[m.ID]; measured {
				row = append(row, x)
			} else {
				row = append(row, nil)
			}
		}
		out = append(out, row)
	}
	return out, nil
}

func orNull(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}
