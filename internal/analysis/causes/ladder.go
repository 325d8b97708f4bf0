package causes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// intervention is one change of the retrieval, with what it brought.
type intervention struct {
	component Component
	param     string
	from      any
	changes   []Change
	deep      []rag.Hit // down to MaxK, where a shallower ranking is its beginning
	hits      []rag.Hit // at the present k
}

// dearest is the largest k that counts as a repair.
func (x widening) dearest() int { return dearestK(x.config.Retrieve.K) }

// dearestK is the largest k that counts as a repair; above it a repair is possible but expensive (science.md 3.3).
func dearestK(k int) int { return max(6, 2*k) }

// interventions lists the single changes of the ladder, but for k, in the order of the pipeline.
func (x widening) interventions() []intervention {
	if !x.powers.Retrieval {
		return nil
	}
	c := x.config
	var out []intervention
	add := func(component Component, param string, from, to any) {
		out = append(out, intervention{component: component, param: param, from: from, changes: []Change{{Param: param, Value: to}}})
	}
	if c.Rewrite.Mode != "" && c.Rewrite.Mode != "none" {
		add(SearchQuery, "rewrite", c.Rewrite.Mode, "none")
	}
	for _, size := range []int{2 * c.Chunk.Size, c.Chunk.Size / 2} {
		if size > c.Chunk.Overlap && size > 0 {
			add(Retriever, "chunk.size", c.Chunk.Size, size)
		}
	}
	for _, overlap := range []int{0, c.Chunk.Size / 4, c.Chunk.Size / 2} {
		if overlap != c.Chunk.Overlap && overlap < c.Chunk.Size {
			add(Retriever, "chunk.overlap", c.Chunk.Overlap, overlap)
		}
	}
	if c.Retrieve.Mode != "bm25" {
		for _, m := range x.rules.Embedders {
			switch {
			case m == c.Embedding.Model:
			case m.Provider == c.Embedding.Provider:
				add(Retriever, "embedding.model", c.Embedding.Name, m.Name)
			default:
				add(Retriever, "embedding", c.Embedding.Model, m)
			}
		}
	}
	for _, mode := range []string{"dense", "bm25", "hybrid"} {
		if mode != cmp.Or(c.Retrieve.Mode, "dense") && (mode == "bm25" || c.Embedding.Name != "") {
			add(Retriever, "retrieve.mode", cmp.Or(c.Retrieve.Mode, "dense"), mode)
		}
	}
	if c.Rerank.Mode != "" && c.Rerank.Mode != "none" {
		add(Retriever, "rerank", c.Rerank.Mode, "none")
	}
	out = append(append(out, limits(c)...), thorough(c)...)
	if x.missed() {
		out = append(out, nearer(c)...)
	}
	if c.SaysMore() {
		out = append(out, spaceInterventions(c, x.searching().cut())...)
	}
	return x.possible(out)
}

// prefixes reports whether the ranking of a shallow retrieval is the beginning of a deep one: a reranker and a choice of different hits
// choose from more when k is larger, and may choose others; larger pieces and neighbours may grow together. What an
// index of the team's finds may depend on how much is asked for.
func (x widening) prefixes(changes []Change) bool {
	c := x.config
	if changed, err := x.changed(changes); err == nil {
		c = changed
	}
	return c.Index == nil && (c.Rerank.Mode == "" || c.Rerank.Mode == "none") && c.Retrieve.MMR == (search.MMR{}) &&
		c.Retrieve.Neighbours == 0 && (c.Chunk.Parent.Mode == "" || c.Chunk.Parent.Mode == "none")
}

// attempt retrieves with these changes, at the present k and deeper.
func (x widening) attempt(ctx context.Context, r intervention) (intervention, error) {
	var err error
	if !x.prefixes(r.changes) || !x.deepens() {
		r.hits, err = x.lab.Retrieve(ctx, x.c.Question, r.changes)
		return r, err
	}
	r.deep, err = x.lab.Retrieve(ctx, x.c.Question, append(slices.Clone(r.changes), Change{Param: "retrieve.k", Value: x.rules.MaxK}))
	r.hits = r.deep[:min(len(r.deep), x.config.Retrieve.K)]
	return r, err
}

func (x widening) deepens() bool { return x.powers.Retrieval || x.powers.K }

// depth is the smallest k at which a ranking holds all evidence; 0 when it does not.
func (x widening) depth(ranking []rag.Hit) int {
	for k := 1; k <= len(ranking); k++ {
		if covered(x.claims, ranking[:k], false) {
			return k
		}
	}
	return 0
}

// near reports whether a change brings the evidence anywhere near the contexts, be it in pieces.
func (x widening) near(r intervention) bool {
	return covered(x.claims, r.deep, true) || covered(x.claims, r.hits, true)
}

