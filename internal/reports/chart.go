package reports

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// Both axes leave a step free on each side, so that the largest bubbles have room and the ticks, which start at the lower
// end, fall on the scores. Only the scores are labelled.
const (
	axisMin    = 0
	axisMax    = steps + 1
	axisLabels = `[=0]"";[=6]"";0`
)

// Rows that a bubble chart covers, and their height in points.
const (
	bubbleRows   = 13
	bubblePoints = 15.5
)

// bubbles shows where the answers stand: one bubble chart, or two side by side on the same scale, with their counts.
func (c *canvas) bubbles() {
	c.open("section.chart")
	after, shownAfter := c.after.grid(c.threshold)
	if c.before == nil {
		top := c.row
		c.bubbleChart(1, "chart.now", after, 0)
		c.countsAt(top+2, half+1, "chart.now", after, shownAfter, len(c.after.rows))
		return
	}
	before, shownBefore := c.before.grid(c.threshold)
	scale := max(before.largest(), after.largest())
	top := c.row
	c.bubbleChart(1, "chart.before", before, scale)
	c.row = top
	c.bubbleChart(half+1, "chart.after", after, scale)
	c.countsAt(c.row, 1, "chart.before", before, shownBefore, len(c.before.rows))
	c.countsAt(c.row, half+1, "chart.after", after, shownAfter, len(c.after.rows))
	c.row += steps + 2
	c.say(c.words.Say("counts.legend", "line", c.lowLine()), note())
}

// countsAt writes the table of counts, highest trust on top as in the chart.
func (c *canvas) countsAt(row, col int, side string, g grid, shown, total int) {
	title := c.words.Say("counts.title", "side", c.words.Say(side), "shown", shown, "total", total)
	c.putAt(row, col, col+steps, title, spreadsheet.Look{Bold: true, Color: spreadsheet.Navy, Size: 9})
	c.height(row, 14)
	head := spreadsheet.Look{Bold: true, Fill: spreadsheet.Panel, Align: "center", Box: true, Middle: true, Size: 9}
	corner := head
	corner.Size, corner.Bold, corner.Wrap = 6.5, false, true
	c.putAt(row+1, col, col, c.words.Say("counts.corner"), corner)
	for x := 1; x <= steps; x++ {
		c.putAt(row+1, col+x, col+x, x, head)
	}
	c.height(row+1, 20)
	for t := steps; t >= 1; t-- {
		at := row + 2 + steps - t
		c.putAt(at, col, col, t, head)
		for x := 1; x <= steps; x++ {
			l := spreadsheet.Look{Align: "center", Middle: true, Box: true, Size: 9.5, Format: `0;-0;"·"`}
			if lowSquare(x, t, c.threshold) {
				l.Format = `0" ▼";-0;"·"`
			}
			c.putAt(at, col+x, col+x, g[t-1][x-1], l)
			c.colourCount(spreadsheet.CellName(col+x, at), lowSquare(x, t, c.threshold))
		}
		c.height(at, 14)
	}
}

// colourCount colours a count above zero: as low-score answers or as the rest.
func (c *canvas) colourCount(cell string, low bool) {
	format := c.Emphasis(spreadsheet.GoodInk, spreadsheet.GoodFill)
	if low {
		format = c.Emphasis(spreadsheet.LowInk, spreadsheet.LowFill)
	}
	c.Keep(c.File.SetConditionalFormat(c.sheet, cell, []excelize.ConditionalFormatOptions{
		{Type: "cell", Criteria: ">", Value: "0", Format: &format},
	}))
}

