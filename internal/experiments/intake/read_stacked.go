package intake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// longestName is how many characters the name of a column has at most, where it stands below other rows.
const longestName = 20

// anotherTable looks at a row below the header for column names of its own, with which a further table begins, and brings the rows of that
// table into the order of the first. It reports whether there is nothing left to read of the row.
func (l *layout) anotherTable(r *gridRow) (done bool) {
	if l.locate == nil {
		return false
	}
	if l.again != nil && sameNames(r.cells, l.again) {
		l.t.aside(*r)
		return true
	}
	if !l.headsTable(*r) {
		if l.unread != nil {
			l.unread.rows++
			return true
		}
		l.arrange(r)
		return false
	}
	l.unread, l.order = nil, nil
	l.setTitlesAside(*r)
	if sameNames(r.cells, l.names) {
		l.t.aside(*r)
		return true
	}
	if l.order = l.orderOf(*r); l.order == nil {
		l.unread = &unreadTable{header: *r}
		l.skipped = append(l.skipped, l.unread)
		return true
	}
	l.t.Notes = append(l.t.Notes, text.Say("another table begins in %s, with column names of its own; its rows are read by these: %s",
		"%sから別の表が始まり、列名が異なります。その行は次の列名で読み取りました：%s", l.t.place(r.number), quoted([]gridRow{*r})))
	return true
}

// unreadTable is a further table that is not read.
type unreadTable struct {
	header gridRow
	rows   int
}

// noteUnread says which tables were not read, and how many rows they have.
func (l *layout) noteUnread() {
	for _, u := range l.skipped {
		l.t.Notes = append(l.t.Notes, text.Say("another table begins in %s, whose column names (%s) do not say what the questions are: its %s not read; "+
			"put it into a sheet of its own if it holds questions",
			"%sから別の表が始まりますが、列名（%s）からは質問の列が分からないため、その%sは読み取っていません。質問がある場合は別のシートに分けてください",
			l.t.place(u.header.number), quoted([]gridRow{u.header}), text.Said{EN: wereRows(u.rows), JA: fmt.Sprintf("%d行", u.rows)}))
	}
}

func wereRows(n int) string {
	if n == 1 {
		return "1 row was"
	}
	return fmt.Sprintf("%d rows were", n)
}

// headsTable reports whether a row below the header holds column names: each cell is short and known as such a name, one names the
// questions, and two stand in the header too; or blank rows set the row apart from those above it.
func (l *layout) headsTable(r gridRow) bool {
	again, sure, asks := 0, 0, false
	for _, c := range r.cells {
		if c = strings.TrimSpace(c); c == "" {
			continue
		}
		field, strength := guessName(c)
		repeated := slices.ContainsFunc(l.names, func(name string) bool { return ColumnKey(name) == ColumnKey(c) })
		if len([]rune(c)) > longestName && !repeated || isNumber(c) || asksSomething(c) || strings.HasSuffix(c, "。") ||
			strength == unsaid && !repeated {
			return false
		}
		if repeated {
			again++
		}
		if strength >= likely {
			sure++
		}
		asks = asks || field == FieldQuestion && strength >= likely
	}
	n := filled(r)
	return n > 1 && (asks && again > 1 || l.apart(r) && (asks || sure == n))
}

// apart reports whether blank rows part a row from the rows above it, with or without a title between.
func (l *layout) apart(r gridRow) bool {
	rows := l.t.Rows
	if len(rows) == 0 {
		return false
	}
	last := rows[len(rows)-1]
	if r.number > last.Number+1 {
		return true
	}
	return isTitle(last) && len(rows) > 1 && last.Number > rows[len(rows)-2].Number+1
}

// isTitle reports whether one cell stands alone in a row and asks nothing.
func isTitle(r TableRow) bool {
	said := slices.DeleteFunc(rowTexts(r), func(s string) bool { return strings.TrimSpace(s) == "" })
	return len(said) == 1 && !asksSomething(said[0])
}

// setTitlesAside takes the title above a further table out of the rows.
func (l *layout) setTitlesAside(r gridRow) {
	rows := l.t.Rows
	if n := len(rows); n > 1 && isTitle(rows[n-1]) && r.number <= rows[n-1].Number+2 && rows[n-1].Number > rows[n-2].Number+1 {
		l.t.aside(gridRow{number: rows[n-1].Number, cells: rowTexts(rows[n-1])})
		l.t.Rows = rows[:n-1]
	}
}

// aside remembers a row that is not read, to be named.
func (t *Table) aside(r gridRow) {
	t.asides = append(t.asides, text.Say("%s (%s)", "%s（%s）", t.place(r.number), quoted([]gridRow{r})))
}

// orderOf is the column of each cell of a further table: that of the same name, else the one that also holds questions, right answers or
// ids, else a new one. It is nil where no column of the table is known to hold the questions.
func (l *layout) orderOf(r gridRow) []int {
	t := l.t
	order, taken, asks := make([]int, len(r.cells)), map[int]bool{}, false
	give := func(cell int, column int) {
		order[cell] = column
		taken[column] = true
	}
	for i := range order {
		order[i] = -1
	}
	for i, c := range r.cells {
		same := slices.IndexFunc(l.names, func(name string) bool { return strings.TrimSpace(c) != "" && ColumnKey(name) == ColumnKey(c) })
		if same >= 0 && !taken[same] {
			give(i, same)
		}
	}
	for i, c := range r.cells {
		field, _ := guessName(c)
		if order[i] < 0 && (field == FieldQuestion || field == FieldReference || field == FieldID) {
			for column, name := range l.names {
				if other, _ := guessName(name); other == field && !taken[column] {
					give(i, column)
					break
				}
			}
		}
		asks = asks || field == FieldQuestion && order[i] >= 0
	}
	if !asks {
		return nil
	}
	for i, c := range r.cells {
		if order[i] < 0 && strings.TrimSpace(c) != "" && len(t.Columns) < MaxDatasetColumns {
			give(i, len(t.Columns))
			t.Columns = append(t.Columns, t.called(strings.Join(strings.Fields(c), " ")))
		}
	}
	return order
}

// arrange brings a row of a further table into the order of the columns.
func (l *layout) arrange(r *gridRow) {
	if l.order == nil {
		return
	}
	column := func(i int) int {
		if i < len(l.order) {
			return l.order[i]
		}
		return -1
	}
	cells := make([]string, len(l.t.Columns))
	for i, c := range r.cells {
		switch column := column(i); {
		case column >= 0:
			cells[column] = c
		case strings.TrimSpace(c) != "": // beyond the names of its table
			cells = append(cells, c)
		}
	}
	r.cells, r.figures = cells, moved(r.figures, column)
}

func trimmed(cells []string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = strings.TrimSpace(c)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}
