package reports

import (
	"strconv"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// pageParts are the sections behind the first page: the evidence.
func (f htmlPage) pageParts() []chapter {
	out := []chapter{f.causeChapter(), f.labelChapter()}
	if f.Comparison != nil {
		out = append(out, f.worseChapter())
	}
	out = append(out, f.lowChapter())
	if f.before != nil {
		out = append(out, f.differenceChapter())
	}
	return append(out, f.wordChapter())
}

func (f htmlPage) causeChapter() chapter {
	c := chapter{Title: f.words.Say("causes.title")}
	if f.Causes == nil {
		c.Notes = []string{f.causeText().causesMissing()}
		return c
	}
	c.Notes = []string{spreadsheet.Clean(f.each(f.Causes.Summary.In)), f.text(f.found.Causes.Text)}
	if f.Causes.Choice.EN != "" {
		c.Notes = append(c.Notes, spreadsheet.Clean(f.each(f.Causes.Choice.In)))
	}
	if text := f.causeText().referenceNeed(); text != "" {
		c.Notes = append(c.Notes, text)
	}
	var bars []bar
	for _, n := range f.causeText().componentCounts() {
		bars = append(bars, n.bar(f.causeText().component(n.component)))
	}
	if len(bars) > 0 {
		c.Bars = append(c.Bars, f.barSVG(f.words.Say("bars.component"), bars, false))
	}
	if len(f.Causes.Recommendations) > 0 {
		t := pageTable{Head: f.heads("col.change", "col.heals", "col.low_answers", "col.at_risk", "col.rationale")}
		for _, r := range f.Causes.Recommendations {
			risk := plainCell(f.words.Say("figure.none"))
			if r.Outcome != nil {
				risk = plainCell(f.words.Say("word.tried"))
			} else if r.Good > 0 {
				risk = whole(len(r.AtRisk))
			}
			t.Rows = append(t.Rows, []pageCell{strong(f.causeText().changeSet(r)), plainCell(f.causeText().healed(r)), whole(r.LowScores),
				risk, plainCell(f.each(r.Rationale.In))})
		}
		c.Tables = append(c.Tables, t)
	}
	if len(f.CauseChanges) > 0 {
		t := pageTable{Head: f.heads("col.data", "col.component", "col.category", "col.before", "col.after")}
		for _, m := range f.CauseChanges {
			t.Rows = append(t.Rows, []pageCell{
				plainCell(f.causeText().level(m.Component)), strong(f.causeText().component(m.Component)),
				plainCell(f.causeText().known("category.", m.Category)), whole(m.Before),
				{strconv.Itoa(m.After), moved(m)},
			})
		}
		c.Tables = append(c.Tables, t)
	}
	for i, told := range f.causeText().workedExamples() {
		if i == 0 {
			c.CardsHead = f.words.Say("section.examples")
		}
		c.Cards = append(c.Cards, pageCard{Head: []pageCell{strong(told.title)}, Rows: told.parts})
	}
	return c
}

func (f htmlPage) heads(keys ...string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = f.words.Say(k)
	}
	return out
}

func (f htmlPage) labelChapter() chapter {
	c := chapter{Title: f.words.Say("labels.title")}
	if r := f.Questions; r != nil {
		for _, w := range r.Warnings {
			c.Notes = append(c.Notes, spreadsheet.Clean(f.each(w.Text.In)))
		}
		c.Bars = append(c.Bars,
			f.barSVG(f.words.Say("bars.category"), labelled(r.Categories,
				func(id string) string { return f.causeText().known("category.", id) }),
				true))
		if by := f.summaryThemes(); by != "" {
			c.Notes = append(c.Notes, f.words.Say("labels.themes_analysed"))
			c.Bars = append(c.Bars, f.barSVG(f.words.Say("section.themes_summary", "by", by), f.tagBars(), true))
		}
		c.Bars = append(c.Bars,
			f.barSVG(f.words.Say("bars.theme"), labelled(r.Themes, f.causeText().theme), true))
		return c
	}
	c.Notes = []string{f.words.Say("labels.missing", "command", f.causeText().command("questions", f.after.run.ID))}
	if bars := f.tagBars(); len(bars) > 0 {
		c.Bars = append(c.Bars, f.barSVG(f.words.Say("section.tags"), bars, true))
	}
	return c
}

