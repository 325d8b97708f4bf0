package reports

import (
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// flat is a named table beside a canvas: the same values as a table of the frame, without the merged cells that a named table may not
// have. Formulas and pivot tables of readers find it by its name, which is the same in every language. It is not printed.
type flat struct {
	name  string
	first []int // where the fields of the header stand in the frame
	heads []column
	rows  [][]any
}

// named makes the next table of the frame a named one as well; the function that it returns writes it.
func (c *canvas) named(name string) (write func()) {
	c.flat = &flat{name: name}
	return func() {
		f := c.flat
		c.flat = nil
		c.beside(f)
	}
}

// take notes a line of the table that is being named: its header first.
func (f *flat) take(fields []field) {
	if f.heads == nil {
		for _, one := range fields {
			title, _ := one.value.(string)
			f.first, f.heads = append(f.first, one.first), append(f.heads, column{title: strings.ReplaceAll(title, "\n", " ")})
		}
		distinct(f.heads)
		return
	}
	row := make([]any, len(f.first))
	for _, one := range fields {
		for i, first := range f.first {
			if one.first == first {
				row[i] = one.value
			}
		}
	}
	f.rows = append(f.rows, row)
}

// beside writes a flat table to the right of the frame, below what stands there.
func (c *canvas) beside(f *flat) {
	if len(f.rows) == 0 {
		return
	}
	last := dataColumn + len(f.heads) - 1
	c.Keep(c.File.SetColWidth(c.sheet, spreadsheet.ColumnName(dataColumn), spreadsheet.ColumnName(last), 16))
	what := c.words.Say("table." + strings.TrimRight(f.name, "0123456789"))
	c.putAt(c.data, dataColumn, dataColumn+2, c.words.Say("chart.table")+" – "+c.words.Say("word.aside", "text", what, "aside", f.name),
		spreadsheet.Look{Bold: true, Color: spreadsheet.Faded})
	top := c.data + 1
	for i, head := range f.heads {
		c.putAt(top, dataColumn+i, dataColumn+i, head.title, spreadsheet.Look{Bold: true, Fill: spreadsheet.Panel})
	}
	for n, row := range f.rows {
		for i, v := range row {
			if v == nil {
				v = ""
			}
			c.putAt(top+1+n, dataColumn+i, dataColumn+i, v, spreadsheet.Look{Color: spreadsheet.Faded})
		}
	}
	c.Keep(c.File.AddTable(c.sheet, &excelize.Table{
		Range: spreadsheet.CellName(dataColumn, top) + ":" +
			spreadsheet.CellName(last, top+len(f.rows)), Name: f.name, StyleName: "TableStyleLight1",
		ShowRowStripes: new(false),
	}))
	c.data = top + len(f.rows) + 2
}
