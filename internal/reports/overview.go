package reports

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// Most lines of each part of the first page: it is one page.
const (
	mostCauses  = 3 // named causes; beside them how many answers have none
	mostAgreed  = 4
	mostDoubts  = 6
	mostChanges = 2
	examplePage = 420 // code points of each text of an example
)

// overview is what the first page says, before it is laid out: the answers to a manager's questions. Its sentences are those of the
// findings; this type only chooses how many of them fit.
type overview struct {
	findings.Opening
	changed   string        // what differs between the two systems
	counts    []labelCount  // of questions by verdict; empty without a baseline
	worst     []exampleText // the two worst questions
	best      []exampleText // and the two best
	fails     []point       // what fails most? Its numbers add up to the low-score answers
	theme     string        // the theme that fails most; may be empty
	why       []point       // and why?
	whyHow    string        // how the causes were found, or that they were not looked for
	changes   []string      // what should we change?
	choice    string        // what several changes are to each other; may be empty
	steps     []string      // what should we do? At most three
	running   []string      // what it costs, and what leaves the company
	agreed    []commitment  // what did we agree, and where does it stand?
	agreement string        // who agreed when, or that nobody did
	overdue   []string
	figures   []string // corrected by people's reviews
	doubts    []string // can I trust this, and what was not tested?
}

// worstHead and bestHead are the keys of the headings of the examples: of a comparison, or of a run by itself.
func (o overview) worstHead() string {
	if len(o.counts) == 0 {
		return "section.lowest"
	}
	return "section.worst"
}

func (o overview) bestHead() string {
	if len(o.counts) == 0 {
		return "section.highest"
	}
	return "section.best"
}

// labelCount is a verdict with its questions.
type labelCount struct {
	label analysiscompare.Label
	word  string
	n     int
}

// exampleText is one question in full, in words.
type exampleText struct {
	head, question, reference, before, after string
	bad                                      bool
}

// answers are the titles and texts of its answers: of a run by itself there is no change that one could come after.
func (e exampleText) answers() [][2]string {
	if e.before == "" {
		return [][2]string{{"col.answer", e.after}}
	}
	return [][2]string{{"col.answer_before", e.before}, {"col.answer_after", e.after}}
}

// point is a group of low-score answers in words.
type point struct {
	n    int
	name string
	text string // what that means; may be empty
}

// commitment is one thing that was agreed.
type commitment struct {
	what, state, who string
	good, bad        bool
}

// overview is the first page for a channel.
func (f overviewText) overview(c findings.Channel) overview {
	found := f.found
	o := overview{Opening: f.open(c), fails: f.fails(), why: f.why(), whyHow: f.text(found.Causes.Text), steps: f.next(c),
		doubts: f.doubts(c)}
	if len(found.Changed) > 0 {
		o.changed = f.words.Say("changed.list", "list",
			f.each(func(lang string) string { return listed(findings.Texts(found.Changed, lang), lang) }))
	}
	if f.Comparison != nil {
		o.counts = f.counts()
	}
	for _, e := range found.Worst {
		o.worst = append(o.worst, f.example(e, true))
	}
	for _, e := range found.Best {
		o.best = append(o.best, f.example(e, false))
	}
	o.changes = f.recommended()
	o.choice = f.text(found.Alternatives)
	if t, ok := found.Trouble(); ok {
		o.theme = f.text(t.Text)
	}
	o.running = append(o.running, f.text(found.Month.Text))
	for _, t := range append(slices.Clone(found.Effort), found.Sent...) {
		o.running = append(o.running, f.text(t))
	}
	o.agreed, o.agreement = f.commitments(c)
	for _, d := range found.Agreed.Overdue {
		o.overdue = append(o.overdue, f.text(d.Text))
	}
	for _, c := range found.Corrected {
		o.figures = append(o.figures, f.text(c.Text))
	}
	return o
}

// open is the beginning of the findings in the report's language.
func (f overviewText) open(c findings.Channel) findings.Opening {
	if f.Lang != wording.Both {
		return f.found.Open(c, f.Lang)
	}
	en, ja := f.found.Open(c, "en"), f.found.Open(c, "ja")
	out := findings.Opening{Headline: wording.Joined(en.Headline, ja.Headline), Release: wording.Joined(en.Release, ja.Release),
		Offline: wording.Joined(en.Offline, ja.Offline)}
	for i := range en.Sentences {
		out.Sentences = append(out.Sentences, wording.Joined(en.Sentences[i], ja.Sentences[i]))
	}
	return out
}

