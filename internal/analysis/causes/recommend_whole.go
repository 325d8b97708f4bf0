package causes

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Chunks shorter than this are too short for a deep search: it takes the size and overlap of the founding paper's improved system.
const (
	shallowChunk = 400
	deepChunk    = 800
	deepOverlap  = 200
)

// widerSearch are the changes that make a search as good as the built-in pipeline can make it at a depth: by words and by meaning, in
// chunks that hold a thought.
func widerSearch(c rag.Config, k int) []Change {
	changes := []Change{{Param: "retrieve.k", Value: k}}
	for _, r := range limits(c) {
		changes = append(changes, r.changes...)
	}
	if c.Retrieve.Mode != "hybrid" && c.Embedding.Name != "" && (c.Index == nil || c.Index.Searches()) {
		changes = append(changes, Change{Param: "retrieve.mode", Value: "hybrid"})
	}
	if c.Rewrite.Mode != "" && c.Rewrite.Mode != "none" {
		changes = append(changes, Change{Param: "rewrite", Value: "none"})
	}
	for _, r := range thorough(c) {
		changes = append(changes, r.changes...)
	}
	if c.Chunk.By == "chars" && c.Chunk.Size < shallowChunk {
		changes = append(changes, Change{Param: "chunk.size", Value: deepChunk}, Change{Param: "chunk.overlap", Value: deepOverlap})
	}
	return changes
}

// presentValue is the value of a parameter that a wider search changes.
func presentValue(c rag.Config, param string) any {
	if limit := presentSpace(c, param); limit != nil {
		return limit
	}
	for _, r := range thorough(c) {
		if r.param == param {
			return r.from
		}
	}
	return map[string]any{
		"retrieve.k": c.Retrieve.K, "retrieve.mode": c.Retrieve.Mode, "rewrite": c.Rewrite.Mode,
		"chunk.size": c.Chunk.Size, "chunk.overlap": c.Chunk.Overlap,
	}[param]
}

// Shares from which a whole configuration is worth a trial: of low-score answers whose retrieval is at fault, and of those that need
// another prompt or model besides.
const (
	wholeShare = 0.1
	swapShare  = 0.2
)

// wholes are configurations that no single answer proposed: a wider search, and only a larger k, each with the prompt or model that many
// of the answers need besides. Single changes add up badly where a retrieval is poor all over; what these bring is not
// forecast, and only ever told as it was tried.
func wholes(config rag.Config, diagnoses []Diagnosis) (out []joint) {
	if config.IsOutside() {
		return nil
	}
	retrieval, swaps := atFault(diagnoses)
	if len(retrieval) == 0 || float64(len(retrieval)) < wholeShare*float64(len(diagnoses)) {
		return nil
	}
	put := func(changes []Change) {
		var j joint
		for _, c := range changes {
			j = append(j, Repair{Component: Retriever, Param: c.Param, From: presentValue(config, c.Param), To: c.Value,
				Unit:        experiments.UnitOf(c.Param, config.Chunk),
				ContextCost: float64(dearestK(config.Retrieve.K)) / float64(max(1, config.Retrieve.K))})
		}
		j = append(j, swaps...)
		if !slices.ContainsFunc(out, func(o joint) bool { return o.key() == j.key() }) {
			out = append(out, j)
		}
	}
	k := dearestK(config.Retrieve.K)
	put([]Change{{Param: "retrieve.k", Value: k}})
	put(widerSearch(config, k))
	return out
}

// atFault are the answers whose retrieval is at fault, by their place, and the changes of the generation that many of them need too.
func atFault(diagnoses []Diagnosis) (retrieval []int, swaps joint) {
	count := map[string]int{}
	kept := map[string]Repair{}
	for i, d := range diagnoses {
		if d.Method != Tested || d.Component.Data() != RetrievalData || d.Component == Database {
			continue
		}
		retrieval = append(retrieval, i)
		for _, r := range d.Repairs {
			if r.Applies() && !r.Retrieves() {
				count[r.Key()]++
				kept[r.Key()] = r
			}
		}
	}
	for key, n := range count {
		if float64(n) >= swapShare*float64(len(retrieval)) {
			swaps = append(swaps, kept[key])
		}
	}
	slices.SortFunc(swaps, func(a, b Repair) int { return cmp.Compare(a.Key(), b.Key()) })
	return retrieval, swaps
}

