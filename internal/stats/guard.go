package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// GuardRules are the constants of the regression guard. [DefaultGuardRules] has the recommended ones.
type GuardRules struct {
	Drop        float64 // size of a regression; 0 takes the one of the scale
	FDR         float64 // bound of the expected share of false flags
	Cap         float64 // no flag on an item whose own probability of being false is above it
	Replicates  int     // scores in each arm that a flag needs
	Most        int     // scores in each arm after which no more are asked for
	MissedShare float64 // stop when the expected missed regressions are at most this share of all expected ones
	Missed      float64 // or at most this many
	Budget      int     // further scores, calibration included, after which no new round begins
	Batch       int     // items of one round
	Calibration int     // items whose baseline is scored once more before the first round
	// History replaces calibration and the weights learned from the baseline when it is known how this kind of score
	// behaves; nil learns from the run.
	History *GuardMix
}

// historyWeight is how many items a project's history counts as.
const historyWeight = 50

// DefaultGuardRules are the rules for n items: at most half as many further scores as both arms have already (120 at
// least), rounds of n/20 items (4 at least) and n/5 items for calibration, between 10 and 40. Fractions are cut off.
func DefaultGuardRules(n int) GuardRules {
	return GuardRules{
		FDR: 0.05, Cap: 0.20, Replicates: 3, Most: 8, MissedShare: 0.15, Missed: 0.5,
		Budget: max(120, n), Batch: max(4, n/20), Calibration: min(n, max(10, min(40, n/5))),
	}
}

// GuardStep names the items that need one more score in each arm, in the order in which the scores are to be given.
type GuardStep struct {
	Baseline  []int
	Candidate []int
}

// Empty says that the step asks for nothing: the guard is done.
func (s GuardStep) Empty() bool { return len(s.Baseline) == 0 && len(s.Candidate) == 0 }

// Guard finds the items that got worse between two arms although scores are noisy. It asks for more scores where doubt
// is, until the expected number of missed regressions is small, and flags by the posterior of a two-groups model whose
// weights it learns from the run (Stephens 2016), so that stopping early does not bias it.
//
// It starts with the scores at hand; the caller then alternates [Guard.Next] and [Guard.Add] until the step is empty
// and reads [Guard.Verdicts], which may be read at any time. All of it is a pure function of the scores, the rules and
// the seed. A Guard is not safe for concurrent use.
type Guard struct {
	rules               GuardRules
	model               *guardModel
	baseline, candidate [][]float64
	failed              []bool // a score could not be had, so the item asks for no more
	items               []*pattern
	prior               guardPrior
	posteriors          []GuardPosterior
	step                GuardStep
	calibrating         bool
	spent, rounds       int
}

// NewGuard starts a guard on items whose inputs changed: baseline[i] and candidate[i] are the scores of item i so far,
// at least one of each. Items with equal inputs in both arms must be left out: they are unchanged without a test. The
// seed chooses the items for calibration. It fails on lists of different lengths, items without scores, scores that are
// not on the scale and rules that make no sense. The lists are not changed.
func NewGuard(scale *GuardScale, rules GuardRules, seed uint64, baseline, candidate [][]float64) (*Guard, error) {
	if err := rules.valid(); err != nil {
		return nil, err
	}
	if rules.Drop == 0 {
		rules.Drop = scale.Drop
	}
	model, err := newGuardModel(scale, rules.Drop)
	if err != nil {
		return nil, err
	}
	g := &Guard{rules: rules, model: model, failed: make([]bool, len(baseline))}
	if g.items, err = model.patterns(baseline, candidate); err != nil {
		return nil, err
	}
	for i := range baseline {
		if len(baseline[i]) == 0 || len(candidate[i]) == 0 {
			return nil, fmt.Errorf("guard: item %d has %d baseline and %d candidate scores, at least one of each is needed", i,
				len(baseline[i]), len(candidate[i]))
		}
		g.baseline, g.candidate = append(g.baseline, slices.Clone(baseline[i])), append(g.candidate, slices.Clone(candidate[i]))
	}
	if h := rules.History; h != nil && (len(h.Theta) != len(scale.Theta) || len(h.Sigma) != len(scale.Sigmas)) {
		return nil, fmt.Errorf("guard: the history has %d and %d weights for %d qualities and %d noise scales", len(h.Theta), len(h.Sigma),
			len(scale.Theta), len(scale.Sigmas))
	}
	if n := min(rules.Calibration, len(baseline)); n > 0 && rules.History == nil {
		g.calibrating = true
		g.step = GuardStep{Baseline: NewSplitMix64(seed).Permutation(len(baseline))[:n]}
		return g, nil
	}
	g.begin()
	return g, nil
}

func (r GuardRules) valid() error {
	for _, v := range []float64{r.Drop, r.FDR, r.Cap, r.MissedShare, r.Missed} {
		if !(v >= 0) {
			return fmt.Errorf("guard: a rule is %v; none may be negative", v)
		}
	}
	if r.Batch < 1 || r.Most < r.Replicates || r.Replicates < 1 {
		return fmt.Errorf("guard: batches of %d, flags from %d scores on, at most %d scores; the first must be 1 or more and the last not below the second", r.Batch, r.Replicates, r.Most)
	}
	return nil
}

