package causes

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// best replaces every part of the generation that can be replaced.
func (x answerRepair) best() Swap { return Swap{Prompt: x.powers.Prompt, Model: x.powers.Model} }

// deepIntervention is the deepest search of the documents that the system can make: by words and by meaning, k at its largest, in chunks
// that hold a thought.
func (x answerRepair) deepIntervention() intervention {
	c := x.config
	r := intervention{component: Retriever, param: "retrieve.k", from: c.Retrieve.K,
		changes: []Change{{Param: "retrieve.k", Value: x.rules.MaxK}}}
	if x.powers.Retrieval {
		r.changes = widerSearch(c, x.rules.MaxK)
	}
	return r
}

// deep is tried before it is believed that the documents lack something: a search that finds no passage for a claim proves nothing,
// least of all where the claim joins what stands in two documents. Where the answer heals with the contexts of a deep search, the
// retrieval is at fault: the documents hold what is needed. Which of the contexts carry it is found out, so that a change that can be
// afforded is looked for. It reports whether the diagnosis is closed.
func (x answerRepair) deep(ctx context.Context) (bool, error) {
	if x.deepTried || !x.powers.Contexts || !x.powers.Asks() || !x.widening().deepens() {
		return false, nil
	}
	x.deepTried = true
	r := x.deepIntervention()
	hits, err := x.lab.Retrieve(ctx, x.c.Question, r.changes)
	if err != nil || len(hits) == 0 {
		return false, err
	}
	best := x.best()
	t, err := x.settle(ctx, "deep", "", hits, best)
	if err != nil || !t.bareHealed() {
		return false, err
	}
	own := t
	if best != (Swap{}) {
		if own, err = x.settle(ctx, "deep", "", hits, Swap{}); err != nil {
			return false, err
		}
	}
	swap := best
	if own.bareHealed() {
		t, swap = own, Swap{}
	} else if len(x.c.Hits()) > 0 { // prompt and model may do it on the contexts that are there: one failure of theirs may be chance
		again, err := x.again(ctx, tried{contexts: x.c.Hits(), swap: best})
		if err != nil {
			return false, err
		}
		if again.bareHealed() {
			return x.generation(ctx)
		}
	}
	if err := x.locate(ctx, t, swap); err != nil {
		return false, err
	}
	return true, x.fromDeep(ctx, r, t, swap)
}

// Contexts of a deep search of which a part was given.
const (
	deepCited = "contexts cited" // those that the answer named
	deepFirst = "contexts 1-"    // with the number of the last one
	deepKept  = " and one"       // that is needed behind them
	deepAdded = "one more"       // behind those of the run
)

// cited are the numbers of contexts that an answer names: "[2]".
var cited = text.Lazy(`\[(\d{1,3})\]`)

// locate finds out which of the contexts that healed an answer carry what it needs: those it cites, when they heal it alone; else by
// halving them until the last one that is needed is left, and once more for a second one.
func (x answerRepair) locate(ctx context.Context, t tried, swap Swap) error {
	if named := citedHits(t.good, t.contexts); len(named) > 0 && len(named) < len(t.contexts) {
		alone, err := x.try(ctx, "deep", deepCited, tried{contexts: named, swap: swap}, 1)
		if err != nil {
			return err
		}
		if alone.bareHealed() {
			x.learn(named)
			return nil
		}
	}
	last, err := x.halve(ctx, t.contexts, nil, swap)
	if err != nil {
		return err
	}
	needed := []rag.Hit{t.contexts[last]}
	with, err := x.try(ctx, "deep", deepAdded, tried{contexts: append(slices.Clone(x.c.Hits()), needed...), swap: swap}, 1)
	if err != nil {
		return err
	}
	if !with.bareHealed() && last > 0 {
		other, err := x.halve(ctx, t.contexts[:last], needed, swap)
		if err != nil {
			return err
		}
		needed = append([]rag.Hit{t.contexts[other]}, needed...)
	}
	x.learn(needed)
	return nil
}

// halve returns the last context of the shortest beginning of a ranking that, with those that are kept, still heals the answer. The
// whole ranking does.
func (x answerRepair) halve(ctx context.Context, hits, keep []rag.Hit, swap Swap) (int, error) {
	low, high := 0, len(hits) // hits[:low] does not heal, hits[:high] does
	for high-low > 1 {
		middle := (low + high) / 2
		first := deepFirst + strconv.Itoa(middle)
		if len(keep) > 0 {
			first += deepKept
		}
		t, err := x.try(ctx, "deep", first, tried{contexts: append(slices.Clone(hits[:middle]), keep...), swap: swap}, 1)
		if err != nil {
			return 0, err
		}
		if t.bareHealed() {
			high = middle
		} else {
			low = middle
		}
	}
	return high - 1, nil
}

func citedHits(answer string, hits []rag.Hit) []rag.Hit {
	var out []rag.Hit
	seen := map[int]bool{}
	for _, m := range cited.FindAllStringSubmatch(answer, -1) {
		n, err := strconv.Atoi(m[1])
		if err == nil && n >= 1 && n <= len(hits) && !seen[n] {
			seen[n] = true
			out = append(out, hits[n-1])
		}
	}
	return out
}

// learn takes contexts that healed the answer for the evidence. Where in them it stands is not known, so any part of one will do: what
// a change brings is tried on the answer itself.
func (x answerRepair) learn(hits []rag.Hit) {
	x.claims, x.later, x.lost = nil, nil, nil
	for _, h := range hits {
		span := QuotedSpan{Span: h.Span, Quote: h.Text}
		x.claims = append(x.claims, claimEvidence{claim: shortQuote(h.Text), spans: []QuotedSpan{span},
			windows: []Window{{Span: h.Span, Text: h.Text}}, share: 1, anywhere: true})
	}
	x.known = true
}

