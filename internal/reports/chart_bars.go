package reports

import (
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// bar is one line of a bar chart: low-score answers and, where it is known, the rest. Those without a proven cause are open.
type bar struct {
	name            string
	low, open, rest int
	fewer           bool // low is by how many low-score answers there are fewer: no count of bad ones
}

// barEm is how wide a line of a bar's name is, in em.
const barEm = 22

// mostBars is how many bars a chart has room for; the table beside it has them all.
const mostBars = 12

// stackedLabels are the numbers on the parts of a bar: that of a part that is not there would stand on the name.
const stackedLabels = "0;-0;"

// barChart draws horizontal bars in the order given, first on top, into the columns from col on. Without a rest each bar is one
// number; one that says by how many answers fewer is green, and red where there are more.
func (c *canvas) barChart(col, columns int, title string, bars []bar, stacked bool) {
	bars = bars[:min(mostBars, len(bars))]
	names, lines := make([]string, len(bars)), 0
	for i, b := range bars { // whole: a name goes on on another line
		split := charts.Lines(spreadsheet.Clean(b.name), barEm)
		names[i], lines = strings.Join(split, "\n"), lines+len(split)
	}
	row, height := c.chartRows(max(6, lines+5), 17)
	if len(bars) == 0 {
		return
	}
	c.numbersTitle(title)
	faint := spreadsheet.Look{Color: spreadsheet.Faded}
	heads := []string{"", c.words.Say("bars.low")}
	first, second := solid(spreadsheet.BubbleLow), solid(spreadsheet.BubbleRest)
	more := slices.ContainsFunc(bars, func(b bar) bool { return b.fewer && b.low < 0 })
	switch open := slices.ContainsFunc(bars, func(b bar) bool { return b.open > 0 }); {
	case bars[0].fewer:
		first, second, heads = second, first, []string{"", c.words.Say("bars.fewer")}
		if more {
			heads = append(heads, c.words.Say("bars.more"))
		}
	case stacked:
		heads = append(heads, c.words.Say("bars.rest"))
	case open:
		heads, second = []string{"", c.words.Say("bars.named"), c.words.Say("bars.open")}, pale(spreadsheet.BubbleLow)
	}
	top := c.data
	for i, h := range heads {
		c.putAt(top, dataColumn+i, dataColumn+i, h, faint)
	}
	for i, b := range bars {
		c.putAt(top+1+i, dataColumn, dataColumn, names[i], faint)
		if more && b.low < 0 {
			c.putAt(top+1+i, dataColumn+2, dataColumn+2, b.low, faint)
		} else if b.low != 0 || b.open == 0 { // no number stands at a bar that is not there
			c.putAt(top+1+i, dataColumn+1, dataColumn+1, b.low, faint)
		}
		if stacked || b.open > 0 {
			c.putAt(top+1+i, dataColumn+2, dataColumn+2, b.rest+b.open, faint)
		}
	}
	last := top + len(bars)
	c.data = last + 2
	fills := []excelize.Fill{first, second}
	var series []excelize.ChartSeries
	for i := 1; i < len(heads); i++ {
		series = append(series, excelize.ChartSeries{
			Name: c.area(i, top, top), Categories: c.area(0, top+1, max(last, top+2)), Values: c.area(i, top+1, max(last, top+2)),
			Fill: fills[i-1],
		})
	}
	kind, legend, labels := excelize.Bar, "none", "0;-0;0"
	if len(heads) > 2 {
		kind, legend, labels = excelize.BarStacked, "bottom", stackedLabels
	}
	least, place := new(0.0), excelize.ChartTickLabelNextToAxis
	if slices.ContainsFunc(bars, func(b bar) bool { return b.low < 0 }) { // a change that breaks more than it heals
		least, place = nil, excelize.ChartTickLabelLow
	}
	c.Keep(c.File.AddChart(c.sheet, spreadsheet.CellName(col, row), &excelize.Chart{
		Type: kind, Series: series, VaryColors: new(false), GapWidth: new(uint(45)), Overlap: new(100),
		Dimension: excelize.ChartDimension{Width: c.pixels(columns) - 6, Height: height - 6},
		Format:    excelize.GraphicOptions{AltText: c.words.Say("bars.alt", "title", title), OffsetX: 3, OffsetY: 3},
		Title:     c.chartTitle(title, 10.5),
		Legend:    excelize.ChartLegend{Position: legend, Font: &excelize.Font{Family: c.Font, Size: 9, Color: spreadsheet.Ink}},
		XAxis: excelize.ChartAxis{ReverseOrder: true, TickLabelPosition: place,
			Font: excelize.Font{Family: c.Font, Size: 9, Color: spreadsheet.Ink}},
		YAxis: excelize.ChartAxis{
			MajorGridLines: true, Minimum: least, Font: excelize.Font{Family: c.Font, Size: 9, Color: spreadsheet.Ink},
			NumFmt: excelize.ChartNumFmt{CustomNumFmt: "0;-0"},
		},
		PlotArea: excelize.ChartPlotArea{ShowVal: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: labels}},
		Border:   excelize.LineOptions{Type: excelize.LineSolid, Width: 0.75},
	}))
	c.Drawn++
	c.Mend(spreadsheet.RepairedBars)
}