// begin learns the weights after calibration and plans the first round.
func (g *Guard) begin() {
	theta, sigma := 5.0, 10.0
	base := g.rules.History
	if base == nil {
		g.model.baselineWeights(g.items)
		base = &g.model.mix
	} else {
		theta, sigma = historyWeight, historyWeight
	}
	g.prior = guardPrior{pi: [3]float64{18, 1, 1}, theta: slices.Clone(base.Theta), sigma: slices.Clone(base.Sigma)}
	g.model.mix = GuardMix{Pi: [3]float64{0.9, 0.05, 0.05}, Theta: slices.Clone(base.Theta), Sigma: slices.Clone(base.Sigma)}
	for k := range g.prior.theta {
		g.prior.theta[k] *= theta
	}
	for t := range g.prior.sigma {
		g.prior.sigma[t] *= sigma
	}
	g.model.learn(g.items, g.prior, 20)
	g.plan()
}

// Next is the step that the guard waits for; it is empty at the end. Asking again gives the same step.
func (g *Guard) Next() GuardStep {
	return GuardStep{slices.Clone(g.step.Baseline), slices.Clone(g.step.Candidate)}
}

// Add takes the scores of the step, in its order. NaN stands for a score that could not be had: the item keeps the
// scores it has and asks for no more. It fails when the numbers of scores do not match the step or a score is not on
// the scale; the guard is then unchanged.
func (g *Guard) Add(baseline, candidate []float64) error {
	if len(baseline) != len(g.step.Baseline) || len(candidate) != len(g.step.Candidate) {
		return fmt.Errorf("guard: %d baseline and %d candidate scores for a step of %d and %d", len(baseline), len(candidate),
			len(g.step.Baseline), len(g.step.Candidate))
	}
	if g.step.Empty() {
		return nil
	}
	for _, score := range slices.Concat(baseline, candidate) {
		if _, ok := g.model.scale.cell(score); !ok && !math.IsNaN(score) {
			return fmt.Errorf("guard: the score %v is not on the %s scale", score, g.model.scale.Name)
		}
	}
	take := func(arm [][]float64, items []int, scores []float64) {
		for j, i := range items {
			if math.IsNaN(scores[j]) {
				g.failed[i] = !g.calibrating
				continue
			}
			arm[i] = append(arm[i], scores[j])
		}
	}
	take(g.baseline, g.step.Baseline, baseline)
	take(g.candidate, g.step.Candidate, candidate)
	g.spent += len(baseline) + len(candidate)
	items, err := g.model.patterns(g.baseline, g.candidate)
	if err != nil {
		return err
	}
	g.items = items
	if g.calibrating {
		g.calibrating = false
		g.begin()
		return nil
	}
	g.rounds++
	g.model.learn(g.items, g.prior, 3)
	g.plan()
	return nil
}

// plan computes the posteriors and chooses the next step: the open items most likely to be regressions, in that order.
func (g *Guard) plan() {
	g.step = GuardStep{}
	g.update()
	flagged := g.flagged(func(p GuardPosterior) float64 { return p.Regression })
	var open []int
	expected, missed, most := 0.0, 0.0, 0.0
	for i, p := range g.posteriors {
		expected += p.Regression
		if flagged[i] || g.failed[i] || min(len(g.baseline[i]), len(g.candidate[i])) >= g.rules.Most {
			continue
		}
		open = append(open, i)
		missed, most = missed+p.Regression, max(most, p.Regression)
	}
	if missed <= max(g.rules.Missed, g.rules.MissedShare*expected) || g.spent >= g.rules.Budget {
		return
	}
	slices.SortStableFunc(open, func(a, b int) int {
		return cmp.Compare(g.posteriors[b].Regression, g.posteriors[a].Regression)
	})
	for _, i := range open[:min(len(open), g.rules.Batch)] {
		if g.posteriors[i].Regression <= 0.25*most {
			break
		}
		if len(g.baseline[i]) <= len(g.candidate[i]) {
			g.step.Baseline = append(g.step.Baseline, i)
		}
		if len(g.candidate[i]) <= len(g.baseline[i]) {
			g.step.Candidate = append(g.step.Candidate, i)
		}
	}
}

func (g *Guard) update() {
	g.posteriors = make([]GuardPosterior, len(g.items))
	byPattern := map[*pattern]GuardPosterior{}
	for i, p := range g.items {
		post, ok := byPattern[p]
		if !ok {
			post = g.model.posterior(p)
			byPattern[p] = post
		}
		g.posteriors[i] = post
	}
}

// flagged is the set of items that a probability confirms, within the bounds of false flags.
func (g *Guard) flagged(probability func(GuardPosterior) float64) []bool {
	rates := make([]float64, len(g.posteriors))
	for i, p := range g.posteriors {
		rates[i] = 1
		if min(len(g.baseline[i]), len(g.candidate[i])) >= g.rules.Replicates {
			rates[i] = max(0, 1-probability(p))
		}
	}
	flagged := make([]bool, len(rates))
	selected, _, err := LocalFDRSet(rates, g.rules.FDR, g.rules.Cap)
	if err != nil {
		return flagged // a rate that is no probability flags nothing
	}
	for _, i := range selected {
		flagged[i] = true
	}
	return flagged
}
