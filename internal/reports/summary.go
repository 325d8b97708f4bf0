package reports

import (
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
)

// signed is the number format of a difference. The zero section keeps "no difference" from wearing a sign.
const signed = "+0.00;−0.00;0.00"

var (
	nameLook = look{bold: true, wrap: true}
	meanLook = look{format: "0.00", align: "center"}
	sizeLook = look{format: "0", align: "center"}
	dashLook = look{align: "center", color: faded}
	goodLook = look{align: "center", bold: true, color: goodInk, fill: goodFill, wrap: true}
)

// summary is the first page: one sheet of A4 in portrait, for people who read nothing else. It holds no command, no parameter name and
// no id of a metric.
func (b *book) summary() {
	c := b.canvas(b.sheetName("sheet.summary"), 12.4)
	o := b.overviewText().overview(findings.Workbook)
	c.top(b.reportTitle(), b.about())
	for _, text := range b.badges() {
		c.say("⚠ "+text, look{bold: true, color: amberInk, fill: amber, middle: true, box: true})
	}
	c.say(o.Headline, look{bold: true, size: 13, color: navy, fill: panel, middle: true, box: true})
	c.summarySheet().pad(6)
	c.summarySheet().answer("section.release", o.Release)
	for _, text := range o.Sentences {
		c.say("• "+text, look{size: 10, middle: true})
	}
	if o.changed != "" {
		c.say(o.changed, note())
	}
	c.summarySheet().figures(o)
	c.summarySheet().examples(o.worstHead(), o.worst)
	c.summarySheet().examples(o.bestHead(), o.best)
	c.summarySheet().reasons(o)
	c.summarySheet().todo(o)
	c.open("section.running")
	for _, text := range o.running {
		c.say("• "+text, look{size: 9.5, middle: true})
	}
	c.summarySheet().promises(o)
	c.open("section.trust")
	for _, text := range o.doubts {
		c.say("• "+text, look{size: 9.5, middle: true})
	}
	c.close(paper{portrait: true, whole: true})
}

// distribution is the sheet of the bubble charts: where the answers stand, before and after.
func (b *book) distribution() {
	c := b.canvas(b.sheetName("sheet.chart"), 8.3)
	c.top(b.words.say("section.chart"))
	c.bubbles()
	c.close(paper{portrait: true, whole: true})
}

// answer writes a question that people ask beside its answer.
func (c summarySheet) answer(question, answer string) {
	c.put(1, 3, c.words.say(question), look{bold: true, middle: true, box: true, fill: panel, wrap: true})
	c.put(4, frame, answer, look{bold: true, middle: true, box: true, wrap: true})
	c.height(c.row, c.lineHeight()+4)
	c.row++
}

// examples writes questions in full, with both answers side by side.
func (c summarySheet) examples(section string, list []exampleText) {
	if len(list) == 0 {
		return
	}
	c.open(section)
	for _, e := range list {
		l := look{bold: true, size: 9.5, middle: true, wrap: true, box: true, color: goodInk, fill: goodFill}
		if e.bad {
			l.color, l.fill = lowInk, lowFill
		}
		c.put(1, frame, e.head, l)
		c.row++
		text := look{wrap: true, size: 9, box: true}
		colon := c.words.say("word.colon")
		c.put(1, half, c.words.say("col.question")+colon+e.question, text)
		c.put(half+1, frame, c.words.say("col.reference")+colon+e.reference, text)
		c.row++
		if e.before != "" {
			c.put(1, half, c.words.say("col.answer_before")+colon+e.before, text)
			c.put(half+1, frame, c.words.say("col.answer_after")+colon+e.after, text)
		} else {
			c.put(1, frame, c.words.say("col.answer")+colon+e.after, text)
		}
		c.row++
	}
}

// pad makes the row above a little higher than its text needs.
func (c summarySheet) pad(points float64) {
	now, err := c.file.GetRowHeight(c.sheet, c.row-1)
	c.keep(err)
	c.keep(c.file.SetRowHeight(c.sheet, c.row-1, now+points))
}

