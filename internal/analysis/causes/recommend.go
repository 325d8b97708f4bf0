package causes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
)

// mostConfigurations is how many configurations are proposed: each adds to the one before.
const mostConfigurations = 3

// kneeShare is the share of what the largest proposed configuration repairs that the recommended one must repair: what comes after the
// knee of the curve costs more than it brings.
const kneeShare = 0.8

// need is one way to repair an answer: changes that have to be made together.
type need []Repair

// needsOf are the ways in which a diagnosis says its answer can be repaired by a configuration.
func needsOf(d Diagnosis, expensive bool) []need {
	if d.Method != Tested || d.Component == NoFault || d.Component == Unstable || !d.repairsAll() || d.Detail == "reference_or_stale" {
		return nil
	}
	ways := []need{shared(d.Repairs)}
	for _, a := range d.Alternatives {
		way := need{a}
		for _, r := range d.Repairs {
			if r.Retrieves() != a.Retrieves() {
				way = append(way, r)
			}
		}
		ways = append(ways, way)
	}
	return slices.DeleteFunc(ways, func(w need) bool {
		return slices.ContainsFunc(w, func(r Repair) bool { return !r.Applies() || r.Expensive && !expensive })
	})
}

// shared takes what changes that were tried together cost apart, for each was given the length of the contexts that they brought together:
// a larger k what its number says, and the other what is left. So a change costs the same whatever it is put together with.
func shared(tried []Repair) need {
	out := slices.Clone(need(tried))
	var at []int
	for i, r := range out {
		if r.Retrieves() && (len(at) == 0 || r.ContextCost == out[at[0]].ContextCost) {
			at = append(at, i)
		}
	}
	if len(at) < 2 {
		return out
	}
	first := slices.IndexFunc(out, func(r Repair) bool { return r.Param == "retrieve.k" })
	if !slices.Contains(at, first) {
		first = at[0]
	}
	left := out[first].ContextCost
	if deep, ok := depthOf(out[first]); ok && presentDepth(out[first]) > 0 {
		out[first].ContextCost = min(left, deep/presentDepth(out[first]))
	}
	left /= max(out[first].ContextCost, 1e-9)
	for _, i := range at {
		if i == first {
			continue
		}
		out[i].ContextCost, left = left, 1
	}
	return out
}

// joint is a configuration in the making: changes of different parameters.
type joint []Repair

// has reports whether the configuration makes a change, or one that serves as well: a larger k holds what a smaller one holds.
func (j joint) has(r Repair) bool {
	return slices.ContainsFunc(j, func(own Repair) bool {
		deep, ok := depthOf(own)
		shallow, also := depthOf(r)
		return own.Key() == r.Key() || ok && also && deep >= shallow && deep > presentDepth(own)
	})
}

func (j joint) repairs(ways []need) bool {
	return slices.ContainsFunc(ways, func(w need) bool {
		return !slices.ContainsFunc(w, func(r Repair) bool { return !j.has(r) })
	})
}

// with adds changes. It reports false where a parameter would have two values, and where chunks would not be longer than their overlap;
// a larger k takes the place of a smaller one.
func (j joint) with(changes ...Repair) (joint, bool) {
	out := slices.Clone(j)
	for _, r := range changes {
		if out.has(r) {
			continue
		}
		at := slices.IndexFunc(out, func(own Repair) bool { return samePart(own, r) })
		_, deeper := depthOf(r)
		switch {
		case at < 0:
			out = append(out, r)
		case deeper:
			out[at] = r
		default:
			return j, false
		}
	}
	return out, out.chunks()
}

// chunks reports whether the chunks of the configuration stay longer than their overlap.
func (j joint) chunks() bool {
	size, overlap := -1.0, -1.0
	for _, r := range j {
		switch r.Param {
		case "chunk.size":
			size = numberOf(r.To)
		case "chunk.overlap":
			overlap = numberOf(r.To)
		}
	}
	return size < 0 || overlap < size
}

