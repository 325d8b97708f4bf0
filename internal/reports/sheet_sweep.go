package reports

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/stats"
)

// sweepSheet sets the runs of a sweep side by side: a heat map of low-score answers, the runs, and what each value does.
func (b *book) sweepSheet() {
	c := b.canvas(b.sheetName("sheet.sweep"), 11)
	s := *b.Sweep
	c.top(b.words.Say("sweep.title"), b.words.Say("sweep.note", "n", len(s.Runs), "sweep", s.ID))
	c.heatMap(s)
	c.sweepRuns(s)
	c.effects(s.Effects)
	c.close(paper{})
}

// axis is a parameter that takes several values in a sweep, in the order they first appear.
type axis struct {
	name   string
	values []string
}

func axesOf(runs []experiments.Run) []axis {
	var out []axis
	for _, r := range runs {
		for _, p := range r.Params {
			i := slices.IndexFunc(out, func(a axis) bool { return a.name == p.Name })
			if i < 0 {
				i = len(out)
				out = append(out, axis{name: p.Name})
			}
			if !slices.Contains(out[i].values, p.Text()) {
				out[i].values = append(out[i].values, p.Text())
			}
		}
	}
	return slices.DeleteFunc(out, func(a axis) bool { return len(a.values) < 2 })
}

// combinations lists the values of some axes as lines of a table: "800 / 0".
func combinations(axes []axis) []string {
	out := []string{""}
	for _, a := range axes {
		var next []string
		for _, before := range out {
			for _, v := range a.values {
				if before != "" {
					v = before + " / " + v
				}
				next = append(next, v)
			}
		}
		out = next
	}
	return out
}

// axesInWords are the parameters of some axes in words.
func (f *content) axesInWords(axes []axis) string {
	out := make([]string, len(axes))
	for i, a := range axes {
		out[i] = f.text(findings.ParamText(a.name))
	}
	return strings.Join(out, " / ")
}

// worded are parameters with their values in words, as page 1 says them, with what a size of chunks counts where all of these runs count
// the same.
func (f *content) worded(runs []experiments.Run, params ...experiments.Param) string {
	return f.each(func(lang string) string {
		out := make([]string, len(params))
		for i, p := range params {
			out[i] = findings.SetText(p, unitIn(runs, p.Name)).In(lang)
		}
		return listed(out, lang)
	})
}

// unitIn is what a parameter counts in these runs; "" where they count differently.
func unitIn(runs []experiments.Run, param string) (unit string) {
	for i, r := range runs {
		is := experiments.UnitOf(param, r.Setup.Config.Chunk)
		if i > 0 && is != unit {
			return ""
		}
		unit = is
	}
	return unit
}

// place of a run among the combinations of some axes.
func combination(r experiments.Run, axes []axis) string {
	var out strings.Builder
	for i, a := range axes {
		for _, p := range r.Params {
			if p.Name == a.name {
				if i > 0 {
					out.WriteString(" / ")
				}
				out.WriteString(p.Text())
			}
		}
	}
	return out.String()
}

// heatMap counts low-score answers by the first half of the axes (down) and the others (across).
func (c *canvas) heatMap(s Sweep) {
	axes := axesOf(s.Runs)
	if len(axes) == 0 {
		return
	}
	down, across := axes[:(len(axes)+1)/2], axes[(len(axes)+1)/2:]
	lines, columns := combinations(down), combinations(across)
	const most = 9 // columns that the frame has room for
	if len(columns) > most || len(lines) > 40 {
		c.say(c.words.Say("sweep.too_many"), note())
		return
	}
	c.open("section.heat")
	c.say(c.words.Say("sweep.heat", "down", spreadsheet.Clean(c.axesInWords(down)),
		"across", spreadsheet.Clean(c.axesInWords(across))), note())
	head := spreadsheet.Look{Bold: true, Fill: spreadsheet.Panel, Align: "center", Wrap: true}
	fields := []field{{1, 3, spreadsheet.Clean(c.axesInWords(down)), head}}
	for i, name := range columns {
		fields = append(fields, field{4 + i, 4 + i, spreadsheet.Clean(name), head})
	}
	c.line(fields...)
	top := c.row
	for _, name := range lines {
		fields := []field{{1, 3, spreadsheet.Clean(name), nameLook}}
		for i, column := range columns {
			f := field{4 + i, 4 + i, c.words.Say("word.none"), dashLook}
			for _, r := range s.Runs {
				if r.Totals != nil && combination(r, down) == name && combination(r, across) == column {
					f.value, f.look = r.Totals.LowScoreCount,
						spreadsheet.Look{Format: c.starred(s, r.ID), Align: "center", Bold: r.ID == s.Winner || r.ID == c.after.run.ID}
				}
			}
			fields = append(fields, f)
		}
		c.line(fields...)
	}
	c.Keep(c.File.SetConditionalFormat(c.sheet, spreadsheet.CellName(4, top)+":"+spreadsheet.CellName(3+len(columns), c.row-1),
		[]excelize.ConditionalFormatOptions{
			{Type: "2_color_scale", Criteria: "=", MinType: "min", MaxType: "max",
				MinColor: "#" + spreadsheet.GoodFill, MaxColor: "#F4A582"},
		}))
	c.say(c.words.Say("sweep.marks"), note())
	if standing := s.Map.Standing(s.Winner); standing.EN != "" {
		c.say(spreadsheet.Clean(c.each(standing.In)), note())
	}
	if s.Map.Words.EN != "" {
		c.say(spreadsheet.Clean(c.each(s.Map.Words.In)), note())
	}
}

