package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// GuardMix holds the weights of the guard's model. All lists sum to 1.
type GuardMix struct {
	Pi    [3]float64 // of no change, regression and improvement
	Theta []float64  // of the true qualities
	Sigma []float64  // of the noise scales
}

// FlatMix gives all qualities and all noise scales of a scale the same weight.
func FlatMix(s *GuardScale, pi [3]float64) GuardMix {
	return GuardMix{Pi: pi, Theta: flat(len(s.Theta)), Sigma: flat(len(s.Sigmas))}
}

func flat(n int) []float64 {
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	return weights
}

// GuardPosterior is what the scores of one item say under a [GuardMix]. The three probabilities sum to 1.
type GuardPosterior struct {
	Null        float64   `json:"p_null"`
	Regression  float64   `json:"p_regression"`
	Improvement float64   `json:"p_improvement"`
	Sigma       []float64 `json:"sigma"`     // probabilities of the noise scales
	Baseline    float64   `json:"baseline"`  // posterior mean of the true value in the baseline
	Candidate   float64   `json:"candidate"` // and in the candidate
}

// guardModel is the two-groups model on a grid. Items with the same scores share a pattern, and the region of a
// regression is a run of the grid for each baseline quality, so a step costs patterns * sigmas * qualities.
type guardModel struct {
	scale *GuardScale
	mix   GuardMix
	// A baseline quality k regresses to the qualities below fall[k] and improves to those from rise[k] on.
	fall, rise []int
	known      map[string]*pattern
}

// pattern is the likelihood of the scores of one or more items.
type pattern struct {
	key                 string
	baseline, candidate [][]float64 // [sigma][theta]
}

func newGuardModel(s *GuardScale, drop float64) (*guardModel, error) {
	if !(drop > 0) {
		return nil, fmt.Errorf("guard: the drop is %v, and must be above 0", drop)
	}
	m := &guardModel{scale: s, known: map[string]*pattern{}}
	least := drop - 1e-9 // so that rounding of the grid does not decide
	for _, b := range s.Value {
		fall, rise := 0, len(s.Value)
		for k, c := range s.Value {
			if b-c >= least {
				fall = k + 1
			}
			if c-b >= least {
				rise = min(rise, k)
			}
		}
		m.fall, m.rise = append(m.fall, fall), append(m.rise, rise)
	}
	return m, nil
}

// patterns finds the pattern of each item.
func (m *guardModel) patterns(baseline, candidate [][]float64) ([]*pattern, error) {
	if len(baseline) != len(candidate) {
		return nil, fmt.Errorf("guard: %d items in the baseline but %d in the candidate", len(baseline), len(candidate))
	}
	items := make([]*pattern, len(baseline))
	for i := range items {
		p, err := m.patternOf(baseline[i], candidate[i])
		if err != nil {
			return nil, fmt.Errorf("guard: item %d: %w", i, err)
		}
		items[i] = p
	}
	return items, nil
}

func (m *guardModel) patternOf(baseline, candidate []float64) (*pattern, error) {
	b, err := m.scale.counts(baseline)
	if err != nil {
		return nil, err
	}
	c, err := m.scale.counts(candidate)
	if err != nil {
		return nil, err
	}
	raw := make([]byte, 0, 4*len(b))
	for _, n := range append(slices.Clone(b), c...) {
		raw = append(raw, byte(n>>8), byte(n))
	}
	key := string(raw)
	p, ok := m.known[key]
	if !ok {
		p = &pattern{key, m.scale.likelihood(b), m.scale.likelihood(c)}
		m.known[key] = p
	}
	return p, nil
}

// shares are the responsibilities of one pattern, or their sum over many. They sum to 1 for each item.
type shares struct {
	pi    [3]float64
	sigma []float64
	null  []float64    // of no change, by quality
	moved [2][]float64 // of a change, by quality of the baseline and of the candidate
	total float64
}

func (m *guardModel) newShares() *shares {
	k := len(m.scale.Theta)
	return &shares{sigma: make([]float64, len(m.scale.Sigmas)), null: make([]float64, k),
		moved: [2][]float64{make([]float64, k), make([]float64, k)}}
}

// reach is the prior weight of all pairs of qualities that are a regression, and of those that are an improvement.
func (m *guardModel) reach() (fall, rise float64) {
	sums := runningSums(m.mix.Theta)
	for k, g := range m.mix.Theta {
		fall += g * sums[m.fall[k]]
		rise += g * (sums[len(sums)-1] - sums[m.rise[k]])
	}
	return fall, rise
}

// runningSums returns the sums of the first 0, 1, … values.
func runningSums(values []float64) []float64 {
	sums := make([]float64, len(values)+1)
	for i, v := range values {
		sums[i+1] = sums[i] + v
	}
	return sums
}

