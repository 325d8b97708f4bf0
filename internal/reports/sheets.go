package reports

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// contextLength is how much of each retrieved context the low-score sheet shows, in code points.
const contextLength = 240

var (
	proseLook  = look{wrap: true}
	idLook     = look{wrap: true}
	numberLook = look{format: "0.00", align: "center"}
	scoreLook  = look{format: "0.##", align: "center", bold: true}
	wordLook   = look{italic: true, color: faded, align: "center", wrap: true}
	markLook   = look{align: "center", wrap: true}
	badLook    = look{align: "center", wrap: true, bold: true, color: lowInk, fill: lowFill}
	checkLook  = look{align: "center", wrap: true, bold: true, color: amberInk, fill: amber}
)

// questionRows tells in which row of the sheet of all questions each question stands.
func (b *book) questionRows() map[string]int {
	rows := make(map[string]int, len(b.after.rows))
	for i, r := range b.after.rows {
		rows[r.question.ID] = firstRow + i
	}
	return rows
}

func (b *book) lowSheet(rowOf map[string]int) {
	low := b.lowRows()
	target := b.words.say("sheet.questions")
	note := b.words.say("low.note", "threshold", plain(b.threshold))
	if len(low) > maxLinks {
		note = b.words.say("low.note.links", "threshold", plain(b.threshold), "n", maxLinks)
	}
	b.stream(table{
		sheet: b.words.say("sheet.low"), note: note, empty: b.words.say("low.empty"), frozen: 1, most: 16,
		columns: []column{
			{b.words.say("col.id"), 12, look{wrap: true, link: true}},
			{b.words.say("col.question"), 24, proseLook},
			{b.words.say("col.reference"), 28, proseLook},
			{b.words.say("col.answer"), 30, proseLook},
			{b.title(correctness), 11, scoreLook},
			{b.title(trust), 11, scoreLook},
			{b.words.say("col.reasons"), 28, proseLook},
			{b.words.say("col.evidence"), 10, look{format: "0%", align: "center"}},
			{b.words.say("col.contexts"), 38, look{wrap: true, size: 9}},
			{b.words.say("col.tags"), 14, proseLook},
			{b.words.say("col.critical"), 9, markLook},
		},
		rows: len(low), lowRule: []int{4, 5},
		row: func(i int) []cell {
			q, r := low[i].question, low[i].result
			return []cell{
				{value: q.ID},
				{value: q.Text},
				b.reference(q), b.answer(r),
				b.score(r, correctness), b.score(r, trust),
				{value: b.reasons(r)},
				b.score(r, spanCoverage),
				{value: b.contexts(r)},
				{value: strings.Join(q.Tags, ", ")},
				b.critical(q.Critical),
			}
		},
		link: func(i int) string {
			return fmt.Sprintf("'%s'!%s", target, cellName(1, rowOf[low[i].question.ID]))
		},
	})
}

func (b *book) worseSheet() {
	changes := b.worseChanges()
	empty := b.words.say("worse.empty")
	if b.Comparison == nil {
		empty = b.words.say("worse.no_baseline")
	}
	b.stream(table{
		sheet: b.words.say("sheet.worse"), note: b.words.say("worse.note"), empty: empty, frozen: 1, most: 16,
		columns: []column{
			{b.words.say("col.id"), 12, idLook},
			{b.words.say("col.label"), 14, markLook},
			{b.words.say("col.critical"), 9, markLook},
			{b.words.say("col.cause"), 18, markLook},
			{b.words.say("col.metric"), 16, markLook},
			{b.words.say("col.before"), 10, numberLook},
			{b.words.say("col.after"), 10, numberLook},
			{b.words.say("col.question"), 26, proseLook},
			{b.words.say("col.reference"), 28, proseLook},
			{b.words.say("col.answer_before"), 32, proseLook},
			{b.words.say("col.answer_after"), 32, proseLook},
			{b.words.say("col.reasons"), 26, proseLook},
		},
		rows: len(changes),
		row: func(i int) []cell {
			c := changes[i]
			now, _ := b.after.row(c.QuestionID)
			then, known := b.before.row(c.InBaseline())
			old := b.word("word.not_available")
			if known {
				old = b.answer(then.result)
			}
			mark := &badLook
			if c.Label != analysis.Worse {
				mark = &checkLook
			}
			reason := ""
			if s, ok := now.result.Score(c.Metric); ok && s.State == metrics.Scored {
				reason = s.Reason
			}
			return []cell{
				{value: c.QuestionID},
				{value: b.label(c), look: mark},
				b.critical(c.Critical),
				{value: b.differs(c.QuestionID)},
				{value: b.title(c.Metric)},
				{value: c.Baseline},
				{value: c.Candidate},
				{value: now.question.Text},
				b.reference(now.question),
				old, b.answer(now.result),
				{value: reason},
			}
		},
	})
}

