package stats

import "fmt"

// maxResamples bounds the different resamples that [ExactBootstrap] enumerates.
const maxResamples = 5_000_000

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

// ExactBootstrapDistribution is the distribution of the mean over all n^n resamples, which [ExactBootstrap] makes.
type ExactBootstrapDistribution struct {
	Resamples float64   // n^n
	Means     []float64 // different multisets of values, by ascending mean
	Counts    []float64 // resamples that give each of Means
}
