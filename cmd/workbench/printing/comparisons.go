package printing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// ComparisonPrinter tells of two runs, or of several beside one.
type ComparisonPrinter struct{ *program.Program }

// Comparisons tells of two runs, or of several beside one.
func Comparisons(p *program.Program) ComparisonPrinter { return ComparisonPrinter{p} }

// NotCompared names the metrics that could not be compared, in one line for each reason.
func (p ComparisonPrinter) NotCompared(c compare.Comparison) {
	metrics, reasons := map[string][]string{}, []string{}
	for _, e := range c.Excluded {
		why := e.Note.Text(string(p.Lang()))
		if metrics[why] == nil {
			reasons = append(reasons, why)
		}
		metrics[why] = append(metrics[why], p.Lang().Metric(e.Metric))
	}
	for _, why := range reasons {
		if list := metrics[why]; len(list) == 1 {
			p.Warn("%s is not compared: %s", list[0], why)
		} else {
			p.Warn("%d metrics are not compared: %s: %s", len(list), why, p.Lang().List(list))
		}
	}
}

// Said says in words what came of a comparison, without what analyses and people add.
func (p ComparisonPrinter) Said(w *app.Workbench, c compare.Comparison, both [2]experiments.Evaluation) {
	p.Opening(reporting.Said(p.Context, w, c, both).Open(findings.CommandText, string(p.Lang())))
}

// Changed names the settings that differ between the two runs.
func (p ComparisonPrinter) Changed(f findings.Findings) {
	p.Say("what changed: %s", program.Printable(p.Lang().Parts(findings.Texts(f.Changed, string(p.Lang())))))
}

// Opening says in words what came of a comparison.
func (p ComparisonPrinter) Opening(o findings.Opening) {
	p.Say("%s", program.Printable(o.Headline))
	for _, sentence := range o.Sentences {
		p.Say("%s", program.Printable(sentence))
	}
}

// Verdicts counts the questions by the five words, and says what decided.
func (p ComparisonPrinter) Verdicts(c compare.Comparison) {
	n := c.VerdictCounts
	ties := ""
	if c.TieBreaks > 0 {
		ties = p.Lang().Text(" (%s by looking at both answers together, where grades tie; of these, %s by comparing them in both orders)", p.Lang().
			Many(c.TieBreaks, "question"), p.Lang().Many(c.ByBothOrders, "question"))
	}
	p.Say("By %s: %s%s.", p.Lang().Decided(c.DecideBy), VerdictCountsOf(p.Lang(), n, c.DecideBy, c.Verdicts), ties)
}

// VerdictCounts counts questions by the words of which there are any: "6 worse, 28 without change".
func VerdictCounts(l program.Language, n compare.VerdictCounts) string {
	return VerdictCountsOf(l, n, nil, nil)
}

// VerdictCountsOf is [VerdictCounts], and says which way those that need a check moved: by the first metric alone where two decide, so
// that others may have moved by the second.
func VerdictCountsOf(l program.Language, n compare.VerdictCounts, decideBy []string, verdicts []compare.QuestionVerdict) string {
	checks := l.Text("%d need a check", n.NeedsCheck)
	switch better, worse := compare.Leaning(verdicts); {
	case better+worse == 0:
	case len(decideBy) > 1:
		checks += l.Text(" (by %s alone %d scored worse, %d better)", program.Printable(l.Metric(decideBy[0])), worse, better)
	default:
		checks += Leaning(l, better, worse)
	}
	var parts []string
	for _, word := range []struct {
		format string
		n      int
	}{
		{"%d worse", n.Worse}, {"%d mixed", n.Mixed}, {"", n.NeedsCheck}, {"%d without change", n.NoChange},
		{"%d better", n.Better},
	} {
		switch {
		case word.n == 0:
		case word.format == "":
			parts = append(parts, checks)
		default:
			parts = append(parts, l.Text(word.format, word.n))
		}
	}
	if len(parts) == 0 {
		return l.Text("no question has a verdict")
	}
	return l.List(parts)
}

// Leaning says which way questions that need a check moved, behind their number.
func Leaning(l program.Language, better, worse int) string {
	return l.Text(" (%d scored worse, %d scored better)", worse, better)
}

