package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// limits checks the thresholds of release checks before anything is bought: a run that was paid for would not have what they are about.
func (r *Reader) limits() {
	for _, c := range r.Document.Cells() {
		if c.Type != "gate" && c.Type != "report" || r.wrongIn(c.Name) {
			continue
		}
		for _, said := range TextsOf(c.Values["min"]) {
			t, err := compare.ParseThreshold(said)
			if err != nil {
				p := problem.From(err)
				r.add(r.Document.Wrong(c.lineHolding("min", said), c, p.Code, "min: "+p.Format, p.Args...).With("field", "min").
					With("value", said).WithHint(p.HintFormat, p.HintArgs...))
				continue
			}
			ids := r.Document.scored(c)
			if _, known := text.NameAmong(t.Metric, ids); known || len(ids) == 0 || strings.Contains(t.Metric, ".") {
				continue
			}
			p := r.Document.Wrong(c.lineHolding("min", said), c, "metric_unknown", "min: the run has no metric %q%s", t.Metric,
				text.Meant(t.Metric, ids))
			r.add(Among(p, t.Metric, ids).With("field", "min").With("name", t.Metric).
				WithHint("its metrics: %s", strings.Join(ids, ", ")))
		}
	}
}

func (r *Reader) wrongIn(cell string) bool {
	return slices.ContainsFunc(r.Wrong, func(p *problem.Problem) bool { return p.Params["cell"] == cell })
}

// scored are the metrics of the run that a cell looks at; none where the document does not tell.
func (d *Document) scored(c *Cell) []string {
	for range MaxCells { // from the gate to its comparison, its candidate and the run
		field := map[string]string{"gate": "of", "report": "of", "compare": "candidate"}[c.Type]
		name, _, _ := strings.Cut(TextOf(c.Values[field]), ".")
		if c = d.Cell(name); c == nil || c.Type == "run" {
			break
		}
	}
	if c == nil {
		return nil
	}
	specs, err := metrics.Resolve(TextsOf(c.Values["metrics"]))
	if err != nil {
		return nil
	}
	ids := make([]string, len(specs))
	for i, s := range specs {
		ids[i] = s.ID
	}
	return ids
}

// lineHolding is the line of a list's entry, or of the field.
func (c *Cell) lineHolding(field, entry string) int {
	list, _ := c.Values[field].([]any)
	for i, v := range list {
		if line := c.Lines[fmt.Sprintf("%s[%d]", field, i)]; TextOf(v) == entry && line > 0 {
			return c.Line + line
		}
	}
	return c.LineOf(field)
}
