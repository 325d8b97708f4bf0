package stats

import (
	"fmt"
	"math"
	"slices"
)

// maxResamples bounds the different resamples that [ExactBootstrap] enumerates.
const maxResamples = 5_000_000

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

// ClusterBootstrapMeans is [BootstrapMeans] for values in clusters: each resample draws as many clusters as there are,
// in ascending order of label, and its mean is the sum of all their values over their number. With few clusters its
// percentile interval is too narrow; see [ClusterRobust].
func ClusterBootstrapMeans(values []float64, clusters []int, seed uint64, resamples int) ([]float64, error) {
	const method = "bootstrap"
	if err := sample(method, values, 1); err != nil {
		return nil, err
	}
	if len(clusters) != len(values) {
		return nil, fmt.Errorf("%s: %d values but %d cluster labels", method, len(values), len(clusters))
	}
	if resamples < 1 {
		return nil, fmt.Errorf("%s: %d resamples, at least 1 is needed", method, resamples)
	}
	groups, random, means := groupsOf(clusters), NewSplitMix64(seed), make([]float64, resamples)
	for b := range means {
		sum, n := 0.0, 0
		for range groups {
			members := groups[random.Below(len(groups))]
			for _, i := range members {
				sum += values[i]
			}
			n += len(members)
		}
		means[b] = sum / float64(n)
	}
	return means, nil
}

// PercentileInterval lies between the tails of resampled statistics, at a two-sided level such as 0.95.
func PercentileInterval(resampled []float64, confidence float64) Interval {
	return Interval{Quantile(resampled, (1-confidence)/2), Quantile(resampled, (1+confidence)/2)}
}

// BCaInterval is the outcome of [BCa].
type BCaInterval struct {
	Interval
	Z0           float64    `json:"z0"`           // bias correction
	Acceleration float64    `json:"acceleration"` // from the jackknife
	Levels       [2]float64 `json:"levels"`       // the quantiles of the resampled means that are the ends
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

// ExactBootstrapDistribution is the distribution of the mean over all n^n resamples, which [ExactBootstrap] makes.
type ExactBootstrapDistribution struct {
	Resamples float64   // n^n
	Means     []float64 // different multisets of values, by ascending mean
	Counts    []float64 // resamples that give each of Means
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
