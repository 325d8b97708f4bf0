package reviewform

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// TestReadLosesNothing does to a filled-in workbook what people do to workbooks. Every row that somebody filled in is taken,
// or left out by a fault that names its sheet; what is only remarked on is said too.
func TestReadLosesNothing(t *testing.T) {
	t.Parallel()
	const filled = 3
	for _, c := range []struct {
		name string
		do   func(*testing.T, *excelize.File)
		rows int      // taken
		want []string // code and sheet of each fault, with the rows it leaves out
	}{
		{"nothing", func(*testing.T, *excelize.File) {}, filled, nil},
		{"the hidden columns are deleted", func(t *testing.T, f *excelize.File) {
			removeColumns(t, f, "One", RunID, QuestionID, Shown)
		}, 0, []string{"ids_missing One 3"}},
		{"one hidden column is deleted", func(t *testing.T, f *excelize.File) { removeColumns(t, f, "One", Shown) }, 0,
			[]string{"ids_missing One 3"}},
		{"a heading is renamed", func(t *testing.T, f *excelize.File) {
			mustReview(t, f.SetCellStr("One", headingCell(t, f, "One", Verdict), "Right?"))
		}, filled, []string{"heading_gone One 0", "column_unread One 0"}},
		{"a column is deleted", func(t *testing.T, f *excelize.File) { removeColumns(t, f, "One", Trust) }, filled,
			[]string{"heading_gone One 0"}},
		{"a column is added", func(t *testing.T, f *excelize.File) {
			mustReview(t, f.SetCellStr("One", "Z1", "my notes"))
			mustReview(t, f.SetCellStr("One", "Z2", "ask the desk"))
		}, filled, []string{"column_unread One 0"}},
		{"visible cells are copied to a new sheet", func(t *testing.T, f *excelize.File) {
			copyRows(t, f, "One", "Mine", 1, func(heading string) bool { c := columnOf(heading); return c == nil || !c.Hidden })
		}, filled, []string{"ids_missing Mine 3"}},
		{"whole rows are copied to a new sheet", func(t *testing.T, f *excelize.File) {
			copyRows(t, f, "One", "Mine", 1, func(string) bool { return true })
		}, 2 * filled, nil}, // the same review twice is one review: the merge sees to it
		{"rows are copied without their headings", func(t *testing.T, f *excelize.File) {
			copyRows(t, f, "One", "Mine", 2, func(string) bool { return true })
		}, filled, []string{"ids_missing Mine 3"}},
		{"the row of headings is deleted", func(t *testing.T, f *excelize.File) {
			copyRows(t, f, "One", "Low-score answers", 2, func(string) bool { return true })
		}, filled, []string{"ids_missing Low-score answers 3"}},
		{"somebody keeps a list of their own", func(t *testing.T, f *excelize.File) {
			_, err := f.NewSheet("to do")
			mustReview(t, err)
			mustReview(t, f.SetCellStr("to do", "B3", "call the desk"))
		}, filled, []string{"sheet_not_read to do 0"}},
		{"visible columns are sorted without the hidden ones", func(t *testing.T, f *excelize.File) {
			for _, visible := range []string{"A", "B"} { // the first and the last row change places, the hidden cells stay
				first, _ := f.GetCellValue("One", visible+"2")
				last, _ := f.GetCellValue("One", visible+"4")
				mustReview(t, f.SetCellStr("One", visible+"2", last))
				mustReview(t, f.SetCellStr("One", visible+"4", first))
			}
		}, 1, []string{"row_mixed_up One 1", "row_mixed_up One 1"}},
		{"a level became a date", func(t *testing.T, f *excelize.File) {
			cell := strings.Replace(headingCell(t, f, "One", Correctness), "1", "3", 1)
			mustReview(t, f.SetCellValue("One", cell, 46146))
		}, 2, []string{"not_a_choice One 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var rows []map[string]any
			for i := range filled {
				rows = append(rows, reviewIDs(fmt.Sprintf("q%d", i+1), map[string]any{Verdict: "correct", Correctness: 4}))
			}
			path := savedForms(t, reviewForm{sheet: "One", lang: "en", rows: rows})
			f, err := excelize.OpenFile(path)
			mustReview(t, err)
			for i := range filled {
				mustReview(t, f.SetCellStr("One", spreadsheet.CellName(1, i+2), fmt.Sprintf("q%d", i+1)))
				mustReview(t, f.SetCellStr("One", spreadsheet.CellName(2, i+2), fmt.Sprintf("What is %d?", i+1)))
			}
			c.do(t, f)
			changed := filepath.Join(t.TempDir(), "changed.xlsx")
			mustReview(t, f.SaveAs(changed))
			mustReview(t, f.Close())
			got, err := Read(changed)
			mustReview(t, err)
			var faults []string
			for _, fault := range got.Faults {
				faults = append(faults, fmt.Sprintf("%s %s %d", fault.Code, fault.Sheet, fault.Rows))
			}
			if diff := cmp.Diff(c.want, faults); diff != "" || len(got.Rows) != c.rows {
				t.Errorf("%d rows taken, want %d; faults -want +got:\n%s\n%v", len(got.Rows), c.rows, diff, got.Faults)
			}
		})
	}
}

