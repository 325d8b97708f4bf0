package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// why counts the mechanical reasons of what is worse or needs a check.
func (p comparisonPrinter) why(c compare.Comparison) {
	counts := map[compare.Class]int{}
	var classes []compare.Class
	for _, t := range c.Triage {
		if t.Label == compare.Better {
			continue
		}
		if counts[t.Class]++; counts[t.Class] == 1 {
			classes = append(classes, t.Class)
		}
	}
	if len(classes) == 0 {
		return
	}
	slices.SortStableFunc(classes, func(a, b compare.Class) int { return cmp.Compare(counts[b], counts[a]) })
	parts := make([]string, len(classes))
	for i, class := range classes {
		parts[i] = fmt.Sprintf("%s %d", class.Word(string(p.lang())), counts[class])
	}
	p.say("")
	p.say("why, by what differs: %s", strings.Join(parts, "; "))
}

// triageOf is the reason found for a question, in words; "" when there is none.
func triageOf(c compare.Comparison, question string, lang language) string {
	for _, t := range c.Triage {
		if t.QuestionID == question {
			return t.Class.Word(string(lang))
		}
	}
	return ""
}

// compareQuestion prints what changed for one question.
func (p comparisonPrinter) compareQuestion(c compare.Comparison, both [2]experiments.Evaluation, id string) error {
	after, ok := both[1].Result(id)
	if !ok {
		return notThere("question", id, "workbench runs show "+both[1].Run.ID)
	}
	inBaseline := id
	var changes []compare.QuestionChange
	for _, q := range c.Questions {
		if q.QuestionID == id {
			inBaseline = q.InBaseline()
			changes = append(changes, q)
		}
	}
	before, ok := both[0].Result(inBaseline)
	if !ok {
		return notThere("question", inBaseline, "workbench runs show "+both[0].Run.ID)
	}
	contexts, words := compare.ContextDiff{}, []text.Change{}
	if before.Answer != nil && after.Answer != nil {
		contexts = compare.DiffContexts(before.Answer.Hits, after.Answer.Hits)
		words = compare.DiffAnswers(before.Answer.Text, after.Answer.Text)
	}
	if p.flags.JSON {
		var verdict any // null where there is no change and nothing to say
		if v, ok := c.Verdict(id); ok {
			verdict = v
		}
		return p.printJSON(map[string]any{"question_id": id, "verdict": verdict, "changes": changes, "why": triageOf(c, id, english),
			"contexts": contexts, "answer": words})
	}
	for _, q := range both[1].Questions {
		if q.ID == id {
			p.say("question   %s\nreference  %s", printable(q.Text), printable(q.Reference))
			break
		}
	}
	p.whatDecided(c, both, [2]string{inBaseline, id})
	p.otherMeasures(c, changes)
	if word := triageOf(c, id, p.lang()); word != "" {
		p.say("why        %s", word)
	}
	p.contextDiff(contexts)
	p.say("answer     %s", printable(inline(words)))
	return nil
}

// whatDecided prints the verdict on a question and, moved or not, every metric that decides.
func (p comparisonPrinter) whatDecided(c compare.Comparison, both [2]experiments.Evaluation, ids [2]string) {
	id := ids[1]
	if slices.Contains(c.Undecided, id) {
		p.say("verdict    none: no metric that decides was scored in both runs")
		return
	}
	v, listed := c.Verdict(id)
	if !listed {
		v = compare.QuestionVerdict{QuestionID: id, Verdict: compare.NoChange}
	}
	p.say("verdict    %s%s", v.Verdict.Word(string(p.lang())), remarked(v, p.lang()))
	var standing [2]experiments.Result
	var votes [2]int
	for i, e := range both {
		all, counted := compare.Standing(e.Results)
		votes[i] = counted[ids[i]]
		standing[i] = all[slices.IndexFunc(all, func(r experiments.Result) bool { return r.QuestionID == ids[i] })]
	}
	if said := findings.VotesText(votes[0], votes[1]); said != nil {
		p.say("scores     %s", said.In(string(p.lang())))
	}
	for _, metric := range c.DecideBy {
		d := compare.Deciding{Metric: metric, Movement: compare.Level}
		was, had := standing[0].Value(metric)
		is, has := standing[1].Value(metric)
		d.Baseline, d.Candidate = was, is
		switch {
		case listed && v.First.Metric == metric:
			d = v.First
		case listed && v.Guard != nil && v.Guard.Metric == metric:
			d = *v.Guard
		case !had || !has:
			continue
		}
		p.say("%-12s %s → %s  %s", p.lang().metric(metric), number(metric, d.Baseline), number(metric, d.Candidate), p.movement(d.Movement))
	}
}

// otherMeasures prints what moved and decides nothing, so that it cannot be taken for the verdict.
func (p comparisonPrinter) otherMeasures(c compare.Comparison, changes []compare.QuestionChange) {
	said := false
	for _, q := range changes {
		if slices.Contains(c.DecideBy, q.Metric) {
			continue
		}
		if !said {
			p.say("other measures, which do not decide:")
			said = true
		}
		p.say("  %s %s → %s  %s", p.lang().metric(q.Metric), number(q.Metric, q.Baseline), number(q.Metric, q.Candidate),
			p.movement(compare.LabelMovement(q.Label)))
	}
}

// movement says which way a metric moved; the five words are for the question.
func (p comparisonPrinter) movement(m compare.Movement) string {
	switch m {
	case compare.Fell:
		return p.lang().text("for the worse")
	case compare.Rose:
		return p.lang().text("for the better")
	case compare.Unsettled:
		return p.lang().text("not settled")
	case compare.Level, compare.Absent:
	}
	return p.lang().text("as before")
}

// contextDiff prints what was kept, moved, lost and gained, with the rank it had.
func (p comparisonPrinter) contextDiff(d compare.ContextDiff) {
	for _, list := range []struct {
		name   string
		pieces []compare.ContextPiece
	}{{"lost", d.Lost}, {"gained", d.Gained}, {"moved", d.Moved}, {"kept", d.Kept}} {
		for _, piece := range list.pieces {
			p.say("%-10s %s  rank %s → %s", p.lang().format(list.name), p.runs().place(piece.Span), rank(piece.Before), rank(piece.After))
		}
	}
}

func rank(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// inline shows a word diff in one text: [-what went-]{+what came+}.
func inline(changes []text.Change) string {
	var b strings.Builder
	for _, c := range changes {
		switch c.Edit {
		case text.Deleted:
			b.WriteString("[-" + c.Text + "-]")
		case text.Inserted:
			b.WriteString("{+" + c.Text + "+}")
		case text.Equal:
			b.WriteString(c.Text)
		}
	}
	return b.String()
}