// ChangeTable prints the mean of each metric on both sides, and how far it moved.
func (p ComparisonPrinter) ChangeTable(c compare.Comparison) {
	var rows [][]string
	fewer := false
	for _, s := range c.Baseline.Setup.Suite {
		m, ok := c.Metrics[s.ID]
		if !ok {
			continue
		}
		fewer = fewer || m.N < c.Matched
		interval := "-"
		if m.CI95 != nil {
			interval = stats.Signed(m.CI95[0], 3) + " … " + stats.Signed(m.CI95[1], 3)
		}
		n := c.Counts[s.ID]
		was, is, difference := stats.Beside(m.Baseline, m.Candidate, program.Decimals(s.ID))
		rows = append(rows, []string{
			p.Lang().Metric(s.ID) + LowerMark(s.LowerIsBetter), was, is, difference, interval, strconv.Itoa(m.N),
			strconv.Itoa(n.Worse), strconv.Itoa(n.NeedsCheck), strconv.Itoa(n.NoChange), strconv.Itoa(n.Better),
		})
	}
	p.Say("")
	Runs(p.Program).MetricTable([]string{"METRIC", "BASELINE", "CANDIDATE", "DIFF", "95% INTERVAL", "N", "FOR THE WORSE", "NOT SETTLED",
		"AS BEFORE",
		"FOR THE BETTER"}, rows)
	if by, clustered := c.Clustered(); clustered {
		p.Say("%s", by.Text(string(p.Lang())))
	}
	if fewer {
		p.Say("N: questions that both runs scored; means are of these, so that a run by itself may have another mean")
	}
}

// TriageOf is the reason found for a question, in words; "" when there is none.
func TriageOf(c compare.Comparison, question string, lang program.Language) string {
	for _, t := range c.Triage {
		if t.QuestionID == question {
			return t.Word(string(lang))
		}
	}
	return ""
}

// NameOf is how a run is called in a sentence: what sets it apart within its sweep, else its experiment.
func NameOf(r experiments.Run, lang program.Language) string {
	if len(r.Params) > 0 {
		return program.Printable(experiments.SetsTextIn(r.Params, r.Setup.Config.Chunk).In(string(lang)))
	}
	return r.Setup.Experiment
}

// BriefNameOf is [NameOf] where columns have no room for words: by the ids of the parameters.
func BriefNameOf(r experiments.Run) string {
	return cmp.Or(experiments.Describe(r.Params), r.Setup.Experiment)
}

// WorseAnswers prints the first n questions that are worse, mixed or in doubt, severest first, with both answers.
func (p ComparisonPrinter) WorseAnswers(c compare.Comparison, both [2]experiments.Evaluation, n int) {
	p.Listed(c, both, c.With(compare.Worse, compare.Mixed, compare.NeedsCheck), n)
}

// Listed prints the first n questions of a list with both answers, and how to see the rest; only are the verdicts that were asked for.
func (p ComparisonPrinter) Listed(c compare.Comparison, both [2]experiments.Evaluation, list []compare.QuestionVerdict, n int,
	only ...compare.Label) {
	for _, v := range list[:min(n, len(list))] {
		p.changedAnswer(c, both, v)
	}
	if len(list) > n {
		p.Say("")
		asked := ""
		for _, verdict := range only {
			asked += " --only " + string(verdict)
		}
		p.Say("%d more: workbench compare %s %s%s --list %d", len(list)-n, both[0].Run.ID, both[1].Run.ID, asked, len(list))
	}
}

// Only prints the first n questions of a comparison that holds those with some labels alone, or that none has them.
func (p ComparisonPrinter) Only(c compare.Comparison, both [2]experiments.Evaluation, n int, labels []compare.Label) {
	if !slices.ContainsFunc(labels, func(l compare.Label) bool { return c.VerdictCounts.Of(l) > 0 }) {
		p.NoneOf(labels, c.VerdictCounts)
		return
	}
	p.Listed(c, both, c.Verdicts, n, labels...)
	if slices.Contains(labels, compare.NoChange) {
		p.LeftOut(c, c.Verdicts)
	}
}

// NoneOf says that no question has one of these labels, and which there are.
func (p ComparisonPrinter) NoneOf(labels []compare.Label, n compare.VerdictCounts) {
	words := make([]string, len(labels))
	for i, l := range labels {
		words[i] = l.Word(string(p.Lang()))
	}
	p.Say("no question has the verdict %s: %s", strings.Join(words, p.Lang().Format(" or ")), VerdictCounts(p.Lang(), n))
}

