package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Bounds on unpacking a workbook, against files that are small only while packed.
const (
	maxUnpackedBytes = 256 << 20 // all parts together
	maxPartBytes     = 16 << 20  // a sheet or the list of texts in memory, where they take many times their size; larger ones go through a temporary file
)

// questionSheet is the sheet that is read when a workbook has it, whatever its place.
const questionSheet = "questions"

// errorCells are what a sheet shows when a formula failed.
var errorCells = map[string]bool{
	"#N/A": true, "#REF!": true, "#VALUE!": true, "#NAME?": true, "#DIV/0!": true, "#NULL!": true, "#NUM!": true, "#SPILL!": true, "#CALC!": true,
}

// readXLSX reads one sheet: its first row with any value is the header. Formulas count with the value that was stored.
func readXLSX(t *table, raw []byte, file string, faults *rowFaults) (err error) {
	defer func() {
		if r := recover(); r != nil { // the reader trusts counts and places that a damaged file states
			err = brokenWorkbook(file, fmt.Errorf("reader stopped: %v", r))
		}
	}()
	if bytes.HasPrefix(raw, []byte("\xd0\xcf\x11\xe0")) {
		return problem.New(problem.Invalid, "dataset_workbook_locked", "%s is protected with a password or in the old .xls format", file).With("file", file).
			WithHint("remove the password, or save it as .xlsx or .csv")
	}
	if err := checkWorkbook(raw); errors.Is(err, errUnpacksTooLarge) {
		return problem.New(problem.Invalid, "dataset_workbook_too_large", "%s unpacks to more than %d MiB", file, maxUnpackedBytes>>20).With("file", file).
			WithHint("keep only the sheet with the questions, or save it as .csv").Because(err)
	} else if err != nil {
		return brokenWorkbook(file, err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(raw), excelize.Options{UnzipSizeLimit: maxUnpackedBytes, UnzipXMLSizeLimit: maxPartBytes})
	if err != nil {
		return brokenWorkbook(file, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sheets := f.GetSheetList()
	if len(sheets) == 0 {
		return brokenWorkbook(file, errors.New("no sheets"))
	}
	t.sheet = sheets[0]
	for _, s := range sheets {
		if strings.EqualFold(s, questionSheet) {
			t.sheet = s
		}
	}
	if len(sheets) > 1 && !strings.EqualFold(t.sheet, questionSheet) {
		t.notes = append(t.notes, fmt.Sprintf("the workbook has %d sheets; the first, %q, was read because none is called %q", len(sheets), t.sheet, questionSheet))
	}
	return t.sheetRows(f, file, faults)
}

func (t *table) sheetRows(f *excelize.File, file string, faults *rowFaults) error {
	rows, err := f.Rows(t.sheet)
	if err != nil {
		return brokenWorkbook(file, err)
	}
	defer rows.Close()
	number, empty, pending := 0, 0, 0
	for rows.Next() {
		number++
		cells, err := rows.Columns()
		if err != nil {
			return brokenWorkbook(file, err)
		}
		for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
			cells = cells[:len(cells)-1]
		}
		switch {
		case len(cells) == 0:
			pending++ // empty rows count only when something follows
			continue
		case t.columns == nil:
			if err := t.header(cells, file); err != nil {
				return err
			}
			pending = 0
			continue
		case len(cells) > len(t.columns):
			faults.add(RowProblem{Row: number, Message: fmt.Sprintf("has a value in column %d, but only %d columns have a name", len(cells), len(t.columns))})
			continue
		}
		empty, pending = empty+pending, 0
		for i, c := range cells {
			if errorCells[c] {
				faults.add(RowProblem{Row: number, Field: t.columns[i], Message: "the cell shows the error " + c})
			}
		}
		t.strings(number, cells)
	}
	if err := rows.Error(); err != nil {
		return brokenWorkbook(file, err)
	}
	if t.columns == nil {
		return problem.New(problem.Invalid, "dataset_empty", "sheet %q of %s is empty", t.sheet, file).With("file", file).With("sheet", t.sheet).
			WithHint("write the column names into the first row and one question per row below, or call the right sheet %q", questionSheet)
	}
	t.noteEmpty(empty)
	return nil
}

func brokenWorkbook(file string, err error) *problem.Problem {
	return problem.New(problem.Invalid, "dataset_workbook_broken", "%s cannot be read as an Excel workbook", file).With("file", file).
		WithHint("open it in a spreadsheet program and save it again as .xlsx or .csv").Because(err)
}
