package notebooks

import (
	"io"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// WriteRows writes the rows of a query, table or chart cell in a format of [reports.Formats]. A workbook of a chart has the chart too,
// with its words in "en" or "ja"; everywhere else columns have the names of the data. A cell without rows is a Problem.
func (n *Notebook) WriteRows(v *View, cell, lang, format string, w io.Writer) error {
	at := v.Cell(cell)
	if at == nil {
		return problem.New(problem.NotFound, "cell_unknown", "there is no cell %q", cell).With("cell", cell)
	}
	switch x := at.Value.(type) {
	case document.Rows:
		return x.Table(cell).Write(w, format)
	case document.Tabled:
		return x.Table(cell).Write(w, format)
	case document.Chart:
		if x.Plan == nil {
			break
		}
		if format == "xlsx" {
			return spreadsheet.WriteCharts(w, lang, []spreadsheet.NamedPlan{{Name: cell, Plan: x.Plan}})
		}
		return planTable(cell, x.Plan).Write(w, format)
	}
	return problem.New(problem.Invalid, "cell_rows", "%s has no rows", cell).With("cell", cell).
		WithHint("query, table and chart cells have some, once they are fresh")
}

// planTable is the rows behind a chart for a file.
func planTable(name string, p *charts.Plan) spreadsheet.Table {
	t := spreadsheet.Table{Name: name, Rows: spreadsheet.RowsOf(p.Rows)}
	for _, h := range p.Head {
		t.Columns = append(t.Columns, h.Title.In("en"))
	}
	return t
}
