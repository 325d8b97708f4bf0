package reports

import (
	"fmt"
	"slices"
	"strings"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// differs is why a question changed, in words; empty when nothing is known.
func (f *content) differs(question string) string {
	v, ok := f.changes[question]
	if !ok {
		return ""
	}
	return f.text(v.Why)
}

// methodSheet explains the words in plain language, how scores came about, how far people agree with them, and, for those who
// check it, how the comparison was computed.
func (b *book) methodSheet() {
	c := b.canvas(b.sheetName("sheet.method"), 11)
	c.top(b.words.Say("method.title"), b.words.Say("method.note"))
	c.open("section.words")
	for _, t := range b.terms() {
		c.line(field{1, 3, t[0], spreadsheet.Look{Bold: true, Wrap: true, Fill: spreadsheet.Panel}}, field{4, frame, t[1], proseLook})
	}
	c.open("section.measured")
	for _, text := range b.measured() {
		c.say("• "+text, spreadsheet.Look{})
	}
	c.humanFigures()
	if doubts := b.overviewText().allDoubts(); len(doubts) > 0 {
		c.open("section.trust")
		for _, text := range doubts {
			c.say("• "+text, spreadsheet.Look{})
		}
	}
	if b.Comparison != nil {
		c.open("section.computed")
		for _, r := range b.methodRows(*b.Comparison) {
			c.line(field{1, 3, spreadsheet.Clean(r[0]), nameLook}, field{4, frame, spreadsheet.Clean(r[1]), proseLook})
		}
	}
	c.close(paper{})
}

// terms are the words of the report with what they mean.
func (f *content) terms() [][2]string {
	words := []string{"correctness", "trust", "low", "level", "evidence", "coverage", "states", "labels", "reading", "critical", "cause",
		"certainty", "pattern", "category", "agreement"}
	out := make([][2]string, len(words))
	for i, w := range words {
		meaning := f.words.Say("meaning."+w, "line", f.lowLine())
		switch {
		case w == "certainty":
			meaning = f.text(findings.CertaintyMeans())
		case w == "category" && f.asksWithoutAnswer():
			meaning += f.words.Say("meaning.unanswerable")
		}
		out[i] = [2]string{f.words.Say("term." + w), meaning}
	}
	return out
}

// asksWithoutAnswer reports whether a question is in the category of those that the documents do not answer.
func (f *content) asksWithoutAnswer() bool {
	return f.Questions != nil && slices.ContainsFunc(f.Questions.Questions,
		func(l experiments.QuestionLabels) bool { return l.Hops == experiments.Unanswerable })
}

// asked says what was asked, and what answered.
func (f *content) asked() string {
	s := f.after.run.Setup
	key, what, name := "measured.asked", "corpus", s.Corpus.String()
	switch {
	case s.Corpus.Name != "":
	case s.Config.Endpoint != nil:
		key, what, name = "measured.endpoint", "endpoint", s.Config.Endpoint.Name
	case s.Config.Log != nil:
		key, what, name = "measured.log", "log", s.Config.Log.String()
	}
	return f.words.Say(key, "n", len(f.after.rows), "dataset", spreadsheet.Clean(s.Dataset.String()), what, spreadsheet.Clean(name))
}

// ofTools says one of two sentences about imported scores: of those tools, or of the plain table that held them.
func (f *content) ofTools(imported, table string, tools []string) string {
	if slices.Contains(tools, metrics.PlainTable) {
		return f.words.Say(table)
	}
	return f.words.Say(imported, "tool", spreadsheet.Clean(strings.Join(tools, ", ")))
}

// measured says in plain words how the scores came about.
func (f *content) measured() []string {
	s := f.after.run.Setup
	out := []string{f.asked()}
	if tools := s.Tools(); len(tools) > 0 {
		return append(out, f.ofTools("measured.imported", "measured.table", tools), f.words.Say("measured.imported_once"),
			f.measuredLow())
	}
	out = append(out, f.words.Say("measured.judge", "judge", spreadsheet.Clean(s.Judge.Model.String())))
	if s.ByOffline() {
		out = append(out, f.text(f.found.Judge.Text))
	}
	key := "measured.once"
	if s.Settled {
		if key = "measured.settled"; s.Config.Log != nil {
			key = "measured.settled_log"
		}
	}
	return append(out, f.words.Say(key), f.measuredLow())
}

// measuredLow says what is called low, and who said so.
func (f *content) measuredLow() string {
	switch {
	case f.rule.Own:
		return f.words.Say("measured.own_low", "line", f.lowLine())
	case f.undefined():
		return f.text(f.found.Agreed.Line)
	}
	return f.words.Say("measured.threshold", "line", f.lowLine())
}

// humanFigures sets what people say beside the judge.
func (c *canvas) humanFigures() {
	c.open("section.people")
	r := c.Reviews
	if r == nil || r.Reviews == 0 {
		c.say(c.words.Say("people.none", "command", c.causeText().command("import-review", "FILE.xlsx")), spreadsheet.Look{})
		return
	}
	c.say(c.words.Say("people.counted", "reviews", r.Reviews, "people", len(r.Reviewers), "answers", r.Answers), spreadsheet.Look{})
	if r.Stale > 0 {
		c.say(c.words.Say("people.stale", "n", r.Stale), spreadsheet.Look{})
	}
	figures := func(title string, list []progress.RaterFigures) {
		for _, f := range list {
			if f.N == 0 {
				continue
			}
			text := c.words.Say("people.agree", "n", f.N, "share", percent(f.Percent))
			interval := "" // of the first coefficient, and of no share
			if f.CI95 != nil {
				interval = fmt.Sprintf(" (95%%: %.2f … %.2f)", f.CI95.Low, f.CI95.High)
			}
			if f.Kappa != nil {
				text, interval = text+fmt.Sprintf(", κ = %.2f", *f.Kappa)+interval, ""
			}
			if f.Alpha != nil {
				text += fmt.Sprintf(", α = %.2f", *f.Alpha) + interval
			}
			c.line(field{1, 3, title + ": " + c.causeText().known("of.", f.Of), nameLook}, field{4, frame, text, proseLook})
		}
	}
	figures(c.words.Say("people.judge"), r.Judge)
	figures(c.words.Say("people.each_other"), r.People)
	for _, m := range r.Corrected {
		name := c.causeText().known("of.", m.Metric)
		if m.N == 0 {
			c.line(field{1, 3, name, nameLook}, field{4, frame, c.words.Say("people.unscored"), proseLook})
			continue
		}
		if m.Estimate == nil {
			c.line(field{1, 3, name, nameLook}, field{4, frame, c.words.Say("people.needs", "judge", decimal(m.Judge), "labels", m.Labels),
				proseLook})
			continue
		}
		text := c.words.Say("people.corrected", "judge", decimal(m.Judge), "estimate", decimal(*m.Estimate), "labels", m.Labels) +
			fmt.Sprintf(" (95%%: %.2f … %.2f)", m.CI95.Low, m.CI95.High)
		c.line(field{1, 3, name, nameLook}, field{4, frame, text, proseLook})
	}
}

// methodRows are pairs of what is told and the telling.
func (f *content) methodRows(c analysiscompare.Comparison) [][2]string {
	var rows [][2]string
	for _, n := range c.Method.Explanation {
		rows = append(rows, [2]string{f.words.Say("method.how"), f.each(n.Text)})
	}
	for _, n := range c.Warnings {
		rows = append(rows, [2]string{f.words.Say("method.warning"), f.each(n.Text)})
	}
	for _, e := range c.Excluded {
		rows = append(rows, [2]string{f.words.Say("method.excluded") + f.words.Say("word.colon") + f.title(e.Metric), f.excluded(e)})
	}
	for _, s := range c.Baseline.Setup.Suite {
		if m, ok := c.Metrics[s.ID]; ok {
			rows = append(rows, [2]string{f.metricHeading(s), f.statistics(m)})
		}
	}
	for i, n := range [2]experiments.Run{c.Baseline, c.Candidate} {
		rows = append(rows, [2]string{f.words.Say("method.votes"), fmt.Sprintf("%s: %d", n.ID, c.Method.Votes[i])})
	}
	return rows
}

// statistics are the figures of one compared metric, for those who check.
func (f *content) statistics(m analysiscompare.MetricChange) string {
	var out strings.Builder
	fmt.Fprintf(&out, "n = %d, Δ = %+.3f", m.N, m.Diff)
	if m.CI95 != nil {
		fmt.Fprintf(&out, ", 95%%: %+.3f … %+.3f", m.CI95[0], m.CI95[1])
	}
	switch {
	case m.P == nil:
	case *m.P < 0.0001:
		out.WriteString(", p < 0.0001")
	default:
		fmt.Fprintf(&out, ", p = %.4f", *m.P)
	}
	if m.Visible != nil {
		fmt.Fprintf(&out, ", %s %.3f", f.words.Say("method.visible"), *m.Visible)
	}
	if g := m.Guard; g != nil && g.Decided {
		fmt.Fprintf(&out, ", %s %.2f, %s %.2f", f.words.Say("method.expected_false"), g.ExpectedFalse, f.words.Say("method.expected_miss"),
			g.ExpectedMiss)
	}
	return out.String()
}
