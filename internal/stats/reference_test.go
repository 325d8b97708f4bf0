// This file has procedures that no program runs. They are here because other tests check what the program uses against.

package stats

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Sensitivity is the share of true items with a yes; NaN without any.
func (c Confusion) Sensitivity() float64 { return float64(c.TP) / float64(c.TP+c.FN) }

// Specificity is the share of false items with a no; NaN without any.
func (c Confusion) Specificity() float64 { return float64(c.TN) / float64(c.TN+c.FP) }

// Precision is the share of yes verdicts that are true; NaN without any.
func (c Confusion) Precision() float64 { return float64(c.TP) / float64(c.TP+c.FP) }

// Accuracy is the share of right verdicts; NaN without items.
func (c Confusion) Accuracy() float64 {
	return float64(c.TP+c.TN) / float64(c.TP+c.FP+c.FN+c.TN)
}

// BalancedAccuracy is the mean of sensitivity and specificity.
func (c Confusion) BalancedAccuracy() float64 { return (c.Sensitivity() + c.Specificity()) / 2 }

// MCC is the Matthews correlation coefficient, in [-1, 1]; NaN when truth or verdicts are all alike.
func (c Confusion) MCC() float64 {
	tp, fp, fn, tn := float64(c.TP), float64(c.FP), float64(c.FN), float64(c.TN)
	return (tp*tn - fp*fn) / math.Sqrt((tp+fp)*(tp+fn)*(tn+fp)*(tn+fn))
}

// NewConfusion counts verdicts against the truth, item by item; it fails on lists of different lengths.
func NewConfusion(truth, verdict []bool) (Confusion, error) {
	if len(truth) != len(verdict) {
		return Confusion{}, fmt.Errorf("confusion: %d truths but %d verdicts", len(truth), len(verdict))
	}
	var c Confusion
	for i, is := range truth {
		switch {
		case is && verdict[i]:
			c.TP++
		case is:
			c.FN++
		case verdict[i]:
			c.FP++
		default:
			c.TN++
		}
	}
	return c, nil
}

// ExactBootstrap enumerates all resamples of a small sample: there are n^n, which fall into (2n-1 choose n) multisets.
// It fails without values, on values that are not finite and above 11 values.
func ExactBootstrap(values []float64) (ExactBootstrapDistribution, error) {
	const method = "exact bootstrap"
	n := len(values)
	if err := sample(method, values, 1); err != nil {
		return ExactBootstrapDistribution{}, err
	}
	if math.Exp(logChoose(2*n-1, n)) > maxResamples {
		return ExactBootstrapDistribution{}, fmt.Errorf("%s: %d values have too many resamples; draw them with BootstrapMeans", method, n)
	}
	r := ExactBootstrapDistribution{Resamples: math.Pow(float64(n), float64(n))}
	var means, counts []float64
	var choose func(i, left int, sum, ways float64)
	choose = func(i, left int, sum, ways float64) {
		if i == n-1 {
			means = append(means, (sum+float64(left)*values[i])/float64(n))
			counts = append(counts, ways)
			return
		}
		for k := 0; k <= left; k++ {
			choose(i+1, left-k, sum+float64(k)*values[i], ways)
			ways = ways * float64(left-k) / float64(k+1) // to left choose k+1, exact in this range
		}
	}
	choose(0, n, 0, 1)
	for _, i := range ascending(means) {
		r.Means, r.Counts = append(r.Means, means[i]), append(r.Counts, counts[i])
	}
	return r, nil
}

// BootstrapMeans draws resamples of the values with replacement and returns their means, in order: each resample takes
// len(values) draws [SplitMix64.Below] from one stream. It fails without values, on values that are not finite and
// without resamples.
func BootstrapMeans(values []float64, seed uint64, resamples int) ([]float64, error) {
	labels := make([]int, len(values))
	for i := range labels {
		labels[i] = i
	}
	return ClusterBootstrapMeans(values, labels, seed, resamples)
}

// Quantile is the type 7 quantile of the means of all resamples.
func (d ExactBootstrapDistribution) Quantile(p float64) float64 {
	if len(d.Means) == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	at := p * (d.Resamples - 1)
	lower := math.Floor(at)
	a, b := d.order(lower), d.order(min(lower+1, d.Resamples-1))
	return a + (at-lower)*(b-a)
}

// order is the mean with the given place among all resamples, from 0.
func (d ExactBootstrapDistribution) order(place float64) float64 {
	for i, c := range d.Counts {
		if place < c {
			return d.Means[i]
		}
		place -= c
	}
	return d.Means[len(d.Means)-1]
}

// SD is the standard deviation of the mean over all resamples, which is the standard deviation of the values with ddof 0
// over the square root of their number.
func (d ExactBootstrapDistribution) SD() float64 {
	centre, sum := weightedMean(d.Means, d.Counts), 0.0
	for i, m := range d.Means {
		sum += d.Counts[i] / d.Resamples * (m - centre) * (m - centre)
	}
	return math.Sqrt(sum)
}