// figures are the headline numbers, before and after where there is a baseline, and the questions by verdict. Each says what it was
// counted on.
func (c summarySheet) figures(o overview) {
	c.gap(5)
	if c.Comparison == nil {
		c.figuresAlone(o)
		return
	}
	c.header(
		field{first: 1, last: 5, value: "col.figure"}, field{first: 6, last: 7, value: "col.before"},
		field{first: 8, last: 9, value: "col.after"},
		field{first: 10, last: 12, value: "col.reading"},
	)
	m := c.Comparison
	l := dashLook
	if m.LowAfter < m.LowBefore {
		l = goodLook
	} else if m.LowAfter > m.LowBefore {
		l = badLook
	}
	of := `0" / ` + plain(float64(c.found.Low.Of)) + `"`
	c.line(
		field{1, 5, c.words.say("figure.low_at", "threshold", plain(c.threshold)), nameLook},
		field{6, 7, m.LowBefore, look{format: of, align: "center", bold: true}},
		field{8, 9, m.LowAfter, look{format: of, align: "center", bold: true}}, field{10, 12, c.lowDirection(), l},
	)
	figures := c.found.Figures
	if change, ok := m.Metrics[spanCoverage]; ok {
		figures = append(slices.Clone(figures), findings.FigureOf(c.specs, spanCoverage, change))
	}
	for _, f := range figures {
		c.line(field{1, 5, c.figureName(f.Metric, f.N), nameLook}, field{6, 7, *f.Before, meanLook}, field{8, 9, f.After, meanLook},
			c.reading(10, 12, f))
	}
	c.correctedLines(o)
	c.coverageLine(6, 9)
	c.say(c.words.say("figure.gloss"), note())
	c.gap(9)
	c.verdicts(o.counts)
}

// lowDirection says in a word what became of the number of low-score answers.
func (f *content) lowDirection() string {
	code := "direction.as_many"
	switch c := f.Comparison; {
	case c.LowAfter < c.LowBefore:
		code = "direction.fewer"
	case c.LowAfter > c.LowBefore:
		code = "direction.more"
	}
	return f.each(func(lang string) string { return findings.Word(lang, code) })
}

// correctedLines are the figures corrected by people's reviews, below the raw ones.
func (c summarySheet) correctedLines(o overview) {
	for _, text := range o.figures {
		c.line(field{1, 5, c.words.say("figure.corrected"), nameLook}, field{6, 12, text, look{wrap: true, size: 9.5}})
	}
}

// verdicts counts the questions by verdict.
func (c summarySheet) verdicts(counts []labelCount) {
	places := [][2]int{{1, 3}, {4, 5}, {6, 7}, {8, 10}, {11, 12}}
	heads, row := make([]field, len(counts)), make([]field, len(counts))
	for i, n := range counts {
		l := map[analysiscompare.Label]look{analysiscompare.Worse: badLook, analysiscompare.Better: goodLook,
			analysiscompare.NoChange: sizeLook}[n.label]
		if l == (look{}) {
			l = checkLook
		}
		if n.n == 0 {
			l = sizeLook
		}
		l.format = "0"
		heads[i], row[i] = field{places[i][0], places[i][1], n.word, look{}}, field{places[i][0], places[i][1], n.n, l}
	}
	c.headings(heads...)
	c.line(row...)
}

// figureName is a metric's name with its scale and the number of questions behind it.
func (c summarySheet) figureName(id string, n int) string {
	for _, s := range c.specs {
		if s.ID == id {
			return c.metricHeading(s) + c.words.say("figure.of", "n", n)
		}
	}
	return c.title(id)
}

func (c summarySheet) figuresAlone(o overview) {
	c.header(field{first: 1, last: 5, value: "col.figure"}, field{first: 6, last: 9, value: "col.value"},
		field{first: 10, last: 12, value: "col.basis"})
	c.line(
		field{1, 5, c.words.say("figure.low_at", "threshold", plain(c.threshold)), nameLook},
		field{6, 9, c.after.low, look{format: "0", align: "center", bold: true}},
		field{10, 12, c.words.say("figure.rated", "rated", c.after.rated), dashLook},
	)
	for _, s := range c.specs {
		if place(s.ID) >= 2 && s.ID != spanCoverage {
			continue
		}
		value := field{6, 9, c.words.say("figure.none"), dashLook}
		if m, ok := c.after.totals.Scores[s.ID]; ok {
			value = field{6, 9, m.Mean, meanLook}
		}
		c.line(field{1, 5, c.metricHeading(s), nameLook}, value,
			field{10, 12, c.words.say("figure.n", "n", c.after.totals.Scores[s.ID].N, "total", len(c.after.rows)), dashLook})
	}
	c.correctedLines(o)
	c.coverageLine(6, 9)
	c.say(c.words.say("figure.gloss"), note())
}

