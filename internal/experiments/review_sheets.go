package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// MaxReviewBytes is the largest workbook that [ReadSheets] takes; a report on 10,000 questions has some megabytes.
const MaxReviewBytes = 128 << 20

// Sheet is one sheet of a workbook as texts, the way they are stored: a number has no format. Rows[0] is the sheet's first row.
type Sheet struct {
	Name string
	Rows [][]string
}

// ReadSheets reads every sheet of an .xlsx workbook whose columns wanted asks for: it sees the first rows of a sheet, at most ten,
// until it says yes. A damaged, locked or oversized file is a Problem; nothing of it is read in part.
func ReadSheets(path string, wanted func(row []string) bool) (sheets []Sheet, err error) {
	file := filepath.Base(path)
	defer func() {
		if r := recover(); r != nil { // the reader trusts counts and places that a damaged file states
			err = brokenReview(file, fmt.Errorf("reader stopped: %v", r))
		}
	}()
	raw, err := text.ReadFile(path, MaxReviewBytes)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(raw, []byte("\xd0\xcf\x11\xe0")) {
		return nil, problem.New(problem.Invalid, "review_workbook_locked", "%s is protected with a password or in the old .xls format", file).With("file", file).
			WithHint("remove the password, or save it as .xlsx")
	}
	if err := checkWorkbook(raw); errors.Is(err, errUnpacksTooLarge) {
		return nil, problem.New(problem.Invalid, "review_workbook_too_large", "%s unpacks to more than %d MiB", file, maxUnpackedBytes>>20).With("file", file).
			WithHint("keep only the sheets with the reviews").Because(err)
	} else if err != nil {
		return nil, brokenReview(file, err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(raw), excelize.Options{UnzipSizeLimit: maxUnpackedBytes, UnzipXMLSizeLimit: maxPartBytes, RawCellValue: true})
	if err != nil {
		return nil, brokenReview(file, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, name := range f.GetSheetList() {
		rows, err := wantedRows(f, name, wanted)
		if err != nil {
			return nil, brokenReview(file, err)
		}
		if rows != nil {
			sheets = append(sheets, Sheet{Name: name, Rows: rows})
		}
	}
	return sheets, nil
}

// headingRows is how far down a heading is looked for: notes may stand above it.
const headingRows = 10

// wantedRows reads a sheet, or returns nil when none of its first rows is wanted.
func wantedRows(f *excelize.File, sheet string, wanted func([]string) bool) (out [][]string, err error) {
	rows, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	found := false
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		out = append(out, cells)
		found = found || wanted(cells)
		if !found && len(out) >= headingRows {
			return nil, nil
		}
	}
	if err := rows.Error(); err != nil || !found {
		return nil, err
	}
	return out, nil
}

func brokenReview(file string, err error) *problem.Problem {
	return problem.New(problem.Invalid, "review_workbook_broken", "%s cannot be read as an Excel workbook", file).With("file", file).
		WithHint("open it in a spreadsheet program and save it again as .xlsx").Because(err)
}
