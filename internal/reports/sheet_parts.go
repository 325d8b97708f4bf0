package reports

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// sheetPart is one of the sheets that hold the rows of a table: most tables have one, longer ones go on on numbered sheets.
type sheetPart struct {
	key      string // of the sheet's name
	number   int    // from 1
	of       int
	from, to int // rows of the table, the last one not included
}

// holds is how many rows of a table one sheet holds.
func (b *book) holds() int { return cmp.Or(b.Most, spreadsheet.MaxRows) - headerRow }

// partName is the name of the sheet with part number n of a table: "All questions", "All questions 2", …
func (b *book) partName(key string, n int) string {
	if n == 1 {
		return b.sheetName(key)
	}
	return b.sheetName(key) + " " + strconv.Itoa(n)
}

// addParts makes as many sheets as the rows of a table take.
func (b *book) addParts(key string, rows int, fill func(sheetPart), pages *[]func()) {
	parts := max(1, (rows+b.holds()-1)/b.holds())
	for n := range parts {
		p := sheetPart{key: key, number: n + 1, of: parts, from: n * b.holds(), to: min(rows, (n+1)*b.holds())}
		b.add(b.partName(key, n+1), func() { fill(p) }, pages)
	}
}

// streamPart writes the rows of one part of a table.
func (b *book) streamPart(p sheetPart, t table) {
	t.sheet, t.rows = b.partName(p.key, p.number), p.to-p.from
	if p.of > 1 {
		t.note = b.words.Say("note.part", "part", p.number, "parts", p.of) + "\n" + t.note
	}
	if p.number > 1 {
		t.name += strconv.Itoa(p.number)
	}
	row, link := t.row, t.link
	t.row = func(i int) []cell { return row(p.from + i) }
	t.link = func(i int) string { return link(p.from + i) }
	b.stream(t)
}

// placesOf tells, counted from 1, which row of its table each question has.
func placesOf(rows []row) map[string]int {
	places := make(map[string]int, len(rows))
	for i, r := range rows {
		places[r.question.ID] = i + 1
	}
	return places
}

// linkTo is where a row of another table stands; "" for no row.
func (b *book) linkTo(key string, place int) string {
	if place == 0 {
		return ""
	}
	return fmt.Sprintf("'%s'!%s", b.partName(key, 1+(place-1)/b.holds()), spreadsheet.CellName(1, firstRow+(place-1)%b.holds()))
}
