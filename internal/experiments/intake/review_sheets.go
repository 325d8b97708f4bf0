package intake

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// MaxReviewBytes is the largest workbook that [ReadSheets] takes; a report on 10,000 questions has some megabytes.
const MaxReviewBytes = 128 << 20

// Sheet is one sheet of a workbook as texts, the way they are stored: a number has no format. Rows[0] is the sheet's first row.
type Sheet struct {
	Name   string
	Rows   [][]string // nil for a sheet that nobody wanted
	Filled bool       // one of its first ten rows holds something
}

// ReadSheets reads every sheet of an .xlsx workbook whose columns wanted asks for: it sees the first rows of a sheet, at most ten,
// until it says yes. The other sheets are named without their rows, in the order of the workbook. A damaged, locked or oversized
// file is a Problem; nothing of it is read in part.
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
		return nil, problem.New(problem.Invalid, "review_workbook_locked", "%s is protected with a password or in the old .xls format",
			file).With("file", file).
			WithHint("remove the password, or save it as .xlsx")
	}
	if err := checkWorkbook(raw); errors.Is(err, errUnpacksTooLarge) {
		return nil, problem.New(problem.Invalid, "review_workbook_too_large", "%s unpacks to more than %d MiB", file, maxUnpackedBytes>>20).
			With("file", file).
			WithHint("keep only the sheets with the reviews").Because(err)
	} else if err != nil {
		return nil, brokenReview(file, err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(raw),
		excelize.Options{UnzipSizeLimit: maxUnpackedBytes, UnzipXMLSizeLimit: maxPartBytes, RawCellValue: true})
	if err != nil {
		return nil, brokenReview(file, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, name := range f.GetSheetList() {
		s, err := readSheet(f, name, wanted)
		if err != nil {
			return nil, brokenReview(file, err)
		}
		sheets = append(sheets, s)
	}
	return sheets, nil
}

// headingRows is how far down a heading is looked for: notes may stand above it.
const headingRows = 10

// readSheet reads a sheet; without its rows when none of its first ones is wanted.
func readSheet(f *excelize.File, name string, wanted func([]string) bool) (s Sheet, err error) {
	s.Name = name
	rows, err := f.Rows(name)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	found := false
	var read [][]string
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil {
			return s, err
		}
		read = append(read, cells)
		s.Filled = s.Filled || slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) != "" })
		found = found || wanted(cells)
		if !found && len(read) >= headingRows {
			return s, nil
		}
	}
	if err := rows.Error(); err != nil || !found {
		return s, err
	}
	s.Rows = read
	return s, nil
}

func brokenReview(file string, err error) *problem.Problem {
	return problem.New(problem.Invalid, "review_workbook_broken", "%s cannot be read as an Excel workbook", file).With("file", file).
		WithHint("open it in a spreadsheet program and save it again as .xlsx").Because(err)
}