// BCa is the bias-corrected and accelerated bootstrap interval of a mean (Efron 1987), from the means of
// [BootstrapMeans]. The bias correction counts the resampled means below the mean and half of those equal to it, the
// acceleration comes from leaving out one value at a time. When all values are equal the interval is a point. It fails
// on fewer than two values, on values that are not finite, without means and on a level outside (0, 1).
func BCa(values, resampled []float64, confidence float64) (BCaInterval, error) {
	const method = "BCa interval"
	if err := sample(method, values, 2); err != nil {
		return BCaInterval{}, err
	}
	if err := sample(method, resampled, 1); err != nil {
		return BCaInterval{}, err
	}
	if err := level(method, "level", confidence); err != nil {
		return BCaInterval{}, err
	}
	sum, n := 0.0, float64(len(values))
	for _, v := range values {
		sum += v // in order, like the resamples, so that equal means are equal
	}
	mean, below := sum/n, 0.0
	for _, m := range resampled {
		switch {
		case math.Abs(m-mean) <= 1e-15:
			below += 0.5
		case m < mean:
			below++
		}
	}
	r := BCaInterval{Z0: NormalQuantile(below / float64(len(resampled)))}
	left := make([]float64, len(values))
	for i, v := range values {
		left[i] = (sum - v) / (n - 1)
	}
	centre, cubes, squared := Mean(left), 0.0, squares(left)
	for _, l := range left {
		cubes += (centre - l) * (centre - l) * (centre - l)
	}
	if squared > 0 {
		r.Acceleration = cubes / (6 * math.Pow(squared, 1.5))
	}
	sorted := slices.Sorted(slices.Values(resampled))
	for i, p := range []float64{(1 - confidence) / 2, (1 + confidence) / 2} {
		r.Levels[i] = p
		switch {
		case !math.IsInf(r.Z0, 0):
			z := r.Z0 + NormalQuantile(p)
			r.Levels[i] = NormalCDF(r.Z0 + z/(1-r.Acceleration*z))
		case r.Z0 < 0: // all resampled means are above the mean, or below it: the interval is their end
			r.Levels[i] = 0
		default:
			r.Levels[i] = 1
		}
	}
	r.Low, r.High = quantileOfSorted(sorted, r.Levels[0]), quantileOfSorted(sorted, r.Levels[1])
	return r, nil
}

// IntraclusterCorrelation is the ANOVA estimate of the share of variance that lies between clusters, from clusters that
// may differ in size. It is below 0 when clusters are more alike than chance, and NaN without two clusters, without a
// cluster of two values, or without any variance.
func IntraclusterCorrelation(values []float64, clusters []int) float64 {
	if len(values) != len(clusters) {
		return math.NaN()
	}
	var groups [][]float64
	for _, members := range groupsOf(clusters) {
		var group []float64
		for _, i := range members {
			group = append(group, values[i])
		}
		groups = append(groups, group)
	}
	return OneWay(groups).ICC1
}

// KendallTauB is the excess of pairs in the same over those in opposite order, corrected for ties on either side
// (Kendall 1945); NaN as [Spearman]. Its time grows with the square of the length.
func KendallTauB(x, y []float64) float64 {
	if len(x) != len(y) || slices.ContainsFunc(x, math.IsNaN) || slices.ContainsFunc(y, math.IsNaN) {
		return math.NaN()
	}
	excess, orderedX, orderedY := 0.0, 0.0, 0.0
	for i := range x {
		for j := range i {
			a, b := cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])
			excess += float64(a * b)
			orderedX += float64(a * a)
			orderedY += float64(b * b)
		}
	}
	return quotient(excess, math.Sqrt(orderedX*orderedY))
}

// Brier is the mean squared distance of predicted probabilities from what happened; NaN without predictions. It fails on
// lists of different lengths and on a probability outside [0, 1].
func Brier(happened []bool, predicted []float64) (float64, error) {
	if err := predictions("Brier score", happened, predicted); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, p := range predicted {
		d := p - indicator(happened[i])
		sum += d * d
	}
	return quotient(sum, float64(len(predicted))), nil
}

// CalibrationError is the expected calibration error: predictions fall into bins of equal width, bin floor(bins*p), and
// the distances between mean prediction and observed share are averaged with the sizes of the bins. It is NaN without
// predictions and fails as [Brier], and without bins.
func CalibrationError(happened []bool, predicted []float64, bins int) (float64, error) {
	if err := predictions("calibration error", happened, predicted); err != nil {
		return 0, err
	}
	if bins < 1 {
		return 0, fmt.Errorf("calibration error: %d bins, at least 1 is needed", bins)
	}
	gaps := make([]float64, bins) // sum of prediction less outcome
	for i, p := range predicted {
		gaps[min(bins-1, int(float64(bins)*p))] += p - indicator(happened[i])
	}
	sum := 0.0
	for _, g := range gaps {
		sum += math.Abs(g)
	}
	return quotient(sum, float64(len(predicted))), nil
}

func predictions(method string, happened []bool, predicted []float64) error {
	if len(happened) != len(predicted) {
		return fmt.Errorf("%s: %d outcomes but %d predictions", method, len(happened), len(predicted))
	}
	for i, p := range predicted {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("%s: prediction %d is %v, and must be a probability", method, i, p)
		}
	}
	return nil
}

// BetaQuantile is the x at which [BetaCDF] is p, by bisection to the last bit; NaN for p outside [0, 1].
func BetaQuantile(p, a, b float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(a > 0) || !(b > 0):
		return math.NaN()
	case p == 0 || p == 1:
		return p
	}
	return bisect(0, 1, func(x float64) bool { return BetaCDF(x, a, b) >= p })
}

// CUSUMDown is the one-sided cumulative sum that watches for a series falling: each value adds how far it lies below
// -slack, and the sum never falls below 0. For a rise pass the negated series.
func CUSUMDown(series []float64, slack float64) []float64 {
	sums, sum := make([]float64, len(series)), 0.0
	for i, v := range series {
		sum = max(0, sum-v-slack)
		sums[i] = sum
	}
	return sums
}

