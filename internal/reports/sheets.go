package reports

import (
	"fmt"
	"strings"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// contextLength is how much of each retrieved context the low-score sheet shows, in code points.
const contextLength = 240

var (
	proseLook  = spreadsheet.Look{Wrap: true}
	idLook     = spreadsheet.Look{Wrap: true}
	linkLook   = spreadsheet.Look{Wrap: true, Link: true}
	numberLook = spreadsheet.Look{Format: "0.00", Align: "center"}
	scoreLook  = spreadsheet.Look{Format: "0.##", Align: "center", Bold: true}
	wordLook   = spreadsheet.Look{Italic: true, Color: spreadsheet.Faded, Align: "center", Wrap: true}
	markLook   = spreadsheet.Look{Align: "center", Wrap: true}
	badLook    = spreadsheet.Look{Align: "center", Wrap: true, Bold: true, Color: spreadsheet.LowInk, Fill: spreadsheet.LowFill}
	checkLook  = spreadsheet.Look{Align: "center", Wrap: true, Bold: true, Color: spreadsheet.AmberInk, Fill: spreadsheet.Amber}
)

// wholeRationale is more lines than a rationale has: what it comes to stands at its end.
const wholeRationale = 30

func (b *book) lowSheet(p sheetPart, low []row, placeOf map[string]int) {
	note := b.words.Say("low.note", "line", b.lowLine())
	if len(low) > maxLinks {
		note = b.words.Say("low.note.links", "line", b.lowLine(), "n", maxLinks)
	}
	if missing := b.causeText().causesMissing(); missing != "" {
		note += "\n" + missing
	}
	columns := []column{
		col(b.words.Say("col.id"), 11, spreadsheet.Look{Wrap: true, Link: true}),
		col(b.words.Say("col.question"), 24, proseLook),
		col(b.words.Say("col.reference"), 26, proseLook),
		col(b.words.Say("col.answer"), 28, proseLook),
	}
	var marked []lowColumn
	for _, metric := range b.lowMetrics() {
		line, _ := b.lowLineOf(metric)
		marked = append(marked, lowColumn{len(columns), line})
		columns = append(columns, col(b.title(metric), 10, scoreLook))
	}
	columns = append(columns,
		col(b.words.Say("col.pattern"), 14, markLook),
		col(b.words.Say("col.because"), 15, markLook),
		column{title: b.words.Say("col.rationale"), width: 44, look: proseLook, most: wholeRationale},
		col(b.words.Say("col.action"), 24, proseLook))
	printed := len(columns)
	columns = append(columns,
		col(b.words.Say("col.certainty"), 11, markLook),
		col(b.words.Say("col.reasons"), 28, proseLook),
		col(b.words.Say("col.evidence"), 10, spreadsheet.Look{Format: "0%", Align: "center"}),
		col(b.words.Say("col.contexts"), 38, spreadsheet.Look{Wrap: true, Size: 9}),
		col(b.words.Say("col.category_of"), 15, markLook),
		col(b.words.Say("col.theme_of"), 16, markLook),
		col(b.words.Say("col.tags"), 14, proseLook),
		col(b.words.Say("col.critical"), 9, markLook),
		col(b.words.Say("col.people"), 16, markLook))
	columns = append(columns, b.reviewColumns()...)
	b.streamPart(p, table{
		name: "LowScoreAnswers", note: note, empty: b.noLow(), frozen: 2,
		printed: printed, most: 12,
		columns: columns, rows: len(low), lowRule: marked,
		row:  func(i int) []cell { return append(b.lowCells(low[i]), b.reviewCells(low[i])...) },
		link: func(i int) string { return b.linkTo("sheet.questions", placeOf[low[i].question.ID]) },
	})
}

func (b *book) lowCells(low row) []cell {
	q, r := low.question, low.result
	cells := []cell{{value: q.ID}, {value: q.Text}, b.reference(q), b.answer(r)}
	for _, metric := range b.lowMetrics() {
		cells = append(cells, b.score(r, metric))
	}
	return append(cells,
		cell{value: b.patternOf(r)},
		b.because(q.ID),
		cell{value: b.rationale(q.ID)},
		cell{value: b.causeText().action(q.ID)},
		cell{value: b.certainty(q.ID)},
		cell{value: b.reasonsOf(r)},
		b.score(r, spanCoverage),
		cell{value: b.contexts(r)},
		cell{value: b.causeText().categoryOf(q)},
		cell{value: b.causeText().themeOf(q)},
		cell{value: strings.Join(q.Tags, ", ")},
		b.critical(q.Critical),
		cell{value: b.people(q.ID)})
}

// worseSheet lists what got worse, is mixed or needs a check, one row for each question, in the order of the findings.
func (b *book) worseSheet(p sheetPart, placeOf map[string]int) {
	changes := b.worseChanges()
	empty := b.words.Say("worse.empty")
	switch {
	case b.Comparison != nil:
	case b.Pinned:
		empty = b.words.Say("worse.pinned")
	default:
		empty = b.words.Say("worse.no_baseline", "command", b.causeText().command("report", "BASELINE "+b.after.run.ID))
	}
	columns := []column{
		col(b.words.Say("col.id"), 12, spreadsheet.Look{Wrap: true, Link: true}),
		col(b.words.Say("col.label"), 14, markLook),
		col(b.words.Say("col.critical"), 9, markLook),
		col(b.words.Say("col.cause"), 22, markLook),
	}
	for _, m := range b.decided() {
		title := b.each(m.Title.In)
		columns = append(columns, col(title+" – "+b.words.Say("col.before"), 10, numberLook),
			col(title+" – "+b.words.Say("col.after"), 10, numberLook))
	}
	columns = append(columns,
		col(b.words.Say("col.question"), 26, proseLook),
		col(b.words.Say("col.reference"), 28, proseLook),
		col(b.words.Say("col.answer_before"), 32, proseLook),
		col(b.words.Say("col.answer_after"), 32, proseLook),
		col(b.words.Say("col.reasons"), 26, proseLook))
	b.streamPart(p, table{
		name: "GotWorse", note: b.words.Say("worse.note"), empty: empty, frozen: 1, most: 16,
		columns: columns, rows: len(changes), row: func(i int) []cell { return b.worseCells(changes[i]) },
		link: func(i int) string { return b.linkTo("sheet.questions", placeOf[changes[i].QuestionID]) },
	})
}

// decided are the first metrics that decide: one and its guard.
func (f *content) decided() []findings.Figure {
	return f.found.Figures[:min(2, len(f.found.Figures))]
}

func (b *book) worseCells(v findings.Verdict) []cell {
	now, _ := b.after.row(v.QuestionID)
	then, known := b.before.row(b.markdownPage().inBaseline(v.QuestionID))
	old := b.word("word.not_available")
	if known {
		old = b.answer(then.result)
	}
	mark := &badLook
	if v.Verdict != analysiscompare.Worse {
		mark = &checkLook
	}
	cells := []cell{{value: v.QuestionID}, {value: b.label(v), look: mark}, b.critical(v.Critical), {value: b.differs(v.QuestionID)}}
	var reasons []string
	for _, m := range b.decided() {
		cells = append(cells, b.score(then.result, m.Metric), b.score(now.result, m.Metric))
		if s, ok := now.result.Score(m.Metric); ok && s.State == metrics.Scored && s.Reason != "" {
			reasons = append(reasons, b.each(m.Title.In)+b.words.Say("word.colon")+s.Reason)
		}
	}
	return append(cells, cell{value: now.question.Text}, b.reference(now.question), old, b.answer(now.result),
		cell{value: strings.Join(reasons, "\n")})
}

// questionSheet lists all questions; those with a low score lead to their row on the sheet of low-score answers.
func (b *book) questionSheet(p sheetPart, lowOf map[string]int) {
	columns := []column{
		col(b.words.Say("col.id"), 12, idLook),
		col(b.words.Say("col.question"), 30, proseLook),
		col(b.words.Say("col.answer"), 38, proseLook),
		col(b.words.Say("col.low"), 10, markLook),
		col(b.words.Say("col.label"), 12, markLook),
		col(b.words.Say("col.because"), 14, markLook),
		col(b.words.Say("col.category_of"), 15, markLook),
		col(b.words.Say("col.theme_of"), 16, markLook),
	}
	var marked []lowColumn
	printed := len(columns)
	for _, s := range b.specs {
		if line, low := b.lowLineOf(s.ID); low {
			marked = append(marked, lowColumn{len(columns), line})
			printed = len(columns) + 1
		}
		columns = append(columns, col(b.metricHeading(s), 11.5, numberLook))
	}
	columns = append(columns,
		col(b.words.Say("col.tags"), 16, proseLook),
		col(b.words.Say("col.critical"), 9, markLook),
		col(b.words.Say("col.why"), 26, proseLook),
		col(b.words.Say("col.people"), 16, markLook))
	columns = append(columns, b.reviewColumns()...)
	b.streamPart(p, table{
		name: "AllQuestions", note: b.words.Say("questions.note"),
		empty:   b.words.Say("questions.empty"),
		columns: columns, frozen: 2, printed: printed, most: 5, rows: len(b.after.rows), lowRule: marked,
		row: func(i int) []cell {
			q, r := b.after.rows[i].question, b.after.rows[i].result
			id := cell{value: q.ID}
			if lowOf[q.ID] > 0 {
				id.look = &linkLook
			}
			cells := append(make([]cell, 0, len(columns)), id, cell{value: q.Text}, b.answer(r), b.lowWord(r), b.changeWord(q.ID),
				b.because(q.ID), cell{value: b.causeText().categoryOf(q)}, cell{value: b.causeText().themeOf(q)})
			for _, s := range b.specs {
				cells = append(cells, b.score(r, s.ID))
			}
			cells = append(cells, cell{value: strings.Join(q.Tags, ", ")}, b.critical(q.Critical), cell{value: b.missing(r)},
				cell{value: b.people(q.ID)})
			return append(cells, b.reviewCells(b.after.rows[i])...)
		},
		link: func(i int) string { return b.linkTo("sheet.low", lowOf[b.after.rows[i].question.ID]) },
	})
}

// score is the value of a metric, or the word for why there is none.
func (b *book) score(r *experiments.Result, metric string) cell {
	s, ok := r.Score(metric)
	switch {
	case ok && s.State == metrics.Scored:
		return cell{value: s.Value}
	case ok && s.State == metrics.Errored:
		return cell{value: b.stateWord(r, metric), look: &checkLook}
	default:
		return cell{value: b.stateWord(r, metric), look: &wordLook}
	}
}

// stateWord is the word for why there is no score.
func (f *content) stateWord(r *experiments.Result, metric string) string {
	s, ok := r.Score(metric)
	switch {
	case !ok:
		return f.words.Say("word.not_measured")
	case s.State == metrics.NotApplicable:
		return f.words.Say("word.not_applicable")
	case s.State == metrics.Pending:
		return f.words.Say("word.pending")
	default:
		return f.words.Say("word.error")
	}
}

func (b *book) word(key string) cell { return cell{value: b.words.Say(key), look: &wordLook} }

func (b *book) lowWord(r *experiments.Result) cell {
	switch {
	case r.Low(b.rule):
		return cell{value: b.words.Say("word.low"), look: &badLook}
	case !r.Rated(b.rule):
		return b.word("word.none")
	default:
		return cell{value: b.words.Say("word.no"), look: &markLook}
	}
}

func (b *book) critical(yes bool) cell {
	if !yes {
		return b.word("word.none")
	}
	return cell{value: b.words.Say("word.yes"), look: &badLook}
}

func (b *book) reference(q *experiments.Question) cell {
	if q.Reference == "" {
		return b.word(noReference(*q))
	}
	return cell{value: q.Reference}
}

// noReference names the words for what stands where a question has no right answer: of one that the documents do not answer, that is known.
func noReference(q experiments.Question) string {
	if !q.Answerable {
		return "word.unanswerable"
	}
	return "word.no_reference"
}

func (b *book) answer(r *experiments.Result) cell {
	switch {
	case r.Answer != nil:
		return cell{value: r.Answer.Text}
	case r.Failure != nil:
		return cell{value: b.words.Say("word.no_answer", "cause", b.cause(r.Failure.Cause)), look: &checkLook}
	default:
		return b.word("word.pending")
	}
}

// reasonsOf are the judge's words on the scores that make an answer low.
func (f *content) reasonsOf(r *experiments.Result) string {
	var out []string
	for _, m := range f.lowMetrics() {
		if s, ok := r.Score(m); ok && s.State == metrics.Scored && s.Reason != "" {
			out = append(out, f.title(m)+f.words.Say("word.colon")+s.Reason)
		}
	}
	return strings.Join(out, "\n")
}

// contexts lists what was retrieved, best first, each cut to a readable length and with its place in the corpus.
func (f *content) contexts(r *experiments.Result) string {
	if r.Answer == nil {
		return ""
	}
	if len(r.Answer.Hits) == 0 {
		return f.words.Say("word.no_contexts")
	}
	var out strings.Builder
	for i, h := range r.Answer.Hits {
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "[%d] %s", i+1, f.place(h.Span))
		if h.Text != "" {
			out.WriteString("\n" + text.Cut(spreadsheet.OneLine(text.Cut(h.Text, 4*contextLength)), contextLength))
		}
	}
	return out.String()
}

// place is where a context stands in the corpus; of an index that knows no places, its document only.
func (f *content) place(s rag.Span) string {
	if s.Placed() {
		return s.String()
	}
	return strings.TrimSpace(s.DocID + " " + f.words.Say("word.place_unknown"))
}

// missing says why scores are missing: each cause with its metrics.
func (f *content) missing(r *experiments.Result) string {
	var causes []string
	titles := map[string][]string{}
	for _, s := range r.Scores {
		if s.State != metrics.NotApplicable && s.State != metrics.Errored {
			continue
		}
		cause := f.cause(s.Reason)
		if titles[cause] == nil {
			causes = append(causes, cause)
		}
		titles[cause] = append(titles[cause], f.title(s.Metric))
	}
	for i, cause := range causes {
		causes[i] = cause + f.words.Say("word.colon") + listed(titles[cause], f.Lang)
	}
	return strings.Join(causes, "\n")
}
