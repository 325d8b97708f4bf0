package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// fileScale is a kind of score, chosen by the catalogue or from the scores in the files.
type fileScale struct {
	kind string // "binary", "ordinal", "unit" or "other": the guard has no kernel for the last one
	spec metrics.Spec
	note string

	undirected bool // nobody knows whether more or less is better
}

// spread is what all scores of a metric have in common.
type spread struct {
	low, high            float64
	whole, halves, yesNo bool // all are whole numbers; whole or half ones; 0 or 1
}

func spreadOf(cells []cell) spread {
	s := spread{low: math.Inf(1), high: math.Inf(-1), whole: true, halves: true, yesNo: true}
	for _, c := range cells {
		for _, scores := range [2][]float64{c.before, c.after} {
			for _, v := range scores {
				s.low, s.high = min(s.low, v), max(s.high, v)
				s.whole = s.whole && v == math.Trunc(v)
				s.halves = s.halves && 2*v == math.Trunc(2*v)
				s.yesNo = s.yesNo && (v == 0 || v == 1)
			}
		}
	}
	return s
}

// scaleFor chooses the scale of a metric. The delta of a metric of unknown scale is 0: [leastChange] decides.
func scaleFor(name string, s spread, rules FileRules) fileScale {
	spec, known := metrics.Find(name)
	inside := known && s.low >= spec.Min && s.high <= spec.Max
	out := guessed(s)
	switch {
	case inside && (spec.Group != operations || spec.Max == 1 && s.yesNo && spec.Delta >= 0.3):
		out = catalogued(spec, s)
	case known && spec.Group == operations:
		out = fileScale{kind: "other", spec: metrics.Spec{Min: s.low, Max: s.high, Delta: spec.Delta},
			note: "a metric that RAG Workbench knows"}
	case known:
		out.note = fmt.Sprintf("scores go beyond the %g to %g that RAG Workbench knows of this metric; %s", spec.Min, spec.Max, out.note)
	}
	direction := rules.directionOf(name, s)
	out.spec.ID, out.spec.LowerIsBetter, out.undirected = name, direction == foreign.LessIsBetter, direction == foreign.DirectionUnknown
	if delta, ok := rules.Deltas[name]; ok {
		out.spec.Delta = delta
	}
	switch {
	case out.spec.LowerIsBetter:
		out.note += "; less is better"
	case out.undirected:
		out.note += "; whether more or less is better is not known"
	case !known:
		out.note += "; more is better"
	}
	return out
}

// directionOf is the direction of a metric with these scores: what the rules say, or else its name and its scores.
func (r FileRules) directionOf(name string, s spread) foreign.Direction {
	switch {
	case slices.Contains(r.Lower, name):
		return foreign.LessIsBetter
	case slices.Contains(r.Higher, name):
		return foreign.MoreIsBetter
	}
	return foreign.DirectionAmong(name, s.low, s.high, r.forms)
}

// resolved writes the rules with the names of the columns, and adds what the files themselves say of directions.
func (r FileRules) resolved(tables ...*foreign.ScoreTable) FileRules {
	named := func(names []string) []string {
		out := make([]string, len(names))
		for i, name := range names {
			out[i] = name
			for _, t := range tables {
				if column, ok := t.Column(name); ok {
					out[i] = column
					break
				}
			}
		}
		return out
	}
	deltas := map[string]float64{}
	for name, d := range r.Deltas {
		deltas[named([]string{name})[0]] = d
	}
	r.Metrics, r.Lower, r.Higher, r.Deltas = named(r.Metrics), named(r.Lower), named(r.Higher), deltas
	for _, t := range tables {
		r.forms = append(r.forms, t.Forms...)
		for name, lower := range t.Lower {
			if lower && !slices.Contains(r.Higher, name) && !slices.Contains(r.Lower, name) {
				r.Lower = append(r.Lower, name)
			}
		}
	}
	return r
}

// catalogued is the scale of a metric whose scores lie where the catalogue says.
func catalogued(spec metrics.Spec, s spread) fileScale {
	out := fileScale{kind: "unit", spec: spec, note: fmt.Sprintf("a metric that RAG Workbench knows, %g to %g", spec.Min, spec.Max)}
	switch {
	case s.yesNo && spec.Max == 1:
		out.kind, out.note = "binary", "a metric that RAG Workbench knows, here 0 or 1"
	case s.whole && spec.Min == 1:
		out.kind, out.note = "ordinal", fmt.Sprintf("a metric that RAG Workbench knows, levels 1 to %g", spec.Max)
	}
	return out
}

// guessed is the scale that scores of an unknown metric look like.
func guessed(s spread) fileScale {
	scale := func(kind string, low, high, delta float64, note string) fileScale {
		return fileScale{kind: kind, spec: metrics.Spec{Min: low, Max: high, Delta: delta}, note: note}
	}
	switch {
	case s.yesNo:
		return scale("binary", 0, 1, 0.3, "all scores are 0 or 1")
	case s.whole && s.low >= 1 && s.high <= 5:
		return scale("ordinal", 1, 5, 1, "all scores are whole numbers from 1 to 5")
	case s.halves && s.low >= 1 && s.high <= 5:
		return scale("unit", 1, 5, 1, "all scores are whole or half numbers from 1 to 5")
	case s.low >= 0 && s.high <= 1:
		return scale("unit", 0, 1, 0.2, "all scores lie between 0 and 1")
	}
	return scale("other", s.low, s.high, 0, fmt.Sprintf("scores from %.4g to %.4g fit no known scale", s.low, s.high))
}

// leastChange is the difference on one question from which on it counts on a scale that nobody knows: what noise alone seldom makes, from
// replicates; without any the share of the baseline's scores that a mean may fall, too. It never follows from the changes themselves: what
// many answers lost would raise the bar for each of them, and none would count where all fell alike (docs/adr/0070).
func leastChange(floor stats.NoiseFloor, before []float64) (float64, string) {
	if floor.DF > 0 && floor.Within > 0 {
		return floor.Smallest, "a change counts where it is larger than repeated scores of one answer differ by chance"
	}
	const edge = 0.05 // scores far from all others, at either end, say nothing of the scale
	spread := stats.Quantile(before, 1-edge) - stats.Quantile(before, edge)
	return UsualMargin * spread,
		"without repeated scores a change counts from 5% of the range on in which the middle 90% of the baseline's scores lie"
}
