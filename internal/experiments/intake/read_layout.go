package intake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// lookAhead is how many rows that are not blank are looked at to find the row with the column names.
const lookAhead = 40

// gridRow is one row of a sheet as text.
type gridRow struct {
	number  int
	cells   []string
	figures map[int]Figure // numbers that cells show in another way than they are stored
}

// layout takes the rows of a sheet one by one, decides which of the first holds the column names, and gives the table its columns and
// rows. Without locate it is the first row that is not blank and no title: see [namesBelow].
type layout struct {
	t      *Table
	file   string
	faults *RowFaults
	locate func(rows []gridRow) int // index of the header row; -1: there is none
	strict bool                     // a row must have as many cells as the header, as in text files

	held    []gridRow // all rows, until it is known where a table of answers or scores ends to the right
	whole   bool      // that is known, or not asked
	head    []gridRow
	decided bool
	placed  bool   // the first row is the header, because the sheet was turned
	cards   *cards // questions and answers stand below each other; nil: each question has a row
	blank   int    // blank rows between others
	pending int    // blank rows of which nothing is known to follow

	names   []string       // the column names as they stand in the header
	again   []string       // the same once more in the row below, in another language; nil where they are not
	width   int            // how many cells a row of a text file must have
	order   []int          // of a further table: the column of each cell; nil: as they stand
	unread  *unreadTable   // the further table whose rows are not read; nil: none
	skipped []*unreadTable // all of these
}

// row takes the next row.
func (l *layout) row(r gridRow) error {
	if l.locate == nil && !l.whole {
		l.held = append(l.held, r)
		return nil
	}
	if !slices.ContainsFunc(r.cells, func(c string) bool { return strings.TrimSpace(c) != "" }) {
		l.pending++
		return nil
	}
	l.blank, l.pending = l.blank+l.pending, 0
	if l.decided && l.cards != nil {
		l.takeCard(r)
		return nil
	}
	if l.decided {
		l.data(r)
		return nil
	}
	if len(l.head) == 0 {
		l.blank = 0
	}
	r.cells = slices.Clone(r.cells)
	l.head = append(l.head, r)
	if len(l.head) < lookAhead {
		return nil
	}
	return l.decide()
}

// end says that no row follows.
func (l *layout) end() error {
	if l.locate == nil {
		beside := l.setAsideBeside(l.held)
		l.whole = true
		for _, r := range l.held {
			if err := l.row(beside.row(r)); err != nil {
				return err
			}
		}
		l.held = nil
	}
	if !l.decided && len(l.head) > 0 {
		if l.locate != nil {
			l.turn()
		}
		if err := l.decide(); err != nil {
			return err
		}
	}
	l.endCard()
	l.noteUnread()
	return nil
}

func (l *layout) decide() error {
	l.decided = true
	at, below := 0, 0
	if l.locate != nil && !l.placed {
		if dealt, err := l.deal(); dealt {
			return err
		}
		at = l.locate(l.head)
	}
	if l.locate == nil {
		at = namesBelow(l.head)
	}
	if at < 0 {
		names := make([]string, cellsAcross(l.head))
		if err := l.t.header(names, l.file); err != nil {
			return err
		}
		l.t.Notes = append(l.t.Notes, text.Say("no row holds column names: the columns are named by their place",
			"列名の行がないため、列を順番の名前で呼びます"))
	} else {
		l.t.headerRow = l.head[at].number
		names := l.head[at].cells
		below = at + 1
		switch {
		case at+2 >= len(l.head) || l.placed:
		case l.locate == nil && !groupedNames(l.head[at], l.head[at+1]):
		case l.locate == nil:
			names, below = joined(names, l.head[at+1].cells), at+2
		case translates(l.head[at], l.head[at+1]):
			names, l.again, below = translated(names, l.head[at+1].cells), l.head[at+1].cells, at+2
		case twoLines(l.head[at], l.head[at+1]):
			names, below = joined(names, l.head[at+1].cells), at+2
		}
		first := at
		if apart := l.groupsApart(at, names); apart != nil {
			names, first = apart, at-1
		}
		if err := l.t.header(names, l.file); err != nil {
			return err
		}
		switch {
		case first < at:
			l.t.Notes = append(l.t.Notes, text.Say("the column names stand in two rows, %s and %d", "列名は%sと%d行目の2行にあります",
				l.t.place(l.head[first].number), l.head[at].number%tabStride))
		case below > at+1:
			l.t.Notes = append(l.t.Notes, text.Say("the column names stand in two rows, %s and %d", "列名は%sと%d行目の2行にあります",
				l.t.place(l.head[at].number), l.head[at+1].number%tabStride))
		}
		if first > 0 {
			l.t.Notes = append(l.t.Notes, text.Say("the column names stand in %s; not read: %s above them, %s",
				"列名は%sにあります。それより上の%sは読み取りません：%s", l.t.place(l.head[first].number), text.Count(first, "row", "行"),
				quoted(l.head[:first])))
		}
	}
	l.width = len(l.t.Columns)
	if at >= 0 {
		l.names = trimmed(l.t.Columns)
	}
	for _, r := range l.head[below:] {
		l.data(r)
	}
	l.head = nil
	return nil
}

