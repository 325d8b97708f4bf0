package reports

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// Rows of every data sheet: a note, the header, then the data.
const (
	noteRow   = 1
	headerRow = 2
	firstRow  = 3
)

// maxLinks is how many rows of a sheet are linked. The workbook writer looks through all links for each new one, so that
// many thousands would take longer than all the rest.
const maxLinks = 5000

// maxHeight is the height in points above which a row is cut; the cell still holds the whole text.
const maxHeight = 400

type column struct {
	title  string
	width  float64
	look   spreadsheet.Look
	hidden bool
	list   string // reference of the cells that a drop-down offers; "" without one
	most   int    // lines of it that are shown in a row; 0 as the table has it
}

// col is a column with nothing special about it.
func col(title string, width float64, l spreadsheet.Look) column {
	return column{title: title, width: width, look: l}
}

// cell is a value of a data sheet. A look of its own replaces that of the column.
type cell struct {
	value any
	look  *spreadsheet.Look
}

// table describes a data sheet.
type table struct {
	sheet   string
	name    string // of the table, for formulas and pivot tables of readers: the same in every language; "" makes none
	note    string
	empty   string // sentence instead of rows
	columns []column
	frozen  int // columns that stay in view
	printed int // columns that are printed; 0 for all
	most    int // lines shown in a row
	rows    int
	row     func(i int) []cell
	lowRule []lowColumn        // columns whose low scores are coloured
	link    func(i int) string // where the first column of a row leads, "" for nowhere; nil without links
}

// stream writes a data sheet row by row. Everything that decorates the sheet comes first: what is set after the rows is lost
// without an error.
func (b *book) stream(t table) {
	last := firstRow + max(t.rows, 1) - 1
	if last > spreadsheet.MaxRows {
		b.Keep(spreadsheet.TooManyRows(t.sheet, "write the report as HTML or Markdown, or ask the runs fewer questions (--filter, --limit)"))
		return
	}
	b.page(t.sheet, paper{headerRows: headerRow, columns: t.printed, rows: last})
	b.colourLow(t, last)
	b.links(t)
	b.dropDowns(t, last)
	distinct(t.columns)
	if b.Err != nil {
		return
	}
	sw, err := b.File.NewStreamWriter(t.sheet)
	if err != nil {
		b.Keep(err)
		return
	}
	for i := len(t.columns); i > 0; i-- { // backwards: each width is written before the earlier ones
		b.Keep(sw.SetColWidth(i, i, t.columns[i-1].width))
		if t.columns[i-1].hidden {
			b.Keep(sw.SetColVisible(i, i, false))
		}
	}
	b.Keep(sw.SetPanes(&excelize.Panes{
		Freeze: true, XSplit: t.frozen, YSplit: headerRow, TopLeftCell: spreadsheet.CellName(t.frozen+1,
			firstRow), ActivePane: pane(t.frozen),
	}))
	b.head(sw, t)
	if t.name != "" && t.rows > 0 {
		b.Keep(sw.AddTable(&excelize.Table{
			Range: spreadsheet.CellName(1, headerRow) + ":" +
				spreadsheet.CellName(len(t.columns), last), Name: t.name, ShowRowStripes: new(false),
		}))
	}
	if t.rows == 0 {
		b.Keep(sw.SetRow(spreadsheet.CellName(1, firstRow), []any{b.cell(t.empty, spreadsheet.Look{Italic: true})},
			excelize.RowOpts{Height: 20}))
	} else {
		b.Keep(sw.SetRow(spreadsheet.CellName(1, firstRow), []any{b.rowsOf(t)}))
	}
	b.Keep(sw.Flush())
}

// links leads the first cells of rows to where their question stands on another sheet.
func (b *book) links(t table) {
	if t.link == nil {
		return
	}
	made := 0
	for i := 0; i < t.rows && made < maxLinks; i++ {
		if to := t.link(i); to != "" {
			b.Keep(b.File.SetCellHyperLink(t.sheet, spreadsheet.CellName(1, firstRow+i), to, "Location"))
			made++
		}
	}
}

// dropDowns offers the choices of the columns that have some.
func (b *book) dropDowns(t table, last int) {
	if t.rows == 0 {
		return
	}
	for i, c := range t.columns {
		if c.list == "" {
			continue
		}
		dv := excelize.NewDataValidation(true)
		dv.SetSqref(spreadsheet.CellName(i+1, firstRow) + ":" + spreadsheet.CellName(i+1, last))
		dv.SetSqrefDropList(c.list)
		dv.SetError(excelize.DataValidationErrorStyleStop, c.title, b.words.Say("review.choose"))
		b.Keep(b.File.AddDataValidation(t.sheet, dv))
	}
}

