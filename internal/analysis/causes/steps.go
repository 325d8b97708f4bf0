package causes

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/rag"
)

// The words of [CauseStep.On].
const (
	onEvidence = "evidence"
	onFacts    = "facts"
	onChanged  = "changed"
)

// step notes what was tried, and nothing where nothing was.
func (x *diagnosing) step(name, change string, passes, trials, calls int) {
	x.note(CauseStep{Step: name, Change: change, Passes: passes, Trials: trials, Calls: calls})
}

func (x *diagnosing) note(s CauseStep) {
	x.d.Calls += s.Calls
	if s.untried() && s.Calls == 0 {
		return
	}
	for _, before := range x.d.Steps {
		if before.same(s) {
			s.Again = max(2, before.Again+1)
		}
	}
	x.d.Steps = append(x.d.Steps, s)
}

// untried reports whether a step brought nothing that could be counted. A search of documents that hold no window was made all the same.
func (s CauseStep) untried() bool { return s.Trials == 0 && s.Step != "evidence" }

// same reports whether two steps tried the same.
func (s CauseStep) same(other CauseStep) bool {
	return s.Step == other.Step && s.Change == other.Change && s.On == other.On && s.Swap == other.Swap
}

// trial notes answers that were generated. A system that gave the answer of before was asked all the same: that answer counts for it.
func (x *diagnosing) trial(name, change string, t tried, passes, trials, calls int) {
	if trials == 0 && calls > 0 {
		trials, passes = 1, counted(t.good != "" && t.good == t.last)
	}
	s := CauseStep{Step: name, Change: change, Passes: passes, Trials: trials, Calls: calls, Swap: t.swap.besides(name)}
	if s.healed() {
		x.healed = t.contexts
	}
	s.On = x.contextsOf(t.contexts)
	if s.On == onEvidence || s.On == onChanged && name != "deep" {
		for _, h := range t.contexts {
			if h.DocID != "" {
				s.Given = append(s.Given, h.Span)
			}
		}
	}
	if name == "oracle" || name == "regenerate" || name == "deep" || name == "facts" { // the step says so by its name
		s.On = ""
	}
	x.note(s)
}

// besides is what a step replaced that its name does not say.
func (s Swap) besides(step string) string {
	name, _ := s.step()
	if s == (Swap{}) || name == step {
		return ""
	}
	return name
}

// contextsOf says which contexts were given: those of the run in any order (""), passages with the evidence, the facts of the reference,
// or those of another search.
func (x *diagnosing) contextsOf(contexts []rag.Hit) string {
	switch {
	case sameHits(contexts, x.c.Hits()):
		return ""
	case slices.ContainsFunc(x.alone, func(alone []rag.Hit) bool { return sameHits(contexts, alone) }):
		return onEvidence
	case len(contexts) == len(x.c.Hits())+1 && contexts[0].DocID == "" && sameHits(contexts[1:], x.c.Hits()):
		return onFacts
	}
	return onChanged
}

func sameHits(a, b []rag.Hit) bool {
	holds := func(all []rag.Hit) func(rag.Hit) bool {
		return func(h rag.Hit) bool {
			return slices.ContainsFunc(all, func(o rag.Hit) bool { return o.Span == h.Span && (h.DocID != "" || o.Text == h.Text) })
		}
	}
	lacks := func(all []rag.Hit) func(rag.Hit) bool {
		return func(h rag.Hit) bool { return !holds(all)(h) }
	}
	return len(a) == len(b) && !slices.ContainsFunc(a, lacks(b)) && !slices.ContainsFunc(b, lacks(a))
}

// evidenceOnly are the passages with the evidence as contexts, and nothing else.
func (x *diagnosing) evidenceOnly(claims []claimEvidence) []rag.Hit {
	alone := oracle(claims, x.c.Hits())
	x.alone = append(x.alone, alone)
	return alone
}