// groupsApart are the column names of a header in which several are called the same, with the group that the row above gives them, as
// "Bot A" stands above the one "Answer" and "Bot B" above the other; nil where that row does not tell all of them apart.
func (l *layout) groupsApart(at int, names []string) []string {
	if at == 0 || l.placed || l.head[at-1].number != l.head[at].number-1 {
		return nil
	}
	above, group := make([]string, len(names)), ""
	for i := range names {
		if own := strings.TrimSpace(textAt(l.head[at-1].cells, i)); own != "" {
			group = own // what is merged stands in its first cell
		}
		above[i] = group
	}
	twice := map[string]int{}
	for _, name := range names {
		twice[ColumnKey(name)]++
	}
	out, groups := slices.Clone(names), map[string]bool{}
	for i, name := range names {
		if key := ColumnKey(name); key != "" && twice[key] > 1 {
			out[i] = strings.TrimSpace(above[i] + " " + strings.TrimSpace(name))
			groups[above[i]] = true
			if twice[ColumnKey(out[i])]++; above[i] == "" || twice[ColumnKey(out[i])] > 1 {
				return nil
			}
		}
	}
	if len(groups) < 2 {
		return nil
	}
	return out
}

// twoLines reports whether the row below a header goes on with it: the header has gaps, which that row fills with names.
func twoLines(header, row gridRow) bool {
	gaps, known := 0, 0
	for i, c := range row.cells {
		c = strings.TrimSpace(c)
		if c == "" {
			continue
		}
		if len([]rune(c)) > 30 || asksSomething(c) || isNumber(c) || isURL(c) || strings.HasSuffix(c, "。") {
			return false
		}
		if i >= len(header.cells) || strings.TrimSpace(header.cells[i]) == "" {
			gaps++
		}
		if _, strength := guessName(c); strength > unsaid {
			known++
		}
	}
	return gaps > 0 && 2*known > filled(row)
}

// groupedNames reports whether the row below the header of a table of scores names the columns of a group, as "correctness" and "tone"
// below "rating": words alone, which fill a gap, with nothing below the names that tell questions apart but, merged, these names.
func groupedNames(header, row gridRow) bool {
	gaps := 0
	for i, c := range row.cells {
		c = strings.TrimSpace(c)
		above := strings.TrimSpace(textAt(header.cells, i))
		field, strength := guessName(above)
		switch _, isFigure := row.figures[i]; {
		case c == "" || c == above:
		case (field == FieldID || field == FieldQuestion) && strength >= likely,
			isFigure || len([]rune(c)) > longestName || counts.MatchString(c) || isMark(c) || isNumber(c) || asksSomething(c):
			return false
		case above == "":
			gaps++
		}
	}
	return gaps > 0
}

// joined are column names that stand in two lines. What stands above a gap goes for the columns to its right, as merged cells do.
func joined(above, below []string) []string {
	names := make([]string, max(len(above), len(below)))
	group := ""
	for i := range names {
		if i < len(above) && strings.TrimSpace(above[i]) != "" {
			group = above[i]
		}
		names[i] = group
		if own := strings.TrimSpace(textAt(below, i)); own != "" && own != strings.TrimSpace(group) {
			names[i] = strings.TrimSpace(group + " " + own)
		}
	}
	return names
}

