package reports

import (
	"io"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// TestSheetsWithTooManyRowsAreRefused: what no spreadsheet shows whole is not written, before a row of it is made.
func TestSheetsWithTooManyRowsAreRefused(t *testing.T) {
	t.Parallel()
	for rows, refused := range map[int]bool{spreadsheet.MaxRows - headerRow: false, spreadsheet.MaxRows - headerRow + 1: true} {
		b := &book{nil, spreadsheet.NewWorkbook("", 0)}
		made := 0
		if refused {
			b.stream(table{sheet: "Sheet1", rows: rows, row: func(int) []cell { made++; return nil }})
		} else if last := firstRow + rows - 1; last != spreadsheet.MaxRows {
			t.Errorf("the last row that fits is %d", last)
		}
		if err := b.Err; refused != (problem.CodeOf(err) == "workbook_rows") || made > 0 {
			t.Errorf("%d rows: %v after %d", rows, err, made)
		}
		if refused && !strings.Contains(problem.From(b.Err).Hint, "HTML") {
			t.Error("nothing is said of what to do instead")
		}
	}
	if testing.Short() {
		return
	}
	asked := 0
	long := spreadsheet.Table{Name: "long", Columns: []string{"n"}, Rows: func(write func([]any) error) error {
		for {
			asked++
			if err := write([]any{asked}); err != nil {
				return err
			}
		}
	}}
	if err := long.Write(io.Discard, "xlsx"); problem.CodeOf(err) != "workbook_rows" || asked != spreadsheet.MaxRows {
		t.Errorf("a table without an end: %v after %d rows", err, asked)
	}
}

// TestRowsAreHighEnoughForTheirRationale: what a rationale comes to stands at its end, which a row of twelve lines cut off in print.
func TestRowsAreHighEnoughForTheirRationale(t *testing.T) {
	t.Parallel()
	r := analysed(sample("en"))
	long := strings.Repeat("The evidence is in a document near character 1496, and the contexts do not hold it. ", 9) + "→ probably generation"
	for i := range r.Causes.Diagnoses {
		r.Causes.Diagnoses[i].Rationale.EN = long
	}
	file := open(t, r)
	height, err := file.GetRowHeight("Low-score answers", firstRow)
	if need := float64(len(long)) / 44 * 11.5; err != nil || height < need {
		t.Errorf("the row is %g points high and needs about %g (%v)", height, need, err)
	}
}
