package stats

import (
	"fmt"
	"math"
)

// ClusterMean is the outcome of [ClusterRobust].
type ClusterMean struct {
	N            int     `json:"n"`
	Clusters     int     `json:"clusters"`
	Mean         float64 `json:"mean"`
	IID          float64 `json:"se_iid"` // standard error if the differences were independent
	CR0          float64 `json:"se_cr0"` // cluster-robust, without correction
	SE           float64 `json:"se_cr1"` // cluster-robust, times sqrt(G/(G-1))
	DF           int     `json:"df"`     // G-1
	T            float64 `json:"t_cr1"`  // Mean / SE
	P            float64 `json:"p_two_sided"`
	Low          float64 `json:"ci_low"`
	High         float64 `json:"ci_high"`
	DesignEffect float64 `json:"design_effect"` // (SE/IID)^2; NaN when all differences are equal
}

// ClusterRobust is the mean of differences that come in clusters, such as questions about the same document, with a
// standard error that lets differences within a cluster depend on each other in any way: the square root of the sum of
// squared sums of residuals by cluster over n, corrected by G/(G-1) for G clusters. Test and interval are Student's t
// with G-1 degrees of freedom (Cameron, Gelbach and Miller 2008). With a zero error P is 1 for a zero mean and 0
// otherwise. It fails on fewer than two clusters, on lists of different lengths, on values that are not finite and on
// a level outside (0, 1).
func ClusterRobust(diffs []float64, clusters []int, confidence float64) (ClusterMean, error) {
	const method = "cluster-robust mean"
	if err := sample(method, diffs, 2); err != nil {
		return ClusterMean{}, err
	}
	if err := level(method, "level", confidence); err != nil {
		return ClusterMean{}, err
	}
	if len(clusters) != len(diffs) {
		return ClusterMean{}, fmt.Errorf("%s: %d differences but %d cluster labels", method, len(diffs), len(clusters))
	}
	groups := groupsOf(clusters)
	if len(groups) < 2 {
		return ClusterMean{}, fmt.Errorf("%s: all differences are in one cluster, at least 2 are needed", method)
	}
	n, g := float64(len(diffs)), float64(len(groups))
	r := ClusterMean{N: len(diffs), Clusters: len(groups), Mean: Mean(diffs), DF: len(groups) - 1}
	r.IID = math.Sqrt(Variance(diffs, 1) / n)
	if r.IID > 0 { // else all residuals are 0 but for rounding
		for _, members := range groups {
			sum := 0.0
			for _, i := range members {
				sum += diffs[i] - r.Mean
			}
			r.CR0 += sum * sum
		}
	}
	r.CR0 = math.Sqrt(r.CR0) / n
	r.SE = r.CR0 * math.Sqrt(g/(g-1))
	r.T = ratio(r.Mean, r.SE)
	r.P = StudentTwoSided(r.T, float64(r.DF))
	half := r.SE * StudentQuantile(0.5+confidence/2, float64(r.DF))
	r.Low, r.High = r.Mean-half, r.Mean+half
	r.DesignEffect = math.NaN()
	if r.IID > 0 {
		r.DesignEffect = r.SE * r.SE / (r.IID * r.IID)
	}
	return r, nil
}
