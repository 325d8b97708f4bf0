package stats

import "slices"

// GuardLabel is the verdict of the regression guard on one item.
type GuardLabel string

// The labels, by the probability of a regression.
const (
	Confirmed    GuardLabel = "CONFIRMED"     // flagged: the expected share of false flags is bounded
	Suspected    GuardLabel = "SUSPECTED"     // not flagged, 0.50 or above
	Unresolved   GuardLabel = "UNRESOLVED"    // from 0.20 on
	NoRegression GuardLabel = "NO_REGRESSION" // below 0.20
	Improved     GuardLabel = "IMPROVED"      // no regression, and an improvement is flagged by the same rules
	// UnchangedIdentical is for items that never reach the guard, because their inputs are equal in both arms.
	UnchangedIdentical GuardLabel = "UNCHANGED_IDENTICAL"
)

// LabelOf is the label of an item with a probability of a regression, given whether the guard flags it as a regression
// or as an improvement.
func LabelOf(regression float64, flagged, improved bool) GuardLabel {
	switch {
	case flagged:
		return Confirmed
	case regression >= 0.50:
		return Suspected
	case regression >= 0.20:
		return Unresolved
	case improved:
		return Improved
	}
	return NoRegression
}

// flakyReplicates is the number of candidate scores from which on an item can be called flaky.
const flakyReplicates = 4

// GuardVerdict is what the guard says about one item.
type GuardVerdict struct {
	GuardPosterior
	Label     GuardLabel `json:"label"`
	Flaky     bool       `json:"flaky"`      // passes with probability 0.2 to 0.8 whatever the arm; yes-no scores only
	LocalFDR  float64    `json:"local_fdr"`  // 1 - p_regression
	BaselineN int        `json:"baseline_n"` // scores in the baseline
	Scores    int        `json:"scores"`     // scores in the candidate
	Failed    bool       `json:"failed"`     // a further score could not be had
}

// GuardSummary is what the guard says about the whole run.
type GuardSummary struct {
	ExpectedFalse  float64 `json:"expected_false"`  // of the flagged regressions
	ExpectedMissed float64 `json:"expected_missed"` // regressions among the rest
	Spent          int     `json:"spent"`           // scores asked for
	Rounds         int     `json:"rounds"`          // after calibration
	// Mix holds the learned weights.
	Mix GuardMix `json:"-"`
}

// Verdicts are the verdicts on all items so far, in their order. During calibration, when no weights are learned yet,
// there are none.
func (g *Guard) Verdicts() []GuardVerdict {
	worse := g.flagged(func(p GuardPosterior) float64 { return p.Regression })
	better := g.flagged(func(p GuardPosterior) float64 { return p.Improvement })
	verdicts := make([]GuardVerdict, len(g.posteriors))
	for i, p := range g.posteriors {
		verdicts[i] = GuardVerdict{
			GuardPosterior: p, Label: LabelOf(p.Regression, worse[i], better[i]), LocalFDR: 1 - p.Regression,
			BaselineN: len(g.baseline[i]), Scores: len(g.candidate[i]), Failed: g.failed[i],
		}
		verdicts[i].Flaky = g.model.scale.Name == "binary" && len(g.candidate[i]) >= flakyReplicates &&
			p.Candidate >= 0.2 && p.Candidate <= 0.8
	}
	return verdicts
}

// Summary is the state of the whole run so far.
func (g *Guard) Summary() GuardSummary {
	s := GuardSummary{Spent: g.spent, Rounds: g.rounds, Mix: GuardMix{
		Pi: g.model.mix.Pi, Theta: slices.Clone(g.model.mix.Theta), Sigma: slices.Clone(g.model.mix.Sigma),
	}}
	for _, v := range g.Verdicts() {
		if v.Label == Confirmed {
			s.ExpectedFalse += v.LocalFDR
		} else {
			s.ExpectedMissed += v.Regression
		}
	}
	return s
}
