package reviewform

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Row is one row of a workbook that somebody has filled in.
type Row struct {
	Sheet  string             `json:"sheet"`
	Row    int                `json:"row"`            // as the spreadsheet numbers it
	Seen   string             `json:"seen,omitempty"` // the question as the row shows it; "" where the sheet has no such column
	Review experiments.Review `json:"review"`         // Reviewer is "" where the sheet names nobody
}

// FaultCode says what is wrong with a cell, a row or a sheet.
type FaultCode string

// The faults.
const (
	NotAChoice   FaultCode = "not_a_choice"   // a cell is no choice of its drop-down
	IDsMissing   FaultCode = "ids_missing"    // the hidden cells that say which answer it is are gone
	RowMixedUp   FaultCode = "row_mixed_up"   // the row shows another question than its hidden cells name
	HeadingGone  FaultCode = "heading_gone"   // a review column has lost its heading, or was deleted
	ColumnUnread FaultCode = "column_unread"  // a column that the workbook did not have holds entries
	SheetUnread  FaultCode = "sheet_not_read" // a sheet that the workbook did not have holds entries
)

// Fault is something that cannot be taken as it is. A fault of a row leaves it out as a whole.
type Fault struct {
	Code       FaultCode `json:"code"`
	Sheet      string    `json:"sheet"`
	Row        int       `json:"row,omitempty"`    // 0 for a fault of the sheet
	Rows       int       `json:"rows"`             // filled-in rows that are left out because of it; 0 for a remark
	Column     string    `json:"column,omitempty"` // letter and heading: "H (Review: verdict)"
	QuestionID string    `json:"question_id,omitempty"`
	Message    string    `json:"message"`
}

// String is one line for people.
func (f Fault) String() string {
	s := fmt.Sprintf("sheet %q", f.Sheet)
	if f.Row > 0 {
		s += fmt.Sprintf(", row %d", f.Row)
	}
	if f.QuestionID != "" {
		s += ", question " + f.QuestionID
	}
	if f.Column != "" {
		s += ", column " + f.Column
	}
	return s + ": " + f.Message
}

// File is what a workbook says.
type File struct {
	Sheets []string `json:"sheets"` // that have review columns
	Rows   []Row    `json:"rows"`
	Faults []Fault  `json:"faults"`
	Blank  int      `json:"blank"` // rows that nobody filled in
}

// Read reads the review columns of a workbook, found by their headings in English, Japanese or both, on every sheet that has
// them. Rows may be sorted, filtered and deleted, columns moved. Whatever holds entries and is not read is a fault: nothing is
// passed over without a word. A workbook without review columns, and one that cannot be read, is a Problem.
func Read(path string) (File, error) {
	out := File{Sheets: []string{}, Rows: []Row{}, Faults: []Fault{}}
	sheets, err := intake.ReadSheets(path, func(row []string) bool { return isHeading(row) || isRow(row) })
	if err != nil {
		return out, err
	}
	for _, s := range sheets {
		if err := out.read(s); err != nil {
			return out, err
		}
	}
	if len(out.Sheets) == 0 && !slices.ContainsFunc(out.Faults, func(f Fault) bool { return f.Code == IDsMissing }) {
		return out, problem.New(problem.Invalid, "review_columns", "%s has no sheet with review columns", filepath.Base(path)).
			WithHint("reviews are written into a workbook of `workbench report`; its hidden columns run_id, question_id and shown must stay in it")
	}
	return out, nil
}

// placedColumn is a review column at its place on a sheet.
type placedColumn struct {
	Column
	at      int
	heading string
}

func (f *File) read(s intake.Sheet) error {
	head := slices.IndexFunc(s.Rows, isHeading)
	if head < 0 {
		f.unread(s)
		return nil
	}
	sheet, err := newSheet(s, head)
	if err != nil {
		return err
	}
	if fault, ok := sheet.lacksIDs(); ok {
		f.Faults = append(f.Faults, fault)
		return nil
	}
	f.Sheets = append(f.Sheets, s.Name)
	f.Faults = append(f.Faults, sheet.remarks()...)
	for i := head + 1; i < len(s.Rows); i++ {
		f.readRow(sheet, i)
	}
	return nil
}

// readRow takes row number at of a sheet.
func (f *File) readRow(s sheet, at int) {
	row, faults := s.row(at)
	id := row.Review.QuestionID
	fault := func(code FaultCode, message string, args ...any) {
		f.Faults = append(f.Faults, Fault{Code: code, Sheet: s.Name, Row: at + 1, Rows: 1, QuestionID: id,
			Message: fmt.Sprintf(message, args...)})
	}
	shown := s.shownID(at)
	switch {
	case len(faults) > 0:
		for i, fault := range faults {
			fault.QuestionID = id
			if i > 0 {
				fault.Rows = 0 // the row is left out once
			}
			f.Faults = append(f.Faults, fault)
		}
	case row.Review.Empty():
		if id != "" {
			f.Blank++
		}
	case row.Review.RunID == "" || id == "" || row.Review.Shown == "":
		fault(IDsMissing,
			"it is filled in, but its hidden cells run_id, question_id and shown are not, so nobody can tell which answer it is about")
	case shown != "" && plainWord(shown) != plainWord(id):
		fault(RowMixedUp, "the row shows question %s, but its hidden cells belong to %s: the columns were sorted without the hidden ones; "+
			"undo the sorting, or write the report again and sort whole rows", text.Cut(shown, mostShown), text.Cut(id, mostShown))
	default:
		f.Rows = append(f.Rows, row)
	}
}

// set takes a cell into a review; it returns what is wrong with it, or "".
func (c Column) set(r *experiments.Review, value string) string {
	if c.Values != nil {
		key, ok := c.keyOf(value)
		if day, isDate := spreadsheetDate(value); !ok && isDate {
			return fmt.Sprintf("%q is the date %s: the spreadsheet took something like %d/%d for a date; type one of %s", value,
				day.Format(time.DateOnly), int(day.Month()), day.Day(), strings.Join(c.choices(), ", "))
		}
		if !ok {
			return fmt.Sprintf("%q is not one of the choices; they are %s", text.Cut(value, mostShown), strings.Join(c.choices(), ", "))
		}
		value = key
	}
	switch c.Key {
	case RunID:
		r.RunID = value
	case QuestionID:
		r.QuestionID = value
	case Shown:
		r.Shown = value
	case Reviewer:
		r.Reviewer = value
	case Verdict:
		r.Verdict = experiments.Verdict(value)
	case Correctness:
		r.Correctness = levelOf(value)
	case Trust:
		r.Trust = levelOf(value)
	case Cause:
		r.Cause = value
	case Reference:
		r.CorrectedReference = value
	case Action:
		r.Action = value
	case Priority:
		r.Priority = experiments.Priority(value)
	case Comment:
		r.Comment = value
	}
	return ""
}

// choices are the words of the drop-down in both languages.
func (c Column) choices() []string { return c.Words("both") }

// levelOf is the number of a choice that is one.
func levelOf(key string) *int {
	n, err := strconv.Atoi(key)
	if err != nil {
		panic("a level is no number: " + key) // the choices are ours
	}
	return &n
}

// mostShown is how much of a value a message shows, in code points.
const mostShown = 60
