package validation

import (
	"math"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/stats"
)

// AlignmentDecision says what becomes of examples that were tested on kept-back reviews.
type AlignmentDecision string

// The decisions.
const (
	AlignmentOffered    AlignmentDecision = "offered"      // surely fewer errors: it may be applied
	AlignmentNotOffered AlignmentDecision = "not_offered"  // not fewer errors
	AlignmentCannotTell AlignmentDecision = "cannot_tell"  // fewer, but chance may have done it, or too few reviews
	AlignmentUnread     AlignmentDecision = "not_readable" // the judge reads no examples: the offline one
)

// fewestKept is how many kept-back reviews the least decision needs.
const fewestKept = 10

// alignmentLevel is the two-sided level of the exact test, over all examples that were tried on the same reviews.
const alignmentLevel = .05

// mostAlignments is how many tests a card remembers.
const mostAlignments = 20

// Alignment is a judge tested without and with examples of people's verdicts, on reviews that no example came from.
type Alignment struct {
	RunID      string                   `json:"run_id"`     // whose answers were reviewed
	Experiment string                   `json:"experiment"` // of the run
	Base       string                   `json:"base"`       // prompt version without these examples
	With       string                   `json:"with"`       // and with them
	Examples   []progress.ChosenExample `json:"examples"`
	Kept       int                      `json:"kept"` // kept-back answers that people decided on and the judge graded both times
	Lost       int                      `json:"lost"` // and that it failed to grade
	Before     AlignmentSide            `json:"before"`
	After      AlignmentSide            `json:"after"`
	Fixed      int                      `json:"fixed"`      // wrong before, right after
	Broken     int                      `json:"broken"`     // right before, wrong after
	Difference float64                  `json:"difference"` // share that is right, after minus before
	CI95       stats.Interval           `json:"ci95"`       // of Difference: Bonett and Price, on pairs
	P          float64                  `json:"p"`          // McNemar's exact test, two-sided
	Tries      int                      `json:"tries"`      // examples that were tested on these reviews, this time included
	Decision   AlignmentDecision        `json:"decision"`
	Needs      int                      `json:"needs"` // kept-back reviews that it would take; 0 where more would not help
	MeasuredAt time.Time                `json:"measured_at"`
	TestRunID  string                   `json:"test_run_id"` // that it was booked to
	Calls      int                      `json:"calls"`
	CostMicros int64                    `json:"cost_micros"`
}

// AlignmentSide is how a judge did beside people.
type AlignmentSide struct {
	Right      int `json:"right"`       // says what people say
	Red        int `json:"red"`         // calls low
	FalseRed   int `json:"false_red"`   // of Red: people accept them
	FalseGreen int `json:"false_green"` // of the others: people reject them
}

// AlignedItem is one kept-back answer: what people say, and what the judge says without and with examples.
type AlignedItem struct {
	Accepted      bool
	Before, After bool // the judge calls it low
}

// ScoreAlignment compares a judge without and with examples. tries counts the examples that were tested on the same reviews: the level
// is shared by them (Bonferroni), because whoever tries often enough finds something by chance.
func ScoreAlignment(items []AlignedItem, tries int, reads bool) Alignment {
	a := Alignment{Kept: len(items), Tries: max(1, tries), P: 1, CI95: stats.Interval{Low: -1, High: 1}}
	for _, item := range items {
		a.Before.count(item.Accepted, item.Before)
		a.After.count(item.Accepted, item.After)
		before, after := item.Before != item.Accepted, item.After != item.Accepted
		switch {
		case !before && after:
			a.Fixed++
		case before && !after:
			a.Broken++
		}
	}
	if t, err := stats.McNemar(a.Broken, a.Fixed, a.Kept); err == nil {
		a.Difference, a.P, a.CI95 = t.Diff, t.Exact, stats.Interval{Low: t.Low, High: t.High}
	}
	a.decide(reads)
	return a
}

func (s *AlignmentSide) count(accepted, low bool) {
	switch {
	case low && accepted:
		s.FalseRed++
	case !low && !accepted:
		s.FalseGreen++
	default:
		s.Right++
	}
	if low {
		s.Red++
	}
}

func (a *Alignment) decide(reads bool) {
	level := alignmentLevel / float64(a.Tries)
	switch {
	case !reads:
		a.Decision = AlignmentUnread
	case a.Kept < fewestKept:
		a.Decision, a.Needs = AlignmentCannotTell, fewestKept
	case a.Difference <= 0:
		a.Decision = AlignmentNotOffered
	case a.P < level && a.CI95.Low > 0:
		a.Decision = AlignmentOffered
	default:
		a.Decision = AlignmentCannotTell
	}
	if a.Decision == AlignmentCannotTell && a.Difference > 0 {
		a.Needs = max(fewestKept, a.Kept+1, reviewsFor(a.Fixed, a.Broken, a.Kept, level))
	}
}

// reviewsFor is how many pairs McNemar's test needs to see, four times in five, shares like those that were seen (Connett, Smith and
// McHugh 1987).
func reviewsFor(fixed, broken, n int, level float64) int {
	changed, gap := float64(fixed+broken)/float64(n), float64(fixed-broken)/float64(n)
	a, b := stats.NormalQuantile(1-level/2), stats.NormalQuantile(.8)
	root := a*math.Sqrt(changed) + b*math.Sqrt(math.Max(0, changed-gap*gap))
	return int(math.Ceil(root * root / (gap * gap)))
}

// Aligned is the newest test of a judge's card whose examples gave the prompts that version; nil where there is none.
func (c *JudgeCard) Aligned(version string) *Alignment {
	return c.newest(func(a Alignment) bool { return a.With == version })
}

// AlignedOn is the newest test of a judge's card on the reviews of a run's answers; nil where there is none.
func (c *JudgeCard) AlignedOn(run string) *Alignment {
	return c.newest(func(a Alignment) bool { return a.RunID == run })
}

func (c *JudgeCard) newest(fits func(Alignment) bool) *Alignment {
	if c == nil {
		return nil
	}
	for i := range c.Alignments {
		if at := len(c.Alignments) - 1 - i; fits(c.Alignments[at]) {
			return &c.Alignments[at]
		}
	}
	return nil
}

// TriesOn counts the other examples that were tested on the reviews of a run's answers.
func (c *JudgeCard) TriesOn(run, with string) int {
	tried := map[string]bool{}
	for _, a := range c.Alignments {
		if a.RunID == run && a.With != with {
			tried[a.With] = true
		}
	}
	return len(tried)
}

// alignedAfter puts the tests of an older card before those of a newer one. Examples that were tested again
// with the same result are one test, the newer.
func alignedAfter(older, newer []Alignment) []Alignment {
	all := slices.DeleteFunc(slices.Clone(older), func(o Alignment) bool {
		return slices.ContainsFunc(newer, func(n Alignment) bool {
			return n.RunID == o.RunID && n.With == o.With && n.Kept == o.Kept && n.Before == o.Before && n.After == o.After
		})
	})
	all = append(all, newer...)
	return all[max(0, len(all)-mostAlignments):]
}