// combinedRepair is a change, or two, that bring all evidence into the contexts.
type combinedRepair struct {
	repairs  []Repair
	contexts []rag.Hit
}

func (m combinedRepair) expensive() bool {
	return slices.ContainsFunc(m.repairs, func(r Repair) bool { return r.Expensive })
}

// cost is how much longer the contexts become.
func (m combinedRepair) cost() float64 {
	most := 0.0
	for _, r := range m.repairs {
		most = max(most, r.ContextCost)
	}
	return most
}

func (m combinedRepair) String() string {
	steps := make([]string, len(m.repairs))
	for i, r := range m.repairs {
		steps[i] = r.Param + " " + Written(r.From) + " -> " + Written(r.To)
	}
	return strings.Join(steps, " + ")
}

// ladder tries each change of the retrieval by itself, then pairs where none is affordable. What it returns is ordered: affordable
// before expensive, the search query and limits before the rest, then by the length of the contexts.
func (x widening) ladder(ctx context.Context) ([]combinedRepair, error) {
	var found []combinedRepair
	base := intervention{component: Retriever, param: "retrieve.k", from: x.config.Retrieve.K}
	tried := 0
	if x.deepens() {
		more, n, err := x.deeper(ctx, base)
		if err != nil {
			return nil, err
		}
		found, tried = append(found, more...), n
	}
	interventions := x.interventions()
	single, err := x.singles(ctx, interventions)
	if err != nil {
		return nil, err
	}
	found, tried = append(found, single...), tried+len(interventions)
	if !affordable(found) {
		larger := x.largerChunks()
		if single, err = x.singles(ctx, larger); err != nil {
			return nil, err
		}
		found, interventions, tried = append(found, single...), append(interventions, larger...), tried+len(larger)
	}
	for _, m := range found {
		x.d.Alternatives = append(x.d.Alternatives, m.repairs[0])
	}
	if !affordable(found) {
		pairs, err := x.pairs(ctx, interventions)
		if err != nil {
			return nil, err
		}
		found = append(found, pairs...)
	}
	// what was written before there was a choice
	if !affordable(found) && x.powers.Retrieval && !x.config.SaysMore() && !x.config.IsOutside() {
		more := x.possible(spaceInterventions(x.config, x.searching().cut()))
		if single, err = x.singles(ctx, more); err != nil {
			return nil, err
		}
		for _, m := range single {
			x.d.Alternatives = append(x.d.Alternatives, m.repairs[0])
		}
		found, tried = append(found, single...), tried+len(more)
	}
	x.step("retrieval", "", len(found), tried, 0)
	slices.SortStableFunc(found, func(a, b combinedRepair) int {
		return cmp.Or(cmp.Compare(rankOf(a.expensive()), rankOf(b.expensive())), cmp.Compare(len(a.repairs), len(b.repairs)),
			cmp.Compare(a.repairs[0].place(), b.repairs[0].place()),
			cmp.Compare(a.cost(), b.cost()))
	})
	return found, nil
}

// place orders repairs that do the same: the search query first, then a limit that is taken away or a search that misses less, then
// the rest.
func (r Repair) place() int {
	switch {
	case r.Component == SearchQuery:
		return 0
	case r.lifts(), r.nears():
		return 1
	}
	return 2
}

func affordable(combined []combinedRepair) bool {
	return slices.ContainsFunc(combined, func(m combinedRepair) bool { return !m.expensive() })
}

// singles tries interventions and returns those that hold all evidence at the present k.
func (x widening) singles(ctx context.Context, interventions []intervention) ([]combinedRepair, error) {
	var found []combinedRepair
	for i := range interventions {
		var err error
		if interventions[i], err = x.attempt(ctx, interventions[i]); err != nil {
			return nil, fmt.Errorf("retrieve with another %s: %w", interventions[i].param, err)
		}
		if covered(x.claims, interventions[i].hits, false) {
			hits := interventions[i].hits
			found = append(found, combinedRepair{repairs: []Repair{x.repair(interventions[i], hits)}, contexts: hits})
		}
	}
	return found, nil
}

// largestChunk bounds the chunks that the ladder tries beyond twice the present size: chunks far too small need more than that.
const largestChunk = 2000

// largerChunks are four and eight times the present size, for evidence that no smaller change brings.
func (x widening) largerChunks() []intervention {
	if !x.powers.Retrieval || x.config.Chunk.Size == 0 {
		return nil
	}
	var out []intervention
	for _, times := range []int{4, 8} {
		if size := times * x.config.Chunk.Size; size <= largestChunk {
			out = append(out, intervention{component: Retriever, param: "chunk.size", from: x.config.Chunk.Size,
				changes: []Change{{Param: "chunk.size", Value: size}}})
		}
	}
	return x.possible(out)
}

func rankOf(last bool) int {
	if last {
		return 1
	}
	return 0
}

