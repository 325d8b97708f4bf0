package spreadsheet

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// NamedPlan is a chart with the name of its sheet.
type NamedPlan struct {
	Name string
	Plan *charts.Plan
}

// Where things stand on the sheet of a chart.
const (
	planHead  = 4 // row of the headings
	planFirst = 5
	planGap   = 2 // columns between the rows and what the chart is drawn from
)

// WriteCharts writes a workbook with a sheet for each chart, in "en", "ja" or [Both]: its sentence, the rows behind it, and a native
// chart of bars, lines, areas or points. The cells of a heat map are coloured. A mark that a spreadsheet cannot draw has its rows, and a
// sentence that says so.
func WriteCharts(w io.Writer, lang string, plans []NamedPlan) error {
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	for i, s := range PlanSheets(plans, lang) {
		if i == 0 {
			if err := f.SetSheetName("Sheet1", s.Sheet); err != nil {
				return err
			}
		} else if _, err := f.NewSheet(s.Sheet); err != nil {
			return err
		}
		if err := s.Write(f); err != nil {
			return err
		}
	}
	return writeFile(f, nil, w)
}

// PlanSheet is a chart with the sheet that it stands on.
type PlanSheet struct {
	Sheet, lang string
	plan        *charts.Plan
}

// PlanSheets are those of some charts, in one language or in both.
func PlanSheets(plans []NamedPlan, lang string) []PlanSheet {
	var out []PlanSheet
	for i, p := range plans {
		for _, l := range wording.Single(lang) {
			word := charts.Words{EN: "Chart ", JA: "図 "}.In(l) // no sheet of a report begins so
			out = append(out, PlanSheet{sheetName(word+p.Name, i), l, p.Plan})
		}
	}
	return out
}

// Write fills the sheet, which is in the file already.
func (s PlanSheet) Write(f *excelize.File) error {
	b := &planBook{f: f, lang: s.lang}
	b.sheet(s.Sheet, s.plan)
	return b.err
}

// sheetName is a name as a spreadsheet takes it.
func sheetName(name string, i int) string {
	runes := []rune(cutCell(name))
	for k, r := range runes {
		if slices.Contains([]rune(`:\/?*[]'`), r) {
			runes[k] = '_'
		}
	}
	if len(runes) > 24 {
		runes = runes[:24]
	}
	if i > 0 {
		return string(runes) + " " + strconv.Itoa(i+1)
	}
	return string(runes)
}

type planBook struct {
	f    *excelize.File
	lang string
	err  error
}

func (b *planBook) keep(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *planBook) put(sheet string, column, row int, v any) {
	cell := CellName(column, row)
	switch x := v.(type) {
	case nil:
	case string:
		b.keep(b.f.SetCellStr(sheet, cell, cutCell(x))) // a text, whatever it begins with
	default:
		b.keep(b.f.SetCellValue(sheet, cell, x))
	}
}

func (b *planBook) say(en, ja string) string { return charts.Words{EN: en, JA: ja}.In(b.lang) }

func (b *planBook) sheet(sheet string, p *charts.Plan) {
	b.put(sheet, 1, 1, p.Title.In(b.lang))
	b.put(sheet, 1, 2, p.Summary.In(b.lang))
	head, _ := p.Table(b.lang)
	for i, h := range head {
		b.put(sheet, i+1, planHead, h)
	}
	bold, err := b.f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	b.keep(err)
	b.keep(b.f.SetCellStyle(sheet, CellName(1, planHead), CellName(max(1, len(head)), planHead), bold))
	for i, row := range p.Rows {
		for k, v := range row {
			if s, isText := v.(string); isText {
				if w, called := p.Words[s]; called {
					v = w.In(b.lang)
				}
			}
			b.put(sheet, k+1, planFirst+i, v)
		}
	}
	b.keep(b.f.SetColWidth(sheet, "A", ColumnName(max(1, len(head))), 18))
	at := len(head) + 1 + planGap
	switch p.Mark {
	case charts.Bar, charts.Line, charts.Area, charts.Hist:
		b.wide(sheet, p, at)
	case charts.Point, charts.Hex:
		b.scatter(sheet, p, at)
	case charts.Heat:
		b.heat(sheet, p, at)
	default:
		b.put(sheet, 1, 3, b.say("A spreadsheet does not draw this chart: here are its rows.", "この図は表計算ソフトでは描けないため、行だけを収めています。"))
	}
}

