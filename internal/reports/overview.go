package reports

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Most lines of each part of the first page: it is one page.
const (
	mostPoints = 4
	mostAgreed = 4
	mostDoubts = 6
)

// overview is what the first page says, before it is laid out: the answers to a manager's questions.
type overview struct {
	judgement string       // how good, and is it better or worse than before?
	support   []string     // at most two sentences
	fails     []point      // what fails most?
	why       []point      // and why?
	whyHow    string       // how the causes were found, in a few words
	whyNot    string       // why there is no cause, and how to get one; "" when there is
	change    string       // what should we do?
	steps     []string     // at most three
	agreed    []commitment // what did we agree, and where does it stand?
	agreement string       // who agreed when, or that nobody did
	doubts    []string     // can I trust this, and what was not tested?
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

func (f *findings) overview() overview {
	o := overview{judgement: f.judgement(), support: f.support(), fails: f.fails(), why: f.why(), steps: f.next(), doubts: f.doubts()}
	o.whyNot = f.causesMissing()
	if f.Causes != nil {
		o.whyHow = " – " + f.words.say("how.short."+string(f.Causes.Method))
	}
	o.change = f.best()
	o.agreed, o.agreement = f.commitments()
	return o
}

// judgement is the report in one sentence.
func (f *findings) judgement() string {
	c := f.Comparison
	if c == nil {
		switch {
		case f.after.rated == 0:
			return f.words.say("verdict.unrated")
		case f.after.low == 0:
			return f.words.say("judge.good", "rated", f.after.rated)
		default:
			return f.words.say("judge.alone", "low", f.after.low, "rated", f.after.rated, "share", percent(float64(f.after.low)/float64(f.after.rated)))
		}
	}
	if c.Matched == 0 {
		return f.words.say("verdict.unmatched")
	}
	up, down := f.moved()
	head := "judge.unclear"
	switch {
	case up && down:
		head = "judge.mixed"
	case up && f.tally.worse == 0:
		head = "judge.better"
	case up:
		head = "judge.mostly_better"
	case down:
		head = "judge.worse"
	}
	tail := "judge.calm"
	if f.tally.worse > 0 {
		tail = "judge.but"
	}
	return f.words.say(head, "what", f.words.say("judge.low", "before", c.LowBefore, "after", c.LowAfter)) +
		f.words.say(tail, "worse", f.tally.worse)
}

// moved reports whether the mean of correctness or trust clearly rose, and whether one clearly fell.
func (f *findings) moved() (up, down bool) {
	for _, id := range []string{correctness, trust} {
		if m, ok := f.Comparison.Metrics[id]; ok && m.CI95 != nil {
			up = up || m.CI95[0] > 0
			down = down || m.CI95[1] < 0
		}
	}
	return up, down
}

// support is what stands below the judgement: at most two sentences.
func (f *findings) support() []string {
	c := f.Comparison
	if c == nil {
		return f.verdictAlone()
	}
	if c.Matched == 0 {
		return nil
	}
	var out []string
	if f.tally.criticalWorse > 0 {
		out = append(out, f.words.say("verdict.critical", "n", f.tally.criticalWorse))
	}
	if f.tally.check > 0 {
		out = append(out, f.words.say("verdict.check", "better", f.tally.better, "check", f.tally.check))
	} else {
		out = append(out, f.words.say("verdict.better", "better", f.tally.better, "matched", c.Matched))
	}
	return out
}

// fails says in words how answers fail: by pattern where causes were analysed, else by which score is low.
func (f *findings) fails() []point {
	var out []point
	if f.Causes != nil && len(f.Causes.Patterns) > 0 {
		counts := map[analysis.Pattern]int{}
		for _, p := range f.Causes.Patterns {
			counts[p.Pattern] += p.Count
		}
		for _, p := range patterns() {
			if counts[p] > 0 {
				out = append(out, point{counts[p], f.pattern(p), f.words.say("means." + string(p))})
			}
		}
	} else {
		counts := map[analysis.Corner]int{}
		for _, r := range f.after.rows {
			if c, ok := corner(r.result, f.threshold); ok {
				counts[c]++
			}
		}
		for _, c := range corners() {
			if counts[c] > 0 {
				out = append(out, point{counts[c], f.corner(c), f.words.say("means." + string(c))})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b point) int { return b.n - a.n })
	out = out[:min(mostPoints-1, len(out))]
	if t, ok := f.worstTheme(); ok {
		out = append(out, point{t.low, f.words.say("fails.theme", "theme", clean(t.name)), f.words.say("fails.theme_of", "rated", t.rated)})
	}
	return out
}

func patterns() []analysis.Pattern {
	return []analysis.Pattern{analysis.PatternWrong, analysis.PatternNotFound, analysis.PatternOwnKnowledge, analysis.PatternOther}
}

func corners() []analysis.Corner {
	return []analysis.Corner{analysis.BothLow, analysis.CorrectnessLow, analysis.TrustLow}
}

// corner tells which scores of an answer are low. An answer with one score has that one's corner.
func corner(r experiments.Result, threshold float64) (analysis.Corner, bool) {
	c, okC := r.Value(correctness)
	t, okT := r.Value(trust)
	lowC, lowT := okC && c <= threshold, okT && t <= threshold
	switch {
	case lowC && lowT:
		return analysis.BothLow, true
	case lowC:
		return analysis.CorrectnessLow, true
	case lowT:
		return analysis.TrustLow, true
	}
	return "", false
}

// why names the causes, most frequent first; without an analysis, what the scores themselves tell.
func (f *findings) why() []point {
	var out []point
	if f.Causes != nil {
		for _, c := range f.componentCounts() {
			out = append(out, point{c.n, capital(f.component(c.component)), f.words.say("why." + string(c.component))})
		}
		if len(out) > mostPoints {
			rest := 0
			for _, p := range out[mostPoints-1:] {
				rest += p.n
			}
			out = append(out[:mostPoints-1], point{rest, f.words.say("why.rest"), ""})
		}
		return out
	}
	known, lost := 0, 0
	for _, r := range f.after.rows {
		if v, ok := r.result.Value(spanCoverage); ok && r.result.Low(f.threshold) {
			known++
			if v < 1 {
				lost++
			}
		}
	}
	if lost > 0 {
		out = append(out, point{lost, f.words.say("why.evidence"), f.words.say("why.evidence_of", "known", known)})
	}
	if known > lost {
		out = append(out, point{known - lost, f.words.say("why.answer"), f.words.say("why.evidence_of", "known", known)})
	}
	return out
}

// capital begins a text with a capital letter.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// best is the one change that repairs most.
func (f *findings) best() string {
	if f.Causes != nil && len(f.Causes.Recommendations) > 0 {
		return f.recommendation(f.Causes.Recommendations[0])
	}
	if f.Causes != nil {
		return f.words.say("best.none")
	}
	if s := f.Sweep; s != nil && s.Winner != "" && s.Winner != f.after.run.ID {
		if i := slices.IndexFunc(s.Runs, func(r experiments.Run) bool { return r.ID == s.Winner }); i >= 0 && s.Runs[i].Totals != nil {
			return f.words.say("best.sweep", "params", experiments.Describe(s.Runs[i].Params), "low", s.Runs[i].Totals.LowScoreCount)
		}
	}
	return f.words.say("best.unknown")
}

// recommendation is a change with what it repairs and what it puts at risk.
func (f *findings) recommendation(r analysis.Recommendation) string {
	out := f.words.say("best.repair", "change", f.repair(r.Repair), "heals", len(r.Heals), "low", r.LowScores)
	if r.Good > 0 {
		out += f.words.say("best.risk", "risk", len(r.AtRisk))
	}
	return out
}

// commitments are the targets that are missed, then the rest, then the actions, as many as fit; and who agreed when.
func (f *findings) commitments() ([]commitment, string) {
	var out []commitment
	for _, t := range f.agreed.Targets {
		out = append(out, f.target(t))
	}
	for _, i := range f.agreed.Items {
		out = append(out, f.item(i))
	}
	slices.SortStableFunc(out, func(a, b commitment) int { return rank(a) - rank(b) })
	a := f.agreed.Agreement
	by := f.words.say("agreed.nothing", "command", f.command("agreement set", clean(f.after.run.Setup.Dataset.Name)))
	switch {
	case a.Version > 0:
		by = f.words.say("agreed.by", "names", clean(list(a.AgreedBy)), "date", cmp.Or(clean(a.AgreedOn), f.words.say("word.none")), "version", a.Version)
	case len(out) > 0:
		by = f.words.say("agreed.file")
	}
	if more := len(out) - mostAgreed; more > 0 {
		out = out[:mostAgreed]
		by += " " + f.words.say("agreed.more", "n", more, "sheet", f.sheetName("sheet.agreement"))
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

// doubts are the first of allDoubts, as many as fit the page.
func (f *findings) doubts() []string {
	out := f.allDoubts()
	if len(out) > mostDoubts {
		out = append(out[:mostDoubts-1], f.words.say("note.more", "n", len(out)-mostDoubts+1, "sheet", f.sheetName("sheet.method")))
	}
	return out
}

// allDoubts is what a reader must know before believing the page, and what it could not see.
func (f *findings) allDoubts() []string {
	var out []string
	out = append(out, f.humanWord())
	if !f.after.run.Setup.Settled {
		out = append(out, f.words.say("doubt.votes"))
	}
	out = append(out, f.notes()...)
	if f.Comparison == nil {
		out = append(out, f.words.say("doubt.baseline", "command", f.command("report", "BASELINE "+f.after.run.ID)))
	}
	if n := f.untested(); n > 0 {
		out = append(out, f.words.say("doubt.reference", "n", n))
	}
	if c := f.Causes; c != nil && c.Failed+max(0, c.LowScores-c.Diagnosed-c.Failed) > 0 {
		out = append(out, f.words.say("doubt.causes", "n", max(c.Failed, c.LowScores-c.Diagnosed), "low", c.LowScores))
	}
	if f.Questions != nil {
		for _, w := range f.Questions.Warnings {
			out = append(out, clean(f.each(w.Text.In)))
		}
	} else {
		out = append(out, f.words.say("doubt.questions", "command", f.command("questions", f.after.run.ID)))
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// untested counts answers that have no correctness because no right answer is known.
func (f *findings) untested() int {
	n := 0
	for _, r := range f.after.rows {
		if r.question.Reference == "" {
			n++
		}
	}
	return n
}

// humanWord says how far people agree with the judge.
func (f *findings) humanWord() string {
	if f.Reviews == nil || f.Reviews.Reviews == 0 {
		return f.words.say("doubt.unreviewed")
	}
	for _, r := range f.Reviews.Judge {
		if r.Of == "verdict" && r.N > 0 {
			return f.words.say("doubt.reviewed", "n", r.N, "share", percent(r.Percent), "sheet", f.sheetName("sheet.method"))
		}
	}
	return f.words.say("doubt.reviewed_few", "n", f.Reviews.Reviews)
}