// distinct makes the headings of a table different from each other, as a named table needs them: two metrics may have one title.
func distinct(columns []column) {
	seen := map[string]bool{}
	for i := range columns {
		title := columns[i].title
		for n := 2; seen[strings.ToLower(columns[i].title)]; n++ {
			columns[i].title = fmt.Sprintf("%s (%d)", title, n)
		}
		seen[strings.ToLower(columns[i].title)] = true
	}
}

func pane(frozen int) string {
	if frozen > 0 {
		return "bottomRight"
	}
	return "bottomLeft"
}

func (b *book) head(sw *excelize.StreamWriter, t table) {
	b.Keep(sw.SetRow(spreadsheet.CellName(1, noteRow), []any{b.cell(strings.ReplaceAll(t.note, "\n", "  "),
		spreadsheet.Look{Italic: true, Color: spreadsheet.Faded})},
		excelize.RowOpts{Height: 20}))
	header := make([]any, len(t.columns))
	tallest := 1
	for i, c := range t.columns {
		header[i] = b.cell(strings.ReplaceAll(c.title, "\n", " "),
			spreadsheet.Look{Bold: true, Color: spreadsheet.White, Fill: spreadsheet.Navy, Wrap: true, Middle: true, Align: "center",
				Box: true})
		tallest = max(tallest, spreadsheet.Lines(c.title, c.width, 4))
	}
	b.Keep(sw.SetRow(spreadsheet.CellName(1, headerRow), header, excelize.RowOpts{Height: float64(tallest)*b.lineHeight() + 8}))
}

// rowsOf spools the rows of a table and returns the mark that stands for them.
func (b *book) rowsOf(t table) string {
	s := b.NewSpool()
	names := make([]string, len(t.columns))
	for i := range names {
		names[i] = spreadsheet.ColumnName(i + 1)
	}
	for i := range t.rows {
		b.put(s, firstRow+i, t, t.row(i), names)
	}
	b.Keep(s.Close())
	return s.Mark
}

func (b *book) put(to *spreadsheet.Spool, at int, t table, cells []cell, names []string) {
	to.Row(at, b.heightOf(t, cells))
	for i, c := range cells {
		l := t.columns[i].look
		if c.look != nil {
			l = *c.look
		}
		l.Box = true
		made := b.cell(c.value, l)
		to.Cell(names[i], at, made.StyleID, made.Value)
	}
	to.End()
}

// heightOf is the height of a row in points: that of its tallest text.
func (b *book) heightOf(t table, cells []cell) float64 {
	tallest := b.lineHeight()
	for i, c := range cells {
		l := t.columns[i].look
		if c.look != nil {
			l = *c.look
		}
		if s, ok := c.value.(string); ok && l.Wrap {
			size := cmp.Or(l.Size, 10)
			n := spreadsheet.Lines(s, t.columns[i].width*spreadsheet.CharactersAt(size), cmp.Or(t.columns[i].most, t.most))
			tallest = max(tallest, float64(n)*b.lineHeight()*size/10)
		}
	}
	return min(tallest+4, maxHeight)
}

func (b *book) cell(v any, l spreadsheet.Look) excelize.Cell {
	v, l = b.value(v, l)
	if v == "" {
		v = nil // an empty cell, not one with an empty text: a third of all cells
	}
	return excelize.Cell{Value: v, StyleID: b.Style(l)}
}

// colourLow marks low scores. Words in these columns are never "at or below" a number.
func (b *book) colourLow(t table, last int) {
	if len(t.lowRule) == 0 || t.rows == 0 {
		return
	}
	format := b.Emphasis(spreadsheet.LowInk, spreadsheet.LowFill)
	for _, col := range t.lowRule {
		area := fmt.Sprintf("%s:%s", spreadsheet.CellName(col.at+1, firstRow), spreadsheet.CellName(col.at+1, last))
		criteria := "<="
		if col.line.Above {
			criteria = ">="
		}
		b.Keep(b.File.SetConditionalFormat(t.sheet, area, []excelize.ConditionalFormatOptions{
			{Type: "cell", Criteria: criteria, Value: plain(col.line.At), Format: &format},
		}))
	}
}
