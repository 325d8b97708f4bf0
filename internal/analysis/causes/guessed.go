package causes

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/rag"
)

// PassageLab is what a Lab offers besides where it can read the documents around a place.
type PassageLab interface {
	// Around is the passage in which a place stands, by [AroundLabel].
	Around(place rag.Span) Window
}

// around is the passage that is given where a place in a window holds the evidence. The same place is given with the same words around it,
// whether a search found it or a label names it.
func (x *diagnosing) around(w Window, place rag.Span) Window {
	if lab, ok := x.lab.(PassageLab); ok {
		if whole := lab.Around(place); whole.Text != "" {
			return whole
		}
	}
	return w
}

// lackedFigures are the quantities of the reference, with their units, that what a search took for the evidence does not state. A judge
// that takes an answer from it for good is mistaken, or the evidence stands elsewhere: neither proves a cause. Where evidence is labelled
// nothing was guessed.
func (x *diagnosing) lackedFigures() []string {
	var passages []string
	for _, c := range x.claims {
		if c.labelled {
			return nil
		}
		if !c.found() {
			continue
		}
		at := c.place(x.c.Hits())
		passages = append(passages, c.spans[at].Quote)
		if at < len(c.windows) {
			passages = append(passages, c.windows[at].Text)
		}
	}
	if len(passages) == 0 || len(x.passages) > 0 && slices.ContainsFunc(x.claims, x.inPassage) {
		return nil
	}
	return textual.LackingQuantities(x.c.Question.Reference, x.c.Question.Text, passages)
}

// inPassage reports whether what was found of a claim stands in a passage that is labelled.
func (x *diagnosing) inPassage(c claimEvidence) bool {
	return slices.ContainsFunc(c.spans, func(s QuotedSpan) bool {
		return slices.ContainsFunc(x.passages, func(p QuotedSpan) bool { return p.Overlap(s.Span) > 0 })
	})
}

// doubt lowers the confidence in a cause that guessed evidence does not carry. Where the contexts that healed the answer lack the figure
// as well, and those of the run state it, the judgement that it is good is what is doubtful: then no cause is known.
func (x *diagnosing) doubt() {
	if x.d.Lacks = x.lackedFigures(); x.d.Standing() != StandsProbable {
		return
	}
	if x.healedWithout() {
		x.d.Detail, x.d.Repairs, x.d.Further, x.d.Alternatives = healedWithout, nil, nil, nil
		x.finish(Undetermined, 0)
		return
	}
	x.finish(x.d.Component, min(x.d.Confidence, unprovenShare))
}

// healedWithout is the detail of an answer that was judged good although what it was written from lacks a figure that the run's contexts
// state.
const healedWithout = "fixed_without"

// healedWithout reports whether the contexts that healed the answer lack a figure of the reference that those of the run state.
func (x *diagnosing) healedWithout() bool {
	return len(x.healed) > 0 && slices.ContainsFunc(x.d.Lacks, func(figure string) bool {
		return x.lackIn(figure, x.healed) && !x.lackIn(figure, x.c.Hits())
	})
}

// lackIn reports whether contexts lack a quantity of a text.
func (x *diagnosing) lackIn(stated string, contexts []rag.Hit) bool {
	texts := make([]string, len(contexts))
	for i, h := range contexts {
		texts[i] = h.Text
	}
	return len(textual.LackingQuantities(stated, x.c.Question.Text, texts)) > 0
}
