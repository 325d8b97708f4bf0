package reports

import (
	"maps"
	"slices"
	"strings"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/stats"
)

type taxonomy = experiments.Taxonomy

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// metricSheet lists every metric: before and after where there is a baseline.
func (b *book) metricSheet() {
	c := b.canvas(b.sheetName("sheet.metrics"), 11)
	if c.Comparison != nil {
		c.top(b.words.Say("section.change"), b.words.Say("metrics.note"))
		c.changeTable()
		c.slices()
	} else {
		c.top(b.words.Say("section.metrics"), b.words.Say("metrics.note_alone"))
		c.metricTable()
	}
	c.close(paper{})
}

// changeTable is the table of every compared metric before and after.
func (c *canvas) changeTable() {
	c.header(
		field{first: 1, last: 2, value: "col.metric"}, field{first: 3, last: 3, value: "col.before"},
		field{first: 4, last: 4, value: "col.after"}, field{first: 5, last: 5, value: "col.difference"},
		field{first: 6, last: 7, value: "col.reading"}, field{first: 8, last: 8, value: "col.n"},
		field{first: 9, last: 9, value: "move.fell"}, field{first: 10, last: 10, value: "move.unsettled"},
		field{first: 11, last: 11, value: "move.level"}, field{first: 12, last: 12, value: "move.rose"},
	)
	for _, spec := range c.specs {
		m, ok := c.Comparison.Metrics[spec.ID]
		if !ok {
			continue
		}
		n := c.Comparison.Counts[spec.ID]
		digits := strings.Repeat("0", stats.DecimalsBeside(m.Baseline, m.Candidate, 2)) // so that whoever subtracts finds the difference
		mean := spreadsheet.Look{Format: "0." + digits, Align: "center"}
		c.line(
			field{1, 2, c.metricHeading(spec), nameLook}, field{3, 3, m.Baseline, mean}, field{4, 4, m.Candidate, mean},
			field{5, 5, stats.Difference(m.Baseline, m.Candidate),
				spreadsheet.Look{Format: "+0." + digits + ";-0." + digits + ";0." + digits, Align: "center"}},
			c.summarySheet().reading(6, 7, findings.FigureOf(c.specs, spec.ID, m)), field{8, 8, m.N, sizeLook},
			field{9, 9, n.Worse, counted(n.Worse, badLook)}, field{10, 10, n.NeedsCheck, counted(n.NeedsCheck, checkLook)},
			field{11, 11, n.NoChange, sizeLook}, field{12, 12, n.Better, counted(n.Better, goodLook)},
		)
	}
}

// slices is the table of the verdicts by theme and kind of question, as the findings have them.
func (c *canvas) slices() {
	if len(c.found.Slices) == 0 {
		return
	}
	c.gap(6)
	c.heading(1, frame, c.each(func(lang string) string { return findings.Word(lang, "part.slices") }))
	c.row++
	word := func(l analysiscompare.Label) string { return c.each(l.Word) }
	c.headings(
		field{first: 1, last: 5, value: c.words.Say("col.group")}, field{first: 6, last: 7, value: c.words.Say("col.questions")},
		field{first: 8, last: 8, value: word(analysiscompare.Worse)}, field{first: 9, last: 9, value: word(analysiscompare.Mixed)},
		field{first: 10, last: 10, value: word(analysiscompare.NeedsCheck)},
		field{first: 11, last: 11, value: word(analysiscompare.NoChange)}, field{first: 12, last: 12, value: word(analysiscompare.Better)},
	)
	for _, s := range c.found.Slices {
		if s.Again {
			continue
		}
		v := s.Verdicts
		name := c.words.Say("word.aside", "text", c.text(s.Name), "aside", c.text(s.Source))
		if s.By != "theme" { // the team names its themes
			name = capital(name)
		}
		c.line(
			field{1, 5, name, nameLook}, field{6, 7, s.Matched, sizeLook},
			field{8, 8, v.Worse, counted(v.Worse, badLook)}, field{9, 9, v.Mixed, counted(v.Mixed, checkLook)},
			field{10, 10, v.NeedsCheck, counted(v.NeedsCheck, checkLook)}, field{11, 11, v.NoChange, sizeLook},
			field{12, 12, v.Better, counted(v.Better, goodLook)},
		)
	}
}

// metricTable is the table of all metrics of a run without a comparison.
func (c *canvas) metricTable() {
	c.header(
		field{first: 1, last: 3, value: "col.metric"}, field{first: 4, last: 4, value: "col.mean"},
		field{first: 5, last: 5, value: "col.scored"}, field{first: 6, last: 6, value: "col.not_applicable"},
		field{first: 7, last: 7, value: "col.errors"}, field{first: 8, last: frame, value: "col.meaning"},
	)
	for _, spec := range c.specs {
		states := c.after.states(spec.ID)
		mean := field{4, 4, c.words.Say("figure.none"), dashLook}
		if m, ok := c.after.totals.Scores[spec.ID]; ok {
			mean = field{4, 4, m.Mean, meanLook}
		}
		failed := states[metrics.Errored] + states[metrics.Pending]
		c.line(
			field{1, 3, c.metricHeading(spec), nameLook}, mean, field{5, 5, states[metrics.Scored], sizeLook},
			field{6, 6, states[metrics.NotApplicable], sizeLook}, field{7, 7, failed, counted(failed, checkLook)},
			field{8, frame, c.each(spec.Meaning), proseLook},
		)
	}
}

// states counts a metric's cells by what became of them.
func (s side) states(metric string) map[metrics.State]int {
	n := map[metrics.State]int{}
	for _, r := range s.rows {
		if score, ok := r.result.Score(metric); ok {
			n[score.State]++
		}
	}
	return n
}
