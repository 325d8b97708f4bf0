package reports

import (
	"strings"

	"github.com/xuri/excelize/v2"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// signed is the number format of a difference. The zero section keeps "no difference" from wearing a sign.
const signed = "+0.00;-0.00;0.00"

var (
	nameLook = spreadsheet.Look{Bold: true, Wrap: true}
	meanLook = spreadsheet.Look{Format: "0.00", Align: "center"}
	sizeLook = spreadsheet.Look{Format: "0", Align: "center"}
	dashLook = spreadsheet.Look{Align: "center", Color: spreadsheet.Faded}
	goodLook = spreadsheet.Look{Align: "center", Bold: true, Color: spreadsheet.GoodInk, Fill: spreadsheet.GoodFill, Wrap: true}
)

// summary is the first page: one sheet of A4 in portrait, for people who read nothing else. It holds no command, no parameter name and
// no id of a metric.
func (b *book) summary() {
	c := b.canvas(b.sheetName("sheet.summary"), 12.4)
	o := b.overviewText().overview(findings.Workbook)
	c.top(b.reportTitle(), b.about())
	for _, text := range b.badges() {
		c.say("⚠ "+text, spreadsheet.Look{Bold: true, Color: spreadsheet.AmberInk, Fill: spreadsheet.Amber, Middle: true, Box: true})
	}
	c.say(o.Headline, spreadsheet.Look{Bold: true, Size: 13, Color: spreadsheet.Navy, Fill: spreadsheet.Panel, Middle: true, Box: true})
	c.summarySheet().pad(6)
	c.summarySheet().answer("section.release", o.Release)
	for _, text := range o.Sentences {
		c.say("• "+text, spreadsheet.Look{Size: 10, Middle: true})
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
		c.say("• "+text, spreadsheet.Look{Size: 9.5, Middle: true})
	}
	c.summarySheet().promises(o)
	c.open("section.trust")
	for _, text := range o.doubts {
		c.say("• "+text, spreadsheet.Look{Size: 9.5, Middle: true})
	}
	c.close(paper{portrait: true, whole: true})
}

// distribution is the sheet of the bubble charts: where the answers stand, before and after.
func (b *book) distribution() {
	c := b.canvas(b.sheetName("sheet.chart"), 8.3)
	c.top(b.words.Say("section.chart"))
	c.bubbles()
	c.close(paper{portrait: true, whole: true})
}

// answer writes a question that people ask beside its answer.
func (c summarySheet) answer(question, answer string) {
	c.put(1, 3, c.words.Say(question), spreadsheet.Look{Bold: true, Middle: true, Box: true, Fill: spreadsheet.Panel, Wrap: true})
	c.put(4, frame, answer, spreadsheet.Look{Bold: true, Middle: true, Box: true, Wrap: true})
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
		l := spreadsheet.Look{Bold: true, Size: 9.5, Middle: true, Wrap: true, Box: true, Color: spreadsheet.GoodInk,
			Fill: spreadsheet.GoodFill}
		if e.bad {
			l.Color, l.Fill = spreadsheet.LowInk, spreadsheet.LowFill
		}
		c.put(1, frame, e.head, l)
		c.row++
		text := spreadsheet.Look{Wrap: true, Size: 9, Box: true}
		colon := c.words.Say("word.colon")
		c.put(1, half, c.words.Say("col.question")+colon+e.question, text)
		c.put(half+1, frame, c.words.Say("col.reference")+colon+e.reference, text)
		c.row++
		for i, a := range e.answers() {
			last := frame
			if i == 0 && e.before != "" {
				last = half
			}
			c.put(1+i*half, last, c.words.Say(a[0])+colon+a[1], text)
		}
		c.row++
	}
}

