package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// worstShown is how many answers the Markdown summary lists, and excerpt how much of each text, in code points.
const (
	worstShown = 10
	excerpt    = 120
)

// markdown is the short summary. Everything that may hold data goes through escape.
func (f markdownPage) markdown() string {
	var out strings.Builder
	o := f.overviewText().overview(findings.Markdown)
	fmt.Fprintf(&out, "# %s\n\n%s\n", escape(f.reportTitle()), escape(f.subtitle()))
	for _, text := range f.badges() {
		fmt.Fprintf(&out, "\n> **⚠** %s\n", escape(text))
	}
	fmt.Fprintf(&out, "\n**%s**\n\n", escape(o.Headline))
	for _, sentence := range o.Sentences {
		fmt.Fprintf(&out, "- %s\n", escape(sentence))
	}
	f.bullets(&out, "section.release", []string{o.Release})
	if o.changed != "" {
		fmt.Fprintf(&out, "\n%s\n", escape(o.changed))
	}
	f.countTable(&out, o.counts)
	f.examples(&out, o.worstHead(), o.worst)
	f.examples(&out, o.bestHead(), o.best)
	f.pointList(&out, "section.fails", o.fails, "")
	if o.theme != "" {
		fmt.Fprintf(&out, "- %s\n", escape(o.theme))
	}
	f.pointList(&out, "section.why", o.why, o.whyHow)
	if text := f.causeText().referenceNeed(); text != "" {
		fmt.Fprintf(&out, "\n%s\n", escape(text))
	}
	f.workedExampleList(&out)
	f.bullets(&out, "section.change_first", o.changes)
	if o.choice != "" {
		fmt.Fprintf(&out, "\n%s\n", escape(o.choice))
	}
	for i, step := range o.steps {
		if i == 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "%d. %s\n", i+1, escape(step))
	}
	f.bullets(&out, "section.running", o.running)
	f.section(&out, "section.agreed")
	for _, c := range o.agreed {
		fmt.Fprintf(&out, "- %s – **%s**", escape(c.what), escape(c.state))
		if c.who != "" {
			out.WriteString(f.words.Say("agreed.who", "who", escape(c.who)))
		}
		out.WriteString("\n")
	}
	if len(o.agreed) > 0 {
		out.WriteString("\n")
	}
	fmt.Fprintf(&out, "%s\n", escape(o.agreement))
	if len(o.overdue) > 0 {
		f.bullets(&out, "section.overdue", o.overdue)
	}
	f.bullets(&out, "section.trust", append(o.figures, o.doubts...))
	f.section(&out, "md.metrics")
	if f.Comparison != nil {
		f.changeTable(&out)
		f.worstTable(&out)
	} else {
		f.metricTable(&out)
	}
	return out.String()
}

// bullets writes a section of sentences.
func (f markdownPage) bullets(out *strings.Builder, section string, texts []string) {
	f.section(out, section)
	for _, text := range texts {
		fmt.Fprintf(out, "- %s\n", escape(text))
	}
}

// countTable counts the questions by verdict.
func (f markdownPage) countTable(out *strings.Builder, counts []labelCount) {
	if len(counts) == 0 {
		return
	}
	f.section(out, "section.verdicts")
	words, numbers := make([]string, len(counts)), make([]string, len(counts))
	for i, c := range counts {
		words[i], numbers[i] = c.word, strconv.Itoa(c.n)
	}
	line(out, words...)
	out.WriteString(strings.Repeat("| ---: ", len(counts)) + "|\n")
	line(out, numbers...)
}

// examples writes questions in full.
func (f markdownPage) examples(out *strings.Builder, section string, list []exampleText) {
	if len(list) == 0 {
		return
	}
	f.section(out, section)
	for _, e := range list {
		fmt.Fprintf(out, "- **%s**\n", escape(e.head))
		for _, pair := range [][2]string{{"col.question", e.question}, {"col.reference", e.reference}, {"col.answer_before", e.before},
			{"col.answer_after", e.after}} {
			if pair[1] != "" {
				fmt.Fprintf(out, "  - %s\n", escape(f.words.Say(pair[0])+f.words.Say("word.colon")+pair[1]))
			}
		}
	}
}

