package compare

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// enoughPairs is how many repeated votes on changed questions must be there before replicates may settle anything: from
// fewer the noise of the judge cannot be told.
const enoughPairs = 10

// flakyVotes is the number of candidate votes from which on a question can be called flaky.
const flakyVotes = 4

// verdict is what the guard says about one cell.
type verdict struct {
	stats.GuardVerdict
	flaky bool
}

// guard judges the changed cells of a metric from their replicates. Verdicts come in the order of cells; they are nil when
// there are too few replicates, or when one vote settles anyway.
func (s *session) guard(spec metrics.Spec, cells []cell) ([]verdict, *GuardFigures) {
	if s.settles(spec) {
		return nil, nil
	}
	changed := s.changed(cells)
	noise := noiseOf(cells)
	if noise.DF == 0 {
		return nil, nil
	}
	f := &GuardFigures{Gate: s.gates[spec.ID], Noise: math.Sqrt(noise.Within), SameQuestion: noise.Smallest, Pairs: noise.DF}
	q := s.q
	if f.Gate {
		f.Q = q
	}
	if pairsOf(cells, changed) < min(enoughPairs, len(changed)) || len(changed) == 0 {
		return nil, f
	}
	g := s.newGuard(spec, cells, changed, q)
	if g == nil {
		return nil, f
	}
	f.Decided = true
	verdicts := make([]verdict, len(cells))
	for k, v := range g.Verdicts() {
		i := changed[k]
		verdicts[i] = verdict{v, v.Flaky || s.flaky(spec, cells[i].after)}
		if verdicts[i].flaky {
			f.Flaky++
		}
	}
	sum := g.Summary()
	if f.Gate {
		f.ExpectedFalse = sum.ExpectedFalse
	}
	f.ExpectedMiss = sum.ExpectedMissed
	return verdicts, f
}

// changed lists the cells whose inputs differ between the runs.
func (s *session) changed(cells []cell) []int {
	var list []int
	for i, c := range cells {
		if !s.pairs[c.pair].identical {
			list = append(list, i)
		}
	}
	return list
}

func noiseOf(cells []cell) stats.NoiseFloor {
	var rows [][]float64
	for _, c := range cells {
		for _, votes := range [][]float64{c.before, c.after} {
			if len(votes) > 1 {
				rows = append(rows, votes)
			}
		}
	}
	if rows == nil {
		return stats.NoiseFloor{}
	}
	return stats.Noise(rows)
}

// pairsOf counts the repeated votes of some cells.
func pairsOf(cells []cell, which []int) int {
	n := 0
	for _, i := range which {
		n += len(cells[i].before) + len(cells[i].after) - 2
	}
	return n
}

// newGuard is a guard over the changed cells with all votes so far. It learns its weights afresh each time, so that what it
// says depends on the votes alone and not on the order in which they were bought. It is nil when the votes fit no scale.
func (s *session) newGuard(spec metrics.Spec, cells []cell, changed []int, q float64) *stats.Guard {
	scale, drop, convert := scaleOf(spec, cells)
	before, after := make([][]float64, len(changed)), make([][]float64, len(changed))
	for k, i := range changed {
		before[k], after[k] = convert(cells[i].before), convert(cells[i].after)
	}
	g, err := stats.NewGuard(scale, s.options.rules(len(changed), drop, q), s.options.Seed, before, after)
	if err != nil {
		return nil
	}
	return g
}

// scaleOf finds the kind of a metric's scores: whole points of a rubric, yes or no, or a share of the range. It returns the
// metric's delta on that scale and what turns votes into scores of which higher is better.
func scaleOf(spec metrics.Spec, cells []cell) (*stats.GuardScale, float64, func([]float64) []float64) {
	whole, yesNo := true, true
	for _, c := range cells {
		for _, votes := range [2][]float64{c.before, c.after} {
			for _, v := range votes {
				whole = whole && v == math.Trunc(v)
				yesNo = yesNo && (v == spec.Min || v == spec.Max)
			}
		}
	}
	width := spec.Max - spec.Min
	flip := func(v float64) float64 {
		if spec.LowerIsBetter {
			return spec.Max + spec.Min - v
		}
		return v
	}
	share := func(v float64) float64 { return min(1, max(0, (flip(v)-spec.Min)/width)) }
	levels := int(width) + 1
	switch {
	case whole && spec.Min == 1 && width == math.Trunc(width) && levels >= 3 && levels <= 10:
		return stats.OrdinalScale(levels), spec.Delta, each(flip)
	case yesNo:
		return stats.BinaryScale(), max(spec.Delta/width, 0.01), each(share)
	default:
		return stats.UnitScale(), max(spec.Delta/width, 0.01), each(share)
	}
}

func each(f func(float64) float64) func([]float64) []float64 {
	return func(votes []float64) []float64 {
		out := slices.Clone(votes)
		for i, v := range out {
			out[i] = f(v)
		}
		return out
	}
}

// flaky reports whether the candidate answers a rubric question well only sometimes: the chance of a vote above the
// low-score threshold, with half a vote added on each side (Jeffreys), lies between 0.2 and 0.8.
func (s *session) flaky(spec metrics.Spec, votes []float64) bool {
	if spec.Min != 1 || len(votes) < flakyVotes || spec.LowerIsBetter || s.rules[1].Own && !s.namesLow(spec.ID) {
		return false
	}
	good := 0.0
	rule := s.rules[1]
	for _, v := range votes {
		if rule.Own && !rule.By(spec.ID, v) || !rule.Own && v > rule.Threshold() {
			good++
		}
	}
	chance := (good + 0.5) / (float64(len(votes)) + 1)
	return chance >= 0.2 && chance <= 0.8
}

// enoughVotes is how many votes on a question each arm must have before they may say that its movement was chance: it was asked again on
// both sides. To call it worse or better the guard needs more.
const enoughVotes = 2

// byReplicates labels what the guard says. Only a gate metric confirms; in the others a sure change is a suspicion. The guard learns from
// all questions how many fall and how many rise, so that it doubts a lonely fall among many rises; no question is called unchanged for
// that alone. A movement that matters needs a check until the votes on the question itself decide, upwards and downwards.
func (q *QuestionChange) byReplicates(v verdict, spec metrics.Spec, gate bool) {
	q.PRegression, q.PImprovement, q.Flaky = &v.Regression, &v.Improvement, v.flaky
	likelier := max(v.Regression, v.Improvement)
	enough := min(q.Replicates[0], q.Replicates[1]) >= enoughVotes
	switch {
	case v.Label == stats.Confirmed && gate:
		q.Label, q.Detail, q.SettledBy = Worse, Confirmed, ByReplicates
	case v.Label == stats.Improved && gate:
		q.Label, q.Detail, q.SettledBy = Better, Improved, ByReplicates
	case likelier >= 0.5:
		q.Label, q.Detail = NeedsCheck, Suspected
	case likelier >= 0.2:
		q.Label, q.Detail = NeedsCheck, Unresolved
	case enough:
		q.Label, q.Detail, q.SettledBy = NoChange, NoRegression, ByReplicates
	default:
		q.byDoubt(spec)
	}
}