// places are what stands across: the different x of the marks, with their words.
func places(p *charts.Plan, lang string) (xs []float64, names []string) {
	words := map[float64]string{}
	for _, t := range p.X.Ticks {
		words[t.At] = t.Text.In(lang)
	}
	for _, m := range p.Marks {
		if !slices.Contains(xs, m.X) {
			xs = append(xs, m.X)
		}
	}
	slices.Sort(xs)
	for _, x := range xs {
		name := words[x]
		if !p.X.Category || name == "" {
			name = strconv.FormatFloat(x, 'f', -1, 64)
			for _, m := range p.Marks { // the text of the row says a time as people read it
				if m.X == x && !p.X.Category {
					for i, h := range p.Head {
						if h.Title == p.X.Title {
							name = h.Shown(p.Rows[m.Row][i])
						}
					}
				}
			}
		}
		names = append(names, name)
	}
	return xs, names
}

// wide sets the values of series beside each other and draws them. Only the first facet is drawn.
func (b *planBook) wide(sheet string, p *charts.Plan, at int) {
	xs, names := places(p, b.lang)
	series := []string{p.Y.Title.In(b.lang)}
	if p.Colour != nil && len(p.Colour.Names) > 0 {
		series = nil
		for _, n := range p.Colour.Names {
			series = append(series, n.In(b.lang))
		}
	}
	for i, n := range names {
		b.put(sheet, at, planFirst+i, n)
	}
	for i, s := range series {
		b.put(sheet, at+1+i, planHead, s)
	}
	for _, m := range p.Marks {
		if m.Facet == 0 {
			v := m.Y
			if p.Mark == charts.Area || p.Mark == charts.Hist {
				v -= m.Base
			}
			b.put(sheet, at+1+m.Colour, planFirst+slices.Index(xs, m.X), v)
		}
	}
	kind := map[string]excelize.ChartType{charts.Bar: excelize.Col, charts.Line: excelize.Line, charts.Area: excelize.AreaStacked,
		charts.Hist: excelize.ColStacked}[p.Mark]
	if p.Mark == charts.Bar && charts.Flipped(p, 640) {
		kind = excelize.Bar
	}
	last := planFirst + len(xs) - 1
	var list []excelize.ChartSeries
	for i := range series {
		list = append(list, excelize.ChartSeries{
			Name: b.area(sheet, at+1+i, planHead, planHead), Categories: b.area(sheet, at, planFirst, last),
			Values: b.area(sheet, at+1+i, planFirst, last),
		})
	}
	b.chart(sheet, p, at+len(series)+planGap, kind, list, kind == excelize.Bar)
}

// scatter draws the points of each colour. The rows are those of the plan, sorted by colour.
func (b *planBook) scatter(sheet string, p *charts.Plan, at int) {
	series := max(1, len(namesOf(p)))
	row := planFirst
	var list []excelize.ChartSeries
	for c := range series {
		first := row
		for _, m := range p.Marks {
			if m.Facet == 0 && (m.Colour == c || p.Mark == charts.Hex) {
				b.put(sheet, at, row, m.X)
				b.put(sheet, at+1, row, m.Y)
				row++
			}
		}
		if row > first {
			s := excelize.ChartSeries{Categories: b.area(sheet, at, first, row-1), Values: b.area(sheet, at+1, first, row-1),
				Line: excelize.LineOptions{Type: excelize.LineNone}, Marker: excelize.ChartMarker{Symbol: "circle", Size: 6}}
			if names := namesOf(p); len(names) > 0 {
				b.put(sheet, at+3+c, planHead, names[c].In(b.lang))
				s.Name = b.area(sheet, at+3+c, planHead, planHead)
			}
			list = append(list, s)
		}
	}
	b.put(sheet, at, planHead, p.X.Title.In(b.lang))
	b.put(sheet, at+1, planHead, p.Y.Title.In(b.lang))
	b.chart(sheet, p, at+series+planGap+2, excelize.Scatter, list, false)
}