// workedExampleList tells one answer of each frequent cause through.
func (f markdownPage) workedExampleList(out *strings.Builder) {
	for i, told := range f.causeText().workedExamples() {
		if i == 0 {
			f.section(out, "section.examples")
		}
		fmt.Fprintf(out, "- **%s**\n", escape(told.title))
		for _, part := range told.parts {
			lines := strings.Split(part[1], "\n")
			if len(lines) == 1 {
				fmt.Fprintf(out, "  - %s\n", escape(part[0]+f.words.Say("word.colon")+lines[0]))
				continue
			}
			fmt.Fprintf(out, "  - %s\n", escape(part[0]))
			for _, line := range lines {
				fmt.Fprintf(out, "    - %s\n", escape(line))
			}
		}
	}
}

// pointList writes what was counted, and what is missing to count.
func (f markdownPage) pointList(out *strings.Builder, section string, points []point, missing string) {
	f.section(out, section)
	for _, p := range points {
		fmt.Fprintf(out, "- %d × **%s**", p.n, escape(p.name))
		if p.text != "" {
			fmt.Fprintf(out, " – %s", escape(p.text))
		}
		out.WriteString("\n")
	}
	switch {
	case missing != "" && len(points) > 0:
		fmt.Fprintf(out, "\n%s\n", escape(missing))
	case missing != "":
		fmt.Fprintf(out, "%s\n", escape(missing))
	case len(points) == 0:
		fmt.Fprintf(out, "%s\n", escape(f.noLow()))
	}
}

func (f markdownPage) section(out *strings.Builder, key string) {
	fmt.Fprintf(out, "\n## %s\n\n", escape(f.words.Say(key)))
}

// line writes a table row; header writes one and the rule below it, with numbers on the right from column numbersFrom on.
func line(out *strings.Builder, cells ...string) {
	for _, c := range cells {
		out.WriteString("| " + escape(c) + " ")
	}
	out.WriteString("|\n")
}

func (f markdownPage) header(out *strings.Builder, numbersFrom int, keys ...string) {
	titles := make([]string, len(keys))
	for i, k := range keys {
		titles[i] = f.words.Say(k)
	}
	line(out, titles...)
	for i := range keys {
		if i >= numbersFrom {
			out.WriteString("| ---: ")
		} else {
			out.WriteString("| --- ")
		}
	}
	out.WriteString("|\n")
}

func (f markdownPage) changeTable(out *strings.Builder) {
	c := f.Comparison
	f.header(out, 1, "col.metric", "col.before", "col.after", "col.difference", "md.interval", "col.n",
		"move.fell", "move.unsettled", "move.level", "move.rose")
	none := f.words.Say("word.none")
	switch {
	case f.found.Low.Of > 0 && f.found.Low.Apart:
		line(out, f.words.Say("metric.low_score_answers"), f.words.Say("figure.apart"), strconv.Itoa(f.found.Low.After), none, none,
			strconv.Itoa(c.Matched), none, none, none, none)
	case f.found.Low.Of > 0:
		line(out, f.words.Say("metric.low_score_answers"), strconv.Itoa(c.LowBefore), strconv.Itoa(c.LowAfter),
			fmt.Sprintf("%+d", c.LowAfter-c.LowBefore), none, strconv.Itoa(c.RatedAfter), none, none, none, none)
	}
	for _, s := range f.specs {
		m, ok := c.Metrics[s.ID]
		if !ok {
			continue
		}
		interval := none
		if m.CI95 != nil {
			interval = stats.Signed(m.CI95[0], 2) + " … " + stats.Signed(m.CI95[1], 2)
		}
		n := c.Counts[s.ID]
		was, is, difference := stats.Beside(m.Baseline, m.Candidate, 2)
		line(out, f.metricHeading(s), was, is, difference, interval,
			strconv.Itoa(m.N), strconv.Itoa(n.Worse), strconv.Itoa(n.NeedsCheck), strconv.Itoa(n.NoChange), strconv.Itoa(n.Better))
	}
}