// TestDatesAreExplained says what a spreadsheet made of what somebody typed.
func TestDatesAreExplained(t *testing.T) {
	t.Parallel()
	f := readForm(t, savedForms(t, reviewForm{sheet: "One", lang: "en",
		rows: []map[string]any{reviewIDs("q1", map[string]any{Correctness: 46117})}}))
	want := `sheet "One", row 2, question q1, column D (Review: correctness (1–5)): "46117" is the date 2026-04-05: ` +
		`the spreadsheet took something like 4/5 for a date; type one of 1, 2, 3, 4, 5`
	if len(f.Faults) != 1 || f.Faults[0].String() != want {
		t.Errorf("got %v\nwant %s", f.Faults, want)
	}
}

// headingCell is the place of a review column's heading.
func headingCell(t *testing.T, f *excelize.File, sheet, key string) string {
	t.Helper()
	rows, err := f.GetRows(sheet)
	mustReview(t, err)
	for at, heading := range rows[0] {
		if c := columnOf(heading); c != nil && c.Key == key {
			return spreadsheet.CellName(at+1, 1)
		}
	}
	t.Fatalf("sheet %s has no column %s", sheet, key)
	return ""
}

func removeColumns(t *testing.T, f *excelize.File, sheet string, keys ...string) {
	t.Helper()
	for _, key := range keys {
		letter := strings.TrimRight(headingCell(t, f, sheet, key), "0123456789")
		mustReview(t, f.RemoveCol(sheet, letter))
	}
}

// copyRows copies the rows of a sheet from the given one on, in the columns that keep wants, to a new sheet.
func copyRows(t *testing.T, f *excelize.File, from, to string, first int, keep func(heading string) bool) {
	t.Helper()
	rows, err := f.GetRows(from)
	mustReview(t, err)
	_, err = f.NewSheet(to)
	mustReview(t, err)
	for i, row := range rows[first-1:] {
		var cells []any
		for at, cell := range row {
			if keep(rows[0][at]) {
				cells = append(cells, cell)
			}
		}
		mustReview(t, f.SetSheetRow(to, spreadsheet.CellName(1, i+1), &cells))
	}
}

// TestNumberedSheetsAreThoseOfAReport: a number behind a name, and nothing else.
func TestNumberedSheetsAreThoseOfAReport(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]bool{"All questions": true, "All questions 2": true, "全質問 12": true, "All questions 1": false,
		"All questions2": false, "All questions ２": false, "Notes 2": false, "2": false} {
		if isReviewedSheet(name) != own {
			t.Errorf("%q counts as a sheet of a report: %t", name, !own)
		}
	}
}
