package findings

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// Verdicts counts the matched questions by verdict. The five words and Undecided add up to the matched questions.
type Verdicts struct {
	Worse      int `json:"worse"`
	Mixed      int `json:"mixed"`
	NeedsCheck int `json:"needs_check"`
	NoChange   int `json:"no_change"`
	Better     int `json:"better"`
	Critical   int `json:"critical_worse"` // of Worse, on questions that are marked critical
	Undecided  int `json:"undecided"`      // without a verdict: no metric that decides was scored in both runs
}

// ties says how many verdicts were decided by looking at both answers together, and how many of them by setting them side by side; or how
// many could not be, because a run was not scored by what that needs.
func (b *builder) ties() Text {
	c := b.in.Comparison
	if c == nil {
		return Text{}
	}
	out := Text{}
	if c.TieBreaks > 0 {
		out = say("belief.ties", "ties", c.TieBreaks, "matched", b.Matched, "pairs", c.ByBothOrders)
	}
	var more Text
	for _, w := range c.Warnings {
		if w.Code == compare.WarnByGradeAlone {
			more = Text{Code: "belief.by_grade_alone", EN: w.Text("en"), JA: w.Text("ja")}
		}
	}
	switch {
	case out.EN == "":
		return more
	case more.EN == "":
		more = say("belief.ties_need", "measures", Text{EN: metrics.StatementMeasuresIn("en"), JA: metrics.StatementMeasuresIn("ja")})
	}
	return Text{Code: out.Code, EN: out.EN + " " + more.EN, JA: out.JA + more.JA}
}

// Verdict is a question that is not unchanged.
type Verdict struct {
	QuestionID string        `json:"question_id"`
	Verdict    compare.Label `json:"verdict"`
	Critical   bool          `json:"critical,omitempty"`
	BecameLow  bool          `json:"became_low,omitempty"`
	Class      compare.Class `json:"class,omitempty"` // the mechanical reason, where one was found
	Why        Text          `json:"why"`             // what happened to it, in words; empty where nothing is known
}

// Ids are the questions with a verdict, in the order of every list.
func (f Findings) Ids(verdict compare.Label) []string {
	out := []string{}
	for _, v := range f.Order {
		if v.Verdict == verdict {
			out = append(out, v.QuestionID)
		}
	}
	return out
}

// compare takes over what the comparison decided about each question.
func (b *builder) compare() {
	c := b.in.Comparison
	if c == nil {
		b.countLow()
		return
	}
	b.Matched, b.Low.Before, b.Low.After, b.Low.Of = c.Matched, c.LowBefore, c.LowAfter, c.RatedAfter
	b.Low.Apart = c.LowApart
	for id, now := range b.after {
		if !c.LowApart || b.apart(id) || !now.Rated(b.rule) {
			continue // else the comparison counts none
		}
		b.Low.Of++
		if now.Low(b.rule) {
			b.Low.After++
		}
	}
	n := c.VerdictCounts
	b.Verdicts = Verdicts{n.Worse, n.Mixed, n.NeedsCheck, n.NoChange, n.Better, c.CriticalWorse, len(c.Undecided)}
	for i := range c.Verdicts {
		if v := &c.Verdicts[i]; v.Verdict != compare.NoChange {
			b.Order = append(b.Order, verdictOf(v))
		}
	}
	turned := map[string]bool{} // into another kind of answer
	for i := range c.Verdicts {
		turned[c.Verdicts[i].QuestionID] = c.Verdicts[i].Transition != ""
	}
	at := map[string]int{}
	for i, v := range b.Order {
		at[v.QuestionID] = i
	}
	for _, t := range c.Triage {
		if i, known := at[t.QuestionID]; known && b.Order[i].Class == "" {
			b.Order[i].Class = t.Class
			if turned[t.QuestionID] && (t.Class == compare.NowAnswers || t.Class == compare.NowRefuses) {
				continue // the change of kind says it already
			}
			b.Order[i].Why = joined(b.Order[i].Why, Text{EN: t.Word("en"), JA: t.Word("ja")})
		}
	}
}

// verdictOf is a verdict as it is listed: what became of the answer comes before figures.
func verdictOf(v *compare.QuestionVerdict) Verdict {
	out := Verdict{
		QuestionID: v.QuestionID, Verdict: v.Verdict, Critical: v.Critical, BecameLow: v.BecameLow,
		Why: Text{Code: "verdict", EN: v.TransitionWord("en"), JA: v.TransitionWord("ja")},
	}
	if v.Remark != nil {
		out.Why = joined(out.Why, Text{EN: v.Remark.Text("en"), JA: v.Remark.Text("ja")})
	}
	return out
}

// joined puts two texts behind each other.
func joined(a, b Text) Text {
	switch {
	case a.EN == "":
		b.Code = a.Code
		return b
	case b.EN == "":
		return a
	}
	return Text{Code: a.Code, EN: a.EN + "; " + b.EN, JA: a.JA + "。" + b.JA}
}

// apart reports whether the comparison left a question of the candidate out.
func (b *builder) apart(id string) bool {
	c := b.in.Comparison
	return c != nil && (slices.Contains(c.Added, id) || slices.Contains(c.Reworded, id) || slices.Contains(c.ReferenceChanged, id))
}

// countLow counts the low-score answers of a run by itself.
func (b *builder) countLow() {
	for _, r := range b.after {
		if r.Rated(b.rule) {
			b.Low.Of++
		}
		if r.Low(b.rule) {
			b.Low.After++
		}
	}
}

// VerifyEnd says why a verification asks for no more votes.
func VerifyEnd(stop compare.VerifyStop) Text { return say("verify." + string(stop)) }
