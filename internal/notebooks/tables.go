package notebooks

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
)

// tableOf is the value of a cell as a table: columns and rows. A cell that is none is a Problem.
func (n *Notebook) tableOf(ctx context.Context, v *View, name string) (sqlbox.Table, [][]any, error) {
	c, at := n.Document.Cell(name), v.Cell(name)
	if c == nil || at == nil {
		return sqlbox.Table{}, nil, problem.New(problem.Invalid, "ref_unknown", "there is no cell %q", name).
			With("where", document.Words{EN: "of", JA: "of "}).With("to", name).With("among", strings.Join(n.Document.Names(), ", "))
	}
	t, ok := c.Table()
	if !ok {
		return t, nil, document.Refers(problem.New(problem.Invalid, "ref_field", "%s is no table", name), "of", name).With("mistake",
			"table").
			WithHint("name a query, run, compare, cause, failures, agreement or sweep cell")
	}
	rows, err := n.asking().cellRows(ctx, at.Value)
	return t, rows, err
}

// chartTable is a table as charts take it.
func chartTable(t sqlbox.Table, rows [][]any) charts.Table {
	out := charts.Table{Rows: rows}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, charts.Column{Name: c.Name, Title: charts.Words(document.ColumnTitle(c.Name))})
	}
	return out
}
