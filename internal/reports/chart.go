package reports

import (
	"fmt"

	"github.com/xuri/excelize/v2"
)

// Both axes leave a step free on each side, so that the largest bubbles have room and the ticks, which start at the lower
// end, fall on the scores. Only the scores are labelled.
const (
	axisMin    = 0
	axisMax    = steps + 1
	axisUnit   = 1
	axisLabels = `[=0]"";[=6]"";0`
)

const (
	chartRows   = 19               // rows a chart covers
	rowHeight   = 16               // of these rows, in points
	chartHeight = chartRows*19 - 6 // pixels; the workbook writer counts 19 for a row of this height
	chartWidth  = half*103 - 6     // pixels; and 103 for a column of frameWidth
)

// charts shows where the answers stand: one bubble chart, or two side by side on the same scale, with their counts.
func (s *summary) charts() {
	s.open("section.chart")
	if s.before == nil {
		s.put(1, frame, s.words.say("chart.bubbles"), look{color: faded, wrap: true})
		s.row++
		g, shown := s.after.grid(s.threshold)
		s.chart(s.row, 1, "chart.now", g, 0)
		s.countsAt(s.row+4, half+1, "chart.now", g, shown, len(s.after.rows))
		s.row += chartRows
		return
	}
	s.put(1, frame, s.words.say("chart.bubbles.pair"), look{color: faded, wrap: true})
	s.row++
	before, shownBefore := s.before.grid(s.threshold)
	after, shownAfter := s.after.grid(s.threshold)
	scale := max(before.largest(), after.largest())
	s.chart(s.row, 1, "chart.before", before, scale)
	s.chart(s.row, half+1, "chart.after", after, scale)
	s.row += chartRows
	s.countsAt(s.row, 1, "chart.before", before, shownBefore, len(s.before.rows))
	s.countsAt(s.row, half+1, "chart.after", after, shownAfter, len(s.after.rows))
	s.row += steps + 3
}

// countsAt writes the table of counts, highest trust on top as in the chart.
func (s *summary) countsAt(row, col int, side string, g grid, shown, total int) {
	title := s.words.say("counts.title", "side", s.words.say(side), "shown", shown, "total", total)
	s.putAt(row, col, col+steps, title, look{bold: true, color: navy})
	s.height(row, 18)
	head := look{bold: true, fill: paper, align: "center", box: true, middle: true}
	corner := head
	corner.size, corner.wrap, corner.bold = 8, true, false
	s.putAt(row+1, col, col, s.words.say("counts.corner"), corner)
	for c := 1; c <= steps; c++ {
		s.putAt(row+1, col+c, col+c, c, head)
	}
	for t := steps; t >= 1; t-- {
		at := row + 2 + steps - t
		s.putAt(at, col, col, t, head)
		for c := 1; c <= steps; c++ {
			l := look{align: "center", middle: true, box: true, format: `0;-0;"·"`}
			if lowSquare(c, t, s.threshold) {
				l.format = `0" ▼";-0;"·"`
			}
			s.putAt(at, col+c, col+c, g[t-1][c-1], l)
			s.colourCount(cellName(col+c, at), lowSquare(c, t, s.threshold))
		}
		s.height(at, 18)
	}
	s.putAt(row+2+steps, col, col+steps, s.words.say("counts.legend", "threshold", plain(s.threshold)), look{color: faded, wrap: true, size: 9})
}

// colourCount colours a count above zero: as low-score answers or as the rest.
func (s *summary) colourCount(cell string, low bool) {
	format := s.emphasis(goodInk, goodFill)
	if low {
		format = s.emphasis(lowInk, lowFill)
	}
	s.keep(s.file.SetConditionalFormat(s.sheet, cell, []excelize.ConditionalFormatOptions{
		{Type: "cell", Criteria: ">", Value: "0", Format: &format},
	}))
}

