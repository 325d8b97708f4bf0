package intake

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/text"
)

// noteLooks says what people see in a sheet beside the texts of its cells, and what may change their meaning: cells that are struck
// out, and comments at cells, which are not read.
func (t *Table) noteLooks(f *excelize.File, size int) {
	if size > maxMergedBytes { // both take the whole sheet into memory
		return
	}
	if formulas := t.uncounted(f); len(formulas) > 0 {
		t.Notes = append(t.Notes, text.Say("formulas without a stored value, read as empty cells: %s; open the file in a spreadsheet program and "+
			"save it, so that it holds their values", "値の保存されていない数式を空のセルとして読みました：%s。"+
			"表計算ソフトで開いて保存し直すと、値が入ります", listedFew(formulas)))
	}
	if places := t.struckOut(f); len(places) > 0 {
		t.Notes = append(t.Notes, text.Say("struck out in the sheet, and read all the same: %s: %s; delete what does not hold any more",
			"シートで取り消し線の付いた%sも読み取りました：%s。無効な行は削除してください",
			text.Count(len(places), "row", "行"), listedFew(places)))
	}
	if said := t.remarksAtCells(f); len(said) > 0 {
		t.Notes = append(t.Notes, text.Say("comments at cells are not read: %s; write into a cell what belongs to its question",
			"セルのコメントは読み取りません：%s。質問や正解に関わる内容はセルに書いてください", listedFew(said)))
	}
}

// uncounted are the columns whose first empty cell is a formula that nobody has counted yet, as programs write them: a library that writes
// sheets counts nothing.
func (t *Table) uncounted(f *excelize.File) (columns []text.Said) {
	for i, name := range t.Columns {
		blank := func(r TableRow) bool {
			s, err := CellText(r.Cell(i))
			return err == nil && s == ""
		}
		at := slices.IndexFunc(t.Rows, blank)
		if at < 0 {
			continue
		}
		cell, err := excelize.CoordinatesToCellName(i+1, t.Rows[at].Number-t.offset)
		if err != nil {
			continue
		}
		formula, err := f.GetCellFormula(t.sheet, cell)
		kind, errKind := f.GetCellType(t.sheet, cell)
		if err != nil || errKind != nil || formula == "" {
			continue
		}
		// a formula of type text may have been counted and be empty; nobody writes a whole column of these
		if kind != excelize.CellTypeFormula || !slices.ContainsFunc(t.Rows, func(r TableRow) bool { return !blank(r) }) {
			columns = append(columns, text.Say("%s (%s: =%s)", "%s（%s：=%s）", name, cell, Shortened(formula)))
		}
	}
	return columns
}

// struckOut are the rows with a cell that is struck out as a whole.
func (t *Table) struckOut(f *excelize.File) (places []text.Said) {
	if f.Styles == nil || f.Styles.Fonts == nil {
		return nil
	}
	any := false
	for _, font := range f.Styles.Fonts.Font {
		any = any || font != nil && font.Strike != nil
	}
	if !any {
		return nil
	}
	struck := map[int]bool{}
	for _, row := range t.Rows {
		for i := range row.cells {
			if strings.TrimSpace(rowTexts(row)[i]) == "" {
				continue
			}
			cell, err := excelize.CoordinatesToCellName(i+1, row.Number-t.offset)
			if err != nil {
				continue
			}
			style, err := f.GetCellStyle(t.sheet, cell)
			if err != nil {
				continue
			}
			is, known := struck[style]
			if !known {
				look, err := f.GetStyle(style)
				is = err == nil && look.Font != nil && look.Font.Strike
				struck[style] = is
			}
			if is {
				places = append(places, t.place(row.Number))
				break
			}
		}
	}
	return places
}

// remarksAtCells are the comments at the cells of the table, by their place.
func (t *Table) remarksAtCells(f *excelize.File) (said []text.Said) {
	comments, err := f.GetComments(t.sheet)
	if err != nil {
		return nil // the cells themselves are read all the same
	}
	row := func(c excelize.Comment) int {
		_, row, err := excelize.CellNameToCoordinates(c.Cell)
		if err != nil {
			return 0
		}
		return row
	}
	slices.SortStableFunc(comments, func(a, b excelize.Comment) int { return cmp.Compare(row(a), row(b)) })
	for _, c := range comments {
		words := strings.TrimSpace(strings.TrimPrefix(c.Text, c.Author+":"))
		if len(c.Paragraph) > 0 && words == "" {
			for _, run := range c.Paragraph {
				words += run.Text
			}
		}
		if row(c) > 0 && strings.TrimSpace(words) != "" {
			said = append(said, text.Say("%s (%q)", "%s（「%s」）", c.Cell, Shortened(strings.Join(strings.Fields(words), " "))))
		}
	}
	return said
}