// EWMA is the exponentially weighted moving average of a series, starting from 0: each value moves it by the share
// lambda in (0, 1] of the distance. It shows slow drift that single values hide.
func EWMA(series []float64, lambda float64) []float64 {
	averages, average := make([]float64, len(series)), 0.0
	for i, v := range series {
		average = (1-lambda)*average + lambda*v
		averages[i] = average
	}
	return averages
}

// BettingLambdas are the recommended stakes of [BettingE].
func BettingLambdas() []float64 { return []float64{0.3, 0.6, 0.9} }

// BettingE is an e-value against "no drop on average": the wealth that bets of a share lambda on each drop in turn make
// of 1, averaged over the lambdas. Drops are baseline minus candidate over the range of the score, in [-1, 1]. It is
// valid under any dependence and stopping rule when it is read once, at the end; see [EBH] for many items. Without drops
// it is 1. It fails on drops outside [-1, 1], and without lambdas or on one outside [0, 1].
func BettingE(drops, lambdas []float64) (float64, error) {
	if len(lambdas) == 0 {
		return 0, errors.New("betting e-value: there are no lambdas")
	}
	for i, d := range drops {
		if !(math.Abs(d) <= 1) {
			return 0, fmt.Errorf("betting e-value: drop %d is %v, and must lie within [-1, 1]", i, d)
		}
	}
	sum := 0.0
	for _, lambda := range lambdas {
		if !(lambda >= 0 && lambda <= 1) {
			return 0, fmt.Errorf("betting e-value: lambda is %v, and must lie within [0, 1]", lambda)
		}
		wealth := 1.0
		for _, d := range drops {
			wealth *= 1 + lambda*d
		}
		sum += wealth
	}
	return sum / float64(len(lambdas)), nil
}