func namesOf(p *charts.Plan) []charts.Words {
	if p.Colour == nil {
		return nil
	}
	return p.Colour.Names
}

// heat sets the values out as a table whose cells are coloured from low to high.
func (b *planBook) heat(sheet string, p *charts.Plan, at int) {
	for i, t := range p.X.Ticks {
		b.put(sheet, at+1+i, planHead, t.Text.In(b.lang))
	}
	for i, t := range p.Y.Ticks {
		b.put(sheet, at, planFirst+i, t.Text.In(b.lang))
	}
	column := slices.IndexFunc(p.Head, func(h charts.Head) bool { return h.Number })
	for _, m := range p.Marks {
		if m.Facet == 0 {
			b.put(sheet, at+1+int(m.X), planFirst+int(m.Y), p.Rows[m.Row][column])
		}
	}
	low, high := "#EEF2F7", "#5B8FCB"
	scale := excelize.ConditionalFormatOptions{Type: "2_color_scale", Criteria: "=", MinType: "min", MaxType: "max", MinColor: low,
		MaxColor: high}
	if p.Colour.Diverging {
		scale = excelize.ConditionalFormatOptions{Type: "3_color_scale", Criteria: "=", MinType: "min", MidType: "num", MidValue: "0",
			MaxType:  "max",
			MinColor: "#E08A7B", MidColor: low, MaxColor: high}
	}
	area := CellName(at+1, planFirst) + ":" + CellName(at+max(1, len(p.X.Ticks)), planFirst+max(1, len(p.Y.Ticks))-1)
	b.keep(b.f.SetConditionalFormat(sheet, area, []excelize.ConditionalFormatOptions{scale}))
}

func (b *planBook) area(sheet string, column, first, last int) string {
	name := ColumnName(column)
	return fmt.Sprintf("'%s'!$%s$%d:$%s$%d", sheet, name, first, name, last)
}

func (b *planBook) chart(sheet string, p *charts.Plan, at int, kind excelize.ChartType, list []excelize.ChartSeries, turned bool) {
	if len(list) == 0 {
		return
	}
	title := func(w charts.Words) []excelize.RichTextRun {
		return []excelize.RichTextRun{{Text: w.In(b.lang), Font: &excelize.Font{Size: 10, Bold: true}}}
	}
	legend := "none"
	if len(list) > 1 {
		legend = "bottom"
	}
	x := excelize.ChartAxis{Title: excelize.ChartTitle{Paragraph: title(p.X.Title)}, ReverseOrder: turned}
	y := excelize.ChartAxis{Title: excelize.ChartTitle{Paragraph: title(p.Y.Title)}, MajorGridLines: true}
	if !p.Y.Category {
		y.Minimum, y.Maximum = &p.Y.Domain[0], &p.Y.Domain[1]
	}
	b.keep(b.f.AddChart(sheet, CellName(at, planHead), &excelize.Chart{
		Type: kind, Series: list, VaryColors: new(false), Dimension: excelize.ChartDimension{Width: 640, Height: 360},
		Format: excelize.GraphicOptions{AltText: p.Summary.In(b.lang)}, Legend: excelize.ChartLegend{Position: legend}, XAxis: x, YAxis: y,
		Title: excelize.ChartTitle{Paragraph: title(p.Summary)},
	}))
}
