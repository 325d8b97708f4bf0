package intake

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
	// a sheet or the list of texts in memory, where they take many times their size; larger ones go through a temporary file
	maxPartBytes = 16 << 20
)

// errorCells are what a sheet shows when a formula failed.
var errorCells = map[string]bool{
	"#N/A": true, "#REF!": true, "#VALUE!": true, "#NAME?": true, "#DIV/0!": true, "#NULL!": true, "#NUM!": true, "#SPILL!": true,
	"#CALC!": true,
}

// readXLSX reads the sheets that people named, else those with questions that are alike, or one: its first row with any value is the
// header. Formulas count with the value that was stored.
func readXLSX(t *Table, raw []byte, file string, wanted []string, faults *RowFaults) (err error) {
	defer func() {
		if r := recover(); r != nil { // the reader trusts counts and places that a damaged file states
			err = brokenWorkbook(file, fmt.Errorf("reader stopped: %v", r))
		}
	}()
	if bytes.HasPrefix(raw, []byte("\xd0\xcf\x11\xe0")) {
		return problem.New(problem.Invalid, "dataset_workbook_locked", "%s is protected with a password or in the old .xls format", file).
			With("file", file).
			WithHint("remove the password, or save it as .xlsx or .csv")
	}
	if err := checkWorkbook(raw); errors.Is(err, errUnpacksTooLarge) {
		return problem.New(problem.Invalid, "dataset_workbook_too_large", "%s unpacks to more than %d MiB", file, maxUnpackedBytes>>20).
			With("file", file).
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
	choice, err := t.chooseSheets(f, sheets, wanted, file)
	if err != nil {
		return err
	}
	if err := t.readTabs(f, faults, len(raw), choice); err != nil {
		_ = t.tellSheets(f, file, choice) // what they are is of use, but not why nothing was read
		return err
	}
	return t.tellSheets(f, file, choice)
}

// readTabs reads the sheets that were chosen, and names the others.
func (t *Table) readTabs(f *excelize.File, faults *RowFaults, size int, choice *sheetChoice) error {
	if len(choice.together) > 1 {
		if err := t.several(f, faults, size, choice); err != nil {
			return err
		}
	}
	if len(t.together) == 0 {
		if err := t.oneSheet(f, faults, size, choice); err != nil {
			return err
		}
	}
	t.noteHiddenTabs(choice.tabs)
	return t.otherTabs(f, faults.File, choice)
}

// maxMergedBytes is the size of a workbook up to which merged cells are looked for, which takes the whole sheet into memory.
const maxMergedBytes = 8 << 20

// mergedCell is what a cell shows that others are merged into, and the row it stands in.
type mergedCell struct {
	shown string
	top   int
}

// mergedCells are the cells that are merged over several rows, by the place of every cell they cover, and the last column of them. What is
// merged over columns only is a title.
type mergedCells struct {
	cells map[[2]int]mergedCell
	width int
}

func (t *Table) mergedCells(f *excelize.File, size int) (covered mergedCells) {
	if size > maxMergedBytes {
		return covered
	}
	merged, err := f.GetMergeCells(t.sheet)
	if err != nil {
		return covered // the cells themselves are read all the same
	}
	covered.cells = map[[2]int]mergedCell{}
	for _, m := range merged {
		left, top, errTop := excelize.CellNameToCoordinates(m.GetStartAxis())
		_, bottom, errBottom := excelize.CellNameToCoordinates(m.GetEndAxis())
		if errTop != nil || errBottom != nil || bottom-top > 10_000 {
			continue
		}
		for row := top + 1; row <= bottom; row++ {
			covered.width = max(covered.width, left)
			covered.cells[[2]int{row, left}] = mergedCell{m.GetCellValue(), top}
		}
	}
	return covered
}

// sheetReader reads the rows of a sheet twice at once: what its cells show, and what they store.
type sheetReader struct {
	shown, stored *excelize.Rows
	merged        mergedCells
	tops          map[[2]int]Figure // of cells that others may be merged into
}

func (t *Table) openRows(f *excelize.File, size int) (*sheetReader, error) {
	r := &sheetReader{merged: t.mergedCells(f, size), tops: map[[2]int]Figure{}}
	var err error
	if r.shown, err = f.Rows(t.sheet); err != nil {
		return nil, err
	}
	if r.stored, err = f.Rows(t.sheet); err != nil {
		return nil, errors.Join(err, r.shown.Close())
	}
	return r, nil
}

func (r *sheetReader) next() bool { return r.shown.Next() && r.stored.Next() }

func (r *sheetReader) close() { _, _ = r.shown.Close(), r.stored.Close() } // they were only read

// row is the row with this number; its cells end with the last one that shows something.
func (r *sheetReader) row(number int) (gridRow, error) {
	cells, err := r.shown.Columns()
	if err != nil {
		return gridRow{}, err
	}
	stored, err := r.stored.Columns(excelize.Options{RawCellValue: true})
	if err != nil {
		return gridRow{}, err
	}
	figures := figuresOf(cells, stored)
	if len(r.merged.cells) > 0 {
		for i, f := range figures {
			r.tops[[2]int{number, i + 1}] = f
		}
	}
	cells = withoutBlankEnd(cells)
	for len(cells) > 0 && len(cells) < r.merged.width { // a last column may be merged too
		cells = append(cells, "")
	}
	for i, c := range cells {
		m, covered := r.merged.cells[[2]int{number, i + 1}]
		if !covered || c != "" {
			continue
		}
		cells[i] = m.shown
		if f, is := r.tops[[2]int{m.top, i + 1}]; is {
			if figures == nil {
				figures = map[int]Figure{}
			}
			figures[i] = f
		}
	}
	return gridRow{number: number, cells: withoutBlankEnd(cells), figures: figures}, nil
}

func withoutBlankEnd(cells []string) []string {
	for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

func (t *Table) sheetRows(f *excelize.File, file string, faults *RowFaults, size int) error {
	rows, err := t.openRows(f, size)
	if err != nil {
		return brokenWorkbook(file, err)
	}
	defer rows.close()
	l := &layout{t: t, file: file, faults: faults, locate: t.locate}
	var hidden []int
	for number := 1; rows.next(); number++ {
		r, err := rows.row(number)
		if err != nil {
			return brokenWorkbook(file, err)
		}
		r.number += t.offset
		if rows.shown.GetRowOpts().Hidden && len(r.cells) > 0 {
			hidden = append(hidden, r.number)
		}
		if err := l.row(r); err != nil {
			return err
		}
	}
	if err := errors.Join(rows.shown.Error(), rows.stored.Error()); err != nil {
		return brokenWorkbook(file, err)
	}
	if err := l.end(); err != nil {
		return err
	}
	if t.Columns == nil {
		return emptySheet(t, file)
	}
	t.noteEmpty(l.blank)
	if !l.placed && l.cards == nil { // else the rows of the table are not those of the sheet
		t.noteHidden(f, hidden, size)
		t.noteLooks(f, size)
	}
	return nil
}

func brokenWorkbook(file string, err error) *problem.Problem {
	return problem.New(problem.Invalid, "dataset_workbook_broken", "%s cannot be read as an Excel workbook", file).With("file", file).
		WithHint("open it in a spreadsheet program and save it again as .xlsx or .csv").Because(err)
}