// bubbleChart draws one bubble chart on half of the frame. scale is the count that the largest possible bubble stands for, so that
// two charts can be compared; 0 lets the chart decide.
func (c *canvas) bubbleChart(col int, side string, g grid, scale int) {
	row, height := c.chartRows(bubbleRows, bubblePoints)
	low, rest := g.bubbles(c.threshold)
	if len(low)+len(rest) == 0 {
		c.putAt(row, col, col+half-1, c.words.Say("chart.empty"), spreadsheet.Look{Italic: true, Wrap: true})
		return
	}
	c.numbersTitle(c.words.Say(side))
	series := c.series(nil, "chart.low", low, solid(spreadsheet.BubbleLow))
	series = c.series(series, "chart.rest", rest, solid(spreadsheet.BubbleRest))
	hidden := -1
	if scale > g.largest() {
		// An unseen bubble of the other chart's largest count makes equal areas mean equal counts in both.
		hidden = len(series)
		series = c.series(series, "chart.scale", []bubble{{3, 3, scale}}, excelize.Fill{Type: "pattern"})
	}
	title := c.words.Say("chart.title", "side", c.words.Say(side), "line", c.lowLine())
	c.Keep(c.File.AddChart(c.sheet, spreadsheet.CellName(col, row), &excelize.Chart{
		Type: excelize.Bubble, Series: series, BubbleSize: 75, VaryColors: new(false),
		Dimension: excelize.ChartDimension{Width: c.pixels(half) - 4, Height: height - 4},
		Format:    excelize.GraphicOptions{AltText: c.words.Say("chart.alt"), OffsetX: 2, OffsetY: 2},
		Title:     c.chartTitle(title, 9),
		Legend:    excelize.ChartLegend{Position: "bottom", Font: &excelize.Font{Family: c.Font, Size: 8, Color: spreadsheet.Ink}},
		XAxis:     c.axis("chart.x"),
		YAxis:     c.axis("chart.y"),
		Border:    excelize.LineOptions{Type: excelize.LineSolid, Width: 0.75},
	}))
	c.Drawn++
	c.Mend(func(body []byte) ([]byte, error) { return spreadsheet.Repaired(body, hidden) })
}

func solid(colour string) excelize.Fill {
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{colour}, Transparency: 40}
}

// pale is the fill of what is not proven.
func pale(colour string) excelize.Fill {
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{colour}, Transparency: 80}
}

func (c *canvas) axis(title string) excelize.ChartAxis {
	return excelize.ChartAxis{
		Minimum: new(float64(axisMin)), Maximum: new(float64(axisMax)), MajorUnit: spreadsheet.AxisUnit, MajorGridLines: true,
		NumFmt: excelize.ChartNumFmt{CustomNumFmt: axisLabels},
		Font:   excelize.Font{Family: c.Font, Size: 9, Color: spreadsheet.Ink},
		Title:  c.chartTitle(c.words.Say(title), 9),
	}
}

func (b *book) chartTitle(text string, size float64) excelize.ChartTitle {
	return excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{
		Text: text, Font: &excelize.Font{Family: b.Font, Size: size, Bold: true, Color: spreadsheet.Ink},
	}}}
}

// numbersTitle heads the numbers behind a chart.
func (c *canvas) numbersTitle(of string) {
	c.putAt(c.data, dataColumn, dataColumn+2, c.words.Say("chart.data")+" – "+of, spreadsheet.Look{Bold: true, Color: spreadsheet.Faded})
	c.data++
}

// series writes the numbers of a series of bubbles beside the page.
func (c *canvas) series(list []excelize.ChartSeries, name string, bubbles []bubble, fill excelize.Fill) []excelize.ChartSeries {
	if len(bubbles) == 0 {
		return list
	}
	faint := spreadsheet.Look{Color: spreadsheet.Faded, Align: "center"}
	at := c.data
	c.putAt(at, dataColumn, dataColumn+2, c.words.Say(name), spreadsheet.Look{Color: spreadsheet.Faded})
	for i, title := range []string{c.title(correctness), c.title(trust), c.words.Say("chart.count")} {
		c.putAt(at+1, dataColumn+i, dataColumn+i, title, faint)
	}
	first, last := at+2, at+1+len(bubbles)
	for i, b := range bubbles {
		for j, n := range []int{b.correctness, b.trust, b.count} {
			c.putAt(first+i, dataColumn+j, dataColumn+j, n, faint)
		}
	}
	c.data = last + 2
	return append(list, excelize.ChartSeries{
		Name:       c.area(0, at, at),
		Categories: c.area(0, first, last), Values: c.area(1, first, last), Sizes: c.area(2, first, last), Fill: fill,
	})
}

// area is a reference to rows of one column of the numbers beside the page.
func (c *canvas) area(offset, first, last int) string {
	column := spreadsheet.ColumnName(dataColumn + offset)
	if first == last {
		return fmt.Sprintf("'%s'!$%s$%d", c.sheet, column, first)
	}
	return fmt.Sprintf("'%s'!$%s$%d:$%s$%d", c.sheet, column, first, column, last)
}
