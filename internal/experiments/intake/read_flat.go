package intake

import "github.com/rag-workbench/workbench/internal/text"

// FlatTable is a table of rows that somebody read out of another file; unit is what that calls a row, and numbers count them as it does.
func FlatTable(unit string, columns []string, rows []map[string]any, numbers []int, notes []text.Said) *Table {
	t := &Table{format: "json", Unit: unit, Columns: columns, Notes: notes}
	for i, row := range rows {
		cells := make([]any, len(columns))
		for k, name := range columns {
			cells[k] = row[name]
		}
		t.Rows = append(t.Rows, TableRow{Number: numbers[i], cells: cells})
	}
	return t
}
