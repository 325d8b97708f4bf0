package reports

import (
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// maxRows is what spreadsheets hold in a sheet. One with more is refused as damaged by some, and cut without a word by others.
const maxRows = 1_048_576

// tooManyRows refuses a sheet that no spreadsheet would show whole.
func tooManyRows(sheet, instead string) error {
	return problem.New(problem.Invalid, "workbook_rows", "sheet %q would have more than the %d rows that a spreadsheet holds", sheet, maxRows).
		With("sheet", sheet).With("rows", maxRows).WithHint("%s", instead)
}

// columnName is the letters of a column, counted from 1.
func columnName(col int) string {
	name := cellName(col, 1)
	return name[:len(name)-1]
}

// cellName is the address of a cell, columns and rows counted from 1.
func cellName(col, row int) string {
	name, err := excelize.CoordinatesToCellName(col, row)
	if err != nil {
		panic(err) // our own layout is wrong: never decided by data
	}
	return name
}
