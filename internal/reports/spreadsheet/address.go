package spreadsheet

import (
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// MaxRows is what spreadsheets hold in a sheet. One with more is refused as damaged by some, and cut without a word by others.
const MaxRows = 1_048_576

// TooManyRows refuses a sheet that no spreadsheet would show whole.
func TooManyRows(sheet, instead string) error {
	return problem.New(problem.Invalid, "workbook_rows", "sheet %q would have more than the %d rows that a spreadsheet holds", sheet, MaxRows).
		With("sheet", sheet).With("rows", MaxRows).WithHint("%s", instead)
}

// ColumnName is the letters of a column, counted from 1.
func ColumnName(col int) string {
	name := CellName(col, 1)
	return name[:len(name)-1]
}

// CellName is the address of a cell, columns and rows counted from 1.
func CellName(col, row int) string {
	name, err := excelize.CoordinatesToCellName(col, row)
	if err != nil {
		panic(err) // our own layout is wrong: never decided by data
	}
	return name
}
