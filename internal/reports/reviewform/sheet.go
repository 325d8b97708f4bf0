package reviewform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/text"
)

// sheet is a sheet with review columns while it is read.
type sheet struct {
	intake.Sheet
	head    int // the row of the headings
	columns []placedColumn
	ids     int // the columns of the report in which people see a question's id and its text; -1 without
	texts   int
}

// newSheet places the columns of a sheet whose headings stand in row head.
func newSheet(s intake.Sheet, head int) (sheet, error) {
	out := sheet{Sheet: s, head: head}
	for at, heading := range s.Rows[head] {
		c := columnOf(heading)
		if c == nil {
			continue
		}
		if out.has(c.Key) {
			return out, problem.New(problem.Invalid, "review_columns", "sheet %q has two columns %q", s.Name, heading).
				With("sheet", s.Name).
				With("column", heading).WithHint("remove one of them")
		}
		out.columns = append(out.columns, placedColumn{*c, at, strings.Join(strings.Fields(heading), " ")})
	}
	out.ids, out.texts = out.ours("col.id"), out.ours("col.question")
	return out, nil
}

// isHeading reports whether a row is the heading of a sheet with review columns: one that people fill in is enough, because
// the hidden ones get lost where only visible cells are copied.
func isHeading(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool { c := columnOf(cell); return c != nil && !c.Hidden })
}

// A run id and the digest of what was shown: together on one row they are hidden cells of ours.
var (
	runIDCell  = text.Lazy(`^[0-9a-f]{12,64}$`)
	digestCell = text.Lazy(`^[0-9a-f]{16}$`)
)

// isRow reports whether a row holds our hidden cells: rows that were copied without their headings.
func isRow(row []string) bool {
	ids := 0
	for _, cell := range row {
		if runIDCell.MatchString(strings.TrimSpace(cell)) {
			ids++
		}
	}
	return ids >= 2 && slices.ContainsFunc(row, func(c string) bool { return digestCell.MatchString(strings.TrimSpace(c)) })
}

func (s sheet) has(key string) bool {
	return slices.ContainsFunc(s.columns, func(p placedColumn) bool { return p.Key == key })
}

// cell is the trimmed content of a cell; "" beyond the row's end.
func (s sheet) cell(row, column int) string {
	if column < 0 || column >= len(s.Rows[row]) {
		return ""
	}
	return strings.TrimSpace(strings.ReplaceAll(s.Rows[row][column], "\r\n", "\n"))
}

// row reads the review columns of a row, and what is wrong with its cells.
func (s sheet) row(at int) (Row, []Fault) {
	row := Row{Sheet: s.Name, Row: at + 1, Seen: s.cell(at, s.texts)}
	var faults []Fault
	for _, c := range s.columns {
		value := s.cell(at, c.at)
		if value == "" {
			continue
		}
		if message := c.set(&row.Review, value); message != "" {
			faults = append(faults, Fault{Code: NotAChoice, Sheet: s.Name, Row: at + 1, Rows: 1, Column: columnPlace(c.at, c.heading),
				Message: message})
		}
	}
	return row, faults
}

// ours is the place of one of the workbook's own columns, by the key of its heading in the catalogue; -1 where it is not there.
func (s sheet) ours(key string) int {
	return slices.IndexFunc(s.Rows[s.head], func(heading string) bool {
		return slices.ContainsFunc(languages, func(lang string) bool {
			return plainWord(wording.Catalogues()[lang].Say(key)) == plainWord(heading)
		})
	})
}

// shownID is the question id that people see on a row; "" where the sheet has no such column.
func (s sheet) shownID(at int) string { return s.cell(at, s.ids) }

// filled counts the rows in which somebody wrote into a column that people fill in, or into one of more.
func (s sheet) filled(more ...int) int {
	n := 0
	for at := s.head + 1; at < len(s.Rows); at++ {
		wrote := slices.ContainsFunc(more, func(c int) bool { return s.cell(at, c) != "" }) ||
			slices.ContainsFunc(s.columns, func(c placedColumn) bool { return !c.Hidden && s.cell(at, c.at) != "" })
		if wrote {
			n++
		}
	}
	return n
}

// lacksIDs is the fault of a sheet without the hidden columns that say which answer a row is about.
func (s sheet) lacksIDs() (Fault, bool) {
	var gone []string
	for _, c := range Columns() {
		if c.Hidden && !s.has(c.Key) {
			gone = append(gone, c.Key)
		}
	}
	if len(gone) == 0 {
		return Fault{}, false
	}
	return Fault{Code: IDsMissing, Sheet: s.Name, Row: s.head + 1, Rows: s.filled(), Message: fmt.Sprintf(
		"its hidden columns %s are gone, so nobody can tell which answers its rows are about; copy whole rows of the report with their hidden columns, "+
			"or enter the reviews into the report again", strings.Join(gone, ", "))}, true
}

