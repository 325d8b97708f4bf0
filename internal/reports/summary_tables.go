package reports

import (
	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// signed is the number format of a difference. The zero section keeps "no difference" from wearing a sign.
const signed = "+0.00;−0.00;0.00"

var (
	nameLook = look{bold: true, wrap: true}
	meanLook = look{format: "0.00", align: "center"}
	sizeLook = look{format: "0", align: "center"}
	dashLook = look{align: "center", color: faded}
)

// change is the table of every compared metric before and after.
func (s *summary) change() {
	s.open("section.change")
	s.header(
		field{first: 1, last: 2, value: "col.metric"}, field{first: 3, last: 3, value: "col.before"},
		field{first: 4, last: 4, value: "col.after"}, field{first: 5, last: 5, value: "col.difference"},
		field{first: 6, last: 7, value: "col.reading"}, field{first: 8, last: 8, value: "col.n"},
		field{first: 9, last: 9, value: "label.worse"}, field{first: 10, last: 10, value: "label.needs_check"},
		field{first: 11, last: 11, value: "label.no_change"}, field{first: 12, last: 12, value: "label.better"},
	)
	c := s.Comparison
	s.lowLine(c)
	for _, spec := range s.specs {
		m, ok := c.Metrics[spec.ID]
		if !ok {
			continue
		}
		n := c.Counts[spec.ID]
		s.line(
			field{1, 2, s.metricHeading(spec), nameLook}, field{3, 3, m.Baseline, meanLook}, field{4, 4, m.Candidate, meanLook},
			field{5, 5, m.Diff, look{format: signed, align: "center"}},
			s.reading(s.trend(m, spec.LowerIsBetter), m, spec.LowerIsBetter), field{8, 8, m.N, sizeLook},
			field{9, 9, n.Worse, counted(n.Worse, badLook)}, field{10, 10, n.NeedsCheck, counted(n.NeedsCheck, checkLook)},
			field{11, 11, n.NoChange, sizeLook}, field{12, 12, n.Better, counted(n.Better, goodLook)},
		)
	}
}

var goodLook = look{align: "center", bold: true, color: goodInk, fill: goodFill, wrap: true}

// lowLine is the first row: low-score answers among the questions of both runs.
func (s *summary) lowLine(c *analysis.Comparison) {
	word, l := "trend.same", dashLook
	if c.LowAfter < c.LowBefore {
		word, l = "trend.fewer", goodLook
	} else if c.LowAfter > c.LowBefore {
		word, l = "trend.more", badLook
	}
	fields := []field{
		{1, 2, s.words.say("metric.low_score_answers"), nameLook},
		{3, 3, c.LowBefore, sizeLook},
		{4, 4, c.LowAfter, sizeLook},
		{5, 5, c.LowAfter - c.LowBefore, look{format: "+0;−0;0", align: "center"}},
		{6, 7, s.words.say(word), l},
		{8, 8, c.Matched, sizeLook},
	}
	for col := 9; col <= frame; col++ {
		fields = append(fields, field{col, col, s.words.say("word.none"), dashLook})
	}
	s.line(fields...)
}

// reading colours the word for a mean that clearly moved.
func (s *summary) reading(word string, m analysis.MetricChange, lowerIsBetter bool) field {
	l := look{align: "center", color: faded, wrap: true}
	if m.CI95 != nil && (m.CI95[0] > 0 || m.CI95[1] < 0) {
		l = goodLook
		if (m.Diff > 0) == lowerIsBetter {
			l = badLook
		}
	}
	return field{6, 7, word, l}
}

// counted gives a number its colour only when there is something to count.
func counted(n int, l look) look {
	if n == 0 {
		return sizeLook
	}
	l.format = "0"
	return l
}

// metrics is the table of all metrics of a run without a comparison.
func (s *summary) metrics() {
	s.open("section.metrics")
	s.header(
		field{first: 1, last: 3, value: "col.metric"}, field{first: 4, last: 4, value: "col.mean"},
		field{first: 5, last: 5, value: "col.scored"}, field{first: 6, last: 6, value: "col.not_applicable"},
		field{first: 7, last: 7, value: "col.errors"}, field{first: 8, last: frame, value: "col.meaning"},
	)
	for _, spec := range s.specs {
		states := s.after.states(spec.ID)
		mean := field{4, 4, s.words.say("figure.none"), dashLook}
		if m, ok := s.after.totals.Scores[spec.ID]; ok {
			mean = field{4, 4, m.Mean, meanLook}
		}
		failed := states[metrics.Errored] + states[metrics.Pending]
		s.line(
			field{1, 3, s.metricHeading(spec), nameLook}, mean, field{5, 5, states[metrics.Scored], sizeLook},
			field{6, 6, states[metrics.NotApplicable], sizeLook}, field{7, 7, failed, counted(failed, checkLook)},
			field{8, frame, spec.Meaning(s.Lang), proseLook},
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

func (s *summary) goals() {
	goals := s.findings.goals()
	if len(goals) == 0 {
		return
	}
	s.open("section.goals")
	s.header(
		field{first: 1, last: 2, value: "col.theme"}, field{first: 3, last: 5, value: "col.metric"},
		field{first: 6, last: 6, value: "col.target"}, field{first: 7, last: 7, value: "col.actual"},
		field{first: 8, last: 8, value: "col.scored"}, field{first: 9, last: 9, value: "col.met"},
		field{first: 10, last: 11, value: "col.owner"}, field{first: 12, last: 12, value: "col.agreed_on"},
	)
	for _, g := range goals {
		scope := g.Theme
		if scope == "" {
			scope = s.words.say("word.all")
		}
		format := "0.00"
		if g.share {
			format = "0.0%"
		}
		limit := `"≥ "`
		if g.atMost {
			limit = `"≤ "`
		}
		actual := field{7, 7, s.words.say("word.not_measured"), look{align: "center", color: faded, wrap: true}}
		result := field{9, 9, s.words.say("word.none"), dashLook}
		if g.measured {
			actual = field{7, 7, g.value, look{format: format, align: "center"}}
			result = field{9, 9, s.words.say("word.missed"), badLook}
			if g.met {
				result = field{9, 9, s.words.say("word.met"), goodLook}
			}
		}
		s.line(
			field{1, 2, scope, nameLook}, field{3, 5, s.title(g.Metric), proseLook},
			field{6, 6, g.Target, look{format: limit + format, align: "center"}}, actual, field{8, 8, g.n, sizeLook}, result,
			field{10, 11, g.Owner, proseLook}, field{12, 12, g.AgreedOn, look{align: "center"}},
		)
	}
}
