package reports

import (
	"cmp"
	"math"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// A canvas is a frame of equal columns; the numbers behind its charts stand to the right of it and are not printed.
const (
	frame      = 12
	half       = frame / 2
	dataColumn = frame + 2
)

// canvas is a sheet that is laid out by hand from top to bottom: texts, small tables, charts.
type canvas struct {
	*book
	sheet string
	unit  float64 // width of one of the frame's columns, in characters
	row   int     // the next free row
	data  int     // the next free row of the numbers behind the charts
	flat  *flat   // the table that is being named; nil without one
}

// canvas starts a sheet. Close prints it.
func (b *book) canvas(sheet string, unit float64) *canvas {
	c := &canvas{book: b, sheet: sheet, unit: unit, row: 1, data: 1}
	b.Keep(b.File.SetColWidth(sheet, "A", spreadsheet.ColumnName(frame), unit))
	b.Keep(b.File.SetColWidth(sheet, spreadsheet.ColumnName(frame+1), spreadsheet.ColumnName(frame+1), 4))
	b.Keep(b.File.SetColWidth(sheet, spreadsheet.ColumnName(dataColumn), spreadsheet.ColumnName(dataColumn+3), 16))
	return c
}

// close sets the sheet up for printing: the frame, not the numbers beside it.
func (c *canvas) close(p paper) {
	p.columns, p.rows = frame, max(1, c.row-1)
	c.page(c.sheet, p)
}

// pixels is the width of so many of the frame's columns; the workbook writer counts 7 for a character and 5 for the edges.
func (c *canvas) pixels(columns int) uint { return uint(columns * (int(c.unit*7) + 5)) }

// put writes a value into the columns from first to last of the current row and makes the row high enough.
func (c *canvas) put(first, last int, v any, l spreadsheet.Look) { c.putAt(c.row, first, last, v, l) }

func (c *canvas) putAt(row, first, last int, v any, l spreadsheet.Look) {
	v, l = c.value(v, l)
	at, end := spreadsheet.CellName(first, row), spreadsheet.CellName(last, row)
	c.Keep(c.File.SetCellStyle(c.sheet, at, end, c.Style(l)))
	if first != last {
		c.Keep(c.File.MergeCell(c.sheet, at, end))
	}
	if text, ok := v.(string); ok {
		c.Keep(c.File.SetCellStr(c.sheet, at, text))
		size := cmp.Or(l.Size, 10)
		if l.Wrap {
			width := float64(last-first+1) * c.unit * spreadsheet.CharactersAt(size)
			c.height(row, float64(spreadsheet.Lines(text, width, mostLines))*c.lineHeight()*size/10+2)
		}
		return
	}
	c.Keep(c.File.SetCellValue(c.sheet, at, v))
}

// mostLines is how many lines of a cell of the frame are shown: all causes of a part, in two languages.
const mostLines = 24

// height makes a row at least this high, in points.
func (c *canvas) height(row int, points float64) {
	now, err := c.File.GetRowHeight(c.sheet, row)
	c.Keep(err)
	if points > now {
		c.Keep(c.File.SetRowHeight(c.sheet, row, points))
	}
}

// gap leaves a low row free.
func (c *canvas) gap(points float64) {
	c.Keep(c.File.SetRowHeight(c.sheet, c.row, points))
	c.row++
}

// heading writes a heading across the columns from first to last of the current row.
func (c *canvas) heading(first, last int, text string) {
	c.put(first, last, text, spreadsheet.Look{Bold: true, Size: 11.5, Color: spreadsheet.Navy, Under: true, Middle: true})
	c.height(c.row, 18)
}

// open starts a block with its heading across the frame.
func (c *canvas) open(key string, args ...any) {
	if c.row > 1 {
		c.gap(6)
	}
	c.heading(1, frame, c.words.Say(key, args...))
	c.row++
}

// top writes the heading of a sheet and what it is about.
func (c *canvas) top(title string, notes ...string) {
	c.put(1, frame, title, spreadsheet.Look{Bold: true, Size: 16, Color: spreadsheet.Navy, Wrap: true, Middle: true})
	c.height(c.row, 26)
	c.row++
	for _, note := range notes {
		c.say(note, spreadsheet.Look{Color: spreadsheet.Faded, Wrap: true})
	}
}

// say writes a text across the frame.
func (c *canvas) say(text string, l spreadsheet.Look) {
	l.Wrap = true
	c.put(1, frame, text, l)
	c.row++
}

// notRun says that something was not looked into, and how to do it.
func (c *canvas) notRun(text string) {
	c.say(notRunMark+text, notRunLook())
}

// notRunMark stands before what says that something was not looked at.
const notRunMark = "○ "

// notRunLook is how it looks.
func notRunLook() spreadsheet.Look {
	return spreadsheet.Look{Color: spreadsheet.AmberInk, Fill: spreadsheet.Amber, Box: true, Middle: true, Wrap: true}
}

// field is a cell of a table on a canvas: from column first to column last.
type field struct {
	first, last int
	value       any
	look        spreadsheet.Look
}

func (c *canvas) line(fields ...field) {
	if c.flat != nil {
		c.flat.take(fields)
	}
	for _, f := range fields {
		f.look.Box = true
		f.look.Middle = true
		c.put(f.first, f.last, f.value, f.look)
	}
	c.height(c.row, c.lineHeight()+1)
	c.row++
}

// header is the first line of a table: the values of its fields are catalogue keys.
func (c *canvas) header(fields ...field) {
	for i := range fields {
		fields[i].value = c.words.Say(fields[i].value.(string))
	}
	c.headings(fields...)
}

// headings is the same with words.
func (c *canvas) headings(fields ...field) {
	for i := range fields {
		fields[i].look = spreadsheet.Look{Bold: true, Color: spreadsheet.White, Fill: spreadsheet.Navy, Align: "center", Wrap: true}
	}
	c.line(fields...)
}

// chartRows reserves rows for a chart and returns the first and their height in pixels, as the workbook writer counts them.
func (c *canvas) chartRows(n int, points float64) (first int, pixels uint) {
	first = c.row
	for range n {
		c.gap(points)
	}
	return first, uint(n) * uint(math.Ceil(points*4/3.4))
}

// note is a look of small print.
func note() spreadsheet.Look { return spreadsheet.Look{Color: spreadsheet.Faded, Wrap: true, Size: 9} }