// remarks are what the sheet lacks or has beside its own columns. A review column that is gone and a filled one that nobody knows
// are the two halves of a renamed heading, so they are told together, and nothing that was written is lost without a word.
func (s sheet) remarks() []Fault {
	var out []Fault
	for _, c := range Columns() {
		if !s.has(c.Key) {
			out = append(out, Fault{Code: HeadingGone, Sheet: s.Name, Row: s.head + 1, Message: fmt.Sprintf(
				"there is no column %q: it was deleted, or its heading was changed; what stands in it is not read", c.Heading("both"))})
		}
	}
	for at, heading := range s.Rows[s.head] {
		if columnOf(heading) != nil || isOwnHeading(heading) {
			continue
		}
		if n := s.entries(at); n > 0 {
			out = append(out, Fault{Code: ColumnUnread, Sheet: s.Name, Row: s.head + 1, Column: columnPlace(at, heading),
				Message: fmt.Sprintf(
					"the report has no column of this heading, so its %d filled cells are not read; if it is a review column, give it its heading back", n)})
		}
	}
	return out
}

// entries counts the filled cells of a column below its heading.
func (s sheet) entries(column int) int {
	n := 0
	for at := s.head + 1; at < len(s.Rows); at++ {
		if s.cell(at, column) != "" {
			n++
		}
	}
	return n
}

// unread notes a sheet that is not read: rows of ours without headings, and a sheet that a report does not have.
func (f *File) unread(s intake.Sheet) {
	switch {
	case s.Rows != nil && (!isOwnSheet(s.Name) || isReviewedSheet(s.Name)):
		f.Faults = append(f.Faults, Fault{Code: IDsMissing, Sheet: s.Name, Rows: len(s.Rows),
			Message: "rows of a report stand here without its headings, so nobody can tell what their cells mean; copy the row of headings too"})
	case s.Filled && !isOwnSheet(s.Name):
		f.Faults = append(f.Faults, Fault{Code: SheetUnread, Sheet: s.Name,
			Message: "the report has no such sheet and it has no review columns, so nothing on it is read"})
	}
}

// languages are those that a workbook can be written in.
var languages = []string{"en", "ja", wording.Both}

// ownHeadings are the headings of a report's columns, folded, and the titles of metrics: their columns carry more in their heading.
var ownHeadings = sync.OnceValues(func() (map[string]bool, []string) {
	headings, titles := map[string]bool{"": true}, []string{}
	for _, lang := range languages {
		for key := range wording.Catalogues()[lang] {
			if strings.HasPrefix(key, "col.") || strings.HasPrefix(key, "metric.") {
				headings[plainWord(wording.Catalogues()[lang].Say(key))] = true
			}
		}
	}
	for _, s := range metrics.Catalogue() {
		titles = append(titles, plainWord(s.TitleEN), plainWord(s.TitleJA))
	}
	return headings, titles
})

// rangeHeading is the end of a metric's heading, also of one that a team defined itself: "(1-5)".
var rangeHeading = text.Lazy(`[(（]-?[0-9.]+-[0-9.]+[,、)）]`)

// isOwnHeading reports whether a report writes a column of this heading, other than the review columns.
func isOwnHeading(heading string) bool {
	plain := plainWord(heading)
	headings, titles := ownHeadings()
	return headings[plain] || rangeHeading.MatchString(plain) ||
		slices.ContainsFunc(titles, func(title string) bool { return title != "" && strings.HasPrefix(plain, title) })
}

// isOwnSheet reports whether a report writes a sheet of this name.
func isOwnSheet(name string) bool { return isSheet(name, "sheet.") }

// isReviewedSheet reports whether a report writes review columns on the sheet of this name.
func isReviewedSheet(name string) bool {
	return isSheet(name, "sheet.low") || isSheet(name, "sheet.questions")
}

// isSheet reports whether the name is, in any language, that of a sheet whose key begins so.
func isSheet(name, key string) bool {
	name = plainWord(unnumbered(name))
	for _, lang := range languages {
		for k := range wording.Catalogues()[lang] {
			if strings.HasPrefix(k, key) && plainWord(wording.Catalogues()[lang].Say(k)) == name {
				return true
			}
		}
	}
	return false
}

// unnumbered is the name of the first sheet of a table, from that of any.
func unnumbered(sheet string) string {
	name := strings.TrimRightFunc(sheet, unicode.IsDigit)
	if n, err := strconv.Atoi(sheet[len(name):]); err != nil || n < 2 || !strings.HasSuffix(name, " ") {
		return sheet
	}
	return strings.TrimRight(name, " ")
}

// columnPlace names a column as people see it: "H (Review: verdict)".
func columnPlace(at int, heading string) string {
	letter, _, _ := strings.Cut(spreadsheet.CellName(at+1, 1), "1")
	return fmt.Sprintf("%s (%s)", letter, strings.Join(strings.Fields(heading), " "))
}

// spreadsheetDate is the day of a serial number that a spreadsheet stored for a date of this century, as it does when somebody
// types 4/5 into a cell.
func spreadsheetDate(value string) (time.Time, bool) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || n < 36526 || n > 73050 { // 2000-01-01 … 2099-12-31
		return time.Time{}, false
	}
	day, err := excelize.ExcelDateToTime(n, false)
	return day, err == nil
}