// text is a finding in the report's language, without what a cell cannot hold.
func (f *content) text(t findings.Text) string { return spreadsheet.Clean(f.each(t.In)) }

// listed joins what is there as a language does.
func listed(items []string, lang string) string {
	out, separator := "", ", "
	if lang == "ja" {
		separator = "、"
	}
	for i, s := range items {
		if i > 0 {
			out += separator
		}
		out += s
	}
	return out
}

// counts are the questions by verdict, in the order in which people read them.
func (f overviewText) counts() []labelCount {
	v := f.found.Verdicts
	out := []labelCount{{label: analysiscompare.Worse, n: v.Worse}, {label: analysiscompare.Mixed, n: v.Mixed},
		{label: analysiscompare.NeedsCheck, n: v.NeedsCheck},
		{label: analysiscompare.NoChange, n: v.NoChange}, {label: analysiscompare.Better, n: v.Better}}
	for i := range out {
		out[i].word = f.each(out[i].label.Word)
	}
	return out
}

// example is one question in full.
func (f overviewText) example(e findings.Example, bad bool) exampleText {
	head := e.QuestionID
	if e.Verdict != "" {
		head = f.each(e.Verdict.Word) + f.words.Say("word.colon") + head
	}
	if e.Critical {
		head = f.words.Say("word.aside", "text", head, "aside", f.words.Say("col.critical"))
	}
	var scores []string
	for _, s := range e.Scores {
		is := f.words.Say("word.none")
		switch {
		case s.Before != nil && s.After != nil:
			before, after := stats.Pair(*s.Before, *s.After, 2)
			is = before + " → " + after
		case s.After != nil:
			is, _ = stats.Pair(*s.After, *s.After, 2)
		case s.Before != nil:
			before, _ := stats.Pair(*s.Before, *s.Before, 2)
			is = before + " → " + is
		}
		scores = append(scores, f.each(s.Title.In)+" "+is)
	}
	head += " · " + listed(scores, f.Lang)
	if e.Votes != nil {
		head = f.words.Say("word.aside", "text", head, "aside", f.each(e.Votes.In))
	}
	if e.Why != nil {
		head += " · " + f.each(e.Why.In)
	}
	cut := func(s *string) string {
		if s == nil {
			return f.words.Say("word.not_available")
		}
		return text.Cut(spreadsheet.Clean(*s), examplePage)
	}
	out := exampleText{head: spreadsheet.Clean(head), question: text.Cut(spreadsheet.Clean(e.Question), examplePage),
		reference: text.Cut(spreadsheet.Clean(e.Reference), examplePage), after: cut(e.After), bad: bad}
	if e.Reference == "" && !f.NoTexts {
		out.reference = f.words.Say(f.noReference(e.QuestionID))
	}
	if f.Comparison != nil {
		out.before = cut(e.Before)
	}
	return out
}

// noReference names the words for the missing right answer of a question.
func (f overviewText) noReference(id string) string {
	all := f.Candidate.Questions
	if i := slices.IndexFunc(all, func(q experiments.Question) bool { return q.ID == id }); i >= 0 {
		return noReference(all[i])
	}
	return "word.no_reference"
}

// fails says in words how answers fail.
func (f overviewText) fails() []point {
	var out []point
	for _, c := range f.found.Fails {
		out = append(out, point{c.N, capital(f.each(c.Name.In)), f.text(c.Text)})
	}
	return out
}

// why names the most frequent causes with how they are known, and how many answers have none proven; without an analysis, what the scores
// themselves tell.
func (f overviewText) why() []point {
	var out []point
	if f.Causes != nil {
		for _, c := range f.found.Causes.Lines(mostCauses) {
			out = append(out, point{c.N, f.each(func(lang string) string { return capital(c.Name.In(lang)) }), f.text(c.Text)})
		}
		return out
	}
	known, lost := 0, 0
	for _, r := range f.after.rows {
		if v, ok := r.result.Value(spanCoverage); ok && r.result.Low(f.rule) {
			known++
			if v < 1 {
				lost++
			}
		}
	}
	if lost > 0 {
		out = append(out, point{lost, f.words.Say("why.evidence"), f.words.Say("why.evidence_of", "known", known)})
	}
	if known > lost {
		out = append(out, point{known - lost, f.words.Say("why.answer"), f.words.Say("why.evidence_of", "known", known)})
	}
	return out
}

// behind puts a sentence behind another: Japanese leaves no space.
func (f overviewText) behind(first, second string) string {
	switch f.Lang {
	case "ja":
		return first + second
	case wording.Both:
		return first + "\n" + second
	}
	return first + " " + second
}