// samePart reports whether two changes set the same part of a configuration.
func samePart(a, b Repair) bool {
	part := func(r Repair) string {
		switch r.Param {
		case "embedding.model":
			return "embedding"
		case "generate.model":
			return "generate"
		case "chunk.parent", "chunk.by": // a larger piece, and a way of cutting, fit one size
			return "chunk.size"
		}
		return r.Param
	}
	return part(a) == part(b)
}

// cost is how much longer the contexts become by all changes together.
func (j joint) cost() float64 {
	cost := 1.0
	for _, r := range j {
		if r.ContextCost > 0 {
			cost *= r.ContextCost
		}
	}
	return cost
}

func (j joint) key() string {
	keys := make([]string, len(j))
	for i, r := range j {
		keys[i] = r.Key()
	}
	slices.Sort(keys)
	return strings.Join(keys, " + ")
}

// pooled are the changes that any diagnosis names, each once, at the mean of its context costs.
func pooled(all [][]need) []Repair {
	var out []Repair
	at, sum, n := map[string]int{}, map[string]float64{}, map[string]float64{}
	for _, ways := range all {
		for _, w := range ways {
			for _, r := range w {
				key := r.Key()
				if _, ok := at[key]; !ok {
					at[key] = len(out)
					out = append(out, r)
				}
				sum[key] += r.ContextCost
				n[key]++
			}
		}
	}
	for i := range out {
		key := out[i].Key()
		out[i].ContextCost, out[i].Passes, out[i].Trials = sum[key]/n[key], 0, 0
	}
	slices.SortFunc(out, func(a, b Repair) int { return cmp.Compare(a.Key(), b.Key()) })
	return out
}

// configurations builds up to three configurations, each the one before with the change that repairs most of what is left. A pair of
// changes is taken where each of the two brings more in it than any change alone: two faults of one answer need both.
func configurations(all [][]need) (out []joint, repaired [][]int) {
	pool := pooled(all)
	served := func(j joint) (n []int) {
		for i, ways := range all {
			if j.repairs(ways) {
				n = append(n, i)
			}
		}
		return n
	}
	var current joint
	best := []int{}
	for len(out) < mostConfigurations {
		var next joint
		found, rate := best, 0.0
		consider := func(changes ...Repair) {
			j, ok := current.with(changes...)
			if !ok {
				return
			}
			n := served(j)
			gain := float64(len(n)-len(best)) / float64(len(changes))
			if gain > rate || gain == rate && gain > 0 && better(j, next) {
				next, found, rate = j, n, gain
			}
		}
		for i, a := range pool {
			consider(a)
			for _, b := range pool[i+1:] {
				consider(a, b)
			}
		}
		if len(found) == len(best) {
			break
		}
		current, best = next, found
		out, repaired = append(out, next), append(repaired, found)
	}
	return out, repaired
}

// better reports whether one of two configurations that repair as much is to be preferred: fewer changes, then shorter contexts.
func better(a, b joint) bool {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a.cost(), b.cost())) < 0
}

func depthOf(r Repair) (float64, bool) {
	if r.Param != "retrieve.k" {
		return 0, false
	}
	return numberOf(r.To), true
}

func presentDepth(r Repair) float64 { return numberOf(r.From) }