func onesOf(n int) []int {
	ones := make([]int, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

// take reads the next recorded score of each item; NaN when there is none.
func take(arm [][]float64, used, items []int) []float64 {
	scores := make([]float64, len(items))
	for j, i := range items {
		scores[j] = math.NaN()
		if used[i] < len(arm[i]) {
			scores[j] = arm[i][used[i]]
			used[i]++
		}
	}
	return scores
}

// Replay runs a guard to its end on recorded scores: each item starts with the first score of each arm and consumes the
// rest from left to right; an item whose record is used up asks for no more. It returns the steps that were taken.
func Replay(scale *GuardScale, rules GuardRules, seed uint64, baseline, candidate [][]float64) (*Guard, []GuardStep, error) {
	first := func(arm [][]float64) [][]float64 {
		heads := make([][]float64, len(arm))
		for i, scores := range arm {
			heads[i] = scores[:min(1, len(scores))]
		}
		return heads
	}
	g, err := NewGuard(scale, rules, seed, first(baseline), first(candidate))
	if err != nil {
		return nil, nil, err
	}
	var steps []GuardStep
	usedB, usedC := onesOf(len(baseline)), onesOf(len(candidate))
	for step := g.Next(); !step.Empty(); step = g.Next() {
		steps = append(steps, step)
		if err := g.Add(take(baseline, usedB, step.Baseline), take(candidate, usedC, step.Candidate)); err != nil {
			return nil, nil, err
		}
	}
	return g, steps, nil
}

// GuardPosteriors is the posterior of each item, given the scores of both arms: baseline[i] and candidate[i] are those
// of item i, in any number, also none. No change means that both arms have the same quality; a regression means two
// independent qualities whose values fall by at least drop, an improvement that they rise by it. It fails on scores
// that are not on the scale, lists of different lengths, weights that do not fit the scale and a drop that is not above
// 0.
func GuardPosteriors(s *GuardScale, mix GuardMix, drop float64, baseline, candidate [][]float64) ([]GuardPosterior, error) {
	if len(mix.Theta) != len(s.Theta) || len(mix.Sigma) != len(s.Sigmas) {
		return nil, fmt.Errorf("guard: %d and %d weights for %d qualities and %d noise scales", len(mix.Theta), len(mix.Sigma),
			len(s.Theta), len(s.Sigmas))
	}
	m, err := newGuardModel(s, drop)
	if err != nil {
		return nil, err
	}
	m.mix = mix
	items, err := m.patterns(baseline, candidate)
	if err != nil {
		return nil, err
	}
	posteriors, byPattern := make([]GuardPosterior, len(items)), map[*pattern]GuardPosterior{}
	for i, p := range items {
		if _, ok := byPattern[p]; !ok {
			byPattern[p] = m.posterior(p)
		}
		posteriors[i] = byPattern[p]
	}
	return posteriors, nil
}

// Bonferroni multiplies each p value by their number; it bounds the chance of any false rejection.
func Bonferroni(p []float64) ([]float64, error) {
	return stepwise("Bonferroni", p, false, func(int) float64 { return float64(len(p)) })
}

// Holm is [Bonferroni] stepwise from the smallest p value on, under the same guarantee (Holm 1979).
func Holm(p []float64) ([]float64, error) {
	return stepwise("Holm", p, false, func(rank int) float64 { return float64(len(p) - rank + 1) })
}

// Hochberg is stepwise from the largest p value on; it needs independent or positively dependent tests (Hochberg 1988).
func Hochberg(p []float64) ([]float64, error) {
	return stepwise("Hochberg", p, true, func(rank int) float64 { return float64(len(p) - rank + 1) })
}

// BenjaminiYekutieli is [BenjaminiHochberg] for any dependence: the factor grows by 1 + 1/2 + … + 1/n (Benjamini and
// Yekutieli 2001).
func BenjaminiYekutieli(p []float64) ([]float64, error) {
	harmonic := 0.0
	for i := range p {
		harmonic += 1 / float64(i+1)
	}
	return stepwise("Benjamini-Yekutieli", p, true, func(rank int) float64 { return harmonic * float64(len(p)) / float64(rank) })
}

// Simes is the p value against "no hypothesis is false": the least of n p/rank (Simes 1986). It fails without p values.
func Simes(p []float64) (float64, error) {
	if len(p) == 0 {
		return 0, errors.New("test of Simes: there are no p values")
	}
	adjusted, err := BenjaminiHochberg(p)
	if err != nil {
		return 0, err
	}
	return slices.Min(adjusted), nil
}

// EBH rejects the k largest e-values, where k is the largest number such that the k-th largest e-value is at least
// n/(q k); it bounds the expected share of false rejections by q under any dependence (Wang and Ramdas 2022). It returns
// the places of the rejected ones, ascending, and fails on a q outside (0, 1) or an e-value that is negative or NaN.
func EBH(e []float64, q float64) ([]int, error) {
	if err := level("e-BH", "q", q); err != nil {
		return nil, err
	}
	for i, v := range e {
		if !(v >= 0) {
			return nil, fmt.Errorf("e-BH: e-value %d is %v", i, v)
		}
	}
	order := ascending(e)
	slices.Reverse(order)
	rejected := 0
	for k := 1; k <= len(order); k++ {
		if e[order[k-1]]*q*float64(k) >= float64(len(e))*(1-tie) {
			rejected = k
		}
	}
	return slices.Sorted(slices.Values(order[:rejected])), nil
}

// BestReplicates is the number of judgements for each generation that buys most precision for a price:
// sqrt(cost ratio * variance ratio), where the ratios are those of generation to judgement cost and of judgement to
// generation variance. It is infinite without generation variance, and for use it is rounded, to at least 1.
func BestReplicates(costGeneration, costJudgement, varJudge, varGeneration float64) float64 {
	return math.Sqrt(costGeneration / costJudgement * (varJudge / varGeneration))
}

// NestedANOVA analyses a balanced design: every item has the same number of generations, and every generation the same
// number of judgements. Mean squares without degrees of freedom, and what follows from them, are NaN. It fails on an
// uneven or empty table and on values that are not finite.
func NestedANOVA(scores [][][]float64) (NestedVariance, error) {
	if len(scores) == 0 || len(scores[0]) == 0 || len(scores[0][0]) == 0 {
		return NestedVariance{}, errors.New("nested analysis of variance: the table is empty")
	}
	g, r := len(scores[0]), len(scores[0][0])
	var itemMeans []float64
	judge, generation := 0.0, 0.0
	for i, item := range scores {
		if len(item) != g {
			return NestedVariance{}, fmt.Errorf("nested analysis of variance: item %d has %d generations, item 0 has %d", i, len(item), g)
		}
		var means []float64
		for _, judgements := range item {
			if len(judgements) != r {
				return NestedVariance{}, fmt.Errorf("nested analysis of variance: item %d has %d and %d judgements", i, len(judgements), r)
			}
			if err := finite("nested analysis of variance", judgements); err != nil {
				return NestedVariance{}, err
			}
			judge += squares(judgements)
			means = append(means, Mean(judgements))
		}
		generation += float64(r) * squares(means)
		itemMeans = append(itemMeans, Mean(means))
	}
	n, gf, rf := float64(len(scores)), float64(g), float64(r)
	v := NestedVariance{
		MSJudge:      quotient(judge, n*gf*(rf-1)),
		MSGeneration: quotient(generation, n*(gf-1)),
		MSItem:       quotient(gf*rf*squares(itemMeans), n-1),
	}
	v.VarJudge = v.MSJudge
	v.VarGeneration = max(0, (v.MSGeneration-v.MSJudge)/rf)
	v.VarItem = max(0, (v.MSItem-v.MSGeneration)/(gf*rf))
	return v, nil
}

// Lower is the one-sided p value against the alternative that the candidate is lower: the probability of a T at most as
// large as the one seen if nothing had changed.
func (r PairedTest) Lower() float64 {
	switch {
	case math.IsInf(r.T, -1):
		return 0
	case math.IsInf(r.T, 1):
		return 1
	}
	return StudentCDF(r.T, float64(r.DF))
}

// ComparePartitions compares two groupings, given as one label for each item. Two groupings that both put all items
// together, or both all apart, are equal: both figures are 1. It fails without items and on lists of different lengths.
func ComparePartitions(a, b []int) (PartitionMatch, error) {
	if len(a) != len(b) || len(a) == 0 {
		return PartitionMatch{}, fmt.Errorf("partitions: %d labels against %d; both must label the same items", len(a), len(b))
	}
	inA, inB, both := map[int]int{}, map[int]int{}, map[[2]int]int{}
	for i := range a {
		inA[a[i]]++
		inB[b[i]]++
		both[[2]int{a[i], b[i]}]++
	}
	sizesA, sizesB, sizes := sortedSizes(inA), sortedSizes(inB), sortedSizes(both)
	n := float64(len(a))
	pairs, pairsA, pairsB := pairsWithin(sizes), pairsWithin(sizesA), pairsWithin(sizesB)
	var r PartitionMatch
	expected, most := ratio(pairsA*pairsB, n*(n-1)/2), (pairsA+pairsB)/2
	if most == expected {
		r.ARI = 1
	} else {
		r.ARI = (pairs - expected) / (most - expected)
	}
	entropyA, entropyB := entropy(sizesA, n), entropy(sizesB, n)
	if entropyA+entropyB == 0 {
		r.NMI = 1
	} else {
		r.NMI = max(0, min(1, 2*(entropyA+entropyB-entropy(sizes, n))/(entropyA+entropyB)))
	}
	return r, nil
}

// sortedSizes orders the sizes of groups, so that sums over them do not depend on the order of a map.
func sortedSizes[K comparable](groups map[K]int) []int {
	return slices.Sorted(maps.Values(groups))
}

func pairsWithin(sizes []int) float64 {
	sum := 0.0
	for _, k := range sizes {
		sum += float64(k) * float64(k-1) / 2
	}
	return sum
}

func entropy(sizes []int, n float64) float64 {
	sum := 0.0
	for _, k := range sizes {
		sum -= float64(k) / n * math.Log(float64(k)/n)
	}
	return sum
}

// Jaccard is the size of the intersection of two sets over that of their union; 1 for two empty sets.
func Jaccard[T comparable](a, b []T) float64 {
	inA, union, shared := map[T]bool{}, map[T]bool{}, 0
	for _, v := range a {
		inA[v], union[v] = true, true
	}
	seen := map[T]bool{}
	for _, v := range b {
		if inA[v] && !seen[v] {
			shared++
		}
		seen[v], union[v] = true, true
	}
	if len(union) == 0 {
		return 1
	}
	return float64(shared) / float64(len(union))
}

// DesignEffect is 1 + (size-1) icc: how much clusters of a size inflate the variance of a mean, given the intracluster
// correlation.
func DesignEffect(size, icc float64) float64 { return 1 + (size-1)*icc }

// SEOfMeanDiff is the standard error of a mean difference over n items when the true difference varies between items
// with SD items and every score of an arm carries noise with SD noise, averaged over r replicates for each arm:
// sqrt((items^2 + 2 noise^2/r)/n).
func SEOfMeanDiff(items, noise float64, n, r int) float64 {
	return math.Sqrt((items*items + 2*noise*noise/float64(r)) / float64(n))
}

// ItemsFor is the number of items with which a true mean difference is found with the plan's power, when differences
// have standard deviation sd. It fails on an effect of 0.
func (p Plan) ItemsFor(effect, sd float64) (int, error) {
	return p.items(NormalQuantile(1-p.Alpha/2), effect, sd)
}

// PowerFor is the chance that a two-sided test at alpha finds a true mean difference, given its standard error, by the
// normal approximation; NaN for an alpha outside (0, 1). With a standard error of 0 any difference is found.
func PowerFor(effect, se, alpha float64) float64 {
	if !(alpha > 0 && alpha < 1) || !(se >= 0) {
		return math.NaN()
	}
	z := NormalQuantile(1 - alpha/2)
	shift := ratio(math.Abs(effect), se)
	return NormalCDF(shift-z) + NormalCDF(-shift-z)
}

// PartialPool estimates several effects, each with its standard error, as draws from one normal distribution
// (DerSimonian and Laird 1986) and shrinks each of them to the common mean by as much as its error is large. With no
// spread beyond the errors (Tau2 is 0) every posterior is the common mean without any width. It fails without effects,
// on lists of different lengths, on values that are not finite and on errors that are not above 0.
func PartialPool(effects, errors []float64) (Pooled, error) {
	const method = "partial pooling"
	if len(effects) != len(errors) {
		return Pooled{}, fmt.Errorf("%s: %d effects but %d standard errors", method, len(effects), len(errors))
	}
	if err := sample(method, effects, 1); err != nil {
		return Pooled{}, err
	}
	weights := make([]float64, len(errors))
	sum, sum2 := 0.0, 0.0
	for i, se := range errors {
		if !(se > 0) || math.IsInf(se, 1) {
			return Pooled{}, fmt.Errorf("%s: standard error %d is %v, and must be above 0", method, i, se)
		}
		weights[i] = 1 / (se * se)
		sum, sum2 = sum+weights[i], sum2+weights[i]*weights[i]
	}
	r := Pooled{Fixed: weightedMean(effects, weights)}
	for i, e := range effects {
		r.Q += weights[i] * (e - r.Fixed) * (e - r.Fixed)
	}
	if len(effects) > 1 {
		r.Tau2 = max(0, (r.Q-float64(len(effects)-1))/(sum-sum2/sum))
	}
	for i, se := range errors {
		weights[i] = 1 / (se*se + r.Tau2)
	}
	r.Random = weightedMean(effects, weights)
	for i, e := range effects {
		own := r.Tau2 * weights[i] // weight of the effect itself
		mean, sd := own*e+(1-own)*r.Random, math.Sqrt(own)*errors[i]
		r.Shrunk, r.ShrunkSE = append(r.Shrunk, mean), append(r.ShrunkSE, sd)
		r.Shrinkages = append(r.Shrinkages, 1-own)
		r.BelowZero = append(r.BelowZero, NormalCDF(ratio(-mean, sd)))
	}
	return r, nil
}

func weightedMean(values, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range values {
		sum, total = sum+weights[i]*v, total+weights[i]
	}
	return sum / total
}

// Standardise compares two overall means whose parts have different shares: it gives the parts of the candidate the
// weights of the baseline. Weights are counts or shares; a part must be known in both arms, so it fails when a weighted
// part of the baseline has no mean in the candidate, and on lists of different lengths, negative weights and values
// that are not finite.
func Standardise(baselineMeans, baselineWeights, candidateMeans, candidateWeights []float64) (Standardised, error) {
	const method = "standardisation"
	n := len(baselineMeans)
	if n == 0 || len(baselineWeights) != n || len(candidateMeans) != n || len(candidateWeights) != n {
		return Standardised{}, fmt.Errorf("%s: the lists hold %d, %d, %d and %d parts", method, n, len(baselineWeights),
			len(candidateMeans), len(candidateWeights))
	}
	totalB, totalC := 0.0, 0.0
	for _, list := range [][]float64{baselineMeans, baselineWeights, candidateMeans, candidateWeights} {
		if err := finite(method, list); err != nil {
			return Standardised{}, err
		}
	}
	for i := range n {
		if baselineWeights[i] < 0 || candidateWeights[i] < 0 {
			return Standardised{}, fmt.Errorf("%s: part %d has a negative weight", method, i)
		}
		totalB, totalC = totalB+baselineWeights[i], totalC+candidateWeights[i]
	}
	if totalB == 0 || totalC == 0 {
		return Standardised{}, fmt.Errorf("%s: an arm has no weight at all", method)
	}
	before := weightedMean(baselineMeans, baselineWeights)
	r := Standardised{
		Raw:  weightedMean(candidateMeans, candidateWeights) - before,
		Diff: weightedMean(candidateMeans, baselineWeights) - before,
	}
	r.Reversal = r.Raw*r.Diff < 0
	return r, nil
}

// PPI estimates the mean of the truth from a few items with truth and prediction and many with a prediction only:
// lambda*mean(unlabelled) + mean(truth - lambda*predicted). The standard error uses population variances and the
// interval the normal quantile at the level, as the public reference implementation does; for few labels [CrossFitPPI]
// covers better. For a comparison all three lists hold differences. It fails on fewer than two labelled or unlabelled
// items, on lists of different lengths, on values that are not finite and on a level outside (0, 1).
func PPI(truth, predicted, unlabelled []float64, lambda, confidence float64) (PPIEstimate, error) {
	if err := labelled("PPI", truth, predicted, unlabelled, 2, confidence); err != nil {
		return PPIEstimate{}, err
	}
	lambdas := make([]float64, len(truth))
	for i := range lambdas {
		lambdas[i] = lambda
	}
	return powered(truth, predicted, unlabelled, lambdas, 0, NormalQuantile(0.5+confidence/2)), nil
}

// PPIPlusPlus is [PPI] with the lambda that minimises the variance: cov(truth, predicted) with 1/n over (1 + n/N) times
// the variance of all predictions with ddof 1, clipped to [0, 1]. It is 0 when the predictions do not vary. The mixed
// denominators are those of the reference implementation and of the vectors.
func PPIPlusPlus(truth, predicted, unlabelled []float64, confidence float64) (PPIEstimate, error) {
	if err := labelled("PPI++", truth, predicted, unlabelled, 2, confidence); err != nil {
		return PPIEstimate{}, err
	}
	n, m := float64(len(truth)), float64(len(unlabelled))
	lambda := tunedLambda(Covariance(truth, predicted, 0), predicted, unlabelled, n/m)
	return PPI(truth, predicted, unlabelled, lambda, confidence)
}

// ClopperPearson is the exact interval of a proportion, which covers at least as often as its level says (Clopper and
// Pearson 1934): the one for safety claims.
func ClopperPearson(x, n int, confidence float64) (Interval, error) {
	if err := proportion("Clopper-Pearson interval", x, n, confidence); err != nil {
		return Interval{}, err
	}
	r, tail := Interval{0, 1}, (1-confidence)/2
	if x > 0 {
		r.Low = BetaQuantile(tail, float64(x), float64(n-x+1))
	}
	if x < n {
		r.High = BetaQuantile(1-tail, float64(x+1), float64(n-x))
	}
	return r, nil
}

// Jeffreys is the interval between the quantiles of the posterior of a proportion under the prior Beta(1/2, 1/2); its
// ends are 0 at x = 0 and 1 at x = n.
func Jeffreys(x, n int, confidence float64) (Interval, error) {
	if err := proportion("Jeffreys interval", x, n, confidence); err != nil {
		return Interval{}, err
	}
	r, tail := Interval{0, 1}, (1-confidence)/2
	a, b := float64(x)+0.5, float64(n-x)+0.5
	if x > 0 {
		r.Low = BetaQuantile(tail, a, b)
	}
	if x < n {
		r.High = BetaQuantile(1-tail, a, b)
	}
	return r, nil
}

// ZeroFailureBound is the one-sided upper bound of a failure rate after n trials without a failure: 1 - (1-level)^(1/n),
// of which 3/n is the common rule of thumb. It is 1 without trials.
func ZeroFailureBound(n int, confidence float64) (float64, error) {
	if err := proportion("zero-failure bound", 0, max(n, 1), confidence); err != nil {
		return 0, err
	}
	if n < 1 {
		return 1, nil
	}
	return -math.Expm1(math.Log1p(-confidence) / float64(n)), nil
}

// Coverage is the share of the half-open interval target that the union of the intervals covers, in [0, 1]. Intervals
// may overlap, repeat, be empty and come in any order. It is NaN when target is empty.
func Coverage(target [2]int, intervals [][2]int) float64 {
	length := target[1] - target[0]
	if length <= 0 {
		return math.NaN()
	}
	sorted := slices.SortedFunc(slices.Values(intervals), func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	covered, reached := 0, target[0]
	for _, in := range sorted {
		start, end := max(in[0], reached), min(in[1], target[1])
		if end > start {
			covered += end - start
			reached = end
		}
	}
	return float64(covered) / float64(length)
}

// ExponentialGains are 2^gain - 1, for an [NDCG] that rewards the most relevant items much more than the others. Pass
// both of its arguments through it.
func ExponentialGains(gains []float64) []float64 {
	grown := make([]float64, len(gains))
	for i, g := range gains {
		grown[i] = math.Exp2(g) - 1
	}
	return grown
}

// DCG is the sum of gain/log2(rank+1) over a ranking, with ranks from 1.
func DCG(gains []float64) float64 { return discounted(gains) }

// Precision is the share of retrieved items that are relevant; NaN when nothing was retrieved.
func Precision(relevant []bool) float64 {
	return float64(count(relevant)) / float64(len(relevant))
}

// Recall is the share of all relevant items that were retrieved, given how many there are; NaN when there are none.
func Recall(relevant []bool, total int) float64 {
	return float64(count(relevant)) / float64(total)
}

// AveragePrecision sums the precision at every rank that holds a relevant item and divides by the number of all
// relevant items, retrieved or not. It is in [0, 1], and NaN when there are none.
func AveragePrecision(relevant []bool, total int) float64 {
	return precisions(relevant) / float64(total)
}

// RankedPrecision is [AveragePrecision] over the retrieved items alone: it says whether the relevant ones come first,
// not whether all were found. It is 0 when none is relevant.
func RankedPrecision(relevant []bool) float64 {
	n := count(relevant)
	if n == 0 {
		return 0
	}
	return precisions(relevant) / float64(n)
}

// precisions is the sum of the precision at every rank that holds a relevant item.
func precisions(relevant []bool) float64 {
	sum, hits := 0.0, 0
	for i, r := range relevant {
		if r {
			hits++
			sum += float64(hits) / float64(i+1)
		}
	}
	return sum
}

func count(relevant []bool) int {
	n := 0
	for _, r := range relevant {
		if r {
			n++
		}
	}
	return n
}

// FleissKappa is the agreement of several raters beyond chance (Fleiss 1971): counts[i][c] is how many raters put item i
// into category c. Every item needs the same number of ratings, at least two. It is NaN when all ratings fall into one
// category, and fails on uneven tables.
func FleissKappa(counts [][]int) (float64, error) {
	if len(counts) == 0 {
		return 0, errors.New("kappa of Fleiss: there are no items")
	}
	total := make([]float64, len(counts[0]))
	raters, agree := 0, 0.0
	for i, row := range counts {
		n, pairs := 0, 0
		if len(row) != len(total) {
			return 0, fmt.Errorf("kappa of Fleiss: item %d has %d categories, item 0 has %d", i, len(row), len(total))
		}
		for c, k := range row {
			if k < 0 {
				return 0, fmt.Errorf("kappa of Fleiss: item %d has a negative count", i)
			}
			n, pairs = n+k, pairs+k*(k-1)
			total[c] += float64(k)
		}
		if i == 0 {
			raters = n
		}
		if n != raters || n < 2 {
			return 0, fmt.Errorf("kappa of Fleiss: item %d has %d ratings, item 0 has %d; all need the same number, at least 2", i, n,
				raters)
		}
		agree += float64(pairs) / float64(n*(n-1))
	}
	items := float64(len(counts))
	byChance := 0.0
	for _, t := range total {
		share := t / (items * float64(raters))
		byChance += share * share
	}
	if byChance == 1 {
		return math.NaN(), nil
	}
	return beyond(1-agree/items, 1-byChance), nil
}

// SignTest is the exact binomial test of worse against better; ties are left out by the caller. Without any change both
// p values are 1. It fails on negative counts.
func SignTest(worse, better int) (SignTestResult, error) {
	if worse < 0 || better < 0 {
		return SignTestResult{}, fmt.Errorf("sign test: the counts %d and %d must not be negative", worse, better)
	}
	n := worse + better
	return SignTestResult{
		TwoSided: min(1, 2*BinomialCDF(min(worse, better), n, 0.5)),
		Worse:    BinomialCDF(better, n, 0.5), // at least worse of one kind are at most better of the other
	}, nil
}

// harmonic is the harmonic mean of two shares; 0 when both are 0.
func harmonic(a, b float64) float64 {
	if a == 0 && b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

// Shares computes all figures; it fails on rows of different lengths.
func (m SupportMatrix) Shares() (SupportShares, error) {
	sources, err := m.sources()
	if err != nil {
		return SupportShares{}, err
	}
	useful, recalled, used := make([]bool, sources), 0.0, 0.0
	for i, row := range m.WantedBySource {
		has := false
		for k, yes := range row {
			useful[k] = useful[k] || yes
			has = has || yes
		}
		recalled += indicator(has)
		used += indicator(has && m.WantedInGiven[i])
	}
	var right, supported, unsupported, own, noiseUseful, noiseUseless float64
	for j, row := range m.GivenBySource {
		byUseful, byUseless := false, false
		for k, yes := range row {
			byUseful = byUseful || yes && useful[k]
			byUseless = byUseless || yes && !useful[k]
		}
		in, sourced := m.GivenInWanted[j], byUseful || byUseless
		right += indicator(in)
		supported += indicator(sourced)
		unsupported += indicator(!sourced && !in)
		own += indicator(!sourced && in)
		noiseUseful += indicator(byUseful && !in)
		noiseUseless += indicator(byUseless && !byUseful && !in)
	}
	given, wanted, found := float64(len(m.GivenBySource)), float64(len(m.WantedBySource)), float64(count(m.WantedInGiven))
	r := SupportShares{
		Precision: quotient(right, given), Recall: quotient(found, wanted),
		SourceRecall: quotient(recalled, wanted), Utilisation: quotient(used, recalled),
		UsefulSources: Precision(useful), RankedSources: math.NaN(),
		NoiseUseful: quotient(noiseUseful, given), NoiseUseless: quotient(noiseUseless, given),
		Supported: quotient(supported, given), Unsupported: quotient(unsupported, given), OwnKnowledge: quotient(own, given),
	}
	if sources > 0 {
		r.RankedSources = RankedPrecision(useful)
	}
	r.F1 = harmonic(r.Precision, r.Recall)
	r.FactualF1 = quotient(2*right, 2*right+(given-right)+(wanted-found))
	return r, nil
}

// sources is the number of columns, which all rows must share.
func (m SupportMatrix) sources() (int, error) {
	if len(m.GivenBySource) != len(m.GivenInWanted) || len(m.WantedBySource) != len(m.WantedInGiven) {
		return 0, fmt.Errorf("support matrix: %d and %d given, %d and %d wanted statements",
			len(m.GivenBySource), len(m.GivenInWanted), len(m.WantedBySource), len(m.WantedInGiven))
	}
	columns := -1
	for _, rows := range [][][]bool{m.GivenBySource, m.WantedBySource} {
		for i, row := range rows {
			if columns >= 0 && len(row) != columns {
				return 0, fmt.Errorf("support matrix: row %d names %d sources, another row %d", i, len(row), columns)
			}
			columns = len(row)
		}
	}
	return max(columns, 0), nil
}

// Friedman tests whether the columns of a table differ, comparing values only within a row (Friedman 1937). Equal values
// of a row share their average rank. When every row is constant the statistic is 0 and P is 1. It fails on a table that
// is not rectangular, smaller than 2 by 2, or holds values that are not finite.
func Friedman(table [][]float64) (FriedmanTest, error) {
	if _, err := twoWay("Friedman test", table); err != nil {
		return FriedmanTest{}, err
	}
	n, k := float64(len(table)), float64(len(table[0]))
	r := FriedmanTest{RankSums: make([]float64, len(table[0]))}
	spread := 0.0 // of the ranks within rows, which ties make smaller
	for _, row := range table {
		for j, rank := range Ranks(row) {
			r.RankSums[j] += rank
			spread += (rank - (k+1)/2) * (rank - (k+1)/2)
		}
	}
	sum := 0.0
	for _, s := range r.RankSums {
		sum += (s - n*(k+1)/2) * (s - n*(k+1)/2)
	}
	r.Statistic = ratio((k-1)*sum, spread)
	r.P = ChiSquareTail(r.Statistic, k-1)
	return r, nil
}

// Wilcoxon is the signed rank test. Differences of 0 are left out; equal sizes share their average rank. The exact p
// values count all 2^N ways to give the ranks signs, with ties as they are; the two-sided one is the probability that
// the smaller of the two rank sums is at most the observed one. Above 200 differences the exact values are NaN and the
// normal ones are to be used. Without any difference every p value is 1. It fails on values that are not finite.
func Wilcoxon(diffs []float64) (SignedRankTest, error) {
	if err := finite("signed rank test", diffs); err != nil {
		return SignedRankTest{}, err
	}
	used := slices.DeleteFunc(slices.Clone(diffs), func(d float64) bool { return d == 0 })
	sizes := make([]float64, len(used))
	for i, d := range used {
		sizes[i] = math.Abs(d)
	}
	ranks := Ranks(sizes)
	r := SignedRankTest{N: len(used), Zeros: len(diffs) - len(used)}
	variance := 0.0
	for i, d := range used {
		variance += ranks[i] * ranks[i] / 4 // the tie correction falls out of the average ranks
		if d > 0 {
			r.Plus += ranks[i]
		} else {
			r.Minus += ranks[i]
		}
	}
	gap := (r.Plus - r.Minus) / 2 // Plus less its mean
	r.Z = ratio(gap, math.Sqrt(variance))
	r.ZCorrected = math.Copysign(ratio(max(0, math.Abs(gap)-0.5), math.Sqrt(variance)), gap)
	r.P, r.PCorrected = 2*NormalCDF(-math.Abs(r.Z)), 2*NormalCDF(-math.Abs(r.ZCorrected))
	r.Exact, r.Greater, r.Less = math.NaN(), math.NaN(), math.NaN()
	if len(used) <= exactRanks {
		below := rankSumCDF(ranks)
		r.Exact = min(1, 2*below(min(r.Plus, r.Minus)))
		r.Greater, r.Less = below(r.Minus), below(r.Plus) // the distribution is symmetric
		if r.Plus == r.Minus {
			r.Exact = 1
		}
	}
	return r, nil
}

// rankSumCDF returns the distribution of the sum of the ranks that a fair coin each keeps. Ranks are multiples of 1/2.
func rankSumCDF(ranks []float64) func(float64) float64 {
	mass := []float64{1} // by twice the sum
	for _, r := range ranks {
		step := int(2 * r)
		next := make([]float64, len(mass)+step)
		for s, p := range mass {
			next[s] += p / 2
			next[s+step] += p / 2
		}
		mass = next
	}
	return func(sum float64) float64 {
		total := 0.0
		for s := 0; s < len(mass) && s <= int(2*sum); s++ {
			total += mass[s]
		}
		return min(1, total)
	}
}