// deeper looks for the smallest k that holds the evidence. With a reranker each k is a retrieval of its own, so only some are tried.
func (x widening) deeper(ctx context.Context, base intervention) ([]combinedRepair, int, error) {
	k := x.config.Retrieve.K
	if x.prefixes(nil) {
		r, err := x.attempt(ctx, base)
		if err != nil {
			return nil, 0, fmt.Errorf("retrieve deeper: %w", err)
		}
		if at := x.depth(r.deep); at > k {
			return []combinedRepair{x.atDepth(base, r.deep[:at], at)}, 1, nil
		}
		return nil, 1, nil
	}
	depths := []int{k + 1, k + 2, 2 * k, x.dearest(), x.rules.MaxK}
	slices.Sort(depths)
	for i, at := range slices.Compact(depths) {
		if at > x.rules.MaxK {
			break
		}
		hits, err := x.lab.Retrieve(ctx, x.c.Question, []Change{{Param: "retrieve.k", Value: at}})
		if err != nil {
			return nil, i, fmt.Errorf("retrieve deeper: %w", err)
		}
		if covered(x.claims, hits, false) {
			return []combinedRepair{x.atDepth(base, hits, at)}, i + 1, nil
		}
	}
	return nil, len(depths), nil
}

func (x widening) atDepth(base intervention, hits []rag.Hit, k int) combinedRepair {
	base.changes = []Change{{Param: "retrieve.k", Value: k}}
	r := x.repair(base, hits)
	r.Expensive = k > x.dearest()
	return combinedRepair{repairs: []Repair{r}, contexts: slices.Clone(hits)}
}

// repair describes a change that brought these contexts.
func (x widening) repair(r intervention, hits []rag.Hit) Repair {
	cost := float64(ContextLength(hits)) / float64(max(1, ContextLength(x.c.Hits())))
	return Repair{Component: r.component, Param: r.param, From: r.from, To: r.changes[0].Value, ContextCost: cost,
		Unit: experiments.UnitOf(r.param, x.config.Chunk)}
}

// ContextLength is the length of contexts in code points.
func ContextLength(hits []rag.Hit) int {
	n := 0
	for _, h := range hits {
		if l := h.Range().Len(); l > 0 {
			n += l
			continue
		}
		n += utf8.RuneCountInString(h.Text)
	}
	return n
}

// pairs joins changes: each with a larger k first, since those rankings are known; then two changes of the search, of which at least
// one brings the evidence near by itself: two that do not even come near have no common effect that would be worth an index each.
func (x widening) pairs(ctx context.Context, interventions []intervention) ([]combinedRepair, error) {
	var found []combinedRepair
	for _, r := range interventions {
		at := x.depth(r.deep)
		if at <= x.config.Retrieve.K || at > x.dearest() {
			continue
		}
		first, second := x.repair(r, r.deep[:at]),
			x.atDepth(intervention{component: Retriever, param: "retrieve.k", from: x.config.Retrieve.K}, r.deep[:at], at)
		found = append(found, combinedRepair{repairs: []Repair{first, second.repairs[0]}, contexts: slices.Clone(r.deep[:at])})
	}
	if len(found) > 0 {
		return found, nil
	}
	for i, a := range interventions {
		for _, b := range interventions[i+1:] {
			if !x.near(a) && !x.near(b) || a.param == b.param || joinedValue(a, "retrieve.mode") == "bm25" && b.param == "embedding.model" {
				continue
			}
			both := intervention{component: a.component, param: a.param, from: a.from,
				changes: append(slices.Clone(a.changes), b.changes...)}
			if !x.consistent(both.changes) {
				continue
			}
			both, err := x.attempt(ctx, both)
			if err != nil {
				return nil, fmt.Errorf("retrieve with another %s and %s: %w", a.param, b.param, err)
			}
			if covered(x.claims, both.hits, false) {
				repairs := []Repair{x.repair(a, both.hits), x.repair(b, both.hits)}
				found = append(found, combinedRepair{repairs: repairs, contexts: both.hits})
			}
		}
	}
	return found, nil
}

func joinedValue(r intervention, param string) any {
	for _, c := range r.changes {
		if c.Param == param {
			return c.Value
		}
	}
	return nil
}

// consistent reports whether a chunk stays longer than its overlap.
func (x widening) consistent(changes []Change) bool {
	if !x.config.IsOutside() && x.config.Validate() == nil {
		_, err := x.changed(changes)
		return err == nil
	}
	size, overlap := x.config.Chunk.Size, x.config.Chunk.Overlap
	for _, c := range changes {
		n, _ := c.Value.(int)
		switch c.Param {
		case "chunk.size":
			size = n
		case "chunk.overlap":
			overlap = n
		}
	}
	return overlap < size || size == 0
}