func (b *book) questionSheet() {
	columns := []column{
		{b.words.say("col.id"), 12, idLook},
		{b.words.say("col.question"), 30, proseLook},
		{b.words.say("col.answer"), 38, proseLook},
		{b.words.say("col.low"), 10, markLook},
	}
	var lowRule []int
	for _, s := range b.specs {
		if place(s.ID) < 2 {
			lowRule = append(lowRule, len(columns))
		}
		columns = append(columns, column{b.metricHeading(s), 11.5, numberLook})
	}
	columns = append(columns,
		column{b.words.say("col.tags"), 16, proseLook},
		column{b.words.say("col.critical"), 9, markLook},
		column{b.words.say("col.why"), 26, proseLook})
	b.stream(table{
		sheet: b.words.say("sheet.questions"), note: b.words.say("questions.note"), empty: b.words.say("questions.empty"),
		columns: columns, frozen: 1, most: 5, rows: len(b.after.rows), lowRule: lowRule,
		row: func(i int) []cell {
			q, r := b.after.rows[i].question, b.after.rows[i].result
			cells := append(make([]cell, 0, len(columns)), cell{value: q.ID}, cell{value: q.Text}, b.answer(r), b.lowWord(r))
			for _, s := range b.specs {
				cells = append(cells, b.score(r, s.ID))
			}
			return append(cells, cell{value: strings.Join(q.Tags, ", ")}, b.critical(q.Critical), cell{value: b.missing(r)})
		},
	})
}

// score is the value of a metric, or the word for why there is none.
func (b *book) score(r experiments.Result, metric string) cell {
	s, ok := r.Score(metric)
	if !ok {
		return b.word("word.not_measured")
	}
	switch s.State {
	case metrics.Scored:
		return cell{value: s.Value}
	case metrics.NotApplicable:
		return b.word("word.not_applicable")
	case metrics.Pending:
		return b.word("word.pending")
	default:
		return cell{value: b.words.say("word.error"), look: &checkLook}
	}
}

func (b *book) word(key string) cell { return cell{value: b.words.say(key), look: &wordLook} }

func (b *book) lowWord(r experiments.Result) cell {
	switch {
	case r.Low(b.threshold):
		return cell{value: b.words.say("word.low"), look: &badLook}
	case !rated(r):
		return b.word("word.none")
	default:
		return cell{value: b.words.say("word.no"), look: &markLook}
	}
}

func (b *book) critical(yes bool) cell {
	if !yes {
		return b.word("word.none")
	}
	return cell{value: b.words.say("word.yes"), look: &badLook}
}

func (b *book) reference(q experiments.Question) cell {
	if q.Reference == "" {
		return b.word("word.no_reference")
	}
	return cell{value: q.Reference}
}

func (b *book) answer(r experiments.Result) cell {
	switch {
	case r.Answer != nil:
		return cell{value: r.Answer.Text}
	case r.Failure != nil:
		return cell{value: b.words.say("word.no_answer", "cause", b.cause(r.Failure.Cause)), look: &checkLook}
	default:
		return b.word("word.pending")
	}
}

// reasons are the judge's words on the two scores that make an answer low.
func (b *book) reasons(r experiments.Result) string {
	var out []string
	for _, m := range []string{correctness, trust} {
		if s, ok := r.Score(m); ok && s.State == metrics.Scored && s.Reason != "" {
			out = append(out, b.title(m)+": "+s.Reason)
		}
	}
	return strings.Join(out, "\n")
}

// contexts lists what was retrieved, best first, each cut to a readable length and with its place in the corpus.
func (b *book) contexts(r experiments.Result) string {
	if r.Answer == nil {
		return ""
	}
	if len(r.Answer.Hits) == 0 {
		return b.words.say("word.no_contexts")
	}
	var out strings.Builder
	for i, h := range r.Answer.Hits {
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "[%d] %s", i+1, h.Span)
		if h.Text != "" {
			out.WriteString("\n" + shorten(strings.Join(strings.Fields(shorten(h.Text, 4*contextLength)), " "), contextLength))
		}
	}
	return out.String()
}

// missing says why scores are missing: each cause with its metrics.
func (b *book) missing(r experiments.Result) string {
	var causes []string
	titles := map[string][]string{}
	for _, s := range r.Scores {
		if s.State != metrics.NotApplicable && s.State != metrics.Errored {
			continue
		}
		cause := b.cause(s.Reason)
		if titles[cause] == nil {
			causes = append(causes, cause)
		}
		titles[cause] = append(titles[cause], b.title(s.Metric))
	}
	for i, cause := range causes {
		causes[i] = cause + ": " + strings.Join(titles[cause], ", ")
	}
	return strings.Join(causes, "\n")
}
