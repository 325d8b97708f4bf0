package compare

import (
	"math"
	"strings"
)

// Where a limit of the mean comes from that is not the preset one, though nobody set it.
const (
	raisedEN = "raised by RAG Workbench from {usual}"
	raisedJA = "RAG Workbenchが{usual}から広げた値"
)

// What follows how the mean moved over all questions like those that were asked.
const (
	chanceEN = "Allowing for chance, over all questions like these it {bound} (true in {risk})"
	chanceJA = "誤差を見込むと、同様の質問全体では{bound}と推定されます（{risk}）"
)

// What is said where scores that are missing keep a mean from passing.
const (
	missingEN = "With the worst value for {n} missing {n?score|scores} of the candidate, the mean of {metric} {moved}. " +
		"Allowing for chance, over all questions like these it {span} (true in {risk})"
	missingOwnEN = "Without the missing scores: {own}, over all questions like these it {between}. Score what is missing " +
		"(where a question has no answer, nothing can be scored)"
	missingJA = "候補だけに採点のない{n}件を最も悪い値とすると、{metric}の平均は{moved}。" +
		"誤差を見込むと、同様の質問全体では{span}と推定されます（{risk}）"
	missingOwnJA = "不足分を除くと、{own}。同様の質問全体では{between}と推定されます。" +
		"不足分を採点してください（回答のない質問は採点できません）"
)

// How many scores must be there.
const (
	neededEN = "At least {needed} are needed ({least} of {n}); this limit is fixed"
	neededJA = "合格には{needed}以上（{n}のうち{least}）が必要です（RAG Workbenchの固定値）"
)

// movedBy says how a mean moved: by how much it fell or rose, or that it did not change.
func movedBy(change float64) Note {
	by := sizeOf(change)
	switch {
	case by == "0":
		return newNote("mean.same")
	case change < 0:
		return newNote("mean.fell", "by", by)
	}
	return newNote("mean.rose", "by", by)
}

// Moved says how the metric of a check moved where it gained so much, or lost it.
func (c GateCheck) Moved(gain float64) Note { return movedBy(c.Change(gain)) }

// sizeOf is a difference in the digits of [Difference], without its sign: the words beside it say which way it went.
func sizeOf(change float64) string { return strings.TrimPrefix(Difference(math.Abs(change)), "+") }

// side is the way that a change of the metric goes, as codes name it.
func side(change float64) string {
	if change < 0 {
		return "fell"
	}
	return "rose"
}

// loss is the way that is for the worse.
func (m GateMetric) loss() string {
	if m.LowerIsBetter {
		return "rose"
	}
	return "fell"
}

// possible is a bound of the gain as the change that is told: no mean can change by more than the width of its scale.
func (m GateMetric) possible(bound float64) float64 {
	width := m.Max - m.Min
	return GateCheck{LowerIsBetter: m.LowerIsBetter}.Change(max(-width, min(width, bound)))
}

// surely says which change for the worse is not exceeded, or which for the better is reached.
func (m GateMetric) surely(b Bounded) Note {
	change := m.possible(b.lower)
	by := sizeOf(change)
	switch {
	case by == "0":
		return newNote("mean.not_" + m.loss())
	case b.lower > 0:
		return newNote("mean."+side(change)+"_least", "by", by)
	case b.upper >= 0:
		return newNote("mean."+side(change)+"_if", "by", by)
	}
	return newNote("mean."+side(change)+"_most", "by", by)
}

// between says from where to where a change may lie.
func (m GateMetric) between(b Bounded) Note {
	low, high := m.possible(b.lower), m.possible(b.upper)
	if low > high {
		low, high = high, low
	}
	switch {
	case sizeOf(low) == "0" && sizeOf(high) == "0":
		return newNote("mean.unchanged")
	case high <= 0:
		return newNote("mean.fell_span", "from", sizeOf(high), "to", sizeOf(low))
	case low >= 0:
		return newNote("mean.rose_span", "from", sizeOf(low), "to", sizeOf(high))
	}
	return newNote("mean.either", "fall", sizeOf(low), "rise", sizeOf(high))
}

// told is how the mean of the scores that are there moved. Where mixed questions lost something, the change that people see elsewhere
// comes first, and the one that decides stands right before its bounds, because they are of that one.
func (m GateMetric) told(c GateCheck, b Bounded) Note {
	less := any("")
	if m.LowerIsBetter {
		less = newNote("gate.less")
	}
	args := []any{"metric", metricNote(m.ID), "n", b.n, "less", less, "moved", movedBy(c.Change(b.mean))}
	if c.Whole == nil {
		return newNote("gate.moved", args...)
	}
	return newNote("gate.moved_mixed", append(args, "whole", movedBy(c.Change(*c.Whole)), "mixed", c.Mixed)...)
}