// respond computes the responsibilities of a pattern into r, which it overwrites. The pair sums over the grid use
// running sums: for a baseline quality k, all candidate qualities it can fall to come first and those it can rise to
// last.
func (m *guardModel) respond(p *pattern, fallen, risen float64, r *shares) {
	*r = shares{sigma: r.sigma, null: r.null, moved: r.moved}
	clear(r.null)
	clear(r.moved[0])
	clear(r.moved[1])
	down, up := quotientOr0(m.mix.Pi[1], fallen), quotientOr0(m.mix.Pi[2], risen)
	n := len(m.mix.Theta)
	gb, gc := make([]float64, n), make([]float64, n)
	toFall, toRise := make([]float64, n+1), make([]float64, n+1) // baseline weight that reaches a candidate quality
	for t, w := range m.mix.Sigma {
		for k, g := range m.mix.Theta {
			gb[k], gc[k] = g*p.baseline[t][k], g*p.candidate[t][k]
		}
		sums := runningSums(gc)
		clear(toFall)
		clear(toRise)
		var pi [3]float64
		for k, b := range gb {
			null := w * m.mix.Pi[0] * b * p.candidate[t][k]
			fall, rise := w*down*b*sums[m.fall[k]], w*up*b*(sums[n]-sums[m.rise[k]])
			if m.rise[k] == n {
				rise = 0 // not left to rounding
			}
			pi[0], pi[1], pi[2] = pi[0]+null, pi[1]+fall, pi[2]+rise
			r.null[k] += null
			r.moved[0][k] += fall + rise
			toFall[m.fall[k]] += w * down * b
			toRise[m.rise[k]] += w * up * b
		}
		for k := n - 1; k >= 0; k-- { // candidate k is reached from all baselines whose fall ends above k
			toFall[k] += toFall[k+1]
			r.moved[1][k] += gc[k] * toFall[k+1]
		}
		for k := range n {
			if k > 0 {
				toRise[k] += toRise[k-1]
			}
			r.moved[1][k] += gc[k] * toRise[k]
		}
		r.sigma[t] = pi[0] + pi[1] + pi[2]
		for c := range pi {
			r.pi[c] += pi[c]
		}
	}
	r.total = r.pi[0] + r.pi[1] + r.pi[2]
}

func quotientOr0(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

func (m *guardModel) posterior(p *pattern) GuardPosterior {
	r := m.newShares()
	fallen, risen := m.reach()
	m.respond(p, fallen, risen, r)
	post := GuardPosterior{Null: r.pi[0] / r.total, Regression: r.pi[1] / r.total, Improvement: r.pi[2] / r.total}
	for _, s := range r.sigma {
		post.Sigma = append(post.Sigma, s/r.total)
	}
	for k, v := range m.scale.Value {
		post.Baseline += v * (r.null[k] + r.moved[0][k]) / r.total
		post.Candidate += v * (r.null[k] + r.moved[1][k]) / r.total
	}
	return post
}

// guardPrior pulls the weights that EM learns towards what was expected, each as if so many items had been seen.
type guardPrior struct {
	pi           [3]float64
	theta, sigma []float64
}

// learn runs steps of expectation maximisation over all items. Sums run over the different patterns in a fixed order,
// so the order of the items does not change a bit of the result.
func (m *guardModel) learn(items []*pattern, prior guardPrior, steps int) {
	weights := map[*pattern]float64{}
	var distinct []*pattern
	for _, p := range items {
		if weights[p] == 0 {
			distinct = append(distinct, p)
		}
		weights[p]++
	}
	slices.SortFunc(distinct, func(a, b *pattern) int { return strings.Compare(a.key, b.key) })
	one := m.newShares()
	for range steps {
		sum := m.newShares()
		fallen, risen := m.reach()
		for _, p := range distinct {
			m.respond(p, fallen, risen, one)
			sum.add(one, weights[p]/one.total)
		}
		m.mix = sum.mix(prior)
	}
}

func (r *shares) add(one *shares, weight float64) {
	for c := range r.pi {
		r.pi[c] += weight * one.pi[c]
	}
	for t := range r.sigma {
		r.sigma[t] += weight * one.sigma[t]
	}
	for k := range r.null {
		r.null[k] += weight * one.null[k]
		r.moved[0][k] += weight * one.moved[0][k]
		r.moved[1][k] += weight * one.moved[1][k]
	}
}

// mix turns summed responsibilities into weights. A changed item counts half for each of its two qualities.
func (r *shares) mix(prior guardPrior) GuardMix {
	mix := GuardMix{Pi: prior.pi, Theta: slices.Clone(prior.theta), Sigma: slices.Clone(prior.sigma)}
	for c := range mix.Pi {
		mix.Pi[c] += r.pi[c]
	}
	normalise(mix.Pi[:])
	for t := range mix.Sigma {
		mix.Sigma[t] += r.sigma[t]
	}
	for k := range mix.Theta {
		mix.Theta[k] += r.null[k] + (r.moved[0][k]+r.moved[1][k])/2
	}
	normalise(mix.Theta)
	normalise(mix.Sigma)
	return mix
}

func normalise(weights []float64) {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if sum > 0 && !math.IsInf(sum, 1) {
		for i := range weights {
			weights[i] /= sum
		}
	}
}

// baselineWeights learns the weights of qualities and noise scales from the baseline alone: 40 steps of EM from flat
// weights, smoothed by one item spread over all qualities and five over each noise scale's share.
func (m *guardModel) baselineWeights(items []*pattern) {
	only := make([]*pattern, len(items))
	shared := map[string]*pattern{}
	for i, p := range items {
		key := p.key[:len(p.key)/2]
		if shared[key] == nil {
			none := m.scale.likelihood(make([]uint16, len(m.scale.perCell)))
			shared[key] = &pattern{key, p.baseline, none}
		}
		only[i] = shared[key]
	}
	m.mix = FlatMix(m.scale, [3]float64{1, 0, 0})
	theta, sigma := flat(len(m.scale.Theta)), flat(len(m.scale.Sigmas))
	for t := range sigma {
		sigma[t] *= 5
	}
	// Without a changed group the model is the plain mixture of one arm.
	m.learn(only, guardPrior{pi: [3]float64{1, 0, 0}, theta: theta, sigma: sigma}, 40)
}
