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
	SE           float64 `json:"se"`     // cluster-robust, corrected
	DF           float64 `json:"df"`     // of Student's t; from 1 to Clusters-1, which it is where all clusters are of one size
	T            float64 `json:"t"`      // Mean / SE
	P            float64 `json:"p_two_sided"`
	Low          float64 `json:"ci_low"`
	High         float64 `json:"ci_high"`
	DesignEffect float64 `json:"design_effect"` // (SE/IID)^2; NaN when all differences are equal
}

// ClusterRobust is the mean of differences that come in clusters, such as questions about the same document, with a
// standard error that lets differences within a cluster depend on each other in any way: the square root of the sum of
// squared sums of residuals by cluster over n, each corrected by 1/(1-c) where c is the cluster's share of the differences
// (CR2). Test and interval are Student's t with as many degrees of freedom as that error would have, were the differences
// independent: 1/(sum of c^2 + sum over pairs of c^2 d^2 / ((1-c)(1-d))) (Bell and McCaffrey 2002; Imbens and Kolesár 2016).
// Where all clusters are of one size, both are what [ClusterCR1] has; where one holds most of the differences, that one finds
// differences that are not there up to two times in three (docs/adr/0079). Where one holds nearly all and two or three are left, nothing
// tells how clusters differ, and this form too errs more often than its level says. With a zero error P is 1 for a zero mean and 0
// otherwise. It fails on fewer than two clusters, on lists of different lengths, on values that are not finite and on
// a level outside (0, 1).
func ClusterRobust(diffs []float64, clusters []int, confidence float64) (ClusterMean, error) {
	return clusterMean(diffs, clusters, confidence, func(shares, sums []float64) (variance, df float64) {
		all, both, same := 0.0, 0.0, 0.0
		for i, c := range shares {
			variance += sums[i] * sums[i] / (1 - c)
			each := c * c / (1 - c)
			all, both, same = all+c*c, both+each, same+each*each
		}
		return variance, 1 / (all + both*both - same)
	})
}

// ClusterCR1 is [ClusterRobust] as textbooks have it: corrected by G/(G-1) for G clusters, with G-1 degrees of freedom (CR1;
// Cameron, Gelbach and Miller 2008). It is right for many clusters of about one size, and stands here to be compared with.
func ClusterCR1(diffs []float64, clusters []int, confidence float64) (ClusterMean, error) {
	return clusterMean(diffs, clusters, confidence, func(shares, sums []float64) (variance, df float64) {
		g := float64(len(shares))
		for _, sum := range sums {
			variance += sum * sum * g / (g - 1)
		}
		return variance, g - 1
	})
}

// clusterMean is a mean with the variance of its sum, and the degrees of freedom, that the clusters' shares of the differences and sums of
// residuals make.
func clusterMean(diffs []float64, clusters []int, confidence float64, correct func(shares, sums []float64) (variance, df float64)) (
	ClusterMean, error,
) {
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
	n := float64(len(diffs))
	r := ClusterMean{N: len(diffs), Clusters: len(groups), Mean: Mean(diffs)}
	r.IID = math.Sqrt(Variance(diffs, 1) / n)
	var shares, sums []float64
	for _, members := range groups {
		sum := 0.0
		for _, i := range members {
			sum += diffs[i] - r.Mean
		}
		if r.IID == 0 { // all residuals are 0 but for rounding
			sum = 0
		}
		r.CR0 += sum * sum
		shares, sums = append(shares, float64(len(members))/n), append(sums, sum)
	}
	variance, df := correct(shares, sums)
	r.CR0, r.SE, r.DF = math.Sqrt(r.CR0)/n, math.Sqrt(variance)/n, df
	r.T = ratio(r.Mean, r.SE)
	r.P = StudentTwoSided(r.T, r.DF)
	half := r.SE * StudentQuantile(0.5+confidence/2, r.DF)
	r.Low, r.High = r.Mean-half, r.Mean+half
	r.DesignEffect = math.NaN()
	if r.IID > 0 {
		r.DesignEffect = r.SE * r.SE / (r.IID * r.IID)
	}
	return r, nil
}