// data takes a row below the header. In a sheet, columns that nobody named but that hold something get a name by their place.
func (l *layout) data(r gridRow) {
	t := l.t
	if l.strict && len(r.cells) != l.width {
		l.faults.Add(RowProblem{Row: r.number, Message: fieldCount(len(r.cells), l.width)})
		l.misfit(r)
		return
	}
	if l.anotherTable(&r) {
		return
	}
	for !l.strict && len(t.Columns) < len(r.cells) && len(t.Columns) < MaxDatasetColumns {
		t.Columns = append(t.Columns, fmt.Sprintf("column %d", len(t.Columns)+1))
	}
	if len(r.cells) > len(t.Columns) {
		l.faults.Add(RowProblem{Row: r.number, Message: fmt.Sprintf("has a value in column %d, but a sheet may have %d columns",
			len(r.cells), MaxDatasetColumns)})
		return
	}
	for i, c := range r.cells {
		if t.format == "xlsx" && errorCells[c] {
			l.faults.Add(RowProblem{Row: r.number, Field: t.Columns[i], Message: "the cell shows the error " + c})
		}
		if len(c) > experiments.MaxCellBytes && !looksStructured(c) {
			l.faults.Add(RowProblem{Row: r.number, Field: t.Columns[i], Message: experiments.CheckText(c).Error()})
			return // nobody has to guess what so long a text is
		}
	}
	t.strings(r)
}

// mostMisfits bounds the rows that are kept to tell whether another table stands there.
const mostMisfits = 10000

// misfit keeps a row that has not as many cells as the header.
func (l *layout) misfit(r gridRow) {
	if l.locate != nil || len(l.t.misfits) >= mostMisfits {
		return
	}
	row := TableRow{Number: r.number, cells: make([]any, len(r.cells))}
	for i, c := range r.cells {
		row.cells[i] = c
	}
	l.t.misfits = append(l.t.misfits, row)
}

// cellsAcross is how many cells the longest row has.
func cellsAcross(rows []gridRow) int {
	n := 0
	for _, r := range rows {
		n = max(n, len(r.cells))
	}
	return n
}

// quoted shows what stands in some rows, shortened.
func quoted(rows []gridRow) text.Said {
	var parts []string
	for _, r := range rows {
		for _, c := range r.cells {
			if c = strings.TrimSpace(c); c != "" {
				parts = append(parts, fmt.Sprintf("%q", Shortened(c)))
			}
		}
	}
	return few(parts, 6)
}

// few lists the first of some parts and counts the others.
func few(parts []string, most int) text.Said {
	if len(parts) <= most {
		return text.Said{EN: strings.Join(parts, ", "), JA: strings.Join(parts, "、")}
	}
	return text.Say("%s and %d more", "%s、ほか%d件", few(parts[:most], most), len(parts)-most)
}

// inHeader is " (line 1)", where the column names stand; "" where every object has its own.
func (t *Table) inHeader() string {
	if t.headerRow == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", t.place(t.headerRow).EN)
}

// place names a row of the file.
func (t *Table) place(number int) text.Said {
	counter := "行目"
	switch t.Unit {
	case "item":
		counter = "件目"
	case "column":
		counter = "列目"
	}
	if number >= tabStride {
		name := t.tabs[number/tabStride-1]
		return text.Said{EN: fmt.Sprintf("%s %d of %s", t.Unit, number%tabStride, name),
			JA: fmt.Sprintf("「%s」の%d%s", name, number%tabStride, counter)}
	}
	return text.Said{EN: fmt.Sprintf("%s %d", t.Unit, number), JA: fmt.Sprintf("%d%s", number, counter)}
}

func emptySheet(t *Table, file string) error {
	return problem.New(problem.Invalid, "dataset_empty", "sheet %q of %s is empty", t.sheet, file).With("file", file).
		With("sheet", t.sheet).
		WithHint("write the column names into the first row and one question per row below, or call the right sheet %q", questionSheet)
}
