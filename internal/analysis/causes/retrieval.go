package causes

import (
	"context"
	"slices"
)

// retrieval is steps 3 and 4: whether the contexts hold the evidence, and which change of the retrieval alone brings it there.
func (x contextRepair) retrieval(ctx context.Context) (bool, error) {
	if !x.known || x.enough {
		return false, nil
	}
	if covered(x.claims, x.c.Hits(), true) {
		x.step("in_context", "", 1, 1, 0)
		return false, nil
	}
	x.step("in_context", "", 0, 1, 0)
	plain, why, confidence, err := x.clear(ctx)
	if err != nil {
		return false, err
	}
	if !plain {
		x.unclear(why, confidence)
		return true, nil
	}
	if x.cut() {
		x.d.Detail = "chunk_border"
	}
	if !x.widening().deepens() {
		x.d.Detail = "parameter_untested"
		if x.widening().missed() {
			x.d.Detail = missedUntested
		}
		return true, x.withoutRepair(ctx, Retriever)
	}
	combined, err := x.widening().ladder(ctx)
	if err != nil {
		return false, err
	}
	if len(combined) == 0 || combined[0].expensive() {
		if plain, why, confidence, err = x.clear(ctx); err != nil || !plain { // a search that finds nothing may have been for nothing
			x.unclear(why, confidence)
			return true, err
		}
	}
	if len(combined) == 0 && x.unplaced() { // rows may hold the evidence in pieces that nobody can tell: what heals the answer can be told
		if done, err := x.generating().deep(ctx); err != nil || done {
			return true, err
		}
	}
	if len(combined) == 0 {
		x.d.Detail = "no_change_found"
		return true, x.withoutRepair(ctx, Retriever)
	}
	return true, x.withRepair(ctx, combined)
}

// cut reports whether a chunk border cuts evidence of which a part was retrieved.
func (x contextRepair) cut() bool {
	return slices.ContainsFunc(x.claims, func(c claimEvidence) bool {
		whole, split := c.held(x.c.Hits())
		return c.found() && !whole && !split && slices.ContainsFunc(c.spans, func(s QuotedSpan) bool {
			_, _, rank := heldBy(s, x.c.Hits())
			return rank > 0
		})
	})
}

// answerable reports whether the system can be made to answer from these contexts.
func (x contextRepair) answersFrom(m combinedRepair) bool {
	return x.powers.Contexts || x.powers.K && len(m.repairs) == 1 && m.repairs[0].Param == "retrieve.k"
}

// withRepair is step 4c: does the answer heal with the repaired contexts? Where it does not, a second fault is looked for.
func (x contextRepair) withRepair(ctx context.Context, combined []combinedRepair) error {
	m := combined[0]
	component := m.repairs[0].Component
	x.d.Repairs = slices.Clone(m.repairs)
	if m.repairs[0].nears() {
		x.d.Detail = missedBySearch
	}
	x.rankEvidence(combined)
	if !x.answersFrom(m) {
		x.d.Detail = "not_regenerated"
		x.finish(component, x.evidenceShare())
		return nil
	}
	t, err := x.settle(ctx, "regenerate", m.String(), m.contexts, Swap{})
	if err != nil {
		return err
	}
	if t.bareHealed() {
		return x.healedBy(ctx, component, t)
	}
	v, err := x.generating().swaps(ctx, m.contexts, t)
	if err != nil {
		return err
	}
	if v.component != "" {
		if alone, err := x.generating().byItself(ctx, v); err != nil || alone {
			return err
		}
		x.d.Further = append([]Component{v.component}, v.further...)
		x.d.Repairs = append(x.d.Repairs, v.repairs...)
		x.count(x.d.Repairs, v.healed)
		x.finish(component, min(v.confidence, x.evidenceShare()))
		return nil
	}
	return x.otherwise(ctx, component, combined[1:])
}

// healedBy closes a diagnosis whose answer healed with the repairs: unless the present configuration does as well when it is asked
// again.
func (x contextRepair) healedBy(ctx context.Context, component Component, t tried) error {
	if err := x.present(ctx); err != nil {
		return err
	}
	x.throughRaw(t)
	x.count(x.d.Repairs, t)
	confidence := x.certain(t, x.now)
	if x.now.healed() {
		again, err := x.try(ctx, "resample", "", x.now, x.rules.Trials)
		if err != nil {
			return err
		}
		x.now = again
		if x.now.healed() {
			x.unstable()
			return nil
		}
		confidence = x.certain(t, x.now)
	}
	x.finish(component, confidence)
	return nil
}