// pad makes the row above a little higher than its text needs.
func (c summarySheet) pad(points float64) {
	now, err := c.File.GetRowHeight(c.sheet, c.row-1)
	c.Keep(err)
	c.Keep(c.File.SetRowHeight(c.sheet, c.row-1, now+points))
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
	var was, is any = m.LowBefore, m.LowAfter
	reading := c.lowDirection()
	switch {
	case c.found.Low.Of == 0:
		was, is, reading = c.words.Say("figure.none"), c.words.Say("figure.none"), c.words.Say("word.none")
	case c.found.Low.Apart:
		was, is, reading = c.words.Say("figure.apart"), c.found.Low.After, c.words.Say("word.none")
	}
	of := `0" / ` + plain(float64(c.found.Low.Of)) + `"`
	c.line(
		field{1, 5, c.lowHeading(), nameLook},
		field{6, 7, was, spreadsheet.Look{Format: of, Align: "center", Bold: true}},
		field{8, 9, is, spreadsheet.Look{Format: of, Align: "center", Bold: true}}, field{10, 12, reading, l},
	)
	for _, f := range c.comparedFigures() {
		c.line(field{1, 5, c.figureName(f.Metric, f.N), nameLook}, field{6, 7, *f.Before, meanLook}, field{8, 9, f.After, meanLook},
			c.reading(10, 12, f))
	}
	c.correctedLines(o)
	c.coverageLine(6, 9)
	if c.graded() {
		c.say(c.words.Say("figure.gloss"), note())
	}
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
		c.line(field{1, 5, c.words.Say("figure.corrected"), nameLook}, field{6, 12, text, spreadsheet.Look{Wrap: true, Size: 9.5}})
	}
}

// verdicts counts the questions by verdict.
func (c summarySheet) verdicts(counts []labelCount) {
	places := [][2]int{{1, 3}, {4, 5}, {6, 7}, {8, 10}, {11, 12}}
	heads, row := make([]field, len(counts)), make([]field, len(counts))
	for i, n := range counts {
		l := map[analysiscompare.Label]spreadsheet.Look{analysiscompare.Worse: badLook, analysiscompare.Better: goodLook,
			analysiscompare.NoChange: sizeLook}[n.label]
		if l == (spreadsheet.Look{}) {
			l = checkLook
		}
		if n.n == 0 {
			l = sizeLook
		}
		l.Format = "0"
		heads[i], row[i] = field{places[i][0], places[i][1], n.word, spreadsheet.Look{}}, field{places[i][0], places[i][1], n.n, l}
	}
	c.headings(heads...)
	c.line(row...)
}

// lowCount is the number of low-score answers; a word where no answer has a score that can be low.
func (c summarySheet) lowCount() any {
	if c.after.rated == 0 {
		return c.words.Say("figure.none")
	}
	return c.after.low
}

func (c summarySheet) figuresAlone(o overview) {
	c.header(field{first: 1, last: 5, value: "col.figure"}, field{first: 6, last: 9, value: "col.value"},
		field{first: 10, last: 12, value: "col.basis"})
	c.line(
		field{1, 5, c.lowHeading(), nameLook},
		field{6, 9, c.lowCount(), spreadsheet.Look{Format: "0", Align: "center", Bold: true}},
		field{10, 12, c.words.Say("figure.rated", "rated", c.after.rated), dashLook},
	)
	for _, s := range c.specs {
		if !c.isHeadline(s.ID) {
			continue
		}
		value := field{6, 9, c.words.Say("figure.none"), dashLook}
		if m, ok := c.after.totals.Scores[s.ID]; ok {
			value = field{6, 9, m.Mean, meanLook}
		}
		c.line(field{1, 5, c.metricHeading(s), nameLook}, value,
			field{10, 12, c.words.Say("figure.n", "n", c.after.totals.Scores[s.ID].N, "total", len(c.after.rows)), dashLook})
	}
	c.correctedLines(o)
	c.coverageLine(6, 9)
	if c.graded() {
		c.say(c.words.Say("figure.gloss"), note())
	}
}

func (c summarySheet) coverageLine(first, last int) {
	v := c.after.totals.Coverage
	c.line(
		field{1, first - 1, c.words.Say("figure.coverage"), nameLook}, field{first, last, v.Share(),
			spreadsheet.Look{Format: "0.0%", Align: "center"}},
		field{last + 1, frame, c.scored(), dashLook},
	)
}

