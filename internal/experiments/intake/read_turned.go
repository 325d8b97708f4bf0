package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// turned reads a sheet whose questions stand side by side, each in a column of its own, with the names in the first column: its rows are
// then the columns. nil where the sheet is not of this form, as far as can be told. Only a whole sheet can be turned.
func turned(rows []gridRow) []gridRow {
	for at := range cellsAcross(rows) { // the names may stand behind an empty column
		if at > 0 && slices.ContainsFunc(rows, func(r gridRow) bool { return cellAt(r, at-1) != "" }) {
			return nil
		}
		first := 0
		for first < len(rows) && filled(rows[first]) < 2 && !namesField(cellAt(rows[first], at)) { // titles
			first++
		}
		switch body := rows[first:]; {
		case namedDown(body, at):
			return asRows(body, at)
		case scoredDown(body, at):
			out := asRows(body, at)
			out[0].cells[0] = "question"
			return out
		}
	}
	return nil
}

func cellAt(r gridRow, i int) string {
	if i < 0 || i >= len(r.cells) {
		return ""
	}
	return strings.TrimSpace(r.cells[i])
}

// namesField reports whether a cell names questions or right answers and is no question itself.
func namesField(c string) bool {
	field, strength := guessName(c)
	return (field == FieldQuestion || field == FieldReference) && strength >= likely && len([]rune(c)) <= longestName && !asksSomething(c)
}

// namedDown reports whether a column names, once each, what the rows hold: the questions, the right answers or those of a system, and most
// of the others; and no row does.
func namedDown(rows []gridRow, at int) bool {
	known, said, seen := 0, 0, map[string]bool{}
	fields := map[string]int{}
	for i, r := range rows {
		c := cellAt(r, at)
		if c == "" || seen[c] || len([]rune(c)) > longestName || isNumber(c) || asksSomething(c) ||
			i > 0 && filled(r) > 2 && headsRow(r, at) {
			return false
		}
		seen[c] = true
		said++
		field, strength := guessName(c)
		if strength > unsaid {
			known++
		}
		if strength >= likely {
			fields[field]++
		}
	}
	return fields[FieldQuestion] == 1 && fields[FieldReference]+fields[kindSystem] > 0 && 2*known >= said && !headsRow(rows[0], at)
}

// scoredDown reports whether the first row holds questions alone, and the rows below their scores, each under its name.
func scoredDown(rows []gridRow, at int) bool {
	if len(rows) < 2 {
		return false
	}
	asked := 0
	for i := at + 1; i < len(rows[0].cells); i++ {
		if c := cellAt(rows[0], i); c != "" {
			if !asksSomething(c) {
				return false
			}
			asked++
		}
	}
	return asked >= 2 && !slices.ContainsFunc(rows[1:], func(r gridRow) bool { return !isKind(kindScore, cellAt(r, at)) })
}

// headsRow reports whether the cells behind a name are names too: then the row is a header as usual.
func headsRow(r gridRow, at int) bool {
	for i := at + 1; i < len(r.cells); i++ {
		if namesField(strings.TrimSpace(r.cells[i])) {
			return true
		}
	}
	return false
}

// asRows are the columns of some rows from one on, as rows whose numbers are those of the columns.
func asRows(rows []gridRow, at int) (out []gridRow) {
	for column := at; column < cellsAcross(rows); column++ {
		turned := gridRow{number: column + 1, cells: make([]string, len(rows))}
		for i, r := range rows {
			turned.cells[i] = cellAt(r, column)
			if f, is := r.figures[column]; is {
				if turned.figures == nil {
					turned.figures = map[int]Figure{}
				}
				turned.figures[i] = f
			}
		}
		if column == at || filled(turned) > 0 {
			out = append(out, turned)
		}
	}
	if len(out) > 1 && !namesField(out[0].cells[0]) && !slices.ContainsFunc(out[1:], func(r gridRow) bool {
		return !shortNumber.MatchString(norm.NFKC.String(r.cells[0]))
	}) {
		out[0].cells[0] = "ID" // above the questions stand their numbers
	}
	return out
}

// turn turns the sheet where it has to be, and says so.
func (l *layout) turn() {
	rows := turned(l.head)
	if rows == nil {
		return
	}
	l.head, l.placed = rows, true
	l.t.Unit, l.faults.Unit = "column", "column"
	l.t.Notes = append(l.t.Notes, text.Say("the questions stand side by side: each column was read as one, by the names in column %d",
		"質問が横に並んでいるため、%d列目の項目名により、1列を1問として読み取りました", rows[0].number))
}