// throughRaw notes that answers healed only before post-processing, which then is a fault of its own.
func (x contextRepair) throughRaw(t tried) {
	if t.healed() || !t.bareHealed() {
		return
	}
	x.d.Further = append(x.d.Further, PostProcessing)
	x.d.Repairs = append(x.d.Repairs, x.withoutPostProcessing())
}

// effective counts what was good before post-processing where only that healed.
func (t tried) effective() tried {
	if !t.healed() && t.bareHealed() {
		t.passes += t.bare
	}
	return t
}

// count writes what came of the repairs into each of them.
func (x contextRepair) count(repairs []Repair, t tried) {
	t = t.effective()
	for i := range repairs {
		repairs[i].Passes, repairs[i].Trials = t.passes, t.trials
	}
}

// unstable closes the diagnosis of an answer that the same system gives well when it is asked again.
func (x contextRepair) unstable() {
	x.d.Repairs, x.d.Further = nil, nil
	x.d.Detail = "sampling"
	x.finish(Unstable, x.now.rate())
}

// otherwise tries a second repair of the retrieval where neither the first nor a change of prompt and model healed the answer, and
// then the evidence alone: contexts may hold it and still mislead.
func (x contextRepair) otherwise(ctx context.Context, component Component, rest []combinedRepair) error {
	for _, m := range rest[:min(1, len(rest))] {
		if m.expensive() || !x.answersFrom(m) {
			continue
		}
		t, err := x.settle(ctx, "regenerate", m.String(), m.contexts, Swap{})
		if err != nil {
			return err
		}
		if t.bareHealed() {
			x.d.Repairs = slices.Clone(m.repairs)
			return x.healedBy(ctx, m.repairs[0].Component, t)
		}
	}
	x.d.Repairs, x.d.Detail = nil, noiseBesides // what was tried and failed is no repair; it stays among the alternatives
	return x.withoutRepair(ctx, component)
}

// withoutRepair closes the diagnosis of contexts that lack evidence which no change brought, or which did not heal the answer when it
// was brought: with the evidence alone as contexts, does the rest of the system work?
func (x contextRepair) withoutRepair(ctx context.Context, component Component) error {
	if !x.powers.Contexts {
		x.finish(component, x.evidenceShare())
		return nil
	}
	t, err := x.settle(ctx, "oracle", "evidence alone", x.evidenceOnly(x.claims), Swap{})
	if err != nil {
		return err
	}
	if t.bareHealed() {
		if err := x.present(ctx); err != nil {
			return err
		}
		x.throughRaw(t)
		x.finish(component, x.certain(t, x.now))
		return nil
	}
	v, err := x.generating().swaps(ctx, t.contexts, t)
	switch {
	case err != nil:
		return err
	case v.component != "":
		if alone, err := x.generating().byItself(ctx, v); err != nil || alone {
			return err
		}
		x.d.Further = append([]Component{v.component}, v.further...)
		x.d.Repairs = append(x.d.Repairs, v.repairs...)
		x.finish(component, min(v.confidence, x.evidenceShare()))
		return nil
	}
	return x.generating().nothing(ctx)
}

// evidenceShare is the share of votes behind the evidence that was found: the least of all claims.
func (x contextRepair) evidenceShare() float64 {
	share := 1.0
	for _, c := range x.claims {
		if c.found() {
			share = min(share, c.share)
		}
	}
	return share
}

// rankEvidence notes at which rank the present retrieval, looked at deeper, has the evidence.
func (x contextRepair) rankEvidence(combined []combinedRepair) {
	for _, m := range combined {
		if len(m.repairs) != 1 || m.repairs[0].Param != "retrieve.k" {
			continue
		}
		for i := range x.claims {
			for j := range x.claims[i].spans {
				if whole, _, rank := heldBy(x.claims[i].spans[j], m.contexts); whole {
					x.claims[i].spans[j].Rank = rank
				}
			}
		}
	}
}