// chart draws one bubble chart. scale is the count that the largest possible bubble stands for, so that two charts can be
// compared; 0 lets the chart decide.
func (s *summary) chart(row, col int, side string, g grid, scale int) {
	for i := range chartRows {
		s.keep(s.file.SetRowHeight(s.sheet, row+i, rowHeight))
	}
	low, rest := g.bubbles(s.threshold)
	if len(low)+len(rest) == 0 {
		s.putAt(row, col, col+half-1, s.words.say("chart.empty"), look{italic: true})
		return
	}
	data := dataColumn
	if col > 1 {
		data += 4
		s.keep(s.file.SetColWidth(s.sheet, columnName(data), columnName(data+2), 16))
	}
	at := row
	s.putAt(at, data, data+2, s.words.say("chart.data")+" – "+s.words.say(side), look{bold: true, color: faded})
	at++
	var series []excelize.ChartSeries
	series, at = s.series(series, at, data, "chart.low", low, solid(bubbleLow))
	series, at = s.series(series, at, data, "chart.rest", rest, solid(bubbleRest))
	hidden := -1
	if scale > g.largest() {
		// An unseen bubble of the other chart's largest count makes equal areas mean equal counts in both.
		hidden = len(series)
		series, _ = s.series(series, at, data, "chart.scale", []bubble{{3, 3, scale}}, excelize.Fill{Type: "pattern"})
	}
	title := s.words.say("chart.title", "side", s.words.say(side), "threshold", plain(s.threshold))
	s.keep(s.file.AddChart(s.sheet, cellName(col, row), &excelize.Chart{
		Type: excelize.Bubble, Series: series, BubbleSize: 60, VaryColors: new(false),
		Dimension: excelize.ChartDimension{Width: chartWidth, Height: chartHeight},
		Format:    excelize.GraphicOptions{AltText: s.words.say("chart.alt"), OffsetX: 3, OffsetY: 3},
		Title:     s.chartTitle(title, 11),
		Legend:    excelize.ChartLegend{Position: "bottom", Font: &excelize.Font{Family: s.font, Size: 9, Color: ink}},
		XAxis:     s.axis("chart.x"),
		YAxis:     s.axis("chart.y"),
		Border:    excelize.LineOptions{Type: excelize.LineSolid, Width: 0.75},
	}))
	s.repair(hidden)
}

func solid(colour string) excelize.Fill {
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{colour}, Transparency: 40}
}

func (s *summary) axis(title string) excelize.ChartAxis {
	return excelize.ChartAxis{
		Minimum: new(float64(axisMin)), Maximum: new(float64(axisMax)), MajorUnit: axisUnit, MajorGridLines: true,
		NumFmt: excelize.ChartNumFmt{CustomNumFmt: axisLabels},
		Font:   excelize.Font{Family: s.font, Size: 10, Color: ink},
		Title:  s.chartTitle(s.words.say(title), 10),
	}
}

func (s *summary) chartTitle(text string, size float64) excelize.ChartTitle {
	return excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{
		Text: text, Font: &excelize.Font{Family: s.font, Size: size, Bold: true, Color: ink},
	}}}
}

// series writes the numbers of a series beside the page and returns it with the next free row.
func (s *summary) series(list []excelize.ChartSeries, at, col int, name string, bubbles []bubble, fill excelize.Fill) ([]excelize.ChartSeries, int) {
	if len(bubbles) == 0 {
		return list, at
	}
	faint := look{color: faded, align: "center"}
	s.putAt(at, col, col+2, s.words.say(name), look{color: faded})
	s.putAt(at+1, col, col, s.title(correctness), faint)
	s.putAt(at+1, col+1, col+1, s.title(trust), faint)
	s.putAt(at+1, col+2, col+2, s.words.say("chart.count"), faint)
	first, last := at+2, at+1+len(bubbles)
	for i, b := range bubbles {
		for j, n := range []int{b.correctness, b.trust, b.count} {
			s.putAt(first+i, col+j, col+j, n, faint)
		}
	}
	area := func(offset int) string {
		c := columnName(col + offset)
		return fmt.Sprintf("'%s'!$%s$%d:$%s$%d", s.sheet, c, first, c, last)
	}
	return append(list, excelize.ChartSeries{
		Name:       fmt.Sprintf("'%s'!$%s$%d", s.sheet, columnName(col), at),
		Categories: area(0), Values: area(1), Sizes: area(2), Fill: fill,
	}), last + 2
}

// repair mends the XML of the newest chart.
func (s *summary) repair(hide int) {
	if s.err != nil {
		return
	}
	s.drawn++
	name := fmt.Sprintf("xl/charts/chart%d.xml", s.drawn)
	part, _ := s.file.Pkg.Load(name)
	body, _ := part.([]byte)
	body, err := repaired(body, hide)
	s.keep(err)
	s.file.Pkg.Store(name, body)
}