// RepairPoint is one configuration on the curve of what is repaired against what it costs.
type RepairPoint struct {
	Changes []Repair `json:"changes"`
	// the changes as people write them
	Name experiments.Rationale `json:"name"`
	Cost float64               `json:"cost"` // length of the contexts with it ÷ without it
	// by how many whole answers fewer of the run are low, newly broken ones taken off: as it happened, else repaired as it is expected
	Repaired    float64 `json:"repaired"`
	Least       float64 `json:"least"`       // ends of the 95% interval of repaired; both are repaired where all answers were tried
	Most        float64 `json:"most"`        //
	Tried       bool    `json:"tried"`       // it was; else repaired is expected only
	Recommended bool    `json:"recommended"` // the knee: the cheapest that repairs nearly as much as the best
	Harms       bool    `json:"harms"`       // it leaves no fewer low-score answers than there were, and is not recommended
}

// Left says of every change that an earlier report of the same diagnosis recommended with a forecast, and that this one does not recommend,
// what was promised and what happened when it was tried.
func (r CauseReport) Left(before CauseReport) (out []experiments.Rationale) {
	for _, was := range before.Recommendations {
		stays := slices.ContainsFunc(r.Recommendations, func(now Recommendation) bool { return now.Key() == was.Key() })
		at := slices.IndexFunc(r.Curve, func(p RepairPoint) bool { return joint(p.Changes).key() == was.Key() })
		if stays || at < 0 || !r.Curve[at].Tried || !was.Applies || len(was.Heals) == 0 {
			continue
		}
		out = append(out, experiments.Rationale{
			EN: fmt.Sprintf("No longer recommended: %s. %d fewer low-score answers were promised, and when it was tried %.0f fewer came.",
				was.Words("en"), len(was.Heals), r.Curve[at].Repaired),
			JA: fmt.Sprintf("推奨から外れた変更：%s。低スコア回答は%d件減る見込みでしたが、試行では%.0f件減りました。", was.Words("ja"), len(was.Heals),
				r.Curve[at].Repaired),
		})
	}
	return out
}

// pointOf is a recommendation on the curve.
func pointOf(r Recommendation) RepairPoint {
	p := RepairPoint{Changes: r.Changes(), Cost: r.ContextCost(), Repaired: r.gain(), Tried: r.Outcome != nil}
	p.Name = experiments.Rationale{EN: r.Words("en"), JA: r.Words("ja")}
	p.Least, p.Most = p.Repaired, p.Repaired
	if o := r.Outcome; o != nil {
		fewer := func(after float64) float64 { return float64(o.LowBefore) - math.RoundToEven(after) } // as [RepairOutcome.InAll] rounds
		p.Repaired, p.Least, p.Most, p.Harms = fewer(o.LowAfter), fewer(o.LowMost), fewer(o.LowLeast), o.Harms()
	}
	return p
}

// worthwhile leaves out what harms, and what another tried configuration beats at no higher cost and with no more changes.
func worthwhile(all []Recommendation) []Recommendation {
	var out []Recommendation
	for i, r := range all {
		if r.Outcome != nil && r.Outcome.Harms() {
			continue
		}
		beaten := slices.ContainsFunc(all, func(o Recommendation) bool {
			return r.Outcome != nil && o.Outcome != nil && o.gain() >= r.gain() && o.ContextCost() <= r.ContextCost() &&
				len(o.With) <= len(r.With) && (o.gain() > r.gain() || o.ContextCost() < r.ContextCost())
		})
		same := slices.ContainsFunc(all[:i], func(o Recommendation) bool {
			return r.Outcome != nil && o.Outcome != nil && o.gain() == r.gain() && o.ContextCost() == r.ContextCost()
		})
		if !beaten && !same {
			out = append(out, r)
		}
	}
	return out
}

// oneOfNeighbours keeps, of configurations that differ only in a number such as k 9 and k 10, the cheapest that gains nearly as much as the
// best of them: they are one change, and the curve shows them all.
func oneOfNeighbours(all []Recommendation) []Recommendation {
	most := map[string]float64{}
	for _, r := range all {
		key := neighbourhood(r)
		if gain, known := most[key]; !known || r.gain() > gain {
			most[key] = r.gain()
		}
	}
	var out []Recommendation
	kept := map[string]bool{}
	for _, r := range all {
		if key := neighbourhood(r); !kept[key] && r.gain() >= kneeShare*most[key] {
			out, kept[key] = append(out, r), true
		}
	}
	return out
}

// neighbourhood names the changes of a configuration without the numbers that they set.
func neighbourhood(r Recommendation) string {
	var out joint
	for _, c := range r.Changes() {
		switch c.To.(type) {
		case int, float64:
			c.To = nil
		}
		out = append(out, c)
	}
	return out.key()
}

// curve puts configurations on the curve, the cheapest first.
func curve(all []Recommendation, recommended string) []RepairPoint {
	out := []RepairPoint{}
	for _, r := range all {
		p := pointOf(r)
		p.Recommended = r.Key() == recommended
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b RepairPoint) int {
		return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.Repaired, b.Repaired))
	})
	return out
}
