package notebooks

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// Told is the one comparison that is told of a notebook to people who do not read the page.
type Told struct {
	Cell       string // that made it
	Comparison document.Comparison
	Gate       string              // the decision of the release check about it; "" without one
	Limits     *experiments.Limits // by which that was decided; nil: the usual ones
	Of         int                 // how many comparisons the page has
}

// Told chooses the comparison that the worst decision of the page's gates is about, else the last one of a compare cell, else the last of
// another cell; nil without any. Counts of several comparisons are never added up: what got worse in one may be better in another.
func (n *Notebook) Told(v *View) *Told {
	var out *Told
	of := map[string]document.Comparison{}
	for _, c := range v.Cells {
		made, ok := c.Value.(document.Comparison)
		if !ok {
			continue
		}
		of[c.Name] = made
		if out == nil || c.Type == "compare" || v.Cell(out.Cell).Type != "compare" {
			out = &Told{Cell: c.Name, Comparison: made}
		}
	}
	if out == nil {
		return nil
	}
	out.Of = len(of)
	worst := slices.IndexFunc(v.Cells, func(c CellView) bool {
		verdict, ok := c.Value.(document.Verdict)
		return ok && verdict.Decision == v.Verdict()
	})
	if worst < 0 {
		return out
	}
	gate := n.Document.Cell(v.Cells[worst].Name)
	out.Cell, out.Gate = document.TextOf(gate.Values["of"]), v.Verdict()
	out.Comparison = of[out.Cell]
	if limits, err := n.limits(gate); err == nil && (len(limits.Min) > 0 || limits.Margin != nil || limits.Allowance != nil) {
		out.Limits = &limits.Limits
	}
	return out
}
