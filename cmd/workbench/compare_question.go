package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// why counts the mechanical reasons of what is worse or needs a check.
func (p *program) why(c compare.Comparison) {
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
func (p *program) compareQuestion(c compare.Comparison, both [2]experiments.Evaluation, id string) error {
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
		return p.printJSON(map[string]any{"question_id": id, "verdict": verdict, "changes": changes, "why": triageOf(c, id, english), "contexts": contexts, "answer": words})
	}
	for _, q := range both[1].Questions {
		if q.ID == id {
			p.say("question   %s\nreference  %s", printable(q.Text), printable(q.Reference))
			break
		}
	}
	if v, ok := c.Verdict(id); ok {
		p.say("verdict    %s%s", v.Verdict.Word(string(p.lang())), remarked(v, p.lang()))
	}
	for _, q := range changes {
		p.say("%-12s %s %s → %s  (%s)", q.Label.Word(string(p.lang())), q.Metric, number(q.Metric, q.Baseline), number(q.Metric, q.Candidate), strings.ToLower(strings.ReplaceAll(string(q.Detail), "_", " ")))
	}
	if word := triageOf(c, id, p.lang()); word != "" {
		p.say("why        %s", word)
	}
	p.contextDiff(contexts)
	p.say("answer     %s", printable(inline(words)))
	return nil
}

// contextDiff prints what was kept, moved, lost and gained, with the rank it had.
func (p *program) contextDiff(d compare.ContextDiff) {
	for _, list := range []struct {
		name   string
		pieces []compare.ContextPiece
	}{{"lost", d.Lost}, {"gained", d.Gained}, {"moved", d.Moved}, {"kept", d.Kept}} {
		for _, piece := range list.pieces {
			p.say("%-10s %s  rank %s → %s", p.lang().format(list.name), piece.Span, rank(piece.Before), rank(piece.After))
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
