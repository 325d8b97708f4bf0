package reports

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// The plot of a bubble chart in a page: scores 0 to 6 on both axes, so that the largest bubbles have room.
const (
	plotLeft, plotRight = 40.0, 350.0
	plotTop, plotBottom = 8.0, 218.0
	largestRadius       = 26.0 // of the largest count in either chart
)

// bubbleSVG is a bubble chart with its counts.
type bubbleSVG struct {
	Title, Alt, XTitle, YTitle, Corner, Counted string
	Lines                                       []svgLine
	Ticks                                       []svgText
	Circles                                     []svgCircle
	Counts                                      []countRow
}

type svgLine struct{ X1, Y1, X2, Y2 string }

type svgText struct{ X, Y, Text string }

type svgCircle struct{ Class, X, Y, R, Text string }

type countRow struct {
	Trust int
	Cells []pageCell
}

func plotX(score float64) float64 { return plotLeft + (plotRight-plotLeft)*score/axisMax }
func plotY(score float64) float64 { return plotBottom - (plotBottom-plotTop)*score/axisMax }

// coord writes a coordinate.
func coord(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// pageBubbles are the charts of the page, on one scale: equal areas mean equal counts.
func (f htmlPage) pageBubbles() []bubbleSVG {
	if !f.squared() {
		return nil
	}
	after, shownAfter := f.after.grid(f.threshold)
	if f.before == nil {
		return []bubbleSVG{f.bubbleSVG("chart.now", after, after.largest(), shownAfter, len(f.after.rows))}
	}
	before, shownBefore := f.before.grid(f.threshold)
	scale := max(before.largest(), after.largest())
	return []bubbleSVG{
		f.bubbleSVG("chart.before", before, scale, shownBefore, len(f.before.rows)),
		f.bubbleSVG("chart.after", after, scale, shownAfter, len(f.after.rows)),
	}
}

func (f htmlPage) bubbleSVG(side string, g grid, scale, shown, total int) bubbleSVG {
	name := f.words.Say(side)
	out := bubbleSVG{
		Title: f.words.Say("chart.title", "side", name, "line", f.lowLine()), Alt: f.words.Say("chart.alt"),
		XTitle: f.words.Say("chart.x"), YTitle: f.words.Say("chart.y"), Corner: f.words.Say("counts.corner"),
		Counted: f.words.Say("counts.title", "side", name, "shown", shown, "total", total),
	}
	for i := range axisMax + 1 {
		v := float64(i)
		out.Lines = append(out.Lines, svgLine{coord(plotX(v)), coord(plotTop), coord(plotX(v)), coord(plotBottom)},
			svgLine{coord(plotLeft), coord(plotY(v)), coord(plotRight), coord(plotY(v))})
		if i >= 1 && i <= steps {
			out.Ticks = append(out.Ticks, svgText{coord(plotX(v)), coord(plotBottom + 13), strconv.Itoa(i)},
				svgText{coord(plotLeft - 10), coord(plotY(v) + 4), strconv.Itoa(i)})
		}
	}
	low, rest := g.bubbles(f.threshold)
	for i, list := range [][]bubble{low, rest} {
		class := []string{"low", "rest"}[i]
		for _, b := range list {
			radius := largestRadius * math.Sqrt(float64(b.count)/float64(max(1, scale)))
			out.Circles = append(out.Circles, svgCircle{
				class, coord(plotX(float64(b.correctness))), coord(plotY(float64(b.trust))), coord(max(1.5, radius)),
				fmt.Sprintf("%s %d, %s %d: %d", f.title(correctness), b.correctness, f.title(trust), b.trust, b.count),
			})
		}
	}
	for t := steps; t >= 1; t-- {
		row := countRow{Trust: t}
		for c := 1; c <= steps; c++ {
			n := g[t-1][c-1]
			cell := pageCell{"·", "none"}
			switch {
			case n > 0 && lowSquare(c, t, f.threshold):
				cell = pageCell{strconv.Itoa(n) + " ▼", "low"}
			case n > 0:
				cell = pageCell{strconv.Itoa(n), "rest"}
			}
			row.Cells = append(row.Cells, cell)
		}
		out.Counts = append(out.Counts, row)
	}
	return out
}

// barSVG is a chart of horizontal bars.
type barSVG struct {
	Title, Alt string
	Height     int
	Rows       []barRow
}

type barRow struct {
	Name                                      []svgText // the lines of its name
	Y, TextY, Low, RestX, Rest, CountX, Count string
	Open                                      bool // no cause is proven
}

// The names of bars: how wide one may be, in em, before it goes on on another line, and how far its lines are apart.
const (
	nameEm   = 15
	nameLine = 12
)

// barSVG draws bars in the order given, each with its whole name. Stacked bars show low-score answers of all, "3 / 10".
func (f htmlPage) barSVG(title string, bars []bar, stacked bool) barSVG {
	const left, room, line = 220.0, 360.0, 22
	bars = bars[:min(mostBars, len(bars))]
	longest := 1
	for _, b := range bars {
		longest = max(longest, b.low+b.open+b.rest)
	}
	out := barSVG{Title: title, Alt: f.words.Say("bars.alt", "title", title), Height: 6}
	for _, b := range bars {
		low, rest := room*float64(b.low+b.open)/float64(longest), room*float64(b.rest)/float64(longest)
		lines := charts.Lines(spreadsheet.Clean(b.name), nameEm)
		top := out.Height - 6
		middle := top + (len(lines)-1)*nameLine/2
		row := barRow{
			Y: coord(float64(middle + 4)), TextY: coord(float64(middle + 15)), Low: coord(low),
			Count: strconv.Itoa(b.low + b.open), Open: b.open > 0,
			CountX: coord(left + low + rest + 6),
		}
		if stacked {
			row.RestX, row.Rest, row.Count = coord(left+low), coord(rest), fmt.Sprintf("%d / %d", b.low, b.low+b.rest)
		}
		for i, text := range lines {
			row.Name = append(row.Name, svgText{Y: coord(float64(top + 15 + i*nameLine)), Text: text})
		}
		out.Rows, out.Height = append(out.Rows, row), out.Height+line+(len(lines)-1)*nameLine
	}
	return out
}