func (c summarySheet) coverageLine(first, last int) {
	v := c.after.totals.Coverage
	c.line(
		field{1, first - 1, c.words.say("figure.coverage"), nameLook}, field{first, last, v.Share(), look{format: "0.0%", align: "center"}},
		field{last + 1, frame, c.words.say("figure.scored", "scored", v.Scored, "applicable", v.Applicable), dashLook},
	)
}

// reading colours the word for a mean that clearly moved.
func (c summarySheet) reading(first, last int, f findings.Figure) field {
	l := look{align: "center", color: faded, wrap: true}
	switch {
	case f.Clear() && f.Direction == findings.Rose:
		l = goodLook
	case f.Clear():
		l = badLook
	case f.Small:
		l.color = ink
	}
	return field{first, last, c.each(f.Word), l}
}

// reasons sets what fails beside why it fails.
func (c summarySheet) reasons(o overview) {
	c.gap(5)
	c.heading(1, half, c.words.say("section.fails"))
	c.heading(half+1, frame, c.words.say("section.why"))
	c.row++
	if len(o.fails)+len(o.why) == 0 {
		c.say(c.words.say("low.empty"), look{})
	}
	for i := range max(len(o.fails), len(o.why)) {
		if i < len(o.fails) {
			c.point(1, half, o.fails[i])
		}
		if i < len(o.why) {
			c.point(half+1, frame, o.why[i])
		}
		c.height(c.row, c.lineHeight()+1)
		c.row++
	}
	if o.theme != "" {
		c.say("• "+o.theme, look{size: 9.5, middle: true})
	}
	if c.Causes == nil {
		c.notRun(o.whyHow)
		return
	}
	c.say(o.whyHow, note())
}

// point writes a number and what it counts; the name stands out.
func (c summarySheet) point(first, last int, p point) {
	c.put(first, first, p.n, look{bold: true, size: 12, align: "center", middle: true, color: lowInk, format: "0"})
	text := p.name
	if p.text != "" {
		text += c.words.say("word.colon") + p.text
	}
	l := look{wrap: true, middle: true, size: 9.5}
	c.put(first+1, last, text, l)
	runs := []excelize.RichTextRun{{Text: p.name, Font: &excelize.Font{Family: c.font, Size: 9.5, Bold: true, Color: ink}}}
	if p.text != "" {
		runs = append(runs, excelize.RichTextRun{Text: c.words.say("word.colon") + p.text,
			Font: &excelize.Font{Family: c.font, Size: 9.5, Color: ink}})
	}
	c.keep(c.file.SetCellRichText(c.sheet, cellName(first+1, c.row), runs))
}

// todo is the one change that repairs most, and the next steps.
func (c summarySheet) todo(o overview) {
	c.open("section.change_first")
	for _, text := range o.changes {
		c.say("➤ "+text, look{bold: true, size: 10.5, color: navy, middle: true})
	}
	if o.choice != "" {
		c.say(o.choice, note())
	}
	for i, text := range o.steps {
		c.say(plain(float64(i+1))+". "+text, look{middle: true})
	}
}

// promises are what was agreed and where it stands.
func (c summarySheet) promises(o overview) {
	c.open("section.agreed")
	if len(o.agreed) > 0 {
		c.header(field{first: 1, last: 6, value: "col.agreed"}, field{first: 7, last: 9, value: "col.standing"},
			field{first: 10, last: 12, value: "col.owner_due"})
	}
	for _, p := range o.agreed {
		l := checkLook
		if p.good {
			l = goodLook
		} else if p.bad {
			l = badLook
		}
		c.line(field{1, 6, p.what, look{wrap: true, size: 9.5}}, field{7, 9, p.state, l}, field{10, 12, p.who, look{wrap: true, size: 9.5}})
	}
	if c.agreed.Agreement.Version == 0 && len(o.agreed) == 0 {
		c.notRun(o.agreement)
		return
	}
	c.say(o.agreement, note())
	if len(o.overdue) > 0 {
		c.say(c.words.say("section.overdue")+c.words.say("word.colon")+strings.Join(o.overdue, " / "),
			look{bold: true, color: lowInk, fill: lowFill, box: true, middle: true})
	}
}