// LeftOut says how many answers without change a list of verdicts does not hold.
func (p ComparisonPrinter) LeftOut(c compare.Comparison, list []compare.QuestionVerdict) {
	listed := 0
	for _, v := range list {
		if v.Verdict == compare.NoChange {
			listed++
		}
	}
	if left := c.VerdictCounts.NoChange - listed; left > 0 {
		p.Say("")
		p.Say("%d of %d answers without change are not listed here; the comparison's page lists every question.", left, c.VerdictCounts.NoChange)
	}
}

// BetterAnswers prints the n answers that gained most, and how to see the rest.
func (p ComparisonPrinter) BetterAnswers(c compare.Comparison, both [2]experiments.Evaluation, n int) {
	list := slices.Clone(c.With(compare.Better))
	slices.SortStableFunc(list, func(a, b compare.QuestionVerdict) int { return cmp.Compare(rise(b), rise(a)) })
	for _, v := range list[:min(n, len(list))] {
		p.changedAnswer(c, both, v)
	}
	if len(list) > n {
		p.Say("")
		rest := p.Lang().Many(len(list)-n, "further answer")
		if n == 0 {
			rest = p.Lang().Many(len(list), "answer")
		}
		p.Say("%s that got better: workbench compare %s %s --only better --list %d", rest, both[0].Run.ID, both[1].Run.ID, len(list))
	}
}

// rise is how much a question gained by the metric that decided.
func rise(v compare.QuestionVerdict) float64 { return v.Decider().Candidate - v.Decider().Baseline }

// changedAnswer prints a question with both answers and why they differ.
func (p ComparisonPrinter) changedAnswer(c compare.Comparison, both [2]experiments.Evaluation, v compare.QuestionVerdict) {
	q := v.Decider()
	before, _ := both[0].Result(v.InBaseline())
	after, _ := both[1].Result(v.QuestionID)
	p.Say("")
	p.Say("%s  %s  %s %s → %s%s%s%s", v.Verdict.Word(string(p.Lang())), v.QuestionID, p.Lang().
		Metric(q.Metric), program.Number(q.Metric, q.Baseline), program.Number(q.Metric, q.Candidate), Voted(both, v,
		p.Lang()), Critical(v, p.Lang()),
		Remarked(v, p.Lang()))
	p.Say("  question: %s", program.OneLine(both[1].Question(v.QuestionID).Text, 140))
	p.Say("  before: %s", Answer(p.Lang(), before))
	p.Say("  after:  %s", Answer(p.Lang(), after))
	if word := TriageOf(c, v.QuestionID, p.Lang()); word != "" {
		p.Say("  what differs: %s", word)
	}
	if s, ok := after.Score(q.Metric); ok && s.Reason != "" {
		p.Say("  why:    %s", program.OneLine(s.Reason, 160))
	}
}

// Voted says of how many votes the scores of a question are means, where there are several.
func Voted(both [2]experiments.Evaluation, v compare.QuestionVerdict, lang program.Language) string {
	_, before := experiments.Standing(both[0].Results)
	_, after := experiments.Standing(both[1].Results)
	if said := findings.VotesText(before[v.InBaseline()], after[v.QuestionID]); said != nil {
		return lang.Aside(said.In(string(lang)))
	}
	return ""
}

// Critical marks a question that must not fail.
func Critical(v compare.QuestionVerdict, lang program.Language) string {
	if v.Critical {
		return lang.Format("  (critical)")
	}
	return ""
}

// Remarked is what the word alone does not say of a question: how the kind of answer changed, and the remark.
func Remarked(v compare.QuestionVerdict, lang program.Language) string {
	out := ""
	if word := v.TransitionWord(string(lang)); word != "" {
		out = "  " + word
	}
	if v.Remark != nil {
		out += "  (" + v.Remark.Text(string(lang)) + ")"
	}
	return out
}

// Answer is the text of an answer on one line.
func Answer(l program.Language, r experiments.Result) string {
	if r.Answer == nil {
		return l.Format("(no answer)")
	}
	return program.OneLine(r.Answer.Text, 140)
}
