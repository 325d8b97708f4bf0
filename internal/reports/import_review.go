package reports

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ReviewRow is one row of a workbook that somebody has filled in.
type ReviewRow struct {
	Sheet  string             `json:"sheet"`
	Row    int                `json:"row"`    // as the spreadsheet numbers it
	Review experiments.Review `json:"review"` // Reviewer is "" where the sheet names nobody
}

// ReviewFault is a cell or row that cannot be taken as it is. Its row is left out as a whole.
type ReviewFault struct {
	Sheet      string `json:"sheet"`
	Row        int    `json:"row"`
	Column     string `json:"column,omitempty"` // letter and heading: "H (Review: verdict)"
	QuestionID string `json:"question_id,omitempty"`
	Message    string `json:"message"`
}

// String is one line for people.
func (f ReviewFault) String() string {
	s := fmt.Sprintf("sheet %q, row %d", f.Sheet, f.Row)
	if f.QuestionID != "" {
		s += ", question " + f.QuestionID
	}
	if f.Column != "" {
		s += ", column " + f.Column
	}
	return s + ": " + f.Message
}

// ReviewFile is what a workbook says.
type ReviewFile struct {
	Sheets []string      `json:"sheets"` // that have review columns
	Rows   []ReviewRow   `json:"rows"`
	Faults []ReviewFault `json:"faults"`
	Blank  int           `json:"blank"` // rows that nobody filled in
}

// ReadReviews reads the review columns of a workbook, found by their headings in English, Japanese or both, on every sheet that has
// them. Rows may be sorted, filtered and deleted, columns moved. A workbook without review columns, and one that cannot be read, is
// a Problem; a cell that is no choice of its drop-down is a fault of its row.
func ReadReviews(path string) (ReviewFile, error) {
	out := ReviewFile{Sheets: []string{}, Rows: []ReviewRow{}, Faults: []ReviewFault{}}
	sheets, err := experiments.ReadSheets(path, isReviewHeading)
	if err != nil {
		return out, err
	}
	for _, s := range sheets {
		if err := out.read(s); err != nil {
			return out, err
		}
	}
	if len(out.Sheets) == 0 {
		return out, problem.New(problem.Invalid, "review_columns", "%s has no sheet with review columns", filepath.Base(path)).
			WithHint("reviews are written into a workbook of `workbench report`; its hidden columns run_id, question_id and shown must stay in it")
	}
	return out, nil
}

// isReviewHeading reports whether a row is the heading of a sheet with review columns.
func isReviewHeading(row []string) bool {
	ids, asks := false, false
	for _, cell := range row {
		if c := columnOf(cell); c != nil {
			ids = ids || c.Key == ReviewQuestionID
			asks = asks || !c.Hidden
		}
	}
	return ids && asks
}

// placedColumn is a review column at its place on a sheet.
type placedColumn struct {
	ReviewColumn
	at      int
	heading string
}

func (f *ReviewFile) read(s experiments.Sheet) error {
	head := slices.IndexFunc(s.Rows, isReviewHeading)
	var columns []placedColumn
	for at, heading := range s.Rows[head] {
		c := columnOf(heading)
		if c == nil {
			continue
		}
		if slices.ContainsFunc(columns, func(p placedColumn) bool { return p.Key == c.Key }) {
			return problem.New(problem.Invalid, "review_columns", "sheet %q has two columns %q", s.Name, heading).With("sheet", s.Name).With("column", heading).
				WithHint("remove one of them")
		}
		columns = append(columns, placedColumn{*c, at, strings.Join(strings.Fields(heading), " ")})
	}
	f.Sheets = append(f.Sheets, s.Name)
	for i := head + 1; i < len(s.Rows); i++ {
		f.readRow(s.Name, i+1, s.Rows[i], columns)
	}
	return nil
}

func (f *ReviewFile) readRow(sheet string, number int, cells []string, columns []placedColumn) {
	row := ReviewRow{Sheet: sheet, Row: number}
	var faults []ReviewFault
	for _, c := range columns {
		if c.at >= len(cells) {
			continue
		}
		value := strings.TrimSpace(strings.ReplaceAll(cells[c.at], "\r\n", "\n"))
		if value == "" {
			continue
		}
		if message := c.set(&row.Review, value); message != "" {
			faults = append(faults, ReviewFault{Sheet: sheet, Row: number, Column: fmt.Sprintf("%s (%s)", reviewColumnLetter(c.at+1), c.heading), Message: message})
		}
	}
	id := row.Review.QuestionID
	switch {
	case len(faults) > 0:
		for _, fault := range faults {
			fault.QuestionID = id
			f.Faults = append(f.Faults, fault)
		}
	case row.Review.Empty():
		if id != "" {
			f.Blank++
		}
	case row.Review.RunID == "" || id == "":
		f.Faults = append(f.Faults, ReviewFault{
			Sheet: sheet, Row: number, QuestionID: id,
			Message: "it is filled in, but its hidden cells run_id and question_id are empty, so nobody can tell which answer it is about",
		})
	default:
		f.Rows = append(f.Rows, row)
	}
}

// set takes a cell into a review; it returns what is wrong with it, or "".
func (c ReviewColumn) set(r *experiments.Review, value string) string {
	if c.Values != nil {
		key, ok := c.keyOf(value)
		if !ok {
			return fmt.Sprintf("%q is no choice; the choices are %s", cutValue(value), strings.Join(c.choices(), ", "))
		}
		value = key
	}
	switch c.Key {
	case ReviewRunID:
		r.RunID = value
	case ReviewQuestionID:
		r.QuestionID = value
	case ReviewShown:
		r.Shown = value
	case ReviewReviewer:
		r.Reviewer = value
	case ReviewVerdict:
		r.Verdict = experiments.Verdict(value)
	case ReviewCorrectness:
		r.Correctness = reviewLevel(value)
	case ReviewTrust:
		r.Trust = reviewLevel(value)
	case ReviewCause:
		r.Cause = value
	case ReviewReference:
		r.CorrectedReference = value
	case ReviewAction:
		r.Action = value
	case ReviewPriority:
		r.Priority = experiments.Priority(value)
	case ReviewComment:
		r.Comment = value
	}
	return ""
}

// choices are the words of the drop-down in both languages.
func (c ReviewColumn) choices() []string { return c.Words("both") }

// reviewLevel is the number of a choice that is one.
func reviewLevel(key string) *int {
	n, err := strconv.Atoi(key)
	if err != nil {
		panic("a level is no number: " + key) // the choices are ours
	}
	return &n
}

func reviewColumnLetter(n int) string {
	name, _, _ := strings.Cut(cellName(n, 1), "1")
	return name
}

// cutValue keeps a value of a message short.
func cutValue(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