// capital begins a text with a capital letter.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// recommended are the changes to make, with what was promised and what happened.
func (f overviewText) recommended() []string {
	var out []string
	for _, r := range f.found.Recommendations[:min(mostChanges, len(f.found.Recommendations))] {
		text := f.text(r.Text)
		if r.Length != nil {
			text = f.behind(text, f.text(*r.Length))
		}
		out = append(out, text)
	}
	if len(out) > 0 {
		return out
	}
	if s := f.Sweep; s != nil && f.Causes == nil && s.Winner != "" && s.Winner != f.after.run.ID {
		if i := slices.IndexFunc(s.Runs, func(r experiments.Run) bool { return r.ID == s.Winner }); i >= 0 && s.Runs[i].Totals != nil {
			return []string{f.words.Say("best.sweep", "params", experiments.Describe(s.Runs[i].Params), "low",
				s.Runs[i].Totals.LowScoreCount)}
		}
	}
	return []string{f.text(f.found.NoChange())}
}

// commitments are the targets that are missed, then the rest, then the actions; and who agreed when. On the first sheet of a workbook as
// many as fit: the rest stands on another one, which the other reports do not have.
func (f overviewText) commitments(c findings.Channel) ([]commitment, string) {
	var out []commitment
	for _, t := range f.agreed.Targets {
		out = append(out, f.causeText().target(t))
	}
	for _, i := range f.agreed.Items {
		out = append(out, f.causeText().item(i))
	}
	slices.SortStableFunc(out, func(a, b commitment) int { return rank(a) - rank(b) })
	a := f.agreed.Agreement
	by := f.text(f.found.Agreed.Text)
	switch {
	case a.Version > 0:
		by = f.words.Say("agreed.by", "names", spreadsheet.Clean(f.causeText().list(a.AgreedBy)), "date",
			cmp.Or(spreadsheet.Clean(a.AgreedOn),
				f.words.Say("word.none")),
			"version", a.Version)
	case len(out) > 0:
		by = f.words.Say("agreed.file")
	}
	if len(f.agreed.Items) > 0 {
		counts := f.words.Say("agreed.counts")
		if f.ownLine() {
			counts = f.words.Say("agreed.counts_at", "threshold", plain(f.agreed.LowScore))
		}
		by = f.behind(by, counts)
	}
	if more := len(out) - mostAgreed; more > 0 && c == findings.Workbook {
		out = out[:mostAgreed]
		by = f.behind(by, f.words.Say("agreed.more", "n", more, "sheet", f.sheetName("sheet.agreement")))
	}
	return out, by
}

func rank(c commitment) int {
	switch {
	case c.bad:
		return 0
	case !c.good:
		return 1
	default:
		return 2
	}
}

// doubts are allDoubts; on the first sheet of a workbook the first of them, as many as fit.
func (f overviewText) doubts(c findings.Channel) []string {
	out := f.allDoubts()
	if len(out) > mostDoubts && c == findings.Workbook {
		out = append(out[:mostDoubts-1], f.words.Say("note.more", "n", len(out)-mostDoubts+1, "sheet", f.sheetName("sheet.method")))
	}
	return out
}

// allDoubts is what a reader must know before believing the page: whose judge, whether people checked it, whether the questions are
// enough, and what was not tested.
func (f overviewText) allDoubts() []string {
	found := f.found
	var out []string
	if !found.Offline && len(f.after.run.Setup.Tools()) == 0 { // else it stands above everything
		out = append(out, f.text(found.Judge.Text))
	}
	troubles := f.troubles()
	first := min(1, len(troubles)) // in the words of others what went wrong: on the page, whatever else is to be said
	out = append(out, troubles[:first]...)
	out = append(out, f.text(found.Enough.Text), f.text(found.People.Text))
	for _, t := range found.Checked {
		out = append(out, f.text(t))
	}
	out = append(out, f.text(found.Agreed.Line))
	if found.Agreed.Open.Code != "" {
		out = append(out, f.text(found.Agreed.Open))
	}
	for _, t := range found.Untested {
		out = append(out, f.text(t))
	}
	if tools := f.after.run.Setup.Tools(); len(tools) > 0 {
		out = append(out, f.ofTools("doubt.imported", "doubt.table", tools))
	} else if !f.after.run.Setup.Settled {
		out = append(out, f.words.Say("doubt.votes"))
	}
	return append(append(out, f.notes()...), troubles[first:]...)
}