func (f htmlPage) worseChapter() chapter {
	changes := f.worseChanges()
	out := chapter{Title: f.words.Say("sheet.worse"), More: f.more(len(changes), mostWorsePage), Empty: f.words.Say("worse.empty")}
	for _, v := range changes[:min(mostWorsePage, len(changes))] {
		now, _ := f.after.row(v.QuestionID)
		class := "bad"
		if v.Verdict != analysiscompare.Worse {
			class = "check"
		}
		head := []pageCell{strong(v.QuestionID), {f.label(v), class}, plainCell(f.markdownPage().moves(v))}
		if v.Critical {
			head = append(head, pageCell{f.words.Say("col.critical"), "bad"})
		}
		out.Cards = append(out.Cards, f.card(head,
			"col.question", now.question.Text, "col.reference", now.question.Reference, "col.answer_before",
			f.answerText(f.before, f.markdownPage().inBaseline(v.QuestionID)),
			"col.answer_after", f.answerText(&f.after, v.QuestionID), "col.cause", f.differs(v.QuestionID)))
	}
	return out
}

// card makes a card of pairs of a heading's key and a text.
func (f htmlPage) card(head []pageCell, pairs ...string) pageCard {
	out := pageCard{Head: head}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out.Rows = append(out.Rows, [2]string{f.words.Say(pairs[i]), spreadsheet.Clean(pairs[i+1])})
		}
	}
	return out
}

// more says that the workbook has further rows; "" when it has not.
func (f htmlPage) more(n, shown int) string {
	if n <= shown {
		return ""
	}
	return f.words.Say("md.worst.more", "n", n-shown)
}

// answerText is an answer, or the word for why there is none.
func (f htmlPage) answerText(s *side, id string) string {
	r, ok := s.row(id)
	switch {
	case !ok:
		return f.words.Say("word.not_available")
	case r.result.Answer != nil:
		return text.Cut(r.result.Answer.Text, answerPage)
	case r.result.Failure != nil:
		return f.words.Say("word.no_answer", "cause", f.cause(r.result.Failure.Cause))
	default:
		return f.words.Say("word.pending")
	}
}

func (f htmlPage) lowChapter() chapter {
	low := f.lowRows()
	out := chapter{Title: f.words.Say("sheet.low"), More: f.more(len(low), mostLowPage), Empty: f.noLow()}
	for _, r := range low[:min(mostLowPage, len(low))] {
		id := r.question.ID
		head := []pageCell{strong(id)}
		for _, metric := range f.lowMetrics() {
			score := f.scoreCell(r, metric)
			score.Text = f.title(metric) + " " + score.Text
			head = append(head, score)
		}
		if d := f.causes[id]; d != nil {
			head = append(head, plainCell(capital(f.causeText().component(d.Component))))
		}
		rationale := f.rationale(id)
		if rationale == "" {
			rationale = f.reasonsOf(r.result)
		}
		out.Cards = append(out.Cards, f.card(head,
			"col.question", r.question.Text, "col.reference", r.question.Reference, "col.answer", f.answerText(&f.after, id),
			"col.rationale", rationale, "col.action", f.causeText().action(id)))
	}
	return out
}

// scoreCell is a score, marked when it is low, or the word for why there is none.
func (f htmlPage) scoreCell(r row, metric string) pageCell {
	v, ok := r.result.Value(metric)
	switch {
	case !ok:
		return pageCell{f.stateWord(r.result, metric), "none"}
	case f.rule.By(metric, v):
		return pageCell{plain(v) + " ▼", "low"}
	default:
		return number(plain(v))
	}
}

// differenceChapter lists what the two runs did differently.
func (f htmlPage) differenceChapter() chapter {
	b := &book{content: f.content}
	t := pageTable{Head: f.heads("col.item", "col.before", "col.after"), Empty: f.words.Say("config.same")}
	for _, s := range b.allSettings() {
		if s.differs() {
			t.Rows = append(t.Rows, []pageCell{strong(s.name), plainCell(s.before), plainCell(s.value)})
		}
	}
	return chapter{Title: f.words.Say("config.section.differences"), Tables: []pageTable{t}}
}

func (f htmlPage) wordChapter() chapter {
	t := pageTable{}
	for _, term := range f.terms() {
		t.Rows = append(t.Rows, []pageCell{strong(term[0]), plainCell(term[1])})
	}
	return chapter{Title: f.words.Say("section.words"), Notes: f.measured(), Tables: []pageTable{t}, More: "RAG Workbench " + f.Version}
}
