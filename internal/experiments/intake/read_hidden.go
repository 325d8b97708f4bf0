package intake

import (
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/text"
)

// noteHidden says which of the columns and rows that were read are hidden in the sheet: whoever sees only the others would not look for
// their contents among the questions. rows are the hidden rows that hold something.
func (t *Table) noteHidden(f *excelize.File, rows []int, size int) {
	if size > maxMergedBytes { // whether a column is hidden takes the whole sheet into memory
		return
	}
	var columns []string
	t.hidden = map[int]bool{}
	for i, called := range t.Columns {
		letters, err := excelize.ColumnNumberToName(i + 1)
		if err != nil {
			continue
		}
		if visible, err := f.GetColVisible(t.sheet, letters); err == nil && !visible {
			columns = append(columns, called)
			t.hidden[i] = true
		}
	}
	if len(columns) > 0 {
		t.Notes = append(t.Notes, text.Say("hidden in the sheet and read all the same: %s: %s", "シートで非表示の%sも読み取りました：%s",
			text.Count(len(columns), "column", "列"), few(columns, 6)))
	}
	var places []text.Said
	for _, number := range rows {
		if number > t.headerRow {
			places = append(places, t.place(number))
		}
	}
	if len(places) > 0 {
		t.Notes = append(t.Notes, text.Say("hidden in the sheet, as by a filter, and read all the same: %s: %s",
			"シートで非表示の（フィルターなどによる）%sも読み取りました：%s", text.Count(len(places), "row", "行"), listedFew(places)))
	}
}

// outshone reports whether a column is hidden while a visible one has a name that surely speaks of the same field and is not mapped to
// another one.
func (m *ColumnMap) outshone(t *Table, column int, field string) bool {
	if !t.hidden[column] {
		return false
	}
	for i, name := range t.Columns {
		said, strength := guessName(name)
		if i != column && !t.hidden[i] && said == field && strength >= likely && (m.fields[i] == "" || m.fields[i] == field) &&
			suits("", field, t.contents(i)) {
			return true
		}
	}
	return false
}