// reading colours the word for a mean that clearly moved.
func (c summarySheet) reading(first, last int, f findings.Figure) field {
	l := spreadsheet.Look{Align: "center", Color: spreadsheet.Faded, Wrap: true}
	switch {
	case f.Clear() && f.Direction == findings.Rose:
		l = goodLook
	case f.Clear():
		l = badLook
	case f.Small:
		l.Color = spreadsheet.Ink
	}
	return field{first, last, c.each(f.Word), l}
}

// reasons sets what fails beside why it fails.
func (c summarySheet) reasons(o overview) {
	c.gap(5)
	c.heading(1, half, c.words.Say("section.fails"))
	c.heading(half+1, frame, c.words.Say("section.why"))
	c.row++
	missing := spreadsheet.Look{Wrap: true, Middle: true, Size: 9.5}
	if c.Causes == nil {
		missing = notRunLook()
	}
	for i := range max(len(o.fails), len(o.why), 1) {
		switch {
		case i < len(o.fails):
			c.point(1, half, o.fails[i])
		case i == 0:
			c.put(1, half, c.noLow(), spreadsheet.Look{Wrap: true, Middle: true, Size: 9.5})
		}
		switch {
		case i < len(o.why):
			c.point(half+1, frame, o.why[i])
		case i == 0:
			c.put(half+1, frame, c.missingCauses(o), missing)
		}
		c.height(c.row, c.lineHeight()+1)
		c.row++
	}
	if o.theme != "" {
		c.say("• "+o.theme, spreadsheet.Look{Size: 9.5, Middle: true})
	}
	switch {
	case len(o.why) == 0: // it stands in their place
	case c.Causes == nil:
		c.notRun(o.whyHow)
	default:
		c.say(o.whyHow, note())
	}
}

// missingCauses stands in the place of causes where there are none.
func (c summarySheet) missingCauses(o overview) string {
	if c.Causes == nil {
		return notRunMark + o.whyHow
	}
	return o.whyHow
}

// point writes a number and what it counts; the name stands out.
func (c summarySheet) point(first, last int, p point) {
	c.put(first, first, p.n, spreadsheet.Look{Bold: true, Size: 12, Align: "center", Middle: true, Color: spreadsheet.LowInk, Format: "0"})
	text := p.name
	if p.text != "" {
		text += c.words.Say("word.colon") + p.text
	}
	l := spreadsheet.Look{Wrap: true, Middle: true, Size: 9.5}
	c.put(first+1, last, text, l)
	runs := []excelize.RichTextRun{{Text: p.name, Font: &excelize.Font{Family: c.Font, Size: 9.5, Bold: true, Color: spreadsheet.Ink}}}
	if p.text != "" {
		runs = append(runs, excelize.RichTextRun{Text: c.words.Say("word.colon") + p.text,
			Font: &excelize.Font{Family: c.Font, Size: 9.5, Color: spreadsheet.Ink}})
	}
	c.Keep(c.File.SetCellRichText(c.sheet, spreadsheet.CellName(first+1, c.row), runs))
}

// todo is the one change that repairs most, and the next steps.
func (c summarySheet) todo(o overview) {
	c.open("section.change_first")
	for _, text := range o.changes {
		c.say("➤ "+text, spreadsheet.Look{Bold: true, Size: 10.5, Color: spreadsheet.Navy, Middle: true})
	}
	if o.choice != "" {
		c.say(o.choice, note())
	}
	for i, text := range o.steps {
		c.say(plain(float64(i+1))+". "+text, spreadsheet.Look{Middle: true})
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
		c.line(field{1, 6, p.what, spreadsheet.Look{Wrap: true, Size: 9.5}}, field{7, 9, p.state, l},
			field{10, 12, p.who, spreadsheet.Look{Wrap: true, Size: 9.5}})
	}
	if c.agreed.Agreement.Version == 0 && len(o.agreed) == 0 {
		c.notRun(o.agreement)
		return
	}
	c.say(o.agreement, note())
	if len(o.overdue) > 0 {
		c.say(c.words.Say("section.overdue")+c.words.Say("word.colon")+strings.Join(o.overdue, " / "),
			spreadsheet.Look{Bold: true, Color: spreadsheet.LowInk, Fill: spreadsheet.LowFill, Box: true, Middle: true})
	}
}