// deepTrials is how many changes are tried on the answer before the deep search itself is named as the repair.
const deepTrials = 3

// fromDeep names the change that heals the answer as the deep search did: an affordable one if there is one. swap is what the deep
// search needed besides.
func (x answerRepair) fromDeep(ctx context.Context, r intervention, t tried, swap Swap) error {
	x.d.Detail, x.d.Alternatives = "", nil
	combined, err := x.widening().ladder(ctx)
	if err != nil {
		return err
	}
	chosen, healed, cheap := x.deepRepair(r, t.contexts), t, false
	for _, m := range combined[:min(deepTrials, len(combined))] {
		if m.expensive() || !x.searching().answersFrom(m) {
			continue
		}
		tried, err := x.settle(ctx, "regenerate", m.String(), m.contexts, swap)
		if err != nil {
			return err
		}
		if tried.bareHealed() {
			chosen, healed, cheap = m, tried, true
			break
		}
	}
	if !cheap { // the same search, as deep as can be afforded
		m, wide, err := x.widerRepair(ctx, swap)
		if err != nil {
			return err
		}
		if wide.bareHealed() {
			chosen, healed = m, wide
		}
	}
	x.searching().rankEvidence(combined)
	x.d.Repairs = slices.Clone(chosen.repairs)
	component := chosen.repairs[0].Component
	if swap == (Swap{}) {
		return x.searching().healedBy(ctx, component, healed)
	}
	base, err := x.settle(ctx, "regenerate", chosen.String(), chosen.contexts, Swap{})
	if err != nil {
		return err
	}
	v, err := x.swaps(ctx, chosen.contexts, base)
	if err != nil {
		return err
	}
	if v.component != "" {
		if alone, err := x.byItself(ctx, v); err != nil || alone {
			return err
		}
		x.d.Further = append([]Component{v.component}, v.further...)
		x.d.Repairs = append(x.d.Repairs, v.repairs...)
	}
	x.searching().count(x.d.Repairs, healed)
	base.trials++ // the stored answer
	x.finish(component, x.certain(healed, base))
	return nil
}

// widerRepair tries a search by words and by meaning that is as deep as can be afforded.
func (x answerRepair) widerRepair(ctx context.Context, swap Swap) (combinedRepair, tried, error) {
	if !x.powers.Retrieval {
		return combinedRepair{}, tried{}, nil
	}
	r := intervention{changes: widerSearch(x.config, x.widening().dearest())}
	hits, err := x.lab.Retrieve(ctx, x.c.Question, r.changes)
	if err != nil || len(hits) == 0 {
		return combinedRepair{}, tried{}, err
	}
	m := x.deepRepair(r, hits)
	for i := range m.repairs {
		m.repairs[i].Expensive = false
	}
	t, err := x.settle(ctx, "regenerate", m.String(), m.contexts, swap)
	return m, t, err
}

// deepRepair is the deep search as a repair: possible, but expensive.
func (x answerRepair) deepRepair(r intervention, hits []rag.Hit) combinedRepair {
	m := combinedRepair{contexts: hits}
	for _, c := range r.changes {
		one := intervention{component: Retriever, param: c.Param, from: presentValue(x.config, c.Param), changes: []Change{c}}
		repair := x.widening().repair(one, hits)
		repair.Expensive = true
		m.repairs = append(m.repairs, repair)
	}
	return m
}

// behind looks behind a gap in the documents: given the facts of the reference as a context, does the rest of the system answer well?
// Where only another prompt or model does, it is a fault too. It returns what the facts brought; no trials where they cannot be given.
func (x answerRepair) behind(ctx context.Context) (tried, error) {
	best := x.best()
	if !x.powers.Contexts || best == (Swap{}) {
		return tried{}, nil
	}
	contexts := x.withFacts()
	t, err := x.settle(ctx, "facts", "the reference as a context", contexts, best)
	if err != nil || !t.bareHealed() {
		return t, err
	}
	own, err := x.settle(ctx, "facts", "the reference as a context", contexts, Swap{})
	if err != nil || own.bareHealed() {
		return t, err
	}
	v, err := x.swaps(ctx, contexts, own)
	if err != nil || v.component == "" {
		return t, err
	}
	x.searching().count(v.repairs, v.healed)
	x.d.Further = append([]Component{v.component}, v.further...)
	x.d.Repairs = append(x.d.Repairs, v.repairs...)
	return t, nil
}

// withFacts are the contexts with what the reference says before them, as a page would say it that the documents lack.
func (x answerRepair) withFacts() []rag.Hit {
	facts := WholeClaims(x.c.Question, []string{x.c.Question.Reference})
	if len(x.claims) == 1 && !x.claims[0].labelled {
		facts = []string{x.claims[0].claim}
	}
	return append([]rag.Hit{{Text: strings.Join(facts, " "), Score: 1}}, x.c.Hits()...)
}

// Lengths in code points up to which a reference without a full stop is no sentence.
const (
	shortReferenceEN = 40
	shortReferenceJA = 20
)

// WholeClaims puts the question before the claims of a reference that says nothing without it: "aviator" stands in many documents.
func WholeClaims(q experiments.Question, claims []string) []string {
	reference, limit := strings.TrimSpace(q.Reference), shortReferenceEN
	if q.Lang == "ja" {
		limit = shortReferenceJA
	}
	_, refuses := metrics.Refusal(reference)
	switch {
	case reference == "" || refuses:
		return claims
	case utf8.RuneCountInString(reference) <= limit && !strings.ContainsAny(reference, ".。!！"):
		return []string{q.Text + " " + reference}
	case len(claims) == 0:
		return []string{reference}
	}
	return claims
}