func (f markdownPage) metricTable(out *strings.Builder) {
	f.header(out, 1, "col.metric", "col.mean", "col.scored", "col.not_applicable", "col.errors")
	for _, s := range f.specs {
		mean := f.words.Say("figure.none")
		if m, ok := f.after.totals.Scores[s.ID]; ok {
			mean = decimal(m.Mean)
		}
		states := f.after.states(s.ID)
		line(out, f.metricHeading(s), mean, strconv.Itoa(states[metrics.Scored]), strconv.Itoa(states[metrics.NotApplicable]),
			strconv.Itoa(states[metrics.Errored]+states[metrics.Pending]))
	}
}

// worstTable has one row for each answer, however many metrics say that it got worse.
func (f markdownPage) worstTable(out *strings.Builder) {
	f.section(out, "md.worst")
	changes := f.worseChanges()
	if len(changes) == 0 {
		fmt.Fprintf(out, "%s\n", escape(f.words.Say("worse.empty")))
		return
	}
	f.header(out, 7, "col.label", "col.critical", "col.id", "col.moves", "col.question", "col.answer_before", "col.answer_after")
	for _, v := range changes[:min(worstShown, len(changes))] {
		now, _ := f.after.row(v.QuestionID)
		critical := f.words.Say("word.none")
		if v.Critical {
			critical = f.words.Say("word.yes")
		}
		line(out, f.label(v), critical, v.QuestionID, f.moves(v),
			text.Cut(now.question.Text, excerpt), f.answerExcerpt(f.before, f.inBaseline(v.QuestionID)),
			f.answerExcerpt(&f.after, v.QuestionID))
	}
	if more := len(changes) - worstShown; more > 0 {
		fmt.Fprintf(out, "\n%s\n", escape(f.words.Say("md.worst.more", "n", more)))
	}
}

// moves are the scores that decide, before and after.
func (f markdownPage) moves(v findings.Verdict) string {
	var out []string
	was, okB := f.before.row(f.inBaseline(v.QuestionID))
	now, okA := f.after.row(v.QuestionID)
	if !okB || !okA {
		return ""
	}
	for _, m := range f.found.Figures {
		before, okB := was.result.Value(m.Metric)
		after, okA := now.result.Value(m.Metric)
		if okB && okA {
			out = append(out, f.each(m.Title.In)+f.words.Say("word.colon")+decimal(before)+" → "+decimal(after))
		}
	}
	return strings.Join(out, "; ")
}

// inBaseline is the id that a question of the candidate has in the baseline.
func (f markdownPage) inBaseline(id string) string {
	if f.Comparison != nil {
		for _, r := range f.Comparison.Renamed {
			if r.After == id {
				return r.Before
			}
		}
	}
	return id
}

func (f markdownPage) answerExcerpt(s *side, id string) string {
	r, ok := s.row(id)
	switch {
	case !ok:
		return f.words.Say("word.not_available")
	case r.result.Answer != nil:
		return text.Cut(r.result.Answer.Text, excerpt)
	case r.result.Failure != nil:
		return f.words.Say("word.no_answer", "cause", f.cause(r.result.Failure.Cause))
	default:
		return f.words.Say("word.pending")
	}
}

// escape makes text plain in Markdown and keeps it on one line. Signs that mean something only in certain places (a colon
// before a letter, a full stop inside a web address) are escaped only there, so that the source stays readable.
func escape(s string) string {
	var out strings.Builder
	runes := []rune(strings.Join(strings.Fields(spreadsheet.Clean(s)), " "))
	for i, r := range runes {
		before, next := ' ', ' '
		if i > 0 {
			before = runes[i-1]
		}
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch {
		case r == '&':
			out.WriteString("&amp;")
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '@':
			out.WriteString("@\u2060") // a word joiner: the name of a person must not call them
		case slices.Contains([]rune("\\`*_[]#|~$"), r), r == ':' && next != ' ' && !(unicode.IsDigit(before) && unicode.IsDigit(next)),
			r == '.' && unicode.IsLetter(next):
			out.WriteRune('\\')
			out.WriteRune(r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