// numberOf reads a number that may have been stored as JSON.
func numberOf(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// recommend proposes configurations, the knee of their curve first, and then what is for people to do: documents, questions and
// references. Expensive changes are looked at only where no other repairs anything. assigned names the change for each question. A
// configuration that did net harm when it was tried is left out, and stands on the curve only. toTry names every configuration that is
// worth a trial.
func recommend(config rag.Config, diagnoses []Diagnosis, in CauseReportInput, toTry bool) (out []Recommendation, points []RepairPoint,
	assigned map[string]Repair) {
	assigned = map[string]Repair{}
	all := make([][]need, len(diagnoses))
	var proposed []Recommendation
	for _, expensive := range []bool{false, true} {
		for i, d := range diagnoses {
			all[i] = needsOf(d, expensive)
		}
		chosen, repaired := configurations(all)
		for n, j := range chosen {
			for _, i := range repaired[n] {
				if _, done := assigned[diagnoses[i].QuestionID]; !done {
					assigned[diagnoses[i].QuestionID] = answering(j, all[i])
				}
			}
			proposed = append(proposed, in.recommendation(j, diagnoses, repaired[n]))
		}
		if len(chosen) > 0 {
			break
		}
	}
	whole := wholes(config, diagnoses)
	for _, j := range whole {
		r := in.recommendation(j, diagnoses, nil)
		known := slices.ContainsFunc(proposed, func(p Recommendation) bool { return p.Key() == r.Key() })
		if !known && (toTry || r.Outcome != nil) { // what nobody tried is no promise
			proposed = append(proposed, r)
		}
	}
	if !toTry {
		for _, m := range in.Measured {
			if !slices.ContainsFunc(proposed, func(p Recommendation) bool { return p.MadeIn() == m.MadeIn() }) {
				proposed = append(proposed, m)
			}
		}
	}
	slices.SortStableFunc(proposed, func(a, b Recommendation) int {
		return cmp.Or(cmp.Compare(a.ContextCost(), b.ContextCost()), cmp.Compare(len(a.With), len(b.With)))
	})
	if out = proposed; !toTry {
		out = oneOfNeighbours(worthwhile(proposed))
	}
	kneeFirst(out)
	measuredFirst(out)
	best := ""
	if len(out) > 0 {
		best = out[0].Key()
	}
	points = curve(proposed, best)
	out = append(out, forPeople(diagnoses)...)
	for i := range out {
		out[i].Rationale = recommendationWords(out[i])
	}
	return out, points, assigned
}

// recommendation is a configuration with what is known of it.
func (in CauseReportInput) recommendation(j joint, diagnoses []Diagnosis, healed []int) Recommendation {
	r := Recommendation{Repair: j[0], With: j[1:], Heals: []string{}, LowScores: len(diagnoses), AtRisk: []string{}, Applies: true}
	for _, i := range healed {
		r.Heals = append(r.Heals, diagnoses[i].QuestionID)
	}
	if risk, ok := in.Risks[j.key()]; ok {
		r.AtRisk, r.Changed, r.Good, r.Unmeasured = risk.AtRisk, risk.Changed, risk.Good, risk.Unmeasured
	}
	if o, ok := in.Outcomes[j.key()]; ok {
		r.Outcome = &o
	}
	return r
}

// Key names a recommended configuration, whatever run it was found for.
func (r Recommendation) Key() string { return joint(r.Changes()).key() }

// answering is the change of a configuration that repairs what a diagnosis names first.
func answering(j joint, ways []need) Repair {
	for _, w := range ways {
		if !j.repairs([]need{w}) {
			continue
		}
		if i := slices.IndexFunc(j, func(own Repair) bool { return joint{own}.has(w[0]) }); i >= 0 {
			return j[i]
		}
	}
	return j[0]
}

// gain is how many low-score answers a recommendation takes away: as it happened where it was tried, else as it is promised.
func (r Recommendation) gain() float64 {
	if r.Outcome != nil {
		return float64(r.Outcome.LowBefore) - r.Outcome.LowAfter
	}
	return float64(len(r.Heals))
}

// kneeFirst puts the smallest configuration first that gains nearly as much as the best one.
func kneeFirst(all []Recommendation) {
	most := 0.0
	for _, r := range all {
		most = max(most, r.gain())
	}
	for i, r := range all {
		if r.gain() >= kneeShare*most {
			copy(all[1:i+1], all[:i])
			all[0] = r
			return
		}
	}
}

// forPeople are the repairs that no configuration expresses, most answers first.
func forPeople(diagnoses []Diagnosis) []Recommendation {
	var out []Recommendation
	at := map[string]int{}
	for _, d := range diagnoses {
		if d.Method != Tested || len(d.Repairs) == 0 || d.Repairs[0].Applies() {
			continue
		}
		key := string(d.Repairs[0].Component) + d.Repairs[0].Key()
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, Recommendation{Repair: d.Repairs[0], LowScores: len(diagnoses), AtRisk: []string{}})
		}
		out[i].Heals = append(out[i].Heals, d.QuestionID)
	}
	slices.SortStableFunc(out, func(a, b Recommendation) int { return cmp.Compare(len(b.Heals), len(a.Heals)) })
	return out
}