// starred is the number format that marks the winner, what is not told from the best, and this report's run, so that colour is not the
// only sign.
func (c *canvas) starred(s Sweep, id string) string {
	mark := ""
	if slices.ContainsFunc(s.Map.Cells, func(m analysiscompare.MapCell) bool { return m.RunID == id && !m.Best && !m.Gap.Differs }) {
		mark += " ≈"
	}
	if id == s.Winner {
		mark += " ★"
	}
	if id == c.after.run.ID {
		mark += " ◆"
	}
	if mark == "" {
		return "0"
	}
	return `0"` + mark + `"`
}

func (c *canvas) sweepRuns(s Sweep) {
	c.open("section.runs")
	defer c.named("SweepRuns")()
	c.header(field{first: 1, last: 5, value: "col.params"}, field{first: 6, last: 6, value: "col.low_answers"},
		field{first: 7, last: 7, value: "metric.correctness"},
		field{first: 8, last: 8, value: "metric.trust"}, field{first: 9, last: 9, value: "col.evidence"},
		field{first: 10, last: 10, value: "col.coverage"},
		field{first: 11, last: frame, value: "col.run"})
	order := slices.Clone(s.Runs)
	slices.SortStableFunc(order, func(a, b experiments.Run) int { return lowOf(a) - lowOf(b) })
	for _, r := range order {
		fields := []field{{1, 5, spreadsheet.Clean(c.worded([]experiments.Run{r}, r.Params...)), nameLook}}
		if r.Totals == nil {
			c.line(append(fields, field{6, 10, spreadsheet.Clean(string(r.State)), dashLook}, field{11, frame, r.ID, idLook})...)
			continue
		}
		fields = append(fields, field{6, 6, r.Totals.LowScoreCount, spreadsheet.Look{Format: c.starred(s, r.ID), Align: "center"}})
		for i, id := range []string{correctness, trust, spanCoverage} {
			f := field{7 + i, 7 + i, c.words.Say("word.none"), dashLook}
			if m, ok := r.Totals.Scores[id]; ok {
				f.value, f.look = m.Mean, meanLook
			}
			fields = append(fields, f)
		}
		c.line(append(fields, field{10, 10, r.Totals.Coverage.Share(), spreadsheet.Look{Format: "0%", Align: "center"}},
			field{11, frame, r.ID, idLook})...)
	}
}

func lowOf(r experiments.Run) int {
	if r.Totals == nil {
		return 1 << 30
	}
	return r.Totals.LowScoreCount
}

// effects says what each value of each parameter does when all others count alike.
func (c *canvas) effects(all []analysiscompare.SweepEffects) {
	for i, e := range all {
		if len(e.Levels) == 0 {
			continue
		}
		name := c.title(e.Metric)
		if e.Metric == analysiscompare.GoodAnswers {
			name = c.words.Say("metric.good_answers")
		}
		c.open("section.effects", "metric", name)
		write := c.named("SweepEffects" + []string{"", strconv.Itoa(i + 1)}[min(i, 1)])
		c.header(field{first: 1, last: 4, value: "col.params"}, field{first: 5, last: 6, value: "col.mean"},
			field{first: 7, last: 8, value: "col.effect"},
			field{first: 9, last: 11, value: "md.interval"}, field{first: 12, last: 12, value: "col.runs"})
		for _, l := range e.Levels {
			ci := c.words.Say("word.none")
			if l.CI95 != nil {
				ci = stats.Signed(l.CI95[0], 2) + " … " + stats.Signed(l.CI95[1], 2)
			}
			value := spreadsheet.Clean(c.worded(c.Sweep.Runs, experiments.Param{Name: l.Param, Value: l.Value}))
			c.line(field{1, 4, value, nameLook}, field{5, 6, l.Mean, meanLook},
				field{7, 8, l.Effect, spreadsheet.Look{Format: signed, Align: "center"}},
				field{9, 11, ci, spreadsheet.Look{Align: "center"}}, field{12, 12, l.Runs, sizeLook})
		}
		write()
	}
}
